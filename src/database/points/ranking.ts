import { blockEntries } from './refresh-boards.ts';

/** A thousand consecutive ranks, in the order of the board; points in 10^-8. */
export interface RankedBlock {
  readonly accountIds: Int32Array;
  readonly points: BigInt64Array;
}

export interface PlacedAccount {
  readonly accountId: number;
  /** From 1. */
  readonly place: number;
  readonly points: bigint;
}

/** Yields to requests; a million entries are too much for one turn. */
export type Rest = () => Promise<void>;

const blocksAtOnce = 20;
const unranked = 0;

/** A whole board in memory: twelve bytes per entry, four more per account for its rank. */
export class Ranking {
  readonly #blocks: readonly RankedBlock[];
  readonly #ranks: Int32Array;

  private constructor(blocks: readonly RankedBlock[], ranks: Int32Array) {
    this.#blocks = blocks;
    this.#ranks = ranks;
  }

  static readonly empty = new Ranking([], new Int32Array(0));

  /** The same board with some blocks replaced and others removed from its end. */
  async replaced(
    changed: ReadonlyMap<number, RankedBlock>,
    { total, accountsMax }: { readonly total: number; readonly accountsMax: number },
    rest: Rest,
  ): Promise<Ranking> {
    const count = Math.ceil(total / blockEntries);
    const blocks = Array.from({ length: count }, (_, index) => {
      const block = changed.get(index) ?? this.#blocks[index];
      if (block === undefined) throw new Error(`block ${index} of a board is missing`);
      return block;
    });
    const ranks = new Int32Array(accountsMax + 1);
    ranks.set(this.#ranks.subarray(0, ranks.length));
    // An account that left a block may be in another one, so all are removed before any is added.
    for (let index = 0; index < this.#blocks.length; index += 1) {
      if (index < count && !changed.has(index)) continue;
      for (const accountId of this.#blocks[index]?.accountIds ?? []) ranks[accountId] = unranked;
      if (index % blocksAtOnce === 0) await rest();
    }
    for (const [index, { accountIds }] of changed) {
      const first = index * blockEntries + 1;
      for (let at = 0; at < accountIds.length; at += 1) ranks[accountIds[at] ?? 0] = first + at;
      if (index % blocksAtOnce === 0) await rest();
    }
    return new Ranking(blocks, ranks);
  }

  /** Null if the account is not on the board. */
  rankOf(accountId: number): number | null {
    const rank = this.#ranks[accountId] ?? unranked;
    return rank === unranked ? null : rank;
  }

  list(offset: number, limit: number): readonly PlacedAccount[] {
    const entries: PlacedAccount[] = [];
    for (let index = offset; index < offset + limit; index += 1) {
      const block = this.#blocks[Math.floor(index / blockEntries)];
      const accountId = block?.accountIds[index % blockEntries];
      const points = block?.points[index % blockEntries];
      if (accountId === undefined || points === undefined) break;
      entries.push({ accountId, points, place: index + 1 });
    }
    return entries;
  }
}
