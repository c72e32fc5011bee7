import type { Sequencer } from '../sequencer/sequencer.ts';
import type { Time } from '../system/time.ts';
import { isCandidate } from './may-begin.ts';
import type { MemberFile } from './member-file.ts';
import type { RollCall } from './roll-call.ts';

export interface CandidacyOptions {
  readonly sequencer: Pick<Sequencer, 'statistics'>;
  readonly time: Pick<Time, 'monotonicMs'>;
}

/** A pause after an attempt that must not succeed gives other processes a chance. */
const againMs = 1_000;

/** Whether this process may own the exchange. */
export class Candidacy {
  readonly #options: CandidacyOptions;
  #from = 0;
  #isOver = false;

  constructor(options: CandidacyOptions) {
    this.#options = options;
  }

  /** A process whose disk is full could accept nothing. */
  get isFit(): boolean {
    return !this.#options.sequencer.statistics.isSpaceMissing;
  }

  /** Whether it may take the lease now. */
  mayTake(member: MemberFile): boolean {
    if (this.#isOver || !this.isFit || !isCandidate({ member })) return false;
    return this.#options.time.monotonicMs() >= this.#from;
  }

  /** It takes no lease for a moment. */
  pause(): void {
    this.#from = this.#options.time.monotonicMs() + againMs;
  }

  /** It takes no lease any more. */
  end(): void {
    this.#isOver = true;
  }

  /** Whether some other process could own the exchange now. */
  async hasFitOther(rollCall: RollCall): Promise<boolean> {
    const others = await rollCall.ask((found) => found.some(({ isFit }) => isFit), null);
    return others.some(({ isFit }) => isFit);
  }
}
