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
  readonly mayOwn?: boolean;
  /** What makes this process a worse owner than others; null if nothing does. */
  readonly weakness?: () => Weakness | null;
  readonly time: Pick<Time, 'wallMs' | 'monotonicMs'>;
  readonly logger: Logger;
}

/** A reason for a process to own the exchange only if no fit process can. */
export type Weakness = 'disk low' | 'loop slow';

/** A reason why a process is unfit to own the exchange. */
export type Unfitness = 'disk full' | 'disk slow' | 'clock' | Weakness;

/** A pause after an attempt that must not succeed gives other processes a chance. */
const againMs = 1_000;
const slowWriteMs = 2_000;
const fitAgainMs = 10_000;
/** How long a weak process waits for a fit one to take over an exchange without an owner. */
const weakWaitMs = 2_000;
/** A new owner keeps its role despite a slow loop: under general load it would keep moving. */
const ownMinMs = 30_000;

/** Whether this process may own the exchange. */
export class Candidacy {
  readonly clock: ClockCheck;
  readonly #options: CandidacyOptions;
  #from = 0;
  #slowUntil = 0;
  #isOver = false;
  #ownerlessSince: number | null = null;
  #ownsSince = 0;
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
    if (this.clock.isOff) return 'clock';
    return this.#options.weakness?.() ?? null;
  }

  /** What it reports to the others. */
  get report(): Pick<RollAnswer, 'isFit' | 'mayOwn'> {
    const { mayOwn = true } = this.#options;
    return { isFit: mayOwn && this.unfitness === null, mayOwn };
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
  mayTake(member: MemberFile, hasOwner: boolean): boolean {
    const now = this.#options.time.monotonicMs();
    if (hasOwner) this.#ownerlessSince = null;
    else this.#ownerlessSince ??= now;
    const { unfitness } = this;
    if (this.#options.mayOwn === false || !isCandidate({ member })) return false;
    if (this.#isOver || now < this.#from) return false;
    if (unfitness === null) return true;
    return isWeakness(unfitness) && now - (this.#ownerlessSince ?? now) >= weakWaitMs;
  }

  /** This process owns the exchange now. */
  begin(): void {
    this.#ownsSince = this.#options.time.monotonicMs();
  }

  /** It takes no lease for one second. */
  pause(): void {
    this.#from = this.#options.time.monotonicMs() + againMs;
  }

  /** It takes no lease any more. */
  end(): void {
    this.#isOver = true;
  }

  /**
   * Whether this process is unfit and another one could own the exchange. If so, this process
   * pauses, so that the other one has time to take the lease.
   */
  async mustStepDown(rollCall: RollCall): Promise<boolean> {
    const { unfitness } = this;
    if (unfitness === null) return false;
    const isNew = this.#options.time.monotonicMs() - this.#ownsSince < ownMinMs;
    if (unfitness === 'loop slow' && isNew) return false;
    const isEnough = (found: readonly RollAnswer[]): boolean => found.some(({ isFit }) => isFit);
    if (!isEnough(await rollCall.ask(isEnough, null))) return false;
    this.#options.logger.warn('another process is fit to own the exchange and takes over');
    this.pause();
    return true;
  }
}

/** Whether requests still succeed at a process that is unfit for this reason. */
export function isWeakness(unfitness: Unfitness): unfitness is Weakness {
  return unfitness === 'disk low' || unfitness === 'loop slow';
}
