import type { Logger } from 'pino';
import type { Sequencer } from '../sequencer/sequencer.ts';
import type { Time } from '../system/time.ts';
import { ClockCheck } from './clock-check.ts';
import { isCandidate } from './may-begin.ts';
import type { MemberFile } from './member-file.ts';
import type { RollAnswer, RollCall } from './roll-call.ts';

export interface CandidacyOptions {
  readonly sequencer: Pick<Sequencer, 'statistics'>;
  readonly databaseTime?: () => Promise<number | null>;
  readonly time: Pick<Time, 'wallMs' | 'monotonicMs'>;
  readonly logger: Logger;
}

/** What makes a process unfit to own the exchange. */
export type Unfitness = 'disk full' | 'disk slow' | 'clock';

/** A pause after an attempt that must not succeed gives other processes a chance. */
const againMs = 1_000;
const slowWriteMs = 2_000;
const fitAgainMs = 10_000;

/** Whether this process may own the exchange. */
export class Candidacy {
  readonly clock: ClockCheck;
  readonly #options: CandidacyOptions;
  #from = 0;
  #slowUntil = 0;
  #isOver = false;
  #logged: Unfitness | null = null;

  constructor(options: CandidacyOptions) {
    this.#options = options;
    const { time, databaseTime = async () => null } = options;
    this.clock = new ClockCheck({ time, databaseTime });
  }

  /** Null if it is fit. */
  get unfitness(): Unfitness | null {
    const { isSpaceMissing, writePendingMs } = this.#options.sequencer.statistics;
    const now = this.#options.time.monotonicMs();
    if (writePendingMs > slowWriteMs) this.#slowUntil = now + fitAgainMs;
    if (isSpaceMissing) return 'disk full';
    if (now < this.#slowUntil) return 'disk slow';
    return this.clock.isOff ? 'clock' : null;
  }

  get isFit(): boolean {
    return this.unfitness === null;
  }

  /** Called with each turn of the election: compares the clocks, and logs what has changed. */
  check(): void {
    const { logger } = this.#options;
    void this.clock.check();
    const { unfitness } = this;
    if (unfitness === this.#logged) return;
    this.#logged = unfitness;
    if (unfitness === null) logger.info('this process is fit to own the exchange again');
    else logger.error({ unfitness }, 'this process is unfit to own the exchange');
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

  /** Whether another process could own the exchange now; this one then gives it time to. */
  async mayHandOver(rollCall: RollCall): Promise<boolean> {
    const isEnough = (found: readonly RollAnswer[]): boolean => found.some(({ isFit }) => isFit);
    if (!isEnough(await rollCall.ask(isEnough, null))) return false;
    this.#options.logger.warn('another process is fit to own the exchange and takes over');
    this.pause();
    return true;
  }
}
