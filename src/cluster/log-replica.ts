import { type AppliedCommand, EngineBusyError } from '../application/ports.ts';
import type { Sequence } from '../domain/identifiers.ts';
import type { Command } from '../engine/commands.ts';
import type { Stamp } from '../engine/state-machine.ts';
import { FieldReader } from '../journal/field-reader.ts';
import {
  findRecord,
  readRecordCommand,
  readSequence,
  readTimestamp,
} from '../journal/journal-record.ts';
import { hasRules, RulesVersionError } from '../journal/other-rules.ts';
import type { Sequencer } from '../sequencer/sequencer.ts';
import type { Time } from '../system/time.ts';
import { LogDamageError, type Origin, type PlacedEntry } from './log-entry.ts';
import type { OwnRecords } from './own-records.ts';
import { PositionGate } from './position-gate.ts';
import { findPositionAfter, type SharedLog } from './shared-log.ts';

/** The journal holds different commands from the shared log: it belongs to another history. */
export class JournalAheadError extends Error {
  override readonly name = 'JournalAheadError';
}

/** The log does not continue from what was applied: the place has to be found again. */
export class OutOfPlaceError extends Error {
  override readonly name = 'OutOfPlaceError';
}

export interface LogReplicaOptions {
  readonly log: SharedLog;
  readonly time: Time;
  readonly sequencer: Pick<
    Sequencer,
    'follow' | 'drain' | 'appliedSequence' | 'rules' | 'knownRules'
  >;
  /** What the journal holds, to be compared with the log. */
  readonly ownRecords: OwnRecords;
  /** This process's name, by which entries identify its requests. */
  readonly process: string;
  /** The command of one of this process's requests is in the log. */
  readonly onTaken: (request: number, applied: Promise<AppliedCommand>) => void;
  /**
   * An owner's epoch is open: no earlier owner can append any more. If the log was restored, it may
   * contain requests again whose origins are unknown.
   */
  readonly onEpoch: (epoch: number, isRestored: boolean) => void;
  /** Following has ended; the place has to be found again. */
  readonly onOutOfPlace: (error: OutOfPlaceError) => void;
}

// Followed commands that may wait for the local disk.
const unwrittenMax = 2_000;
const spaceRetryMs = 50;

/** Copies the shared log into this process's own journal and engine, entry by entry. */
export class LogReplica {
  readonly #options: LogReplicaOptions;
  readonly #fields = new FieldReader();
  readonly #gate: PositionGate;
  #epoch = 0;
  #openEpoch = 0;
  #isRestored = false;
  #logStart: string | null = null;
  #last: PlacedEntry | null = null;
  #unwritten = 0;
  #following: { readonly end: AbortController; readonly ended: Promise<void> } | null = null;

  constructor(options: LogReplicaOptions) {
    this.#options = options;
    this.#gate = new PositionGate(options.time);
  }

  /** Of the newest applied entry; 0 before any. */
  get epoch(): number {
    return this.#epoch;
  }

  /** The newest start of the log's server that an applied entry names. */
  get logStart(): string | null {
    return this.#logStart;
  }

  /** Of the newest applied entry. */
  get position(): number {
    return this.#gate.position;
  }

  /**
   * Finds the place after everything that the journal holds.
   * @throws JournalAheadError, LogUnreachableError
   */
  async locate(): Promise<void> {
    const { log, sequencer } = this.#options;
    const own = sequencer.appliedSequence;
    const next = await findPositionAfter(log, own);
    const before = await log.load(next - 1);
    await this.#requireAgreement(own, next, before);
    this.#epoch = before?.epoch ?? 0;
    this.#isRestored = before?.isRestoring === true;
    this.#openEpoch = this.#isRestored ? this.#epoch - 1 : this.#epoch;
    this.#logStart = before?.logStart ?? this.#logStart;
    this.#last = before;
    this.#gate.advance(next - 1);
  }

  /** Whether the log still holds the newest applied entry; null if the log does not show it. */
  async isInPlace(): Promise<boolean | null> {
    const last = this.#last;
    if (last === null) return null;
    const stored = await this.#options.log.load(last.position);
    if (stored === null) return null;
    const { epoch, lastSequence, group } = stored;
    if (epoch !== last.epoch || lastSequence !== last.lastSequence) return false;
    return Buffer.compare(group, last.group) === 0;
  }

  // If the last entry that both have is the same in both, so is everything before it.
  async #requireAgreement(own: Sequence, next: number, before: PlacedEntry | null): Promise<void> {
    const { log, ownRecords } = this.#options;
    const here = await log.load(next);
    const end = here?.lastSequence ?? before?.lastSequence ?? 0;
    const common = Math.min(own, end);
    if (common === 0) return;
    const place = await findPositionAfter(log, (common - 1) as Sequence);
    const entry = await log.load(place);
    if (entry !== null && entry.group.length > 0 && (await ownRecords.agree(entry, own))) return;
    throw new JournalAheadError(
      `the journal and the shared log differ at command ${common}: this data folder belongs to ` +
        'another history of the exchange; move it away, and the process begins with the log',
    );
  }

  /** Follows the log from here; calls `onFatal` if that cannot continue. */
  start(onFatal: (error: Error) => void): void {
    const end = new AbortController();
    const ended = this.#options.log
      .follow(this.position + 1, (entry) => this.#apply(entry), end.signal)
      .catch((error: unknown) => {
        if (end.signal.aborted) return;
        const failure = error instanceof Error ? error : new Error(String(error));
        if (failure instanceof OutOfPlaceError) {
          this.#gate.interrupt(failure);
          this.#options.onOutOfPlace(failure);
          return;
        }
        this.#gate.fail(failure);
        onFatal(failure);
      });
    this.#following = { end, ended };
  }

  async stop(): Promise<void> {
    this.#following?.end.abort();
    await this.#following?.ended;
    this.#following = null;
  }

  /** Resolves once the log is applied up to the position. */
  reach(
    position: number,
    timeoutMs: number | null = null,
    expired: () => Error = () => new Error('the shared log was not applied in time'),
  ): Promise<void> {
    return this.#gate.waitFor(position, timeoutMs, expired);
  }

  /** This process has itself appended up to the position. */
  skipTo(position: number, logStart: string): void {
    this.#last = null;
    this.#logStart = logStart;
    this.#gate.advance(position);
  }

  /** This process has itself opened an epoch after appending what the log lacked. */
  openRestored(epoch: number): void {
    this.#epoch = epoch;
    this.#openEpoch = epoch;
    this.#options.onEpoch(epoch, true);
  }

  async #apply(entry: PlacedEntry): Promise<void> {
    if (entry.epoch < this.#epoch) {
      const text = `entry ${entry.position} of the shared log is of epoch ${entry.epoch}`;
      throw new LogDamageError(`${text}, but epoch ${this.#epoch} had begun before it`);
    }
    const isMark = entry.group.length === 0;
    // An epoch begins with a separate entry. If it was never seen, others were stored in its place.
    if (entry.epoch > this.#epoch && !isMark) {
      throw new OutOfPlaceError(`entry ${entry.position} is of an epoch that began elsewhere`);
    }
    if (!isMark) await this.#applyGroup(entry);
    if (entry.epoch > this.#epoch) this.#isRestored = entry.isRestoring;
    this.#epoch = entry.epoch;
    this.#logStart = entry.logStart ?? this.#logStart;
    this.#last = entry;
    this.#gate.advance(entry.position);
    if (!isMark || entry.isRestoring || entry.epoch <= this.#openEpoch) return;
    this.#openEpoch = entry.epoch;
    this.#options.onEpoch(entry.epoch, this.#isRestored);
  }

  async #applyGroup(entry: PlacedEntry): Promise<void> {
    const { sequencer } = this.#options;
    const bytes = Buffer.from(entry.group.buffer, entry.group.byteOffset, entry.group.byteLength);
    const ownRequests = this.#ownRequests(entry.origins);
    let place = 0;
    for (let at = 0; at < bytes.length; place += 1) {
      const length = findRecord(bytes, at, bytes.length);
      if (length === 0) throw new LogDamageError(`entry ${entry.position} is no group of records`);
      const stamp = { sequence: readSequence(bytes, at), timestamp: readTimestamp(bytes, at) };
      if (place === 0 && stamp.sequence <= sequencer.appliedSequence) {
        // An owner that held less than this process may have continued differently.
        await this.#requireSame(entry);
      }
      if (stamp.sequence > sequencer.appliedSequence) {
        requireRules(entry, sequencer);
        this.#requireNext(entry, stamp);
        this.#fields.bytes = bytes;
        const applied = await this.#follow(readRecordCommand(this.#fields, at, length), stamp);
        const request = ownRequests.get(place);
        if (request !== undefined) this.#options.onTaken(request, applied.outcome);
      }
      at += length;
    }
  }

  // The outcome is wrapped in an object so that awaiting this does not also wait for the disk.
  async #follow(
    command: Command,
    stamp: Stamp,
  ): Promise<{ readonly outcome: Promise<AppliedCommand> }> {
    const { sequencer } = this.#options;
    for (;;) {
      if (this.#unwritten >= unwrittenMax) await sequencer.drain();
      const outcome = sequencer.follow(command, stamp);
      if (sequencer.appliedSequence === stamp.sequence) {
        this.#unwritten += 1;
        const forget = (): void => void (this.#unwritten -= 1);
        outcome.then(forget, forget);
        return { outcome };
      }
      const refusal = await outcome.then(
        () => null,
        (error: unknown) => error,
      );
      if (!(refusal instanceof EngineBusyError)) throw refusal;
      await this.#options.time.sleep(spaceRetryMs);
    }
  }

  async #requireSame(entry: PlacedEntry): Promise<void> {
    const { ownRecords, sequencer } = this.#options;
    if (await ownRecords.agree(entry, sequencer.appliedSequence)) return;
    throw new OutOfPlaceError(
      `the shared log goes on at entry ${entry.position} with other commands than the journal`,
    );
  }

  #requireNext(entry: PlacedEntry, stamp: Stamp): void {
    const own = this.#options.sequencer.appliedSequence;
    if (stamp.sequence === own + 1) return;
    throw new OutOfPlaceError(
      `the shared log goes on with command ${stamp.sequence} at ${entry.position}, but the ` +
        `journal ends with ${own}`,
    );
  }

  #ownRequests(origins: readonly Origin[]): ReadonlyMap<number, number> {
    const own = new Map<number, number>();
    for (const { process, request, place } of origins) {
      if (process === this.#options.process) own.set(place, request);
    }
    return own;
  }
}

function requireRules(entry: PlacedEntry, sequencer: LogReplicaOptions['sequencer']): void {
  const { rules, knownRules, appliedSequence } = sequencer;
  const { position, rulesVersion } = entry;
  if (!hasRules(knownRules, rulesVersion)) {
    throw new RulesVersionError(
      `entry ${position} of the shared log was applied by version ${rulesVersion} of the rules and ` +
        `this program has versions ${knownRules.oldestRules} to ${knownRules.newestRules}`,
    );
  }
  if (appliedSequence > 0 || rulesVersion === rules) return;
  throw new RulesVersionError(
    `the shared log begins with version ${rulesVersion} of the rules and this empty data folder ` +
      `with version ${rules}: start with RULES=hold, which begins an empty one with the older rules`,
  );
}
