import { JetStreamApiError } from '@nats-io/jetstream';
import type { Msg, MsgHdrs, NatsConnection } from '@nats-io/transport-node';
import type { Time } from '../system/time.ts';
import type { ClusterNames } from './cluster-names.ts';

// The server answers each attempt to store an entry on a subject that names the entry. The process
// that has appended it waits for this, and those that follow the log learn from the same message
// where the entry is stored.

const noResponders = 503;

/** The server's answer to an attempt. */
export interface StoreAnswer {
  /** The position of the entry, or of the one that was stored under its id before. */
  readonly seq?: number;
  readonly error?: {
    readonly code: number;
    readonly err_code: number;
    readonly description: string;
  };
}

/** An attempt to store an entry. */
export interface StoreAttempt {
  readonly id: string;
  readonly headers: MsgHdrs;
  readonly group: Uint8Array;
}

/** The subject of the answer to that attempt for the entry with that id. */
export function answerSubject(
  { storedSubject }: ClusterNames,
  id: string,
  attempt: number,
): string {
  return `${storedSubject}.${id}.${attempt}`;
}

/** The id of the entry that the answer on that subject is about. */
export function answeredId({ storedSubject }: ClusterNames, subject: string): string {
  return subject.slice(storedSubject.length + 1).split('.')[0]!;
}

/** Where the answer says that the entry is stored; null if it is not. */
export function storedAt(answer: Msg): number | null {
  try {
    const { seq, error } = answer.json<StoreAnswer>();
    return error === undefined && typeof seq === 'number' && seq > 0 ? seq : null;
  } catch {
    // The server says without a text that nothing stores the log.
    return null;
  }
}

interface Waiting {
  readonly resolve: (position: number) => void;
  readonly reject: (error: Error) => void;
}

/** Stores entries through one connection, and waits for the server's answers. */
export class EntryStore {
  readonly #connection: NatsConnection;
  readonly #names: ClusterNames;
  readonly #time: Pick<Time, 'after'>;
  /** The attempts that are under way, by the subject of their answer. */
  readonly #waiting = new Map<string, Waiting>();
  #attempts = 0;

  constructor(connection: NatsConnection, names: ClusterNames, time: Pick<Time, 'after'>) {
    this.#connection = connection;
    this.#names = names;
    this.#time = time;
    connection.subscribe(`${names.storedSubject}.*.*`, {
      callback: (error, message) => {
        if (error === null) this.#onAnswer(message);
      },
    });
    void connection.closed().then(() => {
      for (const { reject } of this.#waiting.values())
        reject(new Error('the connection is closed'));
    });
  }

  /** @throws JetStreamApiError if the server refuses it; after other errors it may be stored */
  async store({ id, headers, group }: StoreAttempt, timeoutMs: number): Promise<number> {
    this.#attempts += 1;
    const reply = answerSubject(this.#names, id, this.#attempts);
    let cancel = (): void => undefined;
    try {
      return await new Promise<number>((resolve, reject) => {
        this.#waiting.set(reply, { resolve, reject });
        cancel = this.#time.after(timeoutMs, () => reject(new Error('the server does not answer')));
        this.#connection.publish(this.#names.logSubject, group, { headers, reply });
      });
    } finally {
      cancel();
      this.#waiting.delete(reply);
    }
  }

  #onAnswer(message: Msg): void {
    const waiting = this.#waiting.get(message.subject);
    if (waiting === undefined) return;
    if (message.headers?.code === noResponders) {
      return waiting.reject(new Error('no server stores the shared log'));
    }
    try {
      const { seq, error } = message.json<StoreAnswer>();
      if (error !== undefined) waiting.reject(new JetStreamApiError(error));
      else if (seq === undefined)
        waiting.reject(new Error('the server answers without a position'));
      else waiting.resolve(seq);
    } catch (error) {
      waiting.reject(new Error('an answer of the server cannot be read', { cause: error }));
    }
  }
}
