import type { Logger } from 'pino';
import type { TimestampMs } from '../domain/identifiers.ts';
import type { Time } from '../system/time.ts';
import type { Clock } from './sequencer-options.ts';

export interface ClockSources {
  readonly time: Pick<Time, 'wallMs' | 'monotonicMs' | 'after'>;
  /** Another machine's clock, in milliseconds since 1970; null if it cannot be read now. */
  readonly readSecondClock: () => Promise<number | null>;
  readonly logger: Logger;
}

/** A wall clock that is ahead of the elapsed time. */
interface Claim {
  /** Wall clock minus monotonic clock. */
  readonly offset: number;
  /** On the monotonic clock. */
  readonly since: number;
  /** How long the offset has to stay the same before the second clock is asked, in milliseconds. */
  readonly confirmAfterMs: number;
}

const closeMs = 2_000;
const drawnAtMost = 0.05;
const paceAhead = 0.5;
const confirmMs = 60_000;
// Without an answer by then, a start continues from the last stamp; a later answer still counts.
const startTimeoutMs = 5_000;

/**
 * The exchange's time. It advances with the monotonic clock and is adjusted towards the wall clock
 * by at most 50 ms per second. A wall clock that is more than 2 s ahead is not trusted until it has
 * stayed there for 60 s and the second clock agrees. Time that is more than 2 s ahead of the wall
 * clock runs at half speed: it never stops and never goes back.
 */
export class ExchangeClock implements Clock {
  readonly #sources: ClockSources;
  #time: number;
  #monotonic: number;
  #claim: Claim | null = null;
  #jumps = 0;
  /** The largest jump since the last check; 0 if there was none. */
  #jumpMs = 0;
  #isAhead = false;
  #wasAhead = false;
  #isDoubted = false;

  constructor(sources: ClockSources) {
    this.#sources = sources;
    this.#time = sources.time.wallMs();
    this.#monotonic = sources.time.monotonicMs();
  }

  /** Times that the wall clock was found ahead of the elapsed time; an unbroken run counts once. */
  get jumps(): number {
    return this.#jumps;
  }

  /**
   * Milliseconds by which the wall clock is ahead of the exchange's time; negative if it is behind.
   */
  get offsetMs(): number {
    return this.#sources.time.wallMs() - this.now();
  }

  /**
   * Continues from the last stamp of a journal. A wall clock that is further ahead is accepted if
   * the second clock confirms it: the monotonic clock cannot tell how long nothing was running.
   */
  async begin(last: TimestampMs): Promise<void> {
    const wall = this.#sources.time.wallMs();
    const monotonic = this.#sources.time.monotonicMs();
    this.#monotonic = monotonic;
    const isFar = last > 0 && wall - last > closeMs;
    this.#time = isFar ? last : Math.max(last, wall);
    this.#claim = isFar ? { offset: wall - monotonic, since: monotonic, confirmAfterMs: 0 } : null;
    if (!isFar) return;
    let cancelTimeout = (): void => undefined;
    const timeout = new Promise<void>((resolve) => {
      cancelTimeout = this.#sources.time.after(startTimeoutMs, resolve);
    });
    await Promise.race([this.check(), timeout]);
    cancelTimeout();
  }

  /** Milliseconds since 1970. `last` is the newest stamp, possibly from another process. */
  now(last = 0): number {
    const { time } = this.#sources;
    const monotonic = time.monotonicMs();
    const passed = monotonic - this.#monotonic;
    this.#monotonic = monotonic;
    const wall = time.wallMs();
    const ahead = wall - (Math.max(this.#time, last) + passed);
    this.#isAhead = ahead < -closeMs;
    if (ahead > closeMs) this.#note(wall - monotonic, monotonic, ahead);
    else this.#claim = null;
    this.#time = Math.max(this.#time + passed + draw(ahead, passed), last);
    return Math.floor(this.#time);
  }

  /** Called every second: logs what is wrong, and reads the second clock when it is needed. */
  async check(): Promise<void> {
    const { logger, readSecondClock, time } = this.#sources;
    this.now();
    this.#logJumps();
    const claim = this.#claim;
    if (claim === null || time.monotonicMs() - claim.since < claim.confirmAfterMs) return;
    const confirmed = await readSecondClock();
    this.now();
    if (confirmed === null || this.#claim !== claim) return;
    const offsetMs = Math.round(this.offsetMs);
    if (Math.abs(confirmed - time.wallMs()) > closeMs) {
      if (!this.#isDoubted)
        logger.error({ offsetMs }, "clock jump: the database's clock disagrees");
      this.#isDoubted = true;
      return;
    }
    this.#time = time.wallMs();
    this.#claim = null;
    logger.warn({ offsetMs }, "exchange time follows the wall clock, as the database's agrees");
  }

  #note(offset: number, since: number, ahead: number): void {
    const claim = this.#claim;
    if (claim !== null && Math.abs(offset - claim.offset) <= closeMs) return;
    this.#claim = { offset, since, confirmAfterMs: confirmMs };
    this.#jumps += 1;
    this.#jumpMs = Math.max(this.#jumpMs, ahead);
    this.#isDoubted = false;
  }

  #logJumps(): void {
    const { logger } = this.#sources;
    if (this.#jumpMs > 0) {
      const offsetMs = Math.round(this.#jumpMs);
      logger.error({ offsetMs }, 'clock jump: the wall clock is ahead of the elapsed time');
    }
    this.#jumpMs = 0;
    if (this.#isAhead && !this.#wasAhead) {
      const offsetMs = Math.round(this.offsetMs);
      logger.error({ offsetMs }, 'clock jump: exchange time is ahead and advances at half speed');
    }
    this.#wasAhead = this.#isAhead;
  }
}

/** The adjustment to add to the elapsed milliseconds. */
function draw(ahead: number, passed: number): number {
  if (ahead > closeMs) return 0;
  if (ahead < -closeMs) return -paceAhead * passed;
  const most = drawnAtMost * passed;
  return Math.max(-most, Math.min(most, ahead));
}
