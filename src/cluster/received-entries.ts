import type { Msg, NatsConnection } from '@nats-io/transport-node';
import type { ClusterNames } from './cluster-names.ts';
import { decodeEntry, messageIdOf, type PlacedEntry } from './log-entry.ts';

// A process that follows the log receives each entry as it is published, so it rarely has to ask
// for one. Not every published entry is stored: the announcement that follows gives the position
// and the id of one that is.

const keptMax = 64;

/** The newest entries of the shared log, as they were published. */
export class ReceivedEntries {
  readonly #connection: NatsConnection;
  readonly #names: ClusterNames;
  /** As published, by their ids; the oldest first. */
  readonly #published = new Map<string, Msg>();
  /** The ids of stored entries, by their positions. */
  readonly #stored = new Map<number, string>();
  #listeners = 0;

  constructor(connection: NatsConnection, names: ClusterNames) {
    this.#connection = connection;
    this.#names = names;
  }

  /** Receives entries until the returned function is called. */
  listen(): () => void {
    this.#listeners += 1;
    const subscription = this.#connection.subscribe(this.#names.logSubject, {
      callback: (error, message) => {
        const id = error === null ? messageIdOf(message.headers) : null;
        if (id !== null) keep(this.#published, id, message);
      },
    });
    return () => {
      this.#listeners -= 1;
      this.forget();
      if (!this.#connection.isClosed()) subscription.unsubscribe();
    };
  }

  /** The process that appended the entry says that it is stored there. */
  note(position: number, id: string): void {
    if (this.#listeners > 0) keep(this.#stored, position, id);
  }

  /** The entry at the position, once; null if it was not received. */
  take(position: number): PlacedEntry | null {
    const id = this.#stored.get(position) ?? '';
    const message = this.#published.get(id);
    this.#stored.delete(position);
    this.#published.delete(id);
    if (message === undefined) return null;
    return decodeEntry({ seq: position, headers: message.headers, data: message.data });
  }

  forget(): void {
    this.#published.clear();
    this.#stored.clear();
  }
}

function keep<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > keptMax && oldest !== undefined) map.delete(oldest);
}
