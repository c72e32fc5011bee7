import { setTimeout as delay } from 'node:timers/promises';
import {
  DeliverPolicy,
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  jetstreamManager,
  type StreamInfo,
} from '@nats-io/jetstream';
import { type NatsConnection, nanos } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import type { ClusterNames } from './cluster-names.ts';
import { decodeEntry, encodeHeaders, type LogEntry, type PlacedEntry } from './log-entry.ts';
import { FencedError, LogUnreachableError, type SharedLog } from './shared-log.ts';

// The shared log as a JetStream stream. Two things of JetStream carry its guarantees: a message is
// stored only where the stream ends with the sequence that the publisher expects, and one that was
// sent again under the same id is stored once.

export interface StreamLogOptions {
  readonly connection: NatsConnection;
  readonly names: ClusterNames;
  /** Names this process in the ids of its messages. */
  readonly process: string;
  readonly logger: Logger;
}

const askTimeoutMs = 2_000;
const retryMs = 100;
// Longer than any retry: behind it the stream's end tells whose entry stands there.
const duplicateWindowMs = 120_000;
// Entries that are fetched ahead; each may be as long as a group of records.
const fetchAheadMax = 64;
const wrongLastSequence = 10_071;
const noSuchStream = 10_059;

export class StreamLog implements SharedLog {
  readonly #options: StreamLogOptions;
  readonly #manager: JetStreamManager;
  readonly #client: JetStreamClient;
  #isClosed = false;

  private constructor(options: StreamLogOptions, manager: JetStreamManager) {
    this.#options = options;
    this.#manager = manager;
    this.#client = manager.jetstream();
  }

  /** Opens the stream and creates it where it is missing; waits for the server, however long. */
  static async open(options: StreamLogOptions, signal: AbortSignal): Promise<StreamLog> {
    const { connection, names, logger } = options;
    for (;;) {
      try {
        const manager = await jetstreamManager(connection, { timeout: askTimeoutMs });
        await requireStream(manager, names);
        return new StreamLog(options, manager);
      } catch (error) {
        signal.throwIfAborted();
        logger.warn({ err: error }, 'the shared log is out of reach; trying again');
        await delay(10 * retryMs, undefined, { signal });
      }
    }
  }

  async loadEnd(): Promise<number> {
    return (await this.#loadInfo()).state.last_seq;
  }

  async loadBeginning(): Promise<number> {
    return Math.max(1, (await this.#loadInfo()).state.first_seq);
  }

  async load(position: number): Promise<PlacedEntry | null> {
    if (position < 1) return null;
    const { stream } = this.#options.names;
    const message = await reach(() => this.#manager.streams.getMessage(stream, { seq: position }));
    if (message === null) return null;
    return decodeEntry({ seq: message.seq, headers: message.header, data: message.data });
  }

  async append(entry: LogEntry, after: number): Promise<number> {
    const id = `${this.#options.process}-${after}`;
    for (;;) {
      try {
        return await this.#publish(entry, after, id);
      } catch (error) {
        if (error instanceof FencedError || this.#isClosed) throw error;
        // Whether it was stored is not known; asked again under the same id, it is stored once.
        this.#options.logger.warn({ err: error, after }, 'the shared log does not answer');
        await delay(retryMs);
      }
    }
  }

  async follow(
    from: number,
    visit: (entry: PlacedEntry) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    let next = from;
    while (!signal.aborted) {
      const messages = await this.#consume(next).catch((error: unknown) => {
        this.#options.logger.warn({ err: error }, 'the shared log cannot be followed yet');
        return null;
      });
      if (messages === null) {
        await delay(retryMs, undefined, { signal }).catch(() => undefined);
        continue;
      }
      const stop = (): void => messages.stop();
      signal.addEventListener('abort', stop, { once: true });
      try {
        for await (const message of messages) {
          if (signal.aborted) return;
          if (message.seq < next) continue;
          // What is missing here comes with the next consumer, which begins there.
          if (message.seq > next) break;
          await visit(decodeEntry(message));
          next += 1;
        }
      } finally {
        signal.removeEventListener('abort', stop);
        messages.stop();
      }
    }
  }

  /** What is being appended is given up. */
  close(): void {
    this.#isClosed = true;
  }

  async #publish(entry: LogEntry, after: number, id: string): Promise<number> {
    const { names } = this.#options;
    try {
      const { seq } = await this.#client.publish(names.logSubject, entry.group, {
        headers: encodeHeaders(entry),
        msgID: id,
        expect: { streamName: names.stream, lastSequence: after },
        timeout: askTimeoutMs,
        retries: 1,
      });
      if (seq !== after + 1) throw new FencedError(`the entry after ${after} stands at ${seq}`);
      return seq;
    } catch (error) {
      if (!isApiError(error, wrongLastSequence)) throw error;
      // The server may have forgotten the id of an entry that it had stored.
      if (await this.#isOwn(after + 1, id)) return after + 1;
      throw new FencedError(`somebody else has appended after ${after}`, { cause: error });
    }
  }

  async #isOwn(position: number, id: string): Promise<boolean> {
    const { stream } = this.#options.names;
    const message = await this.#manager.streams.getMessage(stream, { seq: position });
    return message?.header.get('Nats-Msg-Id') === id;
  }

  #consume(from: number) {
    const { names } = this.#options;
    return this.#client.consumers
      .get(names.stream, {
        filter_subjects: names.logSubject,
        deliver_policy: DeliverPolicy.StartSequence,
        opt_start_seq: from,
      })
      .then((consumer) => consumer.consume({ max_messages: fetchAheadMax }));
  }

  #loadInfo(): Promise<StreamInfo> {
    return reach(() => this.#manager.streams.info(this.#options.names.stream));
  }
}

async function requireStream(manager: JetStreamManager, names: ClusterNames): Promise<void> {
  try {
    await manager.streams.info(names.stream);
  } catch (error) {
    if (!isApiError(error, noSuchStream)) throw error;
    await manager.streams.add({
      name: names.stream,
      subjects: [names.logSubject],
      description: 'the input log of an exchange: do not edit, delete or purge',
      duplicate_window: nanos(duplicateWindowMs),
      deny_delete: true,
      deny_purge: true,
    });
  }
}

async function reach<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw new LogUnreachableError('the shared log does not answer', { cause: error });
  }
}

function isApiError(error: unknown, code: number): boolean {
  return error instanceof JetStreamApiError && error.code === code;
}
