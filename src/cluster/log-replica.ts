import { setTimeout as delay } from 'node:timers/promises';
import { type AppliedCommand, EngineBusyError } from '../application/ports.ts';
import type { Command } from '../engine/commands.ts';
import type { Stamp } from '../engine/state-machine.ts';
import { FieldReader } from '../journal/field-reader.ts';
import {
  findRecord,
  readRecordCommand,
  readSequence,
  readTimestamp,
} from '../journal/journal-record.ts';
import { RulesVersionError } from '../journal/recovery.ts';
import type { Sequencer } from '../sequencer/sequencer.ts';
import { LogDamageError, type Origin, type PlacedEntry } from './log-entry.ts';
import { PositionGate } from './position-gate.ts';
import { findPositionAfter, type SharedLog } from './shared-log.ts';

/** The journal holds commands that the shared log does not: one of them was replaced or lost. */
export class JournalAheadError extends Error {
  override readonly name = 'JournalAheadError';
}

export interface LogReplicaOptions {
  readonly log: SharedLog;
  readonly sequencer: Pick<Sequencer, 'follow' | 'drain' | 'appliedSequence'>;
  readonly rulesVersion: number;
  /** This process, whose requests are told apart in the entries. */
  readonly process: string;
  /** A request of this process stands in the log. */
  readonly onTaken: (request: number, applied: Promise<AppliedCommand>) => void;
  /** An owner's epoch has begun: no owner before it can append anything any more. */
  readonly onEpoch: (epoch: number) => void;
}

// Followed commands that may wait for the local disk.
const unwrittenMax = 2_000;
const spaceRetryMs = 50;

/** Carries the shared log into this process's own journal and engine, entry by entry. */
export class LogReplica {
  readonly #options: LogReplicaOptions;
  readonly #fields = new FieldReader();
  readonly #gate = new PositionGate();
  #epoch = 0;
  #unwritten = 0;
  #following: { readonly end: AbortController; readonly ended: Promise<void> } | null = null;

  constructor(options: LogReplicaOptions) {
    this.#options = options;
  }

  /** Of the newest applied entry; 0 before any. */
  get epoch(): number {
    return this.#epoch;
  }

  /** Of the newest applied entry. */
  get position(): number {
    return this.#gate.position;
  }

  /**
   * Finds the place behind what the journal holds.
   * @throws JournalAheadError, LogUnreachableError
   */
  async locate(): Promise<void> {
    const { log, sequencer } = this.#options;
    const own = sequencer.appliedSequence;
    const next = await findPositionAfter(log, own);
    const before = await log.load(next - 1);
    const here = await log.load(next);
    const end = here?.lastSequence ?? before?.lastSequence ?? 0;
    if (end < own) {
      throw new JournalAheadError(
        `the journal holds ${own} commands, but the shared log ends with ${end}: one of the two ` +
          'belongs to another exchange, or the log has lost its end',
      );
    }
    this.#epoch = before?.epoch ?? 0;
    this.#gate.advance(next - 1);
  }

  /** Follows from here on; `onFatal` where that cannot go on. */
  start(onFatal: (error: Error) => void): void {
    const end = new AbortController();
    const ended = this.#options.log
      .follow(this.position + 1, (entry) => this.#apply(entry), end.signal)
      .catch((error: unknown) => {
        if (end.signal.aborted) return;
        const failure = error instanceof Error ? error : new Error(String(error));
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

  /** This process itself has appended up to the position. */
  skipTo(position: number): void {
    this.#gate.advance(position);
  }

  async #apply(entry: PlacedEntry): Promise<void> {
    if (entry.epoch < this.#epoch) {
      const text = `entry ${entry.position} of the shared log is of epoch ${entry.epoch}`;
      throw new LogDamageError(`${text}, but epoch ${this.#epoch} had begun before it`);
    }
    if (entry.group.length > 0) await this.#applyGroup(entry);
    const hasBegun = entry.epoch > this.#epoch;
    this.#epoch = entry.epoch;
    this.#gate.advance(entry.position);
    if (hasBegun) this.#options.onEpoch(entry.epoch);
  }

  async #applyGroup(entry: PlacedEntry): Promise<void> {
    const { sequencer, rulesVersion } = this.#options;
    const bytes = Buffer.from(entry.group.buffer, entry.group.byteOffset, entry.group.byteLength);
    const ownRequests = this.#ownRequests(entry.origins);
    let place = 0;
    for (let at = 0; at < bytes.length; place += 1) {
      const length = findRecord(bytes, at, bytes.length);
      if (length === 0) throw new LogDamageError(`entry ${entry.position} is no group of records`);
      const stamp = { sequence: readSequence(bytes, at), timestamp: readTimestamp(bytes, at) };
      if (stamp.sequence > sequencer.appliedSequence) {
        requireRules(entry, rulesVersion);
        this.#requireNext(entry, stamp);
        this.#fields.bytes = bytes;
        const applied = await this.#follow(readRecordCommand(this.#fields, at, length), stamp);
        const request = ownRequests.get(place);
        if (request !== undefined) this.#options.onTaken(request, applied.outcome);
      }
      at += length;
    }
  }

  // The outcome in a wrapping of its own: it comes with the disk, which nobody waits for here.
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
      await delay(spaceRetryMs);
    }
  }

  #requireNext(entry: PlacedEntry, stamp: Stamp): void {
    const own = this.#options.sequencer.appliedSequence;
    if (stamp.sequence === own + 1) return;
    throw new LogDamageError(
      `the shared log goes on with command ${stamp.sequence} at ${entry.position}, but the ` +
        `journal ends with ${own}: copy the data folder of another process`,
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

function requireRules(entry: PlacedEntry, version: number): void {
  if (entry.rulesVersion === version) return;
  throw new RulesVersionError(
    `entry ${entry.position} of the shared log was applied by version ${entry.rulesVersion} of ` +
      `the rules and this program has version ${version}`,
  );
}
