import type { Logger } from 'pino';
import type { Sequence } from '../domain/identifiers.ts';
import type { Sequencer } from '../sequencer/sequencer.ts';
import type { Time } from '../system/time.ts';
import type { LogDiscontinuityError, LogReplica } from './log-replica.ts';
import { LogUnreachableError } from './log-unreachable-error.ts';
import { notReady } from './not-ready.ts';
import { type LogEnd, type SharedLog } from './shared-log.ts';

const recheckMs = 2_000;
const behindMs = 2_000;
const joinAgainMs = 250;
const appliedAgainMs = 5;

export interface LogPlaceOptions {
  readonly log: SharedLog;
  readonly replica: LogReplica;
  readonly sequencer: Pick<Sequencer, 'appliedSequence'>;
  readonly time: Pick<Time, 'monotonicMs' | 'sleep'>;
  readonly logger: Logger;
  /** How far the members are; asked among several servers, whose leader may be a former one. */
  readonly loadReach: () => Promise<Sequence>;
  /** The place was found after an epoch that was opened meanwhile. */
  readonly onEpoch: (epoch: number) => void;
  readonly onFatal: (error: unknown) => void;
}

/** What a read has to wait for. */
interface AskedEnd extends LogEnd {
  /** What was applied when the question was asked; more may be until the answer arrives. */
  readonly position: number;
  /** The last command that members hold. */
  readonly reach: Sequence;
}

/**
 * This process's place in the shared log. A log that has lost its end may hold less than the
 * journal, or continue differently: the process is then ahead, and follows nothing until the log
 * holds what the journal holds.
 */
export class LogPlace {
  readonly #options: LogPlaceOptions;
  #end = 0;
  #isAhead = false;
  #agreedAt: number | null = null;
  /** An end of the log that was not applied when it was seen. */
  #missing: { readonly end: number; readonly since: number } | null = null;
  #asking: Promise<AskedEnd> | null = null;
  #askingNext: Promise<AskedEnd> | null = null;

  constructor(options: LogPlaceOptions) {
    this.#options = options;
  }

  get isAhead(): boolean {
    return this.#isAhead;
  }

  /** Entries of the log that this process is known to lack. */
  get lagEntries(): number {
    return Math.max(0, this.#end - this.#options.replica.position);
  }

  /** For how long the place has not been found in the log; null if it never was. */
  get agreementAgeMs(): number | null {
    return this.#agreedAt === null ? null : this.#options.time.monotonicMs() - this.#agreedAt;
  }

  /** Whether entries that were in the log 2 s ago are not applied. */
  get isBehind(): boolean {
    const { replica, time } = this.#options;
    const missing = this.#missing;
    if (missing === null || missing.end <= replica.position) return false;
    return time.monotonicMs() - missing.since > behindMs;
  }

  /** The log holds what this process has applied. */
  noteAgreement(): void {
    this.#agreedAt = this.#options.time.monotonicMs();
  }

  /** The log's end at some moment after this call. @throws if that cannot be determined */
  #askEnd(): Promise<AskedEnd> {
    // A request already under way may have been answered before this call, so the next one is used.
    this.#askingNext ??= (this.#asking ?? Promise.resolve(null))
      .catch(() => null)
      .then(() => {
        this.#asking = this.#askingNext;
        this.#askingNext = null;
        return this.#loadEnd();
      });
    return this.#askingNext;
  }

  async #loadEnd(): Promise<AskedEnd> {
    const { log, replica, loadReach } = this.#options;
    const { position } = replica;
    const end = await log.loadEndAndStart();
    return { ...end, position, reach: end.isOneServer ? (0 as Sequence) : await loadReach() };
  }

  /**
   * Resolves once everything is applied that any process had acknowledged when this was called.
   * @throws EngineRestartingError if that cannot be determined
   */
  async catchUp(timeoutMs: number): Promise<void> {
    const { replica, sequencer, time } = this.#options;
    if (this.#isAhead) throw notReady();
    const asked = await this.#askEnd().catch((error: unknown) => {
      throw notReady(error);
    });
    const { end, start, isOneServer, reach } = asked;
    // Commands acknowledged by another process may no longer be in this log.
    if (end < asked.position) throw notReady();
    // Following may end meanwhile, because the log continues differently from what is known here.
    await replica
      .reach(end, timeoutMs, () => notReady())
      .catch((error: unknown) => {
        throw notReady(error);
      });
    // A restarted log may lack its newest entries until its owner has appended to it again.
    if (isOneServer && replica.logStart !== start) throw notReady();
    const since = time.monotonicMs();
    while (sequencer.appliedSequence < reach) {
      if (time.monotonicMs() - since > timeoutMs) throw notReady();
      await time.sleep(appliedAgainMs);
    }
  }

  /** Following has ended; the next check finds the place again. */
  lose(error: LogDiscontinuityError): void {
    this.#options.logger.warn(
      { err: error },
      'the shared log continues differently from what is known here',
    );
    this.#isAhead = true;
  }

  /** This process has appended everything it holds to the log. */
  settle(): void {
    this.#isAhead = false;
    this.noteAgreement();
  }

  /** Checks that the log still holds what was applied. @throws ForkedError, TailSetAsideError */
  async check(): Promise<void> {
    const { log, replica } = this.#options;
    const { position } = replica;
    const { end, start, isOneServer } = await log.loadEndAndStart();
    if (this.#isAhead || end < position || (await replica.isInPlace()) === false) {
      await this.find();
      return;
    }
    this.#noteEnd(end);
    // Until an entry names the present start, the log may lack what was acknowledged.
    if (!isOneServer || replica.logStart === start) this.noteAgreement();
  }

  #noteEnd(end: number): void {
    const { replica, time } = this.#options;
    this.#end = end;
    if (this.#missing !== null && this.#missing.end > replica.position) return;
    this.#missing = end > replica.position ? { end, since: time.monotonicMs() } : null;
  }

  /** Follows the log from where the journal ends, or waits if the log ends before that. */
  async find(): Promise<void> {
    const { log, replica, sequencer, logger, onEpoch, onFatal } = this.#options;
    const own = sequencer.appliedSequence;
    const wasAhead = this.#isAhead;
    this.#isAhead = true;
    await replica.stop();
    log.forgetEnd();
    await replica.locate();
    this.#end = await log.loadEnd();
    const entry = await log.load(this.#end);
    const last = entry?.lastSequence ?? 0;
    if (last < own) {
      await replica.requireTail(entry);
      if (!wasAhead)
        logger.warn({ own, last }, 'the shared log has fewer entries than this process');
      return;
    }
    this.#isAhead = false;
    onEpoch(replica.epoch);
    replica.start(onFatal);
  }

  /**
   * Resolves once the log is applied up to its end, or is known to have lost its end. A log that
   * does not answer now is asked again until the signal.
   */
  async enter(signal: AbortSignal): Promise<void> {
    const { time, logger } = this.#options;
    for (;;) {
      try {
        await this.find();
        return await this.#reachEnd();
      } catch (error) {
        if (signal.aborted || !(error instanceof LogUnreachableError)) throw error;
        logger.warn({ err: error }, 'the shared log cannot be joined now');
        await time.sleep(joinAgainMs, signal);
      }
    }
  }

  async #reachEnd(): Promise<void> {
    while (!this.#isAhead) {
      if (await this.#options.replica.reaches(this.#end, recheckMs)) return;
      await this.check();
    }
  }
}
