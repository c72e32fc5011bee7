import { DatabaseError } from '../../application/ports/database.ts';
import { EngineBusyError, EngineRestartingError } from '../../application/ports/exchange.ts';
import { assertNever } from '../../domain/assert.ts';
import type { Address } from '../../domain/identifiers.ts';
import { type Channel, isStreamError, type PrivateChannel } from './channels/channel.ts';
import { type ClientSession, ClientWatch } from './client-watch.ts';
import type { Connection, ConnectionAccount, Subscription } from './connection.ts';
import type { ConnectionCounts } from './connection-counts.ts';
import { findAccounts, listenKeyCost } from './futures/listen-key-lookup.ts';
import type { Hub } from './hub.ts';
import {
  type AuthMessage,
  type ClientMessage,
  type MessageId,
  parseClientMessage,
  type SubscribeMessage,
  type UnsubscribeMessage,
} from './protocol/client-message.ts';
import { closeCodes, type StreamError } from './protocol/stream-error.ts';
import { type StreamTarget, targetKey } from './protocol/stream-target.ts';
import type { StreamClock } from './stream-clock.ts';
import type { StreamLimits } from './stream-limits.ts';
import type { ListenKeys, SessionEnded, StreamLog, TokenVerifier } from './stream-ports.ts';
import type { Topic } from './topic.ts';

export interface SessionParts {
  readonly channels: ReadonlyMap<string, Channel>;
  readonly hub: Hub;
  readonly clock: StreamClock;
  readonly limits: StreamLimits;
  readonly log: StreamLog;
  readonly verifyToken: TokenVerifier;
  readonly isSessionEnded: SessionEnded;
  /** Null while the service does not offer listen keys. */
  readonly listenKeys: ListenKeys | null;
  readonly accountConnections: ConnectionCounts;
}

/** How often a listen key in use is looked up, which also keeps it alive. */
const keyCheckMs = 10_000;

/** Handles one client's messages and answers them. */
export class Session implements ClientSession {
  readonly #connection: Connection;
  readonly #parts: SessionParts;
  readonly #watch: ClientWatch;
  /** Messages that wait for an earlier auth message; null while none is being checked. */
  #waiting: ClientMessage[] | null = null;
  /** The listen key that signed in; null if a token did, or if nobody is signed in. */
  #listenKey: string | null = null;
  #keyCheckedAt = 0;

  constructor(connection: Connection, parts: SessionParts) {
    this.#connection = connection;
    this.#parts = parts;
    this.#watch = new ClientWatch(connection, parts, (message) =>
      this.#refuse({ code: 'RATE_LIMITED', message }, null),
    );
  }

  /** Handles a text or binary message. */
  takeMessage(data: Buffer, isBinary: boolean): void {
    if (!this.#watch.takeMessage()) return;
    if (isBinary) {
      this.#refuse({ code: 'INVALID_MESSAGE', message: 'messages are text' }, null);
      return;
    }
    const parsed = parseClientMessage(data.toString());
    if (parsed.kind === 'malformed') this.#refuse(parsed.error, parsed.id);
    else if (this.#waiting === null) this.#act(parsed.message);
    else this.#waiting.push(parsed.message);
  }

  /** Handles a ping frame; pongs need no answer. */
  takePing(): void {
    this.#watch.takeMessage();
  }

  takePong(): void {
    this.#watch.takePong();
  }

  /** Sends pings, and detects silence and expired tokens and keys; to be called every second. */
  tick(): void {
    this.#watch.tick();
    this.#endExpiredAccount();
    const now = this.#parts.clock.elapsed();
    if (this.#listenKey === null || now - this.#keyCheckedAt < keyCheckMs) return;
    this.#keyCheckedAt = now;
    this.#observe(this.#checkListenKey(this.#listenKey));
  }

  /** Cleans up after the connection has closed. */
  end(): void {
    for (const subscription of this.#connection.subscriptions.values()) subscription.end();
    this.#connection.subscriptions.clear();
    this.#setAccount(null);
    this.#parts.hub.forget(this.#connection);
  }

  #act(message: ClientMessage): void {
    // Messages wait while a token is checked; a client that has left by then must not join
    // anything.
    if (!this.#connection.isOpen) return;
    switch (message.type) {
      case 'auth':
        this.#waiting = [];
        this.#observe(this.#authenticate(message));
        return;
      case 'subscribe':
        this.#subscribe(message);
        return;
      case 'unsubscribe':
        this.#unsubscribe(message);
        return;
      case 'ping':
        this.#connection.reply({ type: 'pong', ts: this.#parts.clock.now(), ...echo(message) });
        return;
      default:
        assertNever(message);
    }
  }

  async #authenticate(message: AuthMessage): Promise<void> {
    try {
      const account = await this.#findAccount(message);
      if (this.#connection.isOpen) this.#welcome(message, account);
    } catch (error) {
      this.#refuse(describeFailure(error), message.id ?? null);
    } finally {
      const waiting = this.#waiting ?? [];
      this.#waiting = null;
      this.#resume(waiting);
    }
  }

  #resume(messages: readonly ClientMessage[]): void {
    for (const [index, message] of messages.entries()) {
      this.#act(message);
      if (this.#waiting === null) continue;
      this.#waiting = messages.slice(index + 1);
      return;
    }
  }

  async #findAccount(message: AuthMessage): Promise<ConnectionAccount | StreamError> {
    const { token, listenKey } = message;
    if ((token === undefined) === (listenKey === undefined)) {
      return { code: 'INVALID_PARAMETER', message: 'auth takes either token or listenKey' };
    }
    if (token !== undefined) {
      const verified = await this.#parts.verifyToken(token);
      if (verified !== null) {
        const { address, session } = verified.caller;
        const isEnded = (): boolean => this.#parts.isSessionEnded(session);
        return { address, expiresAt: verified.expiresAtMs, isEnded };
      }
      return { code: 'UNAUTHORIZED', message: 'the token is invalid or has expired' };
    }
    if (!this.#connection.affords(listenKeyCost)) {
      return { code: 'RATE_LIMITED', message: 'too many listen keys from this address' };
    }
    const address = (await findAccounts(this.#parts.listenKeys, [listenKey ?? ''])).get(
      listenKey ?? '',
    );
    if (address !== undefined) return { address, expiresAt: null, isEnded: () => false };
    return { code: 'INVALID_LISTEN_KEY', message: 'the listen key has expired or never existed' };
  }

  #welcome(message: AuthMessage, account: ConnectionAccount | StreamError): void {
    const id = message.id ?? null;
    if ('code' in account) return this.#refuse(account, id);
    const present = this.#connection.account;
    if (present !== null && present.address !== account.address) {
      const text = 'this connection is authenticated for another account; open a new one';
      return this.#refuse({ code: 'ALREADY_AUTHENTICATED', message: text }, id);
    }
    if (!this.#setAccount(account)) {
      const { connectionsPerAccountMax } = this.#parts.limits;
      const text = `at most ${connectionsPerAccountMax} connections an account`;
      return this.#refuse({ code: 'TOO_MANY_CONNECTIONS', message: text }, id);
    }
    const { address, expiresAt } = account;
    this.#listenKey = message.listenKey ?? null;
    this.#keyCheckedAt = this.#parts.clock.elapsed();
    this.#connection.reply({
      type: 'authenticated',
      address,
      expires_at: expiresAt,
      ...echo(message),
    });
  }

  /** False if the account already has its maximum number of connections. */
  #setAccount(account: ConnectionAccount | null): boolean {
    const counts = this.#parts.accountConnections;
    const present = this.#connection.account;
    if (present !== null && account === null) counts.giveBack(present.address);
    if (present === null && account !== null && !counts.take(account.address)) return false;
    this.#connection.account = account;
    return true;
  }

  #endExpiredAccount(): void {
    const { account } = this.#connection;
    if (account?.isEnded() === true) {
      const message = 'the session was ended; private channels have ended';
      return this.#endAccount({ code: 'SESSION_ENDED', message });
    }
    if (account === null || account.expiresAt === null) return;
    if (account.expiresAt > this.#parts.clock.now()) return;
    const message = 'the token has expired; private channels have ended';
    this.#endAccount({ code: 'TOKEN_EXPIRED', message });
  }

  async #checkListenKey(listenKey: string): Promise<void> {
    let address: Address | null;
    try {
      address = (await this.#parts.listenKeys?.find(listenKey)) ?? null;
    } catch (error) {
      // While the database is unavailable the lookup is left to the next check.
      if (error instanceof DatabaseError) return;
      throw error;
    }
    if (address !== null || this.#listenKey !== listenKey || !this.#connection.isOpen) return;
    const message = 'the listen key has ended; private channels have ended';
    this.#endAccount({ code: 'INVALID_LISTEN_KEY', message });
  }

  #endAccount(reason: StreamError): void {
    const { subscriptions } = this.#connection;
    for (const [key, subscription] of subscriptions) {
      if (!subscription.isPrivate) continue;
      subscription.end();
      subscriptions.delete(key);
    }
    this.#listenKey = null;
    this.#setAccount(null);
    this.#refuse(reason, null);
  }

  #subscribe(message: SubscribeMessage): void {
    const channel = this.#findChannel(message);
    if (channel === null) return;
    if (channel.kind === 'private') {
      this.#subscribePrivate(message, channel);
      return;
    }
    const topic = channel.findTopic(message);
    if (isStreamError(topic)) this.#refuse(topic, message.id ?? null);
    else this.#subscribePublic(message, topic);
  }

  #subscribePublic(message: SubscribeMessage, topic: Topic): void {
    const { hub } = this.#parts;
    const subscription: Subscription = {
      target: topic.target,
      isPrivate: false,
      end: () => hub.leave(this.#connection, topic),
    };
    if (!this.#begin(message, subscription)) return;
    const prepared = topic.prepare();
    if (prepared === null) hub.join(this.#connection, topic);
    else this.#observe(this.#joinOnce(prepared, subscription, topic, message));
  }

  async #joinOnce(
    prepared: Promise<void>,
    subscription: Subscription,
    topic: Topic,
    message: SubscribeMessage,
  ): Promise<void> {
    try {
      await prepared;
      if (this.#isCurrent(subscription)) this.#parts.hub.join(this.#connection, topic);
    } catch (error) {
      this.#giveUp(subscription, error, message);
    }
  }

  #subscribePrivate(message: SubscribeMessage, channel: PrivateChannel): void {
    this.#endExpiredAccount();
    const { account } = this.#connection;
    if (account === null) {
      const text = `${message.channel} is private: send auth first`;
      this.#refuse({ code: 'UNAUTHORIZED', message: text }, message.id ?? null);
      return;
    }
    let end = (): void => {};
    const subscription: Subscription = {
      target: { channel: message.channel },
      isPrivate: true,
      end: () => end(),
    };
    if (!this.#begin(message, subscription)) return;
    const stream = channel.open(this.#connection, account.address);
    end = () => stream.end();
    this.#observe(
      stream.opened.catch((error: unknown) => this.#giveUp(subscription, error, message)),
    );
  }

  /** Answers `subscribed`, unless the client already has its maximum number of subscriptions. */
  #begin(message: SubscribeMessage, subscription: Subscription): boolean {
    const { subscriptions } = this.#connection;
    const { subscriptionsMax } = this.#parts.limits;
    const key = targetKey(subscription.target);
    const present = subscriptions.get(key);
    if (present === undefined && subscriptions.size >= subscriptionsMax) {
      const text = `at most ${subscriptionsMax} subscriptions a connection`;
      this.#refuse({ code: 'TOO_MANY_SUBSCRIPTIONS', message: text }, message.id ?? null);
      return false;
    }
    if (present?.isPrivate === true) present.end();
    subscriptions.set(key, subscription);
    this.#connection.reply({ type: 'subscribed', ...subscription.target, ...echo(message) });
    return true;
  }

  #unsubscribe(message: UnsubscribeMessage): void {
    const channel = this.#findChannel(message);
    if (channel === null) return;
    let target: StreamTarget = { channel: message.channel };
    if (channel.kind === 'public') {
      const topic = channel.findTopic(message);
      if (isStreamError(topic)) return this.#refuse(topic, message.id ?? null);
      target = topic.target;
    }
    const key = targetKey(target);
    this.#connection.subscriptions.get(key)?.end();
    this.#connection.subscriptions.delete(key);
    this.#connection.reply({ type: 'unsubscribed', ...target, ...echo(message) });
  }

  #findChannel(message: SubscribeMessage | UnsubscribeMessage): Channel | null {
    const channel = this.#parts.channels.get(message.channel);
    if (channel !== undefined) return channel;
    const names = [...this.#parts.channels.keys()].join(', ');
    this.#refuse({ code: 'UNKNOWN_CHANNEL', message: `channels are ${names}` }, message.id ?? null);
    return null;
  }

  #isCurrent(subscription: Subscription): boolean {
    const key = targetKey(subscription.target);
    return this.#connection.subscriptions.get(key) === subscription;
  }

  #giveUp(subscription: Subscription, error: unknown, message: SubscribeMessage): void {
    const failure = describeFailure(error);
    if (!this.#isCurrent(subscription)) return;
    subscription.end();
    this.#connection.subscriptions.delete(targetKey(subscription.target));
    this.#connection.refuse(failure, { ...subscription.target, ...echo(message) });
  }

  #refuse(error: StreamError, id: MessageId | null): void {
    this.#connection.refuse(error, id === null ? {} : { id });
  }

  // A failure here is a bug or an unforeseen condition: the client starts over.
  #observe(work: Promise<void>): void {
    work.catch((error: unknown) => {
      this.#parts.log.error({ err: error }, 'a stream request failed');
      this.#connection.close(closeCodes.internalError, 'internal error');
    });
  }
}

function echo({ id }: ClientMessage): { readonly id?: MessageId } {
  return id === undefined ? {} : { id };
}

/** The error that a client gets for a failure; an unforeseen failure is thrown on. */
function describeFailure(error: unknown): StreamError {
  if (error instanceof EngineBusyError) {
    return { code: 'ENGINE_BUSY', message: 'the engine is busy; retry soon' };
  }
  if (error instanceof EngineRestartingError) {
    return { code: 'ENGINE_RESTARTING', message: 'the engine is restarting; retry soon' };
  }
  if (error instanceof DatabaseError) {
    return { code: 'DB_ERROR', message: 'history is unavailable; retry soon' };
  }
  throw error;
}
