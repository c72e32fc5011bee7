import {
  type AppliedCommand,
  EngineBusyError,
  EngineRestartingError,
} from '../application/ports.ts';
import { assertNever } from '../domain/assert.ts';
import type { Sequence, TimestampMs } from '../domain/identifiers.ts';
import type { Command } from '../engine/commands.ts';
import { FieldWriter } from '../journal/field-writer.ts';
import { writeRecord } from '../journal/journal-record.ts';
import { OutcomeUnknownError } from '../sequencer/command-pipeline.ts';
import type { Time } from '../system/time.ts';
import type { Refusal, RequestLink } from './request-link.ts';

// The way of a command that this process cannot take itself. It is sent to the owner under a
// number of its own; that it was taken shows in the shared log, where the number stands beside it.
// Until then nobody knows: so it is only ever sent again to the same owner, which takes a number
// once, or to a later one whose epoch the log begins without it, for then it was never taken.

export interface ForwarderOptions {
  readonly link: RequestLink;
  /** The epoch whose owner takes orders now; null where none is known to be there. */
  readonly route: () => number | null;
  readonly waitingMax: number;
  readonly recordBytesMax: number;
  readonly time: Pick<Time, 'monotonicMs' | 'every'>;
}

interface Pending {
  readonly request: number;
  readonly record: Uint8Array;
  readonly begunAt: number;
  readonly resolve: (applied: AppliedCommand | Promise<AppliedCommand>) => void;
  readonly reject: (error: Error) => void;
  /** The epoch that it was sent to and may have been taken in; null: certainly not taken. */
  sentIn: number | null;
  sentAt: number;
  attempts: number;
}

/** How long a command waits for an owner before its caller hears ENGINE_RESTARTING. */
export const ownerPatienceMs = 800;
// What was sent waits longer: a new owner's epoch says for certain what became of it.
const decisionPatienceMs = 12_000;
const sendAgainMs = 1_000;
const sweepMs = 100;
// No command has a place or a time before the owner gives it one.
const noStamp = { sequence: 0 as Sequence, timestamp: 0 as TimestampMs };

export class RequestForwarder {
  readonly #options: ForwarderOptions;
  readonly #pending = new Map<number, Pending>();
  readonly #fields = new FieldWriter();
  readonly #buffer: Uint8Array;
  readonly #endSweeps: () => void;
  #requests = 0;

  constructor(options: ForwarderOptions) {
    this.#options = options;
    this.#buffer = new Uint8Array(options.recordBytesMax);
    options.link.onRefusal((request, refusal) => this.#hear(request, refusal));
    this.#endSweeps = options.time.every(sweepMs, () => this.sweep());
  }

  get waiting(): number {
    return this.#pending.size;
  }

  submit(command: Command): Promise<AppliedCommand> {
    if (this.#pending.size >= this.#options.waitingMax) {
      return Promise.reject(new EngineBusyError('too many commands wait for the owner'));
    }
    return new Promise((resolve, reject) => {
      const record = this.#encode(command);
      this.#requests += 1;
      const pending: Pending = {
        request: this.#requests,
        record,
        begunAt: this.#options.time.monotonicMs(),
        resolve,
        reject,
        sentIn: null,
        sentAt: 0,
        attempts: 0,
      };
      this.#pending.set(pending.request, pending);
      this.#sendIfRouted(pending);
    });
  }

  /** The shared log holds the command of the request. */
  settle(request: number, applied: Promise<AppliedCommand>): void {
    const pending = this.#pending.get(request);
    if (pending === undefined) {
      // Its caller was told that nobody knows; nobody else waits for the outcome.
      applied.catch(() => undefined);
      return;
    }
    this.#pending.delete(request);
    pending.resolve(applied);
  }

  /**
   * An epoch has begun: what the log does not hold by now was not taken in any earlier one. In a
   * log that was restored it may stand without its number, so nobody knows.
   */
  beginEpoch(epoch: number, isRestored = false): void {
    for (const pending of this.#pending.values()) {
      if (pending.sentIn === null || pending.sentIn >= epoch) continue;
      if (isRestored) {
        this.#reject(pending, new OutcomeUnknownError('the shared log was restored'));
        continue;
      }
      pending.sentIn = null;
      pending.attempts = 0;
    }
    this.sweep();
  }

  /** Sends what waits for an owner, and tells those who have waited long enough. */
  sweep(): void {
    const now = this.#options.time.monotonicMs();
    for (const pending of this.#pending.values()) {
      const age = now - pending.begunAt;
      if (pending.sentIn === null) {
        if (age > ownerPatienceMs) this.#reject(pending, restarting());
        else this.#sendIfRouted(pending);
      } else if (age > decisionPatienceMs) {
        this.#reject(pending, new OutcomeUnknownError('the owner has not answered'));
      } else if (now - pending.sentAt > sendAgainMs) {
        this.#sendAgain(pending);
      }
    }
  }

  /** Nothing is sent any more; what was sent may have been taken. */
  stop(): void {
    this.#endSweeps();
    for (const pending of this.#pending.values()) {
      const wasSent = pending.sentIn !== null;
      this.#reject(pending, wasSent ? new OutcomeUnknownError('the process stops') : restarting());
    }
  }

  #encode(command: Command): Uint8Array {
    const fields = this.#fields;
    fields.bytes = this.#buffer;
    fields.offset = 0;
    writeRecord(fields, command, noStamp, 0);
    if (fields.offset > this.#buffer.length) {
      throw new RangeError(`a command of ${fields.offset} bytes passes the limit of a record`);
    }
    return this.#buffer.slice(0, fields.offset);
  }

  #sendIfRouted(pending: Pending): void {
    const epoch = this.#options.route();
    if (epoch === null || !this.#options.link.isConnected) return;
    this.#send(pending, epoch);
  }

  // Only to the owner that may have it, for that one knows whether it does.
  #sendAgain(pending: Pending): void {
    const isSameOwner = this.#options.route() === pending.sentIn;
    if (isSameOwner && this.#options.link.isConnected) this.#send(pending, pending.sentIn!);
  }

  #send(pending: Pending, epoch: number): void {
    pending.sentIn = epoch;
    pending.sentAt = this.#options.time.monotonicMs();
    pending.attempts += 1;
    this.#options.link.send(epoch, pending.request, pending.record);
  }

  #hear(request: number, refusal: Refusal): void {
    const pending = this.#pending.get(request);
    if (pending === undefined) return;
    switch (refusal) {
      case 'busy':
        return this.#reject(pending, new EngineBusyError('too many commands wait'));
      case 'invalid':
        return this.#reject(pending, new RangeError('the owner cannot read the command'));
      case 'restarting':
        pending.sentIn = null;
        return;
      case 'absent':
        // Nobody has this one; but one that was sent before it may have been taken.
        if (pending.attempts === 1) {
          pending.sentIn = null;
          pending.attempts = 0;
        }
        return;
      default:
        return assertNever(refusal);
    }
  }

  #reject(pending: Pending, error: Error): void {
    this.#pending.delete(pending.request);
    pending.reject(error);
  }
}

function restarting(): EngineRestartingError {
  return new EngineRestartingError('no process owns the exchange at present');
}
