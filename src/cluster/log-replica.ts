import { type AppliedCommand, EngineBusyError } from '../application/ports/exchange.ts';
import type { Sequence } from '../domain/identifiers.ts';
import { FieldReader } from '../journal/field-reader.ts';
import {
  readDigest,
  readLength,
  readRecordCommand,
  readSequence,
  readTimestamp,
} from '../journal/journal-record.ts';
import { hasRules, RulesVersionError } from '../journal/rules-version.ts';
import type { Sequencer } from '../sequencer/sequencer.ts';
import type { Time } from '../system/time.ts';
import { DamagedGroupError } from './chain.ts';
import { errorOfFork, errorOfTail } from './fork-errors.ts';
import { appenderOf, type LogPosition, type Origin, type PlacedEntry } from './log-entry.ts';
import type { MemberFile } from './member-file.ts';
import { isLater } from './member-list.ts';
import type { OwnChain } from './own-chain.ts';
import { PositionWaiters } from './position-waiters.ts';
import type { RecentOrigins } from './recent-origins.ts';
import type { OpenedEpoch } from './request-forwarder.ts';
import {
  findPositionAfter,
  isTrimmedAfter,
  type SharedLog,
  trimmedLogError,
} from './shared-log.ts';

/** The log does not continue from what was applied: the place has to be found again. */
export class LogDiscontinuityError extends Error {
  override readonly name = 'LogDiscontinuityError';
}

export interface LogReplicaOptions {
  readonly log: SharedLog;
  readonly time: Time;
  readonly sequencer: Pick<
    Sequencer,
    'follow' | 'drain' | 'appliedSequence' | 'writtenSequence' | 'rules' | 'knownRules'
  >;
  /** Of what this process holds, to be compared with the log. */
  readonly chain: OwnChain;
  readonly member: MemberFile;
  readonly origins: RecentOrigins;
  /** The owner had acknowledged everything up to the command. */
  readonly onConfirmed: (through: Sequence) => void;
  /** This process's name, by which entries identify its requests. */
  readonly process: string;
  /** The command of one of this process's requests is in the log. */
  readonly onTaken: (request: number, applied: Promise<AppliedCommand>) => void;
  /**
   * An owner's epoch is open: no earlier owner can append any more. If the log was restored, it may
   * contain requests whose origins are unknown.
   */
  readonly onEpoch: (opened: OpenedEpoch) => void;
  /** Following has ended; the place has to be found again. */
  readonly onDiscontinuity: (error: LogDiscontinuityError) => void;
}

// Followed commands that may wait for the local disk.
const unwrittenMax = 2_000;
const spaceRetryMs = 50;

/** Copies the shared log into this process's own journal and engine, entry by entry. */
export class LogReplica {
  readonly #options: LogReplicaOptions;
  readonly #fields = new FieldReader();
  readonly #gate: PositionWaiters;
  #epoch = 0;
  #openEpoch = 0;
  /** Of the open epoch; null if not known. */
  #owner: string | null = null;
  /** Whether restored commands were applied since the newest opening that name no requests. */
  #areOriginsUnknown = false;
  #logStart: string | null = null;
  #lastId: string | null = null;
  #following: { readonly end: AbortController; readonly ended: Promise<void> } | null = null;

  constructor(options: LogReplicaOptions) {
    this.#options = options;
    this.#gate = new PositionWaiters(options.time);
  }

  /** Of the newest applied entry; 0 before any. */
  get epoch(): number {
    return this.#epoch;
  }

  /** The newest epoch whose opening is applied. */
  get openEpoch(): number {
    return this.#openEpoch;
  }

  /** The newest epoch that is open here. */
  get opened(): OpenedEpoch {
    const areOriginsUnknown = this.#areOriginsUnknown;
    return { epoch: this.#openEpoch, owner: this.#owner, areOriginsUnknown };
  }

  /** The newest start of the log's server that an applied entry names. */
  get logStart(): string | null {
    return this.#logStart;
  }

  /** Of the newest applied entry. */
  get position(): number {
    return this.#gate.position;
  }

  /** Where the newest applied entry stands. */
  get last(): LogPosition {
    return { position: this.#gate.position, id: this.#lastId };
  }

  /**
   * Finds the place after everything that the journal holds.
   * @throws ForkedError, TailSetAsideError, LogUnreachableError
   */
  async locate(): Promise<void> {
    const { log, chain } = this.#options;
    const next = await findPositionAfter(log, chain.newest.sequence as Sequence);
    const before = await log.load(next - 1);
    if (before === null && (await isTrimmedAfter(log, chain.newest.sequence as Sequence))) {
      throw trimmedLogError(next);
    }
    for (const entry of [before, await log.load(next)]) await this.#requireAgreement(entry);
    this.#epoch = before?.epoch ?? 0;
    this.#openEpoch = before?.isRestoring === true ? this.#epoch - 1 : this.#epoch;
    const isOwners = before !== null && before.id !== null && !before.isRestoring;
    this.#owner = isOwners ? appenderOf(before.id) : null;
    if (before !== null && !before.isRestoring) {
      this.#logStart = before.logStart ?? this.#logStart;
      // What the journal holds beyond the log is of an earlier epoch.
      if (before.lastSequence >= chain.newest.sequence) await this.#noteOpening(before);
      await this.#noteListAt(before);
    }
    this.#moveTo(before ?? { position: 0, id: null });
  }

  /** Whether the log still holds the newest applied entry; null if the log does not show it. */
  async isInPlace(): Promise<boolean | null> {
    const { position, id } = this.last;
    if (id === null) return null;
    const stored = await this.#options.log.load(position);
    return stored === null ? null : stored.id === id;
  }

  /**
   * Checks that what the journal holds beyond the log's last entry may still be put back.
   * @throws TailSetAsideError
   */
  async requireTail(last: PlacedEntry | null): Promise<void> {
    const error = last === null ? null : await errorOfTail(this.#options, last);
    if (error !== null) throw error;
  }

  async #requireAgreement(entry: PlacedEntry | null): Promise<void> {
    const { chain } = this.#options;
    if (entry === null || (await chain.agrees(entry))) return;
    throw await errorOfFork(this.#options, entry.position);
  }

  /** Follows the log from here; calls `onFatal` if that cannot continue. */
  start(onFatal: (error: Error) => void): void {
    this.#gate.resume();
    const end = new AbortController();
    const ended = this.#options.log
      .follow(this.position + 1, (entry) => this.#apply(entry), end.signal)
      .catch((error: unknown) => {
        if (end.signal.aborted) return;
        const failure = error instanceof Error ? error : new Error(String(error));
        if (failure instanceof LogDiscontinuityError) {
          this.#gate.interrupt(failure);
          this.#options.onDiscontinuity(failure);
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

  /** Whether the log is applied up to the position in time; the log may have lost that position. */
  async reaches(position: number, timeoutMs: number): Promise<boolean> {
    const late = new Error('the shared log was not applied in time');
    try {
      await this.reach(position, timeoutMs, () => late);
      return true;
    } catch (error) {
      if (error === late) return false;
      throw error;
    }
  }

  /** This process has itself appended the entry there. */
  skipTo(place: LogPosition, logStart: string): void {
    this.#logStart = logStart;
    this.#moveTo(place);
  }

  /** This process has itself opened an epoch after appending what the log lacked. */
  async openRestored(opening: { epoch: number; lastSequence: Sequence }): Promise<void> {
    this.#gate.resume();
    await this.#options.member.open({ epoch: opening.epoch, sequence: opening.lastSequence });
    this.#epoch = opening.epoch;
    this.#openEpoch = opening.epoch;
    this.#owner = this.#options.process;
    this.#tellEpoch();
  }

  async #apply(entry: PlacedEntry): Promise<void> {
    try {
      await this.#applyEntry(entry);
    } catch (error) {
      if (!(error instanceof DamagedGroupError)) throw error;
      throw new LogDiscontinuityError(`entry ${entry.position} is damaged`, { cause: error });
    }
  }

  async #applyEntry(entry: PlacedEntry): Promise<void> {
    // An entry that a former owner appends after a later epoch has begun is ignored.
    if (entry.epoch < this.#epoch) return this.#moveTo(entry);
    const isMark = entry.group.length === 0;
    // An epoch begins with a separate entry. If it was never seen, others were stored in its place.
    if (entry.epoch > this.#epoch && !isMark) {
      throw new LogDiscontinuityError(
        `entry ${entry.position} is of an epoch that began elsewhere`,
      );
    }
    const { id } = this.last;
    if (entry.after !== null && id !== null && entry.after !== id) {
      throw new LogDiscontinuityError(
        `entry ${entry.position} follows another one than was applied`,
      );
    }
    if (!(await this.#options.chain.agrees(entry))) {
      throw new LogDiscontinuityError(`entry ${entry.position} does not go on from this history`);
    }
    if (!isMark) await this.#applyGroup(entry);
    if (entry.chain !== null && entry.confirmed !== undefined) {
      this.#options.onConfirmed(entry.confirmed);
    }
    this.#epoch = entry.epoch;
    const opens = isMark && !entry.isRestoring && entry.epoch > this.#openEpoch;
    if (opens) await this.#noteOpening(entry);
    await this.#noteList(entry);
    if (!entry.isRestoring) this.#logStart = entry.logStart ?? this.#logStart;
    this.#moveTo(entry);
    if (!opens) return;
    this.#openEpoch = entry.epoch;
    this.#owner = entry.id === null ? null : appenderOf(entry.id);
    this.#tellEpoch();
  }

  #tellEpoch(): void {
    this.#options.onEpoch(this.opened);
    this.#areOriginsUnknown = false;
  }

  // What this process holds belongs to the epoch from here on, also after a restart.
  async #noteOpening({ epoch, lastSequence }: PlacedEntry): Promise<void> {
    const { member, sequencer } = this.#options;
    if (member.epochAt(lastSequence) >= epoch) return;
    if (sequencer.writtenSequence < lastSequence) await sequencer.drain();
    await member.open({ epoch, sequence: lastSequence });
  }

  // Entries without commands leave no trace in a journal: they may follow the newest list.
  async #noteListAt(last: PlacedEntry): Promise<void> {
    let entry: PlacedEntry | null = last;
    while (entry !== null && entry.mark === null && entry.group.length === 0) {
      entry = await this.#options.log.load(entry.position - 1);
    }
    if (entry !== null) await this.#noteList(entry);
  }

  async #noteList({ mark, isRestoring, lastSequence }: PlacedEntry): Promise<void> {
    const { member, sequencer } = this.#options;
    // An epoch that is not open yet may be abandoned, and its list with it.
    if (mark === null || isRestoring || !isLater(mark.list, member.list)) return;
    // An owner that looks for its place has a group waiting that a drain would wait for.
    if (sequencer.writtenSequence < lastSequence) await sequencer.drain();
    await member.saveList(mark.list);
  }

  #moveTo({ position, id }: LogPosition): void {
    this.#lastId = id;
    this.#gate.advance(position);
  }

  // A damaged copy is refused: another copy may be sound, and following resumes from there.
  async #applyGroup(entry: PlacedEntry): Promise<void> {
    const { sequencer, chain } = this.#options;
    const bytes = Buffer.from(entry.group.buffer, entry.group.byteOffset, entry.group.byteLength);
    const chains = chain.extendedBy(bytes);
    if (chains.length > 0 && entry.chain !== null && chains.at(-1) !== entry.chain.after) {
      throw new LogDiscontinuityError(`entry ${entry.position} has another chain than its records`);
    }
    this.#noteOrigins(entry);
    const ownRequests = this.#ownRequests(entry.origins);
    let place = 0;
    // The chains were computed from whole and sound records.
    for (let at = 0; at < bytes.length; place += 1) {
      const record = bytes.subarray(at, at + readLength(bytes, at));
      const sequence = readSequence(record, 0);
      if (sequence > sequencer.appliedSequence) {
        requireRules(entry, sequencer);
        if (this.#unwritten >= unwrittenMax) await sequencer.drain();
        let outcome = this.#follow(record);
        while (sequencer.appliedSequence !== sequence) {
          await this.#waitForRoom(outcome);
          outcome = this.#follow(record);
        }
        outcome.catch(() => undefined);
        const request = ownRequests.get(place);
        if (request !== undefined) this.#options.onTaken(request, outcome);
      }
      at += record.length;
    }
    chain.advance(chains);
  }

  get #unwritten(): number {
    const { appliedSequence, writtenSequence } = this.#options.sequencer;
    return appliedSequence - writtenSequence;
  }

  #follow(record: Buffer): Promise<AppliedCommand> {
    this.#fields.bytes = record;
    const command = readRecordCommand(this.#fields, 0, record.length);
    const stamp = { sequence: readSequence(record, 0), timestamp: readTimestamp(record, 0) };
    const digest = readDigest(record, 0, record.length);
    return this.#options.sequencer.follow(command, stamp, digest, record);
  }

  async #waitForRoom(refused: Promise<AppliedCommand>): Promise<void> {
    const refusal = await refused.then(
      () => null,
      (error: unknown) => error,
    );
    if (!(refusal instanceof EngineBusyError)) throw refusal;
    await this.#options.time.sleep(spaceRetryMs);
    if (this.#unwritten >= unwrittenMax) await this.#options.sequencer.drain();
  }

  #noteOrigins({ group, origins, isRestoring, namesOrigins, lastSequence }: PlacedEntry): void {
    this.#options.origins.note(readSequence(group, 0), origins);
    const { appliedSequence } = this.#options.sequencer;
    if (!isRestoring || namesOrigins === true || lastSequence <= appliedSequence) return;
    this.#options.origins.noteUnknown(lastSequence);
    this.#areOriginsUnknown = true;
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
