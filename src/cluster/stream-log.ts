import {
  DiscardPolicy,
  type JetStreamManager,
  jetstreamManager,
  type StoredMsg,
  type StreamInfo,
} from '@nats-io/jetstream';
import { type NatsConnection, nanos } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import type { Time } from '../system/time.ts';
import {
  AppendConnection,
  isApiError,
  isOneServer,
  isOutOfSpace,
  replicasOn,
  startOf,
} from './append-connection.ts';
import type { ClusterNames } from './cluster-names.ts';
import { decodeEntry, type LogPosition, type PlacedEntry } from './log-entry.ts';
import { LogSpace } from './log-space.ts';
import { LogTail } from './log-tail.ts';
import { LogUnreachableError } from './log-unreachable-error.ts';
import { openWithRetry } from './open-with-retry.ts';
import { ReceivedEntries } from './received-entries.ts';
import {
  type AppendableEntry,
  type AppendCheck,
  FencedError,
  LogBehindError,
  type LogEnd,
  type LogReader,
  LogRestartedError,
  type SharedLog,
  trimmedLogError,
} from './shared-log.ts';

// The shared log as a JetStream stream. Its guarantees rest on two properties of JetStream: a
// message is stored only if the stream ends with the sequence and the id that the publisher
// expects, and a message that is sent again under the same id is stored once. Entries are read by
// their numbers, not through a consumer: numbers have no state that a lost connection or a
// restarted server could disturb.

export interface StreamLogOptions {
  readonly connection: NatsConnection;
  /** Opens a connection for appending, which does not reconnect after it breaks. */
  readonly connectOnce: () => Promise<NatsConnection>;
  readonly names: ClusterNames;
  /** Identifies this process in the ids of its messages. */
  readonly process: string;
  readonly time: Time;
  readonly logger: Logger;
  /** How many more entries stay where the log can only be trimmed by a limit. */
  readonly spareEntries?: number;
}

const askTimeoutMs = 2_000;
const spareEntriesDefault = 100_000;
const dropsOld = { discard: DiscardPolicy.Old };
const refusesNew = { discard: DiscardPolicy.New };
const retryMs = 100;
// A new leader either catches up at once, or only after another leader has been elected.
const behindTriesMax = 20;
const changeLeaderTries = 5;
// Longer than any retry. After that, the entry at the stream's end shows who wrote it.
const duplicateWindowMs = 120_000;
// Each may be as long as a group of records.
const fetchedAtOnceMax = 32;
const askAgainMs = 250;
const absentMs = 5;
const noSuchStream = 10_059;

export class StreamLog implements SharedLog {
  readonly #options: StreamLogOptions;
  readonly #manager: JetStreamManager;
  readonly #appends: AppendConnection;
  readonly #tail: LogTail;
  readonly #received: ReceivedEntries;
  #isClosed = false;
  #isFull = false;
  readonly #space: LogSpace;

  private constructor(options: StreamLogOptions, manager: JetStreamManager) {
    this.#options = options;
    this.#manager = manager;
    const { connection, connectOnce: connect, names, process, time } = options;
    this.#appends = new AppendConnection({ connect, names, process });
    this.#received = new ReceivedEntries(connection, names);
    this.#tail = new LogTail(connection, names.tailSubject, time, this.#received);
    this.#space = new LogSpace(manager, time);
  }

  /** Opens the stream, creating it if it is missing; waits for the server indefinitely. */
  static async open(options: StreamLogOptions, signal: AbortSignal): Promise<StreamLog> {
    const { connection, names, time, logger } = options;
    const open = async (): Promise<StreamLog> => {
      const manager = await jetstreamManager(connection, { timeout: askTimeoutMs });
      await requireStream(manager, names, replicasOn(connection));
      return new StreamLog(options, manager);
    };
    return openWithRetry(open, { time, logger, signal });
  }

  async loadEnd(): Promise<number> {
    return (await this.#loadInfo()).state.last_seq;
  }

  async loadBeginning(): Promise<number> {
    return Math.max(1, (await this.#loadInfo()).state.first_seq);
  }

  async loadEndAndStart(): Promise<LogEnd> {
    const { connection } = this.#options;
    const info = await this.#loadInfo();
    const start = startOf(connection, info);
    return { end: info.state.last_seq, start, isOneServer: isOneServer(connection) };
  }

  forgetEnd(): void {
    this.#tail.reset();
    this.#received.forget();
  }

  async load(position: number): Promise<PlacedEntry | null> {
    if (position < 1) return null;
    const message = await this.#loadMessage(position);
    if (message === null) return null;
    return decodeEntry({ seq: message.seq, headers: message.header, data: message.data });
  }

  async loadTime(position: number): Promise<number | null> {
    const message = await this.#loadMessage(position);
    return message === null ? null : message.time.getTime();
  }

  async trimBelow(position: number): Promise<void> {
    const { stream } = this.#options.names;
    const { streams } = this.#manager;
    const { config, state } = await this.#loadInfo();
    if (config.deny_purge !== true) {
      await reach(() => streams.purge(stream, { seq: position }));
      return;
    }
    // The limit is temporary: entries appended meanwhile must not push out those that must stay.
    const { spareEntries = spareEntriesDefault } = this.#options;
    const kept = state.last_seq - position + 1 + spareEntries;
    if (state.messages <= kept) return;
    await reach(() => streams.update(stream, { ...dropsOld, max_msgs: kept }));
    await reach(() => streams.update(stream, { ...refusesNew, max_msgs: -1 }));
  }

  get isFull(): boolean {
    return this.#isFull;
  }

  get usedRatio(): number | null {
    return this.#space.usedRatio;
  }

  async append(
    entry: AppendableEntry,
    after: LogPosition,
    by: AppendCheck = 'id',
  ): Promise<LogPosition> {
    for (let behind = 0; ; ) {
      try {
        const place = await this.#appends.append(entry, after, by);
        this.#isFull = false;
        this.#tail.announce(place);
        return place;
      } catch (error) {
        this.#isFull = isOutOfSpace(error);
        const isFinal = error instanceof FencedError || error instanceof LogRestartedError;
        if (isFinal || this.#isClosed) throw error;
        if (error instanceof LogBehindError) {
          behind += 1;
          if (behind > behindTriesMax) throw error;
          if (behind % changeLeaderTries === 0) await this.#changeLeader();
        }
        // Whether it was stored is unknown; sent again under the same id, it is stored once.
        this.#options.logger.warn({ err: error, after }, 'the shared log does not answer');
        await this.#options.time.sleep(retryMs);
      }
    }
  }

  async follow(
    from: number,
    visit: (entry: PlacedEntry) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    const endListening = this.#received.listen();
    try {
      await this.#followFrom(from, visit, signal);
    } finally {
      endListening();
    }
  }

  /** Gives up pending appends. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#appends.close();
  }

  async #changeLeader(): Promise<void> {
    const { logger } = this.#options;
    try {
      const isAsked = await this.#appends.changeLeader();
      if (isAsked) logger.warn("another server is asked for as the shared log's leader");
    } catch (error) {
      logger.warn({ err: error }, 'the shared log does not answer');
    }
  }

  async #followFrom(
    from: number,
    visit: (entry: PlacedEntry) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    let next = from;
    while (!signal.aborted) {
      try {
        const last = Math.min(this.#tail.end, next + fetchedAtOnceMax - 1);
        if (last < next) {
          await this.#findEnd(next, signal);
          continue;
        }
        for (const entry of await this.#loadRange(next, last)) {
          if (signal.aborted) return;
          await visit(entry);
          next += 1;
        }
      } catch (error) {
        if (!(error instanceof LogUnreachableError)) throw error;
        this.#options.logger.warn({ err: error }, 'the shared log cannot be followed now');
        await this.#options.time.sleep(retryMs, signal).catch(() => undefined);
      }
    }
  }

  // Every append announces the end; announcements can be lost, so the end is also polled.
  async #findEnd(next: number, signal: AbortSignal): Promise<void> {
    if (await this.#tail.reaches(next, askAgainMs, signal)) return;
    if (signal.aborted) return;
    this.#tail.observe(await this.loadEnd());
  }

  // The entries found, without gaps: a replica of the server may briefly lack the newest ones.
  async #loadRange(first: number, last: number): Promise<readonly PlacedEntry[]> {
    const positions = Array.from({ length: last - first + 1 }, (_, index) => first + index);
    const found = await Promise.all(
      positions.map(async (position) => this.#received.take(position) ?? this.load(position)),
    );
    const gap = found.indexOf(null);
    if (gap === 0) await this.#requireComing(first);
    return found.slice(0, gap < 0 ? found.length : gap).filter((entry) => entry !== null);
  }

  async #requireComing(position: number): Promise<void> {
    const beginning = await this.loadBeginning();
    if (beginning > position) throw trimmedLogError(beginning);
    await this.#options.time.sleep(absentMs);
  }

  // Any server would answer the faster question, even one whose copy is late or differs.
  #loadMessage(position: number): Promise<StoredMsg | null> {
    const { connection, names } = this.#options;
    const { direct, streams } = this.#manager;
    const reader = isOneServer(connection) ? direct : streams;
    return reach(() => reader.getMessage(names.stream, { seq: position }));
  }

  async #loadInfo(): Promise<StreamInfo> {
    const info = await reach(() => this.#manager.streams.info(this.#options.names.stream));
    this.#space.note(info);
    return info;
  }
}

/** Reads entries for a process that has not joined; the stream's leader answers. */
export async function readEntries(
  connection: NatsConnection,
  { stream }: ClusterNames,
): Promise<LogReader> {
  const manager = await jetstreamManager(connection, { timeout: askTimeoutMs });
  const loadState = async () => (await manager.streams.info(stream)).state;
  return {
    loadBeginning: async () => Math.max(1, (await loadState()).first_seq),
    loadEnd: async () => (await loadState()).last_seq,
    load: async (position) => {
      const message = await manager.streams.getMessage(stream, { seq: position });
      if (message === null) return null;
      return decodeEntry({ seq: position, headers: message.header, data: message.data });
    },
  };
}

// A full log refuses new entries: it may not make room by dropping old ones.
async function requireStream(
  manager: JetStreamManager,
  names: ClusterNames,
  replicas: number,
): Promise<void> {
  try {
    const { config } = await manager.streams.info(names.stream);
    if (config.discard === DiscardPolicy.New) return;
    // The limit of a trim that was interrupted goes with it.
    const limit = config.deny_purge === true ? { max_msgs: -1 } : {};
    await manager.streams.update(names.stream, { ...refusesNew, ...limit });
  } catch (error) {
    if (!isApiError(error, noSuchStream)) throw error;
    await manager.streams.add({
      name: names.stream,
      subjects: [names.logSubject],
      description: 'the input log of an exchange: do not edit, delete or purge',
      ...refusesNew,
      num_replicas: replicas,
      duplicate_window: nanos(duplicateWindowMs),
      allow_direct: true,
      deny_delete: true,
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
