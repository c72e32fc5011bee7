import {
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  jetstreamManager,
  type StreamInfo,
} from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { ClusterNames } from './cluster-names.ts';
import {
  decodeEntry,
  encodeHeaders,
  entryId,
  type LogEntry,
  type LogPosition,
} from './log-entry.ts';
import {
  type AppendCheck,
  FencedError,
  IdForgottenError,
  LogBehindError,
  LogRestartedError,
} from './shared-log.ts';

export interface AppendConnectionOptions {
  /** Opens a connection that does not reconnect after it breaks. */
  readonly connect: () => Promise<NatsConnection>;
  readonly names: ClusterNames;
  readonly process: string;
}

interface Opened {
  readonly connection: NatsConnection;
  readonly manager: JetStreamManager;
  readonly client: JetStreamClient;
  /** Null with several servers. */
  readonly start: string | null;
}

interface Append {
  readonly entry: LogEntry;
  readonly after: LogPosition;
  readonly by: AppendCheck;
  readonly place: LogPosition & { readonly id: string };
}

const askTimeoutMs = 2_000;
const leaderStepDown = '$JS.API.STREAM.LEADER.STEPDOWN';
const wrongLastSequence = 10_071;
const wrongLastId = 10_070;
// The limit of the stream, of the account's storage, or of the server's resources.
const noSpace = [10_077, 10_047, 10_023];

/** Identifies the run of the server that a connection leads to. */
export function startOf(connection: NatsConnection, { created }: StreamInfo): string {
  return `${connection.info?.server_id ?? 'unknown'} ${created}`;
}

export function isOneServer(connection: NatsConnection): boolean {
  return connection.info?.cluster === undefined;
}

/** How many servers store what is created through the connection: three, if there are several. */
export function replicasOn(connection: NatsConnection): number {
  return isOneServer(connection) ? 1 : 3;
}

/**
 * Sends entries to the stream on connections of its own that never reconnect: what is sent on one
 * reaches no later start of the server than the one it was opened to.
 */
export class AppendConnection {
  readonly #options: AppendConnectionOptions;
  #opening: Promise<Opened> | null = null;

  constructor(options: AppendConnectionOptions) {
    this.#options = options;
  }

  /**
   * One attempt. @throws FencedError, LogRestartedError; after any other error, also a
   * LogBehindError, the entry may be stored
   */
  async append(entry: LogEntry, after: LogPosition, by: AppendCheck): Promise<LogPosition> {
    const opened = await this.#open();
    const place = { position: after.position + 1, id: this.#idOf(entry, after) };
    if (opened.start !== null && opened.start !== entry.logStart) {
      if ((await this.#idAt(opened, place.position)) === place.id) return place;
      throw new LogRestartedError('the server of the shared log has restarted');
    }
    await this.#publish(opened, { entry, after, by, place });
    return place;
  }

  /**
   * Asks the servers to elect another leader of the stream, without waiting for the result. While a
   * server is away an election could take many seconds, so none is requested; returns false.
   */
  async changeLeader(): Promise<boolean> {
    const { connection, manager } = await this.#open();
    const { stream } = this.#options.names;
    const { cluster } = await manager.streams.info(stream);
    if (cluster?.replicas?.some(({ current }) => !current) === true) return false;
    const request = { timeout: askTimeoutMs };
    await connection.request(`${leaderStepDown}.${stream}`, undefined, request);
    return true;
  }

  async close(): Promise<void> {
    const opening = this.#opening;
    this.#opening = null;
    await opening?.then(
      ({ connection }) => connection.close(),
      () => undefined,
    );
  }

  #idOf({ epoch }: LogEntry, after: LogPosition): string {
    return entryId(this.#options.process, epoch, after.position + 1);
  }

  async #publish(opened: Opened, { entry, after, by, place }: Append): Promise<void> {
    const { names } = this.#options;
    const lastMsgID = after.id === null || by === 'position' ? {} : { lastMsgID: after.id };
    try {
      const { seq } = await opened.client.publish(names.logSubject, entry.group, {
        headers: encodeHeaders(entry, after.id),
        msgID: place.id,
        expect: { streamName: names.stream, lastSequence: after.position, ...lastMsgID },
        timeout: askTimeoutMs,
        retries: 1,
      });
      if (seq === place.position) return;
      throw new FencedError(`the entry after ${after.position} is at ${seq}`);
    } catch (error) {
      const isWrongId = isApiError(error, wrongLastId);
      if (!isWrongId && !isApiError(error, wrongLastSequence)) throw error;
      // The server may have forgotten the id of an entry that it had stored.
      const found = await this.#idAt(opened, place.position);
      if (found === place.id) return;
      // A leader among several servers may lack what the others have stored.
      if (!isWrongId && found === null && opened.start === null) {
        throw new LogBehindError(`the log's leader lacks entry ${after.position}`, {
          cause: error,
        });
      }
      const isForgotten = isWrongId && (await this.#idAt(opened, after.position)) === after.id;
      if (isForgotten) throw new IdForgottenError('only the position of the last entry is known');
      throw new FencedError(`another process has appended after ${after.position}`, {
        cause: error,
      });
    }
  }

  // Reads from the stream's leader.
  async #idAt({ manager }: Opened, position: number): Promise<string | null> {
    if (position < 1) return null;
    const { stream } = this.#options.names;
    const message = await manager.streams.getMessage(stream, { seq: position });
    if (message === null) return null;
    return decodeEntry({ seq: position, headers: message.header, data: message.data }).id;
  }

  #open(): Promise<Opened> {
    this.#opening ??= this.#connect();
    return this.#opening;
  }

  async #connect(): Promise<Opened> {
    const { connect, names } = this.#options;
    let connection: NatsConnection | null = null;
    const open = async (): Promise<Opened> => {
      connection = await connect();
      const manager = await jetstreamManager(connection, { timeout: askTimeoutMs });
      const info = await manager.streams.info(names.stream);
      const start = isOneServer(connection) ? startOf(connection, info) : null;
      return { connection, manager, client: manager.jetstream(), start };
    };
    try {
      const opened = await open();
      const opening = this.#opening;
      void opened.connection.closed().then(() => {
        if (this.#opening === opening) this.#opening = null;
      });
      return opened;
    } catch (error) {
      this.#opening = null;
      await (connection as NatsConnection | null)?.close();
      throw error;
    }
  }
}

/** Whether the server has refused the message because it has no space. */
export function isOutOfSpace(error: unknown): boolean {
  return noSpace.some((code) => isApiError(error, code));
}

export function isApiError(error: unknown, code: number): boolean {
  return error instanceof JetStreamApiError && error.code === code;
}
