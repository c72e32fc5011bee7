import {
  EngineBusyError,
  EngineRestartingError,
  RequestExpiredError,
  RequestRepeatedError,
} from '../application/ports/exchange.ts';
import { assert } from '../domain/assert.ts';
import type { Sequence, TimestampMs } from '../domain/identifiers.ts';
import type { RequestDigest } from '../domain/request-digest.ts';
import type { Command } from '../engine/commands.ts';
import type { EngineView } from '../engine/engine-view.ts';
import type { AppliedCommand } from '../engine/events.ts';
import type { Stamp, StateMachine } from '../engine/state-machine.ts';
import { FieldWriter } from '../journal/field-writer.ts';
import { copyRecord, writeRecord } from '../journal/journal-record.ts';
import type { GroupPlace, JournalWriter } from '../journal/journal-writer.ts';
import { areDigestsKept, type KnownRequests } from '../journal/known-requests.ts';
import type { Time } from '../system/time.ts';
import { CommandGroup } from './command-group.ts';
import { isAllowedFromReserve } from './reserve.ts';
import type { Clock } from './sequencer-options.ts';
import { UnconfirmedGroups, type WrittenGroup } from './unconfirmed-groups.ts';

export interface PipelineOptions {
  readonly machine: StateMachine;
  /** The signed requests that are recovered from the journal. */
  readonly requests: KnownRequests;
  readonly journal: JournalWriter;
  readonly clock: Clock;
  readonly time: Time;
  /** The sequence of the last journaled command. */
  readonly sequence: Sequence;
  readonly timestamp: TimestampMs;
  readonly waitingMax: number;
  readonly groupBytesMax: number;
  /** Called for each durable group, before its callers are notified. */
  readonly onDurable: (outcomes: readonly AppliedCommand[], bytes: number, writeMs: number) => void;
  readonly onFatal: (error: unknown) => void;
  /**
   * Called when the journal holds everything up to that command. Null: that may be acknowledged;
   * otherwise once the promise resolves.
   */
  readonly confirm?: ((through: Sequence) => Promise<void> | null) | undefined;
}

interface Entry {
  readonly command: Command;
  readonly digest?: RequestDigest | null;
  /** Both as another process has encoded them. */
  readonly record?: Uint8Array | undefined;
}

type Group = CommandGroup<GroupPlace>;

interface Drain {
  readonly through: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** The journal failed before confirming the write, so the command may or may not be durable. */
export class OutcomeUnknownError extends Error {
  override readonly name = 'OutcomeUnknownError';
}

const spareGroupsMax = 8;

/**
 * Commands on their way to the disk. Each is written into the open group and applied at once; its
 * caller is notified once its group's write is durable. One write runs at a time, and commands that
 * arrive meanwhile form the next one, so groups grow with the load and a lone command is written
 * immediately.
 */
export class CommandPipeline {
  readonly #options: PipelineOptions;
  readonly #machine: StateMachine;
  readonly #journal: JournalWriter;
  readonly #requests: KnownRequests;
  readonly #fields = new FieldWriter();
  readonly #spare: Group[] = [];
  readonly #sealed: Group[] = [];
  #open: Group;
  #writing: Group | null = null;
  #isScheduled = false;
  #waiting = 0;
  #writeBegun = 0;
  #sequence: number;
  #timestamp: number;
  #durableSequence: Sequence;
  #writtenSequence: Sequence;
  readonly #unconfirmed: UnconfirmedGroups;
  readonly #drains: Drain[] = [];
  #failure: Error | null = null;
  #resolve: (applied: AppliedCommand) => void = ignore;
  #reject: (error: unknown) => void = ignore;

  constructor(options: PipelineOptions) {
    this.#options = options;
    this.#machine = options.machine;
    this.#journal = options.journal;
    this.#requests = options.requests;
    this.#open = new CommandGroup(options.groupBytesMax);
    this.#sequence = options.sequence;
    this.#timestamp = options.timestamp;
    this.#durableSequence = options.sequence;
    this.#writtenSequence = options.sequence;
    this.#unconfirmed = new UnconfirmedGroups((group) => this.#finish(group));
  }

  get waiting(): number {
    return this.#waiting + this.#unconfirmed.waiting;
  }

  /** The last command in this process's journal; fewer may be acknowledged. */
  get writtenSequence(): Sequence {
    return this.#writtenSequence;
  }

  get durableSequence(): Sequence {
    return this.#durableSequence;
  }

  /** The time of the newest applied command. */
  get timestamp(): TimestampMs {
    return this.#timestamp as TimestampMs;
  }

  submit({ command, digest = null, record }: Entry): Promise<AppliedCommand> {
    if (this.#failure !== null) return Promise.reject(this.#failure);
    const kept = this.isKeepingDigests ? digest : null;
    if (kept !== null && this.#requests.has(kept)) return this.#refuseRepeated();
    if (kept !== null && this.#requests.isTooOld(kept)) {
      return Promise.reject(new RequestExpiredError('the request is too old to be accepted'));
    }
    if (this.waiting >= this.#options.waitingMax) return refuseBusy('too many commands wait');
    const isShort = this.#journal.isShort(this.#open.used);
    if (isShort && !isAllowedFromReserve(command))
      return refuseBusy('the journal is waiting for disk space');
    const sequence = (this.#sequence + 1) as Sequence;
    const timestamp = Math.max(
      this.#timestamp,
      this.#options.clock.now(this.#timestamp),
    ) as TimestampMs;
    const entry = kept === digest ? { command, digest, record } : { command, digest: kept };
    return this.#take(entry, { sequence, timestamp });
  }

  /** Applies a command that another process has already sequenced. */
  follow(entry: Entry, stamp: Stamp): Promise<AppliedCommand> {
    if (this.#failure !== null) return Promise.reject(this.#failure);
    if (this.#waiting >= this.#options.waitingMax) return refuseBusy('too many commands wait');
    assert(stamp.sequence === this.#sequence + 1, 'a followed command is out of order');
    return this.#take(entry, stamp);
  }

  #take(entry: Entry, stamp: Stamp): Promise<AppliedCommand> {
    const { command, digest = null } = entry;
    let end: number;
    try {
      end = this.#encode(entry, stamp);
    } catch (error) {
      // Nothing was applied: a value that no field can hold affects only its own caller.
      return rejected(error);
    }
    if (end === 0) return refuseBusy('the journal is waiting for disk space');
    let applied: AppliedCommand;
    const { rules } = this.#machine;
    try {
      applied = this.#machine.apply(command, stamp);
    } catch (error) {
      // The state may be half changed and the command is not in the journal, so only a restart
      // helps.
      this.#fail(error);
      return rejected(this.#failure);
    }
    this.#requests.note(command, digest, stamp.timestamp, rules);
    this.#open.used = end;
    this.#sequence = stamp.sequence;
    this.#timestamp = stamp.timestamp;
    return this.#wait(applied);
  }

  /** Whether records name the signed requests that they come from: older rules had none. */
  get isKeepingDigests(): boolean {
    return areDigestsKept(this.#machine.rules);
  }

  // Only once the first one is durable: it is not accepted if its group fails.
  async #refuseRepeated(): Promise<never> {
    await this.read(() => null);
    throw new RequestRepeatedError('the request was accepted before');
  }

  read<T>(query: (view: EngineView) => T): Promise<T> {
    if (this.#failure !== null) return Promise.reject(this.#failure);
    if (this.waiting >= this.#options.waitingMax) return refuseBusy('too many commands wait');
    const group = this.#newestGroup();
    return new Promise((resolve, reject) => {
      const result = query(this.#machine);
      if (group === null && this.#unconfirmed.isEmpty) return resolve(result);
      if (group === null) return this.#unconfirmed.afterLast(() => resolve(result), reject);
      this.#waiting += 1;
      group.addRead(() => resolve(result), reject);
    });
  }

  /** Resolves once the journal holds everything accepted so far; rejects once it never will. */
  drain(): Promise<void> {
    if (this.#failure !== null) return Promise.reject(this.#failure);
    const through = this.#sequence;
    if (through <= this.#writtenSequence) return Promise.resolve();
    return new Promise((resolve, reject) => this.#drains.push({ through, resolve, reject }));
  }

  /** Rejects callers whose commands are in too few journals: their outcome is unknown. */
  giveUpUnconfirmed(): void {
    const text = 'too few processes hold the command to acknowledge it';
    this.#unconfirmed.giveUp(new OutcomeUnknownError(text));
  }

  /** The same for commands that are not written yet; the write goes on. */
  giveUpUnwritten(): void {
    const error = new OutcomeUnknownError('the command was not written in time');
    for (const group of this.#unwritten()) group.rejectAll(error);
  }

  #unwritten(): readonly Group[] {
    const waiting = [...this.#sealed, this.#open];
    return this.#writing === null ? waiting : [this.#writing, ...waiting];
  }

  /** Rejects all waiting callers: it is unknown whether their commands are durable. */
  fail(error: unknown): void {
    this.#fail(error);
  }

  // One promise per command and no closure: the executor stores its two functions in fields.
  #wait(applied: AppliedCommand): Promise<AppliedCommand> {
    const promise = new Promise<AppliedCommand>(this.#capture);
    this.#open.add(applied, this.#resolve, this.#reject);
    this.#waiting += 1;
    if (this.#writing === null && !this.#isScheduled) {
      this.#isScheduled = true;
      this.#options.time.afterTurn(this.#flush);
    }
    return promise;
  }

  readonly #capture = (
    resolve: (applied: AppliedCommand) => void,
    reject: (error: unknown) => void,
  ): void => {
    this.#resolve = resolve;
    this.#reject = reject;
  };

  // Returns the end offset of the record in the open group; 0 if the disk has no room for it.
  #encode(entry: Entry, stamp: Stamp): number {
    const end = this.#encodeInto(this.#open, entry, stamp);
    if (end <= this.#limit()) return end;
    const length = end - this.#open.used;
    if (length > this.#options.groupBytesMax) {
      throw new RangeError(`a command of ${length} bytes exceeds the limit of a record`);
    }
    if (length > this.#journal.room - this.#open.used && !this.#enterNextSegment()) return 0;
    if (this.#open.used > 0) this.#seal();
    return this.#encodeInto(this.#open, entry, stamp);
  }

  #encodeInto(group: Group, { command, digest = null, record }: Entry, stamp: Stamp): number {
    const fields = this.#fields;
    const place = group.outcomes.length;
    fields.bytes = group.bytes;
    fields.offset = group.used;
    if (record === undefined) writeRecord(fields, command, stamp, place, digest);
    else copyRecord(fields, record, stamp, place);
    return fields.offset;
  }

  #limit(): number {
    const room = this.#journal.room;
    return room < this.#open.bytes.length ? room : this.#open.bytes.length;
  }

  // The open group stays in the segment in which it was begun.
  #enterNextSegment(): boolean {
    if (!this.#journal.hasNext) return false;
    if (this.#open.used > 0) this.#seal();
    return this.#journal.enterNextSegment();
  }

  #seal(): void {
    const group = this.#open;
    group.place = this.#journal.plan(group.used);
    this.#sealed.push(group);
    this.#open = this.#spare.pop() ?? new CommandGroup(this.#options.groupBytesMax);
  }

  #newestGroup(): Group | null {
    if (this.#open.used > 0) return this.#open;
    return this.#sealed.at(-1) ?? this.#writing;
  }

  readonly #flush = (): void => {
    this.#isScheduled = false;
    if (this.#writing === null) this.#writeNext();
  };

  #writeNext(): void {
    if (this.#failure !== null) return;
    if (this.#sealed.length === 0) {
      if (this.#open.used === 0) return;
      this.#seal();
    }
    const group = this.#sealed.shift()!;
    this.#writing = group;
    this.#writeBegun = this.#options.time.monotonicMs();
    this.#journal
      .write(group.bytes, group.used, group.place!)
      .then(this.#finishWrite)
      .catch(this.#fail);
  }

  readonly #finishWrite = (): void => {
    if (this.#failure !== null) return;
    const group = this.#writing!;
    const writeMs = this.#options.time.monotonicMs() - this.#writeBegun;
    this.#writing = null;
    // Start the next disk write first; callers are notified while it runs.
    this.#writeNext();
    this.#waiting -= group.waiting;
    const { outcomes } = group;
    const through = outcomes[outcomes.length - 1]!.sequence;
    this.#writtenSequence = through;
    while ((this.#drains[0]?.through ?? Infinity) <= through) this.#drains.shift()!.resolve();
    const confirmed = this.#options.confirm?.(through) ?? null;
    if (confirmed !== null || !this.#unconfirmed.isEmpty) {
      this.#await(group.detach(writeMs), through, confirmed);
      this.#recycle(group);
      return;
    }
    this.#durableSequence = through;
    // Promise callbacks run after this function, so the listeners still run first. If one of them
    // throws, the callers still get the correct result.
    group.resolveAll();
    this.#options.onDurable(outcomes, group.used, writeMs);
    group.reset();
    this.#recycle(group);
  };

  #recycle(group: Group): void {
    if (this.#spare.length < spareGroupsMax) this.#spare.push(group);
  }

  #await(group: WrittenGroup, through: Sequence, confirmed: Promise<void> | null): void {
    this.#unconfirmed.add(group);
    const confirm = (): void => {
      if (this.#failure === null) this.#unconfirmed.confirm(through);
    };
    if (confirmed === null) confirm();
    else confirmed.then(confirm).catch(this.#fail);
  }

  #finish(group: WrittenGroup): void {
    const { outcomes, bytes, writeMs } = group;
    this.#durableSequence = outcomes[outcomes.length - 1]!.sequence;
    group.resolveAll();
    this.#options.onDurable(outcomes, bytes, writeMs);
  }

  readonly #fail = (error: unknown): void => {
    if (this.#failure !== null) return;
    this.#failure = failureFor(error);
    for (const group of this.#unwritten()) group.rejectAll(this.#failure);
    this.#unconfirmed.giveUp(this.#failure);
    for (const { reject } of this.#drains) reject(this.#failure);
    this.#waiting = 0;
    this.#options.onFatal(error);
  };
}

// A shared log that is written first can report that nothing was accepted. After a disk failure the
// outcome is unknown.
function failureFor(error: unknown): Error {
  if (error instanceof EngineRestartingError) return error;
  const text = 'the journal failed before the command was confirmed durable';
  return new OutcomeUnknownError(text, { cause: error });
}

function ignore(): void {}

function rejected(error: unknown): Promise<never> {
  return Promise.reject(error instanceof Error ? error : new Error(String(error)));
}

function refuseBusy(reason: string): Promise<never> {
  return Promise.reject(new EngineBusyError(reason));
}
