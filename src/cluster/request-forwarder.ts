import {
  type AppliedCommand,
  EngineBusyError,
  EngineRestartingError,
  type RequestDigest,
  RequestExpiredError,
  RequestRepeatedError,
} from '../application/ports/exchange.ts';
import { assertNever } from '../domain/assert.ts';
import type { Sequence, TimestampMs } from '../domain/identifiers.ts';
import type { Command } from '../engine/commands.ts';
import { FieldWriter } from '../journal/field-writer.ts';
import { writeRecord } from '../journal/journal-record.ts';
import { OutcomeUnknownError } from '../sequencer/command-pipeline.ts';
import type { Time } from '../system/time.ts';
import type { Refusal, RequestLink } from './request-link.ts';

// Forwards the commands that this process cannot sequence itself. Each is sent to the owner under
// its own number, and the log entry that contains the command carries that number. Until that entry
// is seen the outcome is unknown. So the command is only sent again to the same owner, which
// accepts a number once, or to a later owner whose epoch began in a log without it, which proves
// that it was never accepted. It then gets another number: a late answer to the one before, which
// was refused or is dead with its owner, says nothing about it.

/** An epoch that is open in the log. */
export interface OpenedEpoch {
  readonly epoch: number;
  /** The process that owns it; null if that is not known. */
  readonly owner: string | null;
  /** Whether the log was given commands again without the requests that they came from. */
  readonly areOriginsUnknown: boolean;
}

export interface ForwarderOptions {
  readonly link: RequestLink;
  /** The epoch whose owner accepts orders now; null if no owner is known to be alive. */
  readonly route: () => number | null;
  readonly waitingMax: number;
  readonly recordBytesMax: number;
  readonly time: Pick<Time, 'monotonicMs' | 'every'>;
}

interface Pending {
  request: number;
  readonly record: Uint8Array;
  readonly begunAt: number;
  readonly resolve: (applied: AppliedCommand | Promise<AppliedCommand>) => void;
  readonly reject: (error: Error) => void;
  /** The epoch in which it was sent and may have been accepted; null: certainly not accepted. */
  sentIn: number | null;
  /** The owner of that epoch, if known. */
  sentTo: string | null;
  /** Whether it was under way when its owner ended: the next one is asked. */
  isCarriedOver: boolean;
  sentAt: number;
  attempts: number;
}

/** How long a command waits for an owner before its caller gets ENGINE_RESTARTING. */
export const ownerTimeoutMs = 800;
// One that was sent has waited for the takeover in any case, and goes to the new owner.
const takeoverTimeoutMs = 3_000;
// A sent command waits longer: a new owner's epoch shows for certain what became of it.
export const outcomeTimeoutMs = 12_000;
const sendAgainMs = 1_000;
const sweepMs = 100;
// A command has no sequence or time until the owner assigns them.
const noStamp = { sequence: 0 as Sequence, timestamp: 0 as TimestampMs };

export class RequestForwarder {
  readonly #options: ForwarderOptions;
  readonly #pending = new Map<number, Pending>();
  readonly #fields = new FieldWriter();
  readonly #buffer: Uint8Array;
  readonly #endSweeps: () => void;
  #owner: string | null = null;
  #requests = 0;

  constructor(options: ForwarderOptions) {
    this.#options = options;
    this.#buffer = new Uint8Array(options.recordBytesMax);
    options.link.onRefusal((request, refusal) => this.#onRefusal(request, refusal));
    this.#endSweeps = options.time.every(sweepMs, () => this.sweep());
  }

  get waiting(): number {
    return this.#pending.size;
  }

  submit(command: Command, digest: RequestDigest | null = null): Promise<AppliedCommand> {
    if (this.#pending.size >= this.#options.waitingMax) {
      return Promise.reject(new EngineBusyError('too many commands wait for the owner'));
    }
    return new Promise((resolve, reject) => {
      const record = this.#encode(command, digest);
      this.#requests += 1;
      const pending: Pending = {
        request: this.#requests,
        record,
        begunAt: this.#options.time.monotonicMs(),
        resolve,
        reject,
        sentIn: null,
        sentTo: null,
        isCarriedOver: false,
        sentAt: 0,
        attempts: 0,
      };
      this.#pending.set(pending.request, pending);
      this.#sendIfRouted(pending);
    });
  }

  /** The shared log contains the command of the request. */
  settle(request: number, applied: Promise<AppliedCommand>): void {
    const pending = this.#pending.get(request);
    if (pending === undefined) {
      // The caller was told that the outcome is unknown, so nothing waits for it any more.
      applied.catch(() => undefined);
      return;
    }
    this.#pending.delete(request);
    pending.resolve(applied);
  }

  /**
   * Handles the beginning of an epoch: a command that is not in the log by now was not accepted in
   * any earlier epoch, and goes to the new owner. An owner that has only begun another epoch may
   * still append it, and knows its number. A log that was restored without its requests may contain
   * it, and so may one that names only the requests of callers that still wait: then its outcome is
   * unknown.
   */
  beginEpoch({ epoch, owner, areOriginsUnknown }: OpenedEpoch): void {
    this.#owner = owner;
    const now = this.#options.time.monotonicMs();
    for (const pending of this.#pending.values()) {
      if (pending.sentIn === null || pending.sentIn >= epoch) continue;
      if (areOriginsUnknown || now - pending.begunAt > outcomeTimeoutMs) {
        this.#reject(pending, new OutcomeUnknownError('the shared log was restored'));
        continue;
      }
      if (owner === null || pending.sentTo === null || pending.sentTo === owner) {
        pending.sentIn = epoch;
        pending.sentAt = -Infinity;
        continue;
      }
      this.#startOver(pending);
      pending.isCarriedOver = true;
    }
    this.sweep();
  }

  /** Sends the commands that wait for an owner, and rejects those that have waited long enough. */
  sweep(): void {
    const now = this.#options.time.monotonicMs();
    for (const pending of this.#pending.values()) {
      const age = now - pending.begunAt;
      if (pending.sentIn === null) {
        const timeoutMs = pending.isCarriedOver ? takeoverTimeoutMs : ownerTimeoutMs;
        if (age > timeoutMs) this.#reject(pending, restarting());
        else this.#sendIfRouted(pending);
      } else if (age > outcomeTimeoutMs) {
        this.#reject(pending, new OutcomeUnknownError('the owner has not answered'));
      } else if (now - pending.sentAt > sendAgainMs) {
        this.#sendAgain(pending);
      }
    }
  }

  /** Sends nothing more. Commands that were sent may have been accepted. */
  stop(): void {
    this.#endSweeps();
    for (const pending of this.#pending.values()) {
      const wasSent = pending.sentIn !== null;
      this.#reject(pending, wasSent ? new OutcomeUnknownError('the process stops') : restarting());
    }
  }

  #encode(command: Command, digest: RequestDigest | null): Uint8Array {
    const fields = this.#fields;
    fields.bytes = this.#buffer;
    fields.offset = 0;
    writeRecord(fields, command, noStamp, 0, digest);
    if (fields.offset > this.#buffer.length) {
      throw new RangeError(`a command of ${fields.offset} bytes exceeds the limit of a record`);
    }
    return this.#buffer.slice(0, fields.offset);
  }

  #sendIfRouted(pending: Pending): void {
    const epoch = this.#options.route();
    if (epoch === null || !this.#options.link.isConnected) return;
    this.#send(pending, epoch);
  }

  // Resends only to the owner that may have it, because only that one knows whether it does.
  #sendAgain(pending: Pending): void {
    const isSameOwner = this.#options.route() === pending.sentIn;
    if (isSameOwner && this.#options.link.isConnected) this.#send(pending, pending.sentIn!);
  }

  #send(pending: Pending, epoch: number): void {
    pending.sentIn = epoch;
    pending.sentTo ??= this.#owner;
    pending.sentAt = this.#options.time.monotonicMs();
    pending.attempts += 1;
    this.#options.link.send(epoch, pending.request, pending.record);
  }

  #onRefusal(request: number, refusal: Refusal): void {
    const pending = this.#pending.get(request);
    if (pending === undefined) return;
    switch (refusal) {
      case 'busy':
        return this.#reject(pending, new EngineBusyError('too many commands wait'));
      case 'invalid':
        return this.#reject(pending, new RangeError('the owner cannot read the command'));
      case 'repeated':
        return this.#reject(pending, new RequestRepeatedError('the request was accepted before'));
      case 'expired':
        return this.#reject(pending, new RequestExpiredError('the request is too old'));
      case 'restarting':
        return this.#startOver(pending);
      case 'absent':
        // This message reached no owner, but an earlier one for the same command may have: it was
        // sent before, in this epoch or in another one of the same owner.
        // Its number stays, as a copy of the message may have arrived.
        if (pending.attempts === 1) {
          pending.sentIn = null;
          pending.sentTo = null;
          pending.attempts = 0;
        }
        return;
      default:
        return assertNever(refusal);
    }
  }

  /** It is certain that nobody accepts the number under which it was sent. */
  #startOver(pending: Pending): void {
    this.#pending.delete(pending.request);
    this.#requests += 1;
    pending.request = this.#requests;
    pending.sentIn = null;
    pending.sentTo = null;
    pending.attempts = 0;
    this.#pending.set(pending.request, pending);
  }

  #reject(pending: Pending, error: Error): void {
    this.#pending.delete(pending.request);
    pending.reject(error);
  }
}

function restarting(): EngineRestartingError {
  return new EngineRestartingError('no process owns the exchange');
}
