import { DatabaseError } from '../../../application/ports/database.ts';
import { type ClientSession, ClientWatch } from '../client-watch.ts';
import type { Connection } from '../connection.ts';
import type { Hub } from '../hub.ts';
import { closeCodes } from '../protocol/stream-error.ts';
import { RateLimiter } from '../rate-limiter.ts';
import type { StreamClock } from '../stream-clock.ts';
import type { StreamLimits } from '../stream-limits.ts';
import type { ListenKeys, StreamLog } from '../stream-ports.ts';
import {
  type ControlError,
  type ControlId,
  type ControlMessage,
  parseControlMessage,
} from './control-message.ts';
import { type EventTopic, namedEvent, wrapEvent } from './event-topic.ts';
import type { HistoryFailureLog } from './history-failure-log.ts';
import { findAccounts, isListenKey, type KeyAccounts, listenKeyCost } from './listen-key-lookup.ts';
import { isNotOffered } from './stream-name.ts';
import type { StreamUrl } from './stream-url.ts';
import type { UserStream, UserStreams } from './user-streams.ts';

/** The market streams that a session can subscribe to. */
export interface TopicSource {
  /** False until the books are loaded, for example while the journal is replayed. */
  readonly isReady: boolean;
  /** The stream of that name in the connection's form; null if there is none. */
  findTopic(streamName: string, isCombined: boolean): EventTopic | null;
}

export interface EventSessionParts {
  readonly feed: TopicSource;
  readonly userStreams: UserStreams;
  readonly hub: Hub;
  readonly clock: StreamClock;
  readonly limits: StreamLimits;
  readonly log: StreamLog;
  readonly historyFailures: HistoryFailureLog;
  /** Null while the service does not offer listen keys. */
  readonly listenKeys: ListenKeys | null;
}

/** Binance's limit. */
const streamsMax = 1_024;
/** A longer name is not a stream and is not kept. */
const nameLengthMax = 100;
/** How often a key in use is looked up, which also keeps it alive. */
const keyCheckMs = 8_000;
const pastRetryMs = 1_000;
const pastAttemptsMax = 60;

/** One client that speaks Binance's stream protocol, for futures or for spot. */
export class EventSession implements ClientSession {
  readonly #connection: Connection;
  readonly #parts: EventSessionParts;
  readonly #watch: ClientWatch;
  readonly #changes: RateLimiter;
  readonly #topics = new Map<string, EventTopic>();
  readonly #userStreams = new Map<string, UserStream>();
  /** Names that have no stream here; as on Binance they are accepted and stay silent. */
  readonly #silent = new Set<string>();
  readonly #eventsByKey: StreamUrl['eventsByKey'];
  #isCombined: boolean;
  /** Topics whose history was loaded in this turn. */
  #prepared: EventTopic[] = [];
  /** Requests are answered in order, though some have to wait for a key. */
  #work: Promise<void> = Promise.resolve();
  #keysCheckedAt: number;

  /** Starts the streams that the URL names; its listen keys have already been looked up. */
  constructor(
    connection: Connection,
    parts: EventSessionParts,
    url: StreamUrl,
    accounts: KeyAccounts,
  ) {
    const { clock, limits } = parts;
    this.#connection = connection;
    this.#parts = parts;
    this.#isCombined = url.isCombined;
    this.#eventsByKey = url.eventsByKey;
    this.#keysCheckedAt = clock.elapsed();
    this.#watch = new ClientWatch(connection, parts, (msg) =>
      this.#refuse({ code: 2, msg: `Too many requests: ${msg}` }, null),
    );
    const rate = { burst: limits.streamChangesBurst, perSecond: limits.streamChangesPerSecond };
    this.#changes = new RateLimiter(rate, clock.elapsed());
    this.#begin([...url.streamNames, ...url.listenKeys], accounts);
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

  // A failure here is a bug or an unforeseen condition: the client starts over.
  #queue(work: () => Promise<void>): void {
    this.#work = this.#work.then(work).catch((error: unknown) => {
      this.#parts.log.error({ err: error }, 'a stream request failed');
      this.#connection.close(closeCodes.internalError, 'internal error');
    });
  }

  #begin(names: readonly string[], accounts: KeyAccounts): void {
    const offered = names.filter((name) => !isNotOffered(name));
    if (offered.length < names.length) this.#refuse(notOffered, null);
    if (offered.length > streamsMax) return this.#refuse(tooManyStreams, null);
    if (offered.length > 0) this.#add(new Set(offered), accounts);
  }

  async #act({ id, method, params }: ControlMessage): Promise<void> {
    if (!this.#connection.isOpen) return;
    switch (method) {
      case 'SUBSCRIBE':
        return this.#subscribe(readNames(params), id);
      case 'UNSUBSCRIBE':
        return this.#unsubscribe(readNames(params), id);
      case 'LIST_SUBSCRIPTIONS': {
        const names = this.#names();
        const refusal = this.#tooFast(names);
        if (refusal !== null) return this.#refuse(refusal, id);
        return this.#connection.reply({ result: names, id });
      }
      case 'GET_PROPERTY':
        if (params[0] !== 'combined') return this.#refuse(badProperty, id);
        return this.#connection.reply({ result: this.#isCombined, id });
      case 'SET_PROPERTY':
        return this.#setProperty(params, id);
      default:
        return this.#refuse({ code: 2, msg: 'Invalid request: unknown method' }, id);
    }
  }

  /** Sends the answer before the events of the streams. */
  async #subscribe(names: readonly string[] | null, id: ControlId): Promise<void> {
    if (names === null) return this.#refuse(badParams, id);
    if (names.some(isNotOffered)) return this.#refuse(notOffered, id);
    const known = new Set(this.#names());
    const added = new Set(names.filter((name) => !known.has(name)));
    if (known.size + added.size > streamsMax) return this.#refuse(tooManyStreams, id);
    const refusal = this.#tooFast(names);
    if (refusal !== null) return this.#refuse(refusal, id);
    if (!this.#parts.feed.isReady) {
      return this.#connection.close(closeCodes.tryAgainLater, 'the markets are being read');
    }
    const accounts = await findAccounts(this.#parts.listenKeys, [...added]);
    if (!this.#connection.isOpen) return;
    this.#connection.reply({ result: null, id });
    this.#add(added, accounts);
  }

  #add(names: ReadonlySet<string>, accounts: KeyAccounts): void {
    const topics: EventTopic[] = [];
    for (const name of names) {
      const topic = this.#parts.feed.findTopic(name, this.#isCombined);
      const address = accounts.get(name);
      if (topic !== null) {
        this.#topics.set(name, topic);
        topics.push(topic);
      } else if (address !== undefined) {
        const events = this.#eventsByKey.get(name) ?? null;
        const wrap = (payload: string): string =>
          wrapEvent({ isCombined: this.#isCombined, streamName: name }, payload);
        const user = { connection: this.#connection, address, events, wrap };
        this.#userStreams.set(name, user);
        this.#parts.userStreams.open(user);
      } else if (name.length <= nameLengthMax) this.#silent.add(name);
    }
    this.#exchange([], topics);
  }

  /** Joins the topics; those that wait for their history join as soon as they have it. */
  #exchange(left: readonly EventTopic[], added: readonly EventTopic[]): void {
    const joined = added.filter((topic) => this.#isPrepared(topic, 1));
    this.#parts.hub.change(this.#connection, { left, joined });
  }

  #isPrepared(topic: EventTopic, attempt: number): boolean {
    const prepared = topic.prepare();
    if (prepared === null) return true;
    prepared.then(
      () => this.#joinLate(topic),
      (error: unknown) => this.#prepareAgain(topic, attempt, error),
    );
    return false;
  }

  // The history of many streams arrives in the same turn.
  #joinLate(topic: EventTopic): void {
    this.#prepared.push(topic);
    if (this.#prepared.length > 1) return;
    this.#parts.clock.afterTurn(() => {
      const joined = this.#prepared.filter((each) => this.#isWanted(each));
      this.#prepared = [];
      this.#parts.hub.change(this.#connection, { left: [], joined, isLate: true });
    });
  }

  #prepareAgain(topic: EventTopic, attempt: number, error: unknown): void {
    if (!this.#isWanted(topic)) return;
    this.#parts.historyFailures.report(error);
    if (attempt === pastAttemptsMax) {
      const reason = 'history is unavailable; retry soon';
      return this.#connection.close(closeCodes.tryAgainLater, reason);
    }
    this.#parts.clock.after(pastRetryMs, () => {
      if (!this.#isWanted(topic)) return;
      if (this.#isPrepared(topic, attempt + 1)) this.#joinLate(topic);
    });
  }

  #isWanted(topic: EventTopic): boolean {
    return this.#connection.isOpen && this.#topics.get(topic.target.channel) === topic;
  }

  #unsubscribe(names: readonly string[] | null, id: ControlId): void {
    if (names === null) return this.#refuse(badParams, id);
    const refusal = this.#tooFast(names);
    if (refusal !== null) return this.#refuse(refusal, id);
    const left: EventTopic[] = [];
    for (const name of names) {
      const topic = this.#topics.get(name);
      if (topic !== undefined) left.push(topic);
      this.#topics.delete(name);
      this.#silent.delete(name);
      this.#endUser(name);
    }
    this.#parts.hub.change(this.#connection, { left, joined: [] });
    this.#connection.reply({ result: null, id });
  }

  #endUser(listenKey: string): void {
    const user = this.#userStreams.get(listenKey);
    if (user !== undefined) this.#parts.userStreams.end(user);
    this.#userStreams.delete(listenKey);
  }

  #setProperty([name, value]: readonly unknown[], id: ControlId): void {
    if (name !== 'combined' || typeof value !== 'boolean') return this.#refuse(badProperty, id);
    if (value === this.#isCombined) return this.#connection.reply({ result: null, id });
    const refusal = this.#tooFast([...this.#topics.keys()]);
    if (refusal !== null) return this.#refuse(refusal, id);
    this.#isCombined = value;
    this.#connection.reply({ result: null, id });
    const left = [...this.#topics.values()];
    for (const streamName of [...this.#topics.keys()]) {
      const other = this.#parts.feed.findTopic(streamName, value);
      if (other !== null) this.#topics.set(streamName, other);
    }
    this.#exchange(left, [...this.#topics.values()]);
  }

  async #checkKeys(): Promise<void> {
    for (const [listenKey, stream] of [...this.#userStreams]) {
      if (await this.#isKeyAlive(listenKey)) continue;
      if (this.#userStreams.get(listenKey) !== stream) continue;
      this.#endUser(listenKey);
      const payload = namedEvent('listenKeyExpired', this.#parts.clock.now(), { listenKey });
      this.#parts.userStreams.send(stream, payload);
      this.#closeIfOver();
    }
  }

  // A connection opened only for an account ends with its last key.
  #closeIfOver(): void {
    if (this.#userStreams.size > 0 || this.#topics.size > 0) return;
    // The notice about the key is sent at the end of the turn.
    this.#parts.clock.afterTurn(() =>
      this.#connection.close(closeCodes.policyViolation, 'the listen key has ended'),
    );
  }

  async #isKeyAlive(listenKey: string): Promise<boolean> {
    try {
      return ((await this.#parts.listenKeys?.find(listenKey)) ?? null) !== null;
    } catch (error) {
      // While the database is unavailable the lookup is left to the next check.
      if (error instanceof DatabaseError) return true;
      throw error;
    }
  }

  #names(): readonly string[] {
    return [...this.#topics.keys(), ...this.#userStreams.keys(), ...this.#silent];
  }

  // A message's cost depends on what it names, as it can name hundreds of streams.
  #tooFast(names: readonly string[]): ControlError | null {
    let cost = 0;
    for (const name of names) {
      cost += isListenKey(name) && !this.#userStreams.has(name) ? listenKeyCost : 1;
    }
    if (!this.#changes.take(this.#parts.clock.elapsed(), cost)) {
      const { streamChangesPerSecond } = this.#parts.limits;
      const msg = `Too many requests: at most ${streamChangesPerSecond} streams a second`;
      return { code: 2, msg };
    }
    return this.#connection.affords(cost) ? null : tooManyFromAddress;
  }

  #refuse(error: ControlError, id: ControlId): void {
    this.#connection.reply({ error, id });
  }
}

const badParams: ControlError = {
  code: 2,
  msg: 'Invalid request: params must be a list of stream names',
};
const tooManyFromAddress: ControlError = {
  code: 2,
  msg: 'Too many requests: too many streams from this address',
};
const badProperty: ControlError = {
  code: 2,
  msg: 'Invalid request: the only property is "combined", true or false',
};
const tooManyStreams: ControlError = {
  code: 2,
  msg: `Invalid request: at most ${streamsMax} streams a connection`,
};
const notOffered: ControlError = {
  code: 2,
  msg: 'Invalid request: rpiDepth is not offered, as depth contains all orders',
};

function readNames(params: readonly unknown[]): readonly string[] | null {
  const names = params.filter((param) => typeof param === 'string');
  return names.length === params.length && names.length > 0 ? names : null;
}
