import type { Channels } from './channels.ts';

// One connection to /ws that lives as long as its owner: after a loss it reconnects, signs in
// again, and subscribes again to every topic that still has listeners.

/** A channel, as /asyncapi.json names it. */
export type ChannelName = keyof Channels;

export interface Topic<Name extends ChannelName = ChannelName> {
  readonly channel: Name;
  readonly symbol?: string;
  readonly market?: 'spot' | 'futures';
  readonly interval?: string;
  /** For `orderbook`: the step by which its prices are grouped, as decimal text. */
  readonly group?: string;
}

interface Message<Name extends ChannelName, Type extends 'snapshot' | 'update'> {
  readonly type: Type;
  readonly channel: Name;
  readonly symbol?: string;
  readonly market?: string;
  /** For `kline`. */
  readonly interval?: string;
  /** For a grouped `orderbook`. */
  readonly group?: string;
  readonly seq: number;
  readonly prev_seq?: number;
  /** Milliseconds since 1970. */
  readonly ts: number;
  readonly data: Channels[Name][Type];
}

/** A snapshot or an update of a topic. */
export type TopicMessage<Name extends ChannelName = ChannelName> = Name extends ChannelName
  ? Message<Name, 'snapshot'> | Message<Name, 'update'>
  : never;

export interface TopicListener<Name extends ChannelName = ChannelName> {
  onMessage(message: TopicMessage<Name>): void;
  /** The data held is out of date until the next snapshot. */
  onStale?(): void;
  onError?(code: string): void;
}

export type StreamState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'open' }
  /** `retryAt` is in the monotonic milliseconds of performance.now(). */
  | { readonly kind: 'waiting'; readonly retryAt: number }
  | { readonly kind: 'closed' };

export interface StreamOptions {
  /** For example wss://exchange.example/ws. */
  readonly url: string;
  readonly token?: () => string | null;
  readonly onState?: (state: StreamState) => void;
  /** Round trip in milliseconds, and the server's clock minus this one. */
  readonly onPong?: (roundTripMs: number, clockOffsetMs: number) => void;
  /** Called when the server reports that the token is no longer valid. */
  readonly onSignedOut?: (code: string) => void;
  readonly createSocket?: (url: string) => WebSocket;
}

const firstWaitMs = 500;
const longestWaitMs = 15_000;
// A connection that lives this long was sound, and the next loss restarts the delays.
const soundMs = 5_000;
const pingIntervalMs = 10_000;
/** A connection that says nothing for so long, or does not open, is replaced. */
const silenceMsMax = 20_000;
const watchMs = 1_000;
const privateChannels: ReadonlySet<ChannelName> = new Set([
  'orders',
  'balances',
  'positions',
  'vip_tier',
  'wallet',
  'referral',
]);
// A service that starts refuses subscriptions for a moment.
const askAgainMs = 1_000;
const signOutCodes = new Set([
  'TOKEN_EXPIRED',
  'SESSION_ENDED',
  'UNAUTHORIZED',
  'INVALID_LISTEN_KEY',
]);

interface Subscription {
  readonly topic: Topic;
  readonly listeners: Set<TopicListener>;
  seq: number | null;
}

export class Stream {
  readonly #options: StreamOptions;
  readonly #subscriptions = new Map<string, Subscription>();
  #socket: WebSocket | null = null;
  #isOpen = false;
  #isSignedIn = false;
  #failures = 0;
  /** Of the present connection; infinite until it is open. */
  #openedAt = Number.POSITIVE_INFINITY;
  #heardAt = 0;
  #pingedAt = 0;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  #watchTimer: ReturnType<typeof setInterval> | undefined;
  #askTimer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = true;

  constructor(options: StreamOptions) {
    this.#options = options;
  }

  open(): void {
    if (!this.#isClosed) return;
    this.#isClosed = false;
    this.#connect();
  }

  /** Closes the connection; `open` starts a new one with the same topics. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#retryTimer);
    this.#drop();
    this.#options.onState?.({ kind: 'closed' });
  }

  /** Connects now if it is waiting for its next attempt. */
  retryNow(): void {
    if (this.#isClosed || this.#socket !== null) return;
    clearTimeout(this.#retryTimer);
    this.#connect();
  }

  /** Signs in with the current token, or leaves the account by opening a new connection. */
  refreshToken(): void {
    if (!this.#isOpen) return;
    const token = this.#options.token?.() ?? null;
    if (token === null || this.#isSignedIn) return this.#reconnect();
    this.#send({ type: 'auth', token });
  }

  /** Passes on a renewed token of the same account; the connection and its topics stay. */
  renewToken(): void {
    const token = this.#options.token?.() ?? null;
    if (this.#isSignedIn && token !== null) this.#send({ type: 'auth', token });
  }

  /** Subscribes to a topic; returns a function that unsubscribes. */
  subscribe<Name extends ChannelName>(
    topic: Topic<Name>,
    listener: TopicListener<Name>,
  ): () => void {
    const key = keyOf(topic);
    const held = this.#subscriptions.get(key);
    const subscription = held ?? { topic, listeners: new Set(), seq: null };
    subscription.listeners.add(listener);
    this.#subscriptions.set(key, subscription);
    // A second listener needs a snapshot too, and subscribing again delivers one to both.
    this.#ask(subscription);
    return () => {
      subscription.listeners.delete(listener);
      if (subscription.listeners.size > 0 || this.#subscriptions.get(key) !== subscription) return;
      this.#subscriptions.delete(key);
      if (this.#isOpen) this.#send({ type: 'unsubscribe', ...topic });
    };
  }

  #connect(): void {
    this.#options.onState?.({ kind: 'connecting' });
    const { createSocket = (url: string) => new WebSocket(url) } = this.#options;
    const socket = createSocket(this.#options.url);
    this.#socket = socket;
    this.#openedAt = Number.POSITIVE_INFINITY;
    this.#heardAt = performance.now();
    this.#watchTimer = setInterval(() => this.#watch(), watchMs);
    // Events of a replaced socket do not belong to this connection.
    socket.onopen = () => this.#socket === socket && this.#onOpen();
    socket.onmessage = ({ data }) => this.#socket === socket && this.#onText(String(data));
    socket.onclose = () => this.#socket === socket && this.#onLost();
  }

  #onOpen(): void {
    this.#isOpen = true;
    this.#openedAt = performance.now();
    this.#heardAt = this.#openedAt;
    const token = this.#options.token?.() ?? null;
    if (token !== null) this.#send({ type: 'auth', token });
    this.#options.onState?.({ kind: 'open' });
    for (const subscription of this.#subscriptions.values()) this.#ask(subscription);
    this.#ping();
  }

  #ask(subscription: Subscription): void {
    const isPrivate = privateChannels.has(subscription.topic.channel);
    if (!this.#isOpen || (isPrivate && !this.#isSignedIn)) return;
    subscription.seq = null;
    this.#send({ type: 'subscribe', ...subscription.topic });
  }

  /** Asks once more for every topic whose snapshot has not arrived. */
  #askAgain(): void {
    clearTimeout(this.#askTimer);
    this.#askTimer = setTimeout(() => {
      for (const subscription of this.#subscriptions.values()) {
        if (subscription.seq === null) this.#ask(subscription);
      }
    }, askAgainMs);
  }

  #watch(): void {
    const now = performance.now();
    if (now - this.#heardAt >= silenceMsMax) this.#reconnect();
    else if (this.#isOpen && now - this.#pingedAt >= pingIntervalMs) this.#ping();
  }

  #ping(): void {
    this.#pingedAt = performance.now();
    this.#send({ type: 'ping' });
  }

  #reconnect(): void {
    this.#drop();
    this.#markStale();
    this.#connect();
  }

  #onLost(): void {
    this.#drop();
    this.#markStale();
    if (this.#isClosed) return;
    if (performance.now() - this.#openedAt > soundMs) this.#failures = 0;
    const ceiling = Math.min(longestWaitMs, firstWaitMs * 2 ** this.#failures);
    const waitMs = Math.random() * ceiling;
    this.#failures += 1;
    this.#options.onState?.({ kind: 'waiting', retryAt: performance.now() + waitMs });
    this.#retryTimer = setTimeout(() => this.#connect(), waitMs);
  }

  #drop(): void {
    clearInterval(this.#watchTimer);
    clearTimeout(this.#askTimer);
    const socket = this.#socket;
    this.#socket = null;
    this.#isOpen = false;
    this.#isSignedIn = false;
    socket?.close();
  }

  #markStale(): void {
    for (const subscription of this.#subscriptions.values()) {
      subscription.seq = null;
      for (const listener of subscription.listeners) listener.onStale?.();
    }
  }

  #send(message: object): void {
    this.#socket?.send(JSON.stringify(message));
  }

  #onText(text: string): void {
    this.#heardAt = performance.now();
    const message = JSON.parse(text) as Received;
    switch (message.type) {
      case 'snapshot':
      case 'update':
        return this.#onTopicMessage(message as TopicMessage);
      case 'resync':
        return this.#onResync(message as unknown as Topic);
      case 'authenticated':
        return this.#onSignedIn();
      case 'pong':
        return this.#onPong(message.ts ?? 0);
      case 'error':
        return this.#onError(message);
      default:
        return;
    }
  }

  #onTopicMessage(message: TopicMessage): void {
    const subscription = this.#find(message);
    if (subscription === null) return;
    if (message.type === 'update' && subscription.seq === null) return;
    if (message.type === 'update' && message.prev_seq !== undefined) {
      if (message.prev_seq !== subscription.seq) {
        for (const listener of subscription.listeners) listener.onStale?.();
        return this.#ask(subscription);
      }
    }
    subscription.seq = message.seq;
    for (const listener of subscription.listeners) listener.onMessage(message);
  }

  #onResync(topic: Topic): void {
    const subscription = this.#find(topic);
    if (subscription === null) return;
    subscription.seq = null;
    for (const listener of subscription.listeners) listener.onStale?.();
  }

  #find(of: Topic | TopicMessage): Subscription | null {
    return this.#subscriptions.get(keyOf(of)) ?? null;
  }

  #onSignedIn(): void {
    const isFirst = !this.#isSignedIn;
    this.#isSignedIn = true;
    if (!isFirst) return;
    for (const subscription of this.#subscriptions.values()) {
      if (privateChannels.has(subscription.topic.channel)) this.#ask(subscription);
    }
  }

  #onPong(serverMs: number): void {
    const now = performance.now();
    const roundTripMs = now - this.#pingedAt;
    this.#options.onPong?.(roundTripMs, serverMs + roundTripMs / 2 - Date.now());
  }

  #onError({ code = '' }: Received): void {
    if (signOutCodes.has(code)) {
      this.#isSignedIn = false;
      this.#options.onSignedOut?.(code);
    }
    if (code === 'ENGINE_RESTARTING') this.#askAgain();
    for (const { listeners } of this.#subscriptions.values()) {
      for (const listener of listeners) listener.onError?.(code);
    }
  }
}

interface Received {
  readonly type: string;
  readonly code?: string;
  readonly ts?: number;
}

function keyOf({
  channel,
  symbol = '',
  market = 'spot',
  interval = '',
  group = '',
}: Topic | TopicMessage): string {
  // A private channel covers both markets and has no symbol.
  if (privateChannels.has(channel)) return channel;
  return `${channel}|${symbol}|${channel === 'mark_price' ? 'futures' : market}|${interval}|${group}`;
}
