const usualDepth = 5_000;
const closingsMax = 500;

interface Kept<Sums> {
  readonly contract: string | null;
  readonly block: number;
  readonly sums: Sums;
  readonly closings: number;
}

/** A contract's books at its chain's last block, `head`. */
export interface Closing {
  readonly contract: string | null;
  readonly head: number;
  /** Sums all current rows. */
  readonly mustRecount: boolean;
}

/**
 * What the rows of blocks far below the last one sum to: kept as one sum and made again after so
 * many closings, so that closing the books does not grow with history.
 */
export class SettledSums<Sums> {
  readonly #depth: number;
  #kept: Kept<Sums> | null = null;

  constructor(depth = usualDepth) {
    this.#depth = depth;
  }

  /** The sums of all rows up to a block, computed with `sumUpTo` if they are not at hand. */
  async load(
    { contract, head, mustRecount }: Closing,
    sumUpTo: (block: number) => Promise<Sums>,
  ): Promise<{ readonly block: number; readonly sums: Sums }> {
    const kept = this.#kept;
    const isGood =
      !mustRecount &&
      kept?.contract === contract &&
      kept.block <= head &&
      kept.closings < closingsMax;
    if (isGood) {
      this.#kept = { ...kept, closings: kept.closings + 1 };
      return kept;
    }
    // Below every block if the chain is short: then nothing is kept.
    const block = Math.max(-1, head - this.#depth);
    this.#kept = { contract, block, sums: await sumUpTo(block), closings: 0 };
    return this.#kept;
  }

  forget(): void {
    this.#kept = null;
  }
}
