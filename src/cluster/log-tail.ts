import { headers, type NatsConnection } from '@nats-io/transport-node';
import type { Time } from '../system/time.ts';
import type { LogPosition } from './log-entry.ts';
import type { ReceivedEntries } from './received-entries.ts';

const idHeader = 'Openbourse-Last-Id';

/** The known end of the shared log, as announced by the processes that append to it. */
export class LogTail {
  readonly #connection: NatsConnection;
  readonly #time: Time;
  readonly #subject: string;
  readonly #waiters = new Set<() => void>();
  #end = 0;

  constructor(connection: NatsConnection, subject: string, time: Time, received: ReceivedEntries) {
    this.#connection = connection;
    this.#time = time;
    this.#subject = subject;
    connection.subscribe(subject, {
      callback: (error, message) => {
        if (error !== null) return;
        const end = Number(message.string());
        const id = message.headers?.get(idHeader) ?? '';
        if (id !== '') received.note(end, id);
        this.observe(end);
      },
    });
  }

  get end(): number {
    return this.#end;
  }

  /** Announces the end to all processes, by the entry that is stored there. */
  announce({ position, id }: LogPosition): void {
    this.observe(position);
    const told = headers();
    if (id !== null) told.set(idHeader, id);
    this.#connection.publish(this.#subject, String(position), { headers: told });
  }

  observe(end: number): void {
    if (!(end > this.#end)) return;
    this.#end = end;
    for (const wake of this.#waiters) wake();
  }

  reset(): void {
    this.#end = 0;
  }

  /** Whether the log reaches the position; resolves by the timeout at the latest. */
  async reaches(position: number, timeoutMs: number, signal: AbortSignal): Promise<boolean> {
    if (this.#end < position && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const finish = (): void => {
          cancel();
          signal.removeEventListener('abort', finish);
          this.#waiters.delete(finish);
          resolve();
        };
        const cancel = this.#time.after(timeoutMs, finish);
        signal.addEventListener('abort', finish);
        this.#waiters.add(finish);
      });
    }
    return this.#end >= position;
  }
}
