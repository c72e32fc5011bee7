import {
  type AppliedCommand,
  type Command,
  EngineBusyError,
  EngineRestartingError,
  type RequestDigest,
  RequestExpiredError,
  RequestRepeatedError,
} from '../application/ports/exchange.ts';
import type { Sequence } from '../domain/identifiers.ts';
import { FieldReader } from '../journal/field-reader.ts';
import { findRecord, readDigest, readRecordCommand } from '../journal/journal-record.ts';
import { DeduplicationWindow } from './deduplication-window.ts';
import type { Origin } from './log-entry.ts';
import type { ReceivedRequest, Refusal, RequestLink } from './request-link.ts';

export interface RequestServerOptions {
  readonly link: RequestLink;
  /** The record is the command and the digest, as received. */
  readonly submit: (
    command: Command,
    digest: RequestDigest | null,
    record: Uint8Array,
  ) => Promise<AppliedCommand>;
  readonly appliedSequence: () => Sequence;
  /** Requests that a process sends to itself appear in no entry that it would follow. */
  readonly own: {
    readonly process: string;
    readonly settle: (request: number, applied: Promise<AppliedCommand>) => void;
  };
}

// Many times the number of requests that a process can have under way.
const numbersKeptMax = 100_000;

/**
 * Accepts other processes' commands while this one is the owner, each number once. A refused number
 * stays refused: its sender may have been told so, and another copy may be on its way.
 */
export class RequestServer {
  readonly #options: RequestServerOptions;
  readonly #fields = new FieldReader();
  readonly #taken = new Map<string, DeduplicationWindow>();
  /** The origins of the commands that wait for the log, by sequence. */
  readonly #origins = new Map<number, { readonly process: string; readonly request: number }>();
  #end: () => void = () => undefined;

  constructor(options: RequestServerOptions) {
    this.#options = options;
  }

  start(epoch: number): void {
    this.#end = this.#options.link.listen(epoch, (request) => this.#take(request));
  }

  stop(): void {
    this.#end();
  }

  /**
   * Returns and removes the origins of the commands from one sequence to another, both included.
   */
  takeOrigins(first: number, last: number): readonly Origin[] {
    const origins: Origin[] = [];
    if (this.#origins.size === 0) return origins;
    for (let sequence = first; sequence <= last; sequence += 1) {
      const origin = this.#origins.get(sequence);
      if (origin === undefined) continue;
      this.#origins.delete(sequence);
      origins.push({ ...origin, place: sequence - first });
    }
    return origins;
  }

  #take(taken: ReceivedRequest): void {
    const { process, request, record } = taken;
    const numbers = this.#numbersOf(process);
    if (numbers.has(request)) {
      // An accepted request is answered through the log.
      const refusal = numbers.refusalOf(request);
      if (refusal !== null) taken.refuse(refusal);
      return;
    }
    const command = this.#decode(record);
    if (command === null) return taken.refuse('invalid');
    const { appliedSequence, submit } = this.#options;
    const before = appliedSequence();
    const submitted = submit(command, readDigest(record, 0, record.length), record);
    const sequence = appliedSequence();
    numbers.add(request);
    if (sequence > before) {
      this.#origins.set(sequence, { process, request });
      const { own } = this.#options;
      if (process === own.process) own.settle(request, submitted);
      // If that fails, this process ends, and the log shows what became of the command.
      else submitted.catch(() => undefined);
      return;
    }
    submitted.catch((error: unknown) => {
      const refusal = refusalFor(error);
      numbers.refuse(request, refusal);
      taken.refuse(refusal);
    });
  }

  #decode(record: Uint8Array): Command | null {
    const bytes = Buffer.from(record.buffer, record.byteOffset, record.byteLength);
    if (findRecord(bytes, 0, bytes.length) !== bytes.length || bytes.length === 0) return null;
    this.#fields.bytes = bytes;
    try {
      return readRecordCommand(this.#fields, 0, bytes.length);
    } catch {
      // Another version of the program may send commands that are unknown to this one.
      return null;
    }
  }

  #numbersOf(process: string): DeduplicationWindow {
    let numbers = this.#taken.get(process);
    if (numbers === undefined) {
      numbers = new DeduplicationWindow(numbersKeptMax);
      this.#taken.set(process, numbers);
    }
    return numbers;
  }
}

function refusalFor(error: unknown): Exclude<Refusal, 'absent'> {
  if (error instanceof EngineBusyError) return 'busy';
  if (error instanceof EngineRestartingError) return 'restarting';
  if (error instanceof RequestRepeatedError) return 'repeated';
  if (error instanceof RequestExpiredError) return 'expired';
  return 'invalid';
}
