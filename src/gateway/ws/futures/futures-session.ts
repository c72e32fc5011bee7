import { DatabaseError } from '../../../application/ports.ts';
import { type ClientSession, ClientWatch } from '../client-watch.ts';
import type { Connection } from '../connection.ts';
import type { Hub } from '../hub.ts';
import { closeCodes } from '../protocol/stream-error.ts';
import type { StreamClock } from '../stream-clock.ts';
import type { StreamLimits } from '../stream-limits.ts';
import type { ListenKeys, StreamLog } from '../stream-ports.ts';
import {
  type ControlError,
  type ControlId,
  type ControlMessage,
  parseControlMessage,
} from './control-message.ts';
import { type EventTopic, namedEvent } from './event-topic.ts';
import type { FuturesFeed } from './futures-feed.ts';
import type { StreamUrl } from './stream-url.ts';
import type { UserStream, UserStreams } from './user-streams.ts';

export interface FuturesSessionParts {
  readonly feed: FuturesFeed;
  readonly userStreams: UserStreams;
  readonly hub: Hub;
  readonly clock: StreamClock;
  readonly limits: StreamLimits;
  readonly log: StreamLog;
  /** Null while the service offers none. */
  readonly listenKeys: ListenKeys | null;
}

/** Binance's limit. */
const streamsMax = 1_024;
/** How often a key in use is looked up, which also keeps it alive. */
const keyCheckMs = 10_000;

/** One client that speaks Binance's stream protocol. */
export class FuturesSession implements ClientSession {
  readonly #connection: Connection;
  readonly #parts: FuturesSessionParts;
  readonly #watch: ClientWatch;
  readonly #topics = new Map<string, EventTopic>();
  readonly #userStreams = new Map<string, UserStream>();
  readonly #eventsByKey: StreamUrl['eventsByKey'];
  #isCombined: boolean;
  /** Requests are answered in their order, though some have to wait for a key. */
  #work: Promise<void> = Promise.resolve();
  #keysCheckedAt: number;

  constructor(connection: Connection, parts: FuturesSessionParts, url: StreamUrl) {
    this.#connection = connection;
    this.#parts = parts;
    this.#isCombined = url.isCombined;
    this.#eventsByKey = url.eventsByKey;
    this.#keysCheckedAt = parts.clock.elapsed();
    this.#watch = new ClientWatch(connection, parts, (msg) =>
      this.#refuse({ code: 2, msg: `Too many requests: ${msg}` }, null),
    );
    this.#queue(() => this.#begin(url));
  }

  takeMessage(data: Buffer, isBinary: boolean): void {
    if (!this.#watch.takeMessage()) return;
    if (isBinary) return this.#refuse({ code: 2, msg: 'Invalid request: not a text' }, null);
    const parsed = parseControlMessage(data.toString());
    if ('error' in parsed) this.#refuse(parsed.error, parsed.id);
    else this.#queue(() => this.#act(parsed.message));
  }

  takePing(): void {
    this.#watch.takeMessage();
  }

  takePong(): void {
    this.#watch.takePong();
  }

  tick(): void {
    this.#watch.tick();
    const now = this.#parts.clock.elapsed();
    if (now - this.#keysCheckedAt < keyCheckMs) return;
    this.#keysCheckedAt = now;
    if (this.#userStreams.size > 0) this.#queue(() => this.#checkKeys());
  }

  end(): void {
    for (const stream of this.#userStreams.values()) this.#parts.userStreams.end(stream);
    this.#userStreams.clear();
    this.#topics.clear();
    this.#parts.hub.forget(this.#connection);
  }

  // What fails here is a bug or a part of the world that nobody foresaw: the client starts over.
  #queue(work: () => Promise<void>): void {
    this.#work = this.#work.then(work).catch((error: unknown) => {
      this.#parts.log.error({ err: error }, 'a stream request failed');
      this.#connection.close(closeCodes.internalError, 'internal error');
    });
  }

  async #begin({ streamNames, listenKeys }: StreamUrl): Promise<void> {
    if (streamNames.length === 0 && listenKeys.length === 0) return;
    const error = await this.#subscribe([...streamNames, ...listenKeys]);
    if (error !== null) this.#refuse(error, null);
  }

  async #act({ id, method, params }: ControlMessage): Promise<void> {
    if (!this.#connection.isOpen) return;
    switch (method) {
      case 'SUBSCRIBE': {
        const names = readNames(params);
        const error = names === null ? badParams : await this.#subscribe(names, id);
        return error === null ? undefined : this.#refuse(error, id);
      }
      case 'UNSUBSCRIBE': {
        const names = readNames(params);
        if (names === null) return this.#refuse(badParams, id);
        for (const name of names) this.#unsubscribe(name);
        return this.#connection.reply({ result: null, id });
      }
      case 'LIST_SUBSCRIPTIONS':
        return this.#connection.reply({ result: this.#names(), id });
      case 'GET_PROPERTY':
        if (params[0] !== 'combined') return this.#refuse(badProperty, id);
        return this.#connection.reply({ result: this.#isCombined, id });
      case 'SET_PROPERTY':
        return this.#setProperty(params, id);
      default:
        return this.#refuse({ code: 2, msg: 'Invalid request: unknown method' }, id);
    }
  }

  /** All of the names or, where one of them is no stream, none; answered before their events. */
  async #subscribe(names: readonly string[], id?: ControlId): Promise<ControlError | null> {
    const added = names.filter((name) => !this.#topics.has(name) && !this.#userStreams.has(name));
    const count = this.#topics.size + this.#userStreams.size + new Set(added).size;
    if (count > streamsMax) {
      return { code: 2, msg: `Invalid request: at most ${streamsMax} streams a connection` };
    }
    const topics = new Map<string, EventTopic>();
    const users = new Map<string, UserStream>();
    for (const name of added) {
      const topic = this.#parts.feed.findTopic(name, this.#isCombined);
      const user = topic === null ? await this.#findUser(name) : null;
      if (topic !== null) topics.set(name, topic);
      else if (user !== null) users.set(name, user);
      else return { code: 2, msg: `Invalid request: unknown stream ${shorten(name)}` };
    }
    if (!this.#connection.isOpen) return null;
    if (id !== undefined) this.#connection.reply({ result: null, id });
    for (const [name, topic] of topics) this.#join(name, topic);
    for (const [name, user] of users) {
      this.#userStreams.set(name, user);
      this.#parts.userStreams.open(user);
    }
    return null;
  }

  async #findUser(listenKey: string): Promise<UserStream | null> {
    const address = (await this.#parts.listenKeys?.find(listenKey)) ?? null;
    if (address === null) return null;
    const events = this.#eventsByKey.get(listenKey) ?? null;
    const isCombined = this.#isCombined;
    return { connection: this.#connection, address, listenKey, isCombined, events };
  }

  #join(name: string, topic: EventTopic): void {
    this.#topics.set(name, topic);
    const { hub, log } = this.#parts;
    const prepared = topic.prepare();
    if (prepared === null) return hub.join(this.#connection, topic);
    const join = (): void => {
      if (this.#topics.get(name) === topic) hub.join(this.#connection, topic);
    };
    // Without its past the stream is worth nothing: the client hears so and may come back.
    prepared.then(join, (error: unknown) => {
      log.warn({ err: error, stream: name }, 'a stream waits for its past in vain');
      this.#connection.close(closeCodes.tryAgainLater, 'history is out of reach; retry soon');
    });
  }

  #unsubscribe(name: string): void {
    const topic = this.#topics.get(name);
    if (topic !== undefined) this.#parts.hub.leave(this.#connection, topic);
    this.#topics.delete(name);
    const user = this.#userStreams.get(name);
    if (user !== undefined) this.#parts.userStreams.end(user);
    this.#userStreams.delete(name);
  }

  #setProperty([name, value]: readonly unknown[], id: ControlId): void {
    if (name !== 'combined' || typeof value !== 'boolean') return this.#refuse(badProperty, id);
    this.#isCombined = value;
    this.#connection.reply({ result: null, id });
    for (const stream of this.#userStreams.values()) stream.isCombined = value;
    for (const [streamName, topic] of [...this.#topics]) {
      this.#parts.hub.leave(this.#connection, topic);
      const other = this.#parts.feed.findTopic(streamName, value);
      if (other !== null) this.#join(streamName, other);
    }
  }

  async #checkKeys(): Promise<void> {
    for (const [listenKey, stream] of [...this.#userStreams]) {
      if (await this.#isKeyAlive(listenKey)) continue;
      if (this.#userStreams.get(listenKey) !== stream) continue;
      this.#unsubscribe(listenKey);
      const payload = namedEvent('listenKeyExpired', this.#parts.clock.now(), { listenKey });
      this.#parts.userStreams.send(stream, payload);
    }
  }

  async #isKeyAlive(listenKey: string): Promise<boolean> {
    try {
      return ((await this.#parts.listenKeys?.find(listenKey)) ?? null) !== null;
    } catch (error) {
      // What cannot be looked up while the database is away is looked up at the next check.
      if (error instanceof DatabaseError) return true;
      throw error;
    }
  }

  #names(): readonly string[] {
    return [...this.#topics.keys(), ...this.#userStreams.keys()];
  }

  #refuse(error: ControlError, id: ControlId): void {
    this.#connection.reply({ error, id });
  }
}

const badParams: ControlError = {
  code: 2,
  msg: 'Invalid request: params must be a list of stream names',
};
const badProperty: ControlError = {
  code: 2,
  msg: 'Invalid request: the only property is "combined", true or false',
};
const shownNameMax = 80;

function readNames(params: readonly unknown[]): readonly string[] | null {
  const names = params.filter((param) => typeof param === 'string');
  return names.length === params.length && names.length > 0 ? names : null;
}

function shorten(name: string): string {
  return name.length > shownNameMax ? `${name.slice(0, shownNameMax)}...` : name;
}
