import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Registry } from 'prom-client';
import { Compile } from 'typebox/compile';
import { type ClientOptions, WebSocket } from 'ws';
import type {
  AccountEvent,
  AccountEventChannel,
  AccountEventFeed,
} from '../../src/application/account-events.ts';
import type { BalanceChange, BalanceFeed } from '../../src/application/ports/balance-feed.ts';
import type { VipFeed, VipRecord, VipTierChange } from '../../src/application/vip/vip-ports.ts';
import { toAmount } from '../../src/domain/amount.ts';
import type { Address } from '../../src/domain/identifiers.ts';
import type { VerifiedToken } from '../../src/gateway/auth/access-tokens.ts';
import { attachStreams, type Streams } from '../../src/gateway/ws/attach-streams.ts';
import { serverMessageSchema } from '../../src/gateway/ws/protocol/server-message.ts';
import { systemStreamClock } from '../../src/gateway/ws/stream-clock.ts';
import { defaultStreamLimits, type StreamLimits } from '../../src/gateway/ws/stream-limits.ts';
import { type StreamOptions } from '../../src/gateway/ws/stream-options.ts';
import { initialVipStanding } from '../../src/programs/vip/review-vip.ts';
import { ManualClock } from './manual-clock.ts';
import { ManualExchange, testAddress } from './manual-exchange.ts';

/** Balance notices that the test writes itself. */
export class ManualBalanceFeed implements BalanceFeed {
  readonly #listeners = new Map<Address, Set<(changes: readonly BalanceChange[]) => void>>();

  subscribe(address: Address, listener: (changes: readonly BalanceChange[]) => void): () => void {
    const listeners = this.#listeners.get(address) ?? new Set();
    this.#listeners.set(address, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  get listenerCount(): number {
    return [...this.#listeners.values()].reduce((sum, listeners) => sum + listeners.size, 0);
  }

  notify(changes: readonly BalanceChange[]): void {
    for (const [address, listeners] of this.#listeners) {
      const own = changes.filter((change) => change.address === address);
      if (own.length > 0) for (const listener of listeners) listener(own);
    }
  }
}

/** VIP tiers that the test writes itself. */
export class ManualVipFeed implements VipFeed {
  record: VipRecord = {
    standing: initialVipStanding,
    volume14Days: toAmount(0n),
    volume30Days: toAmount(0n),
    lastChangeId: 0,
  };
  readonly #listeners = new Set<(changes: readonly VipTierChange[]) => void>();

  subscribe(_address: Address, listener: (changes: readonly VipTierChange[]) => void) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get source() {
    return { feed: this, store: { load: async () => this.record } };
  }

  notify(change: VipTierChange): void {
    for (const listener of this.#listeners) listener([change]);
  }
}

/** Events of accounts that the test writes itself. */
export class ManualEventFeed implements AccountEventFeed {
  readonly newest: AccountEvent[] = [];
  readonly #listeners = new Map<string, Set<(event: AccountEvent) => void>>();

  subscribe(
    address: Address,
    channel: AccountEventChannel,
    listener: (event: AccountEvent) => void,
  ): () => void {
    const listeners = this.#listeners.get(address + channel) ?? new Set();
    this.#listeners.set(address + channel, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  listNewest(address: Address, channel: AccountEventChannel): Promise<readonly AccountEvent[]> {
    const own = this.newest.filter((each) => each.address === address && each.channel === channel);
    return Promise.resolve(own);
  }

  get listenerCount(): number {
    return [...this.#listeners.values()].reduce((sum, { size }) => sum + size, 0);
  }

  notify(event: AccountEvent): void {
    const listeners = this.#listeners.get(event.address + event.channel) ?? [];
    for (const listener of listeners) listener(event);
  }
}

export interface StreamServer {
  readonly server: Server;
  readonly streams: Streams;
  readonly exchange: ManualExchange;
  readonly balanceFeed: ManualBalanceFeed;
  readonly vipFeed: ManualVipFeed;
  readonly eventFeed: ManualEventFeed;
  readonly clock: ManualClock;
  readonly url: string;
  readonly metrics: Registry;
  readonly connect: (options?: ClientOptions) => Promise<StreamClient>;
  readonly stop: () => Promise<void>;
}

export type StreamServerOptions = Partial<Omit<StreamOptions, 'limits' | 'clock' | 'exchange'>> & {
  readonly limits?: Partial<StreamLimits>;
  readonly clock?: ManualClock;
  /** Streams that use the machine's clock instead of the test's. */
  readonly isTimeReal?: boolean;
  readonly exchange?: ManualExchange;
};

/** `token-3` speaks for the third test account, for an hour from the clock's beginning. */
function verifyTestToken(token: string, clock: ManualClock): VerifiedToken | null {
  const number = /^token-(\d+)$/.exec(token)?.[1];
  const expiresAtMs = clock.startedAt + 3_600_000;
  if (number === undefined || clock.now() >= expiresAtMs) return null;
  const session = { id: token, signedInAt: Math.floor(clock.startedAt / 1000) };
  return { caller: { address: testAddress(Number(number)), apiKey: null, session }, expiresAtMs };
}

/** The streams on an HTTP server of their own, over the real engine. */
export async function startStreamServer(options: StreamServerOptions = {}): Promise<StreamServer> {
  const server = createServer((_request, response) => response.writeHead(404).end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const { exchange = new ManualExchange(), clock = new ManualClock() } = options;
  const balanceFeed = new ManualBalanceFeed();
  const vipFeed = new ManualVipFeed();
  const eventFeed = new ManualEventFeed();
  const metrics = new Registry();
  const streams = attachStreams({
    server,
    balanceFeed,
    vip: vipFeed.source,
    events: eventFeed,
    futuresHistory: null,
    spotCandles: null,
    orderEntry: null,
    limiter: null,
    history: null,
    perpetualHistory: null,
    verifyToken: async (token) => verifyTestToken(token, clock),
    isSessionEnded: () => false,
    listenKeys: null,
    trustedProxies: [],
    allowedOrigins: [],
    log: { warn: () => {}, error: () => {} },
    metrics,
    ...options,
    exchange,
    clock: options.isTimeReal === true ? systemStreamClock : clock,
    limits: { ...defaultStreamLimits, flushIntervalMs: 0, ...options.limits },
  });
  const url = `ws://127.0.0.1:${port}/ws`;
  const clients: StreamClient[] = [];
  return {
    server,
    streams,
    exchange,
    balanceFeed,
    vipFeed,
    eventFeed,
    clock,
    url,
    metrics,
    connect: async (clientOptions) => {
      const client = await StreamClient.open(url, clientOptions);
      clients.push(client);
      return client;
    },
    stop: async () => {
      for (const client of clients) client.webSocket.terminate();
      await streams.close();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type StreamMessage = Readonly<Record<string, unknown>> & { readonly type: string };

const documentedMessages = Compile(serverMessageSchema);

/** A client that keeps the messages that it receives until the test takes them. */
export class StreamClient {
  readonly webSocket: WebSocket;
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  readonly #messages: StreamMessage[] = [];
  #wake: () => void = () => {};
  /** A message that the AsyncAPI document does not know. */
  #undocumented: string | null = null;

  private constructor(webSocket: WebSocket) {
    this.webSocket = webSocket;
    webSocket.on('error', () => {});
    webSocket.on('message', (data: Buffer) => {
      const message: unknown = JSON.parse(data.toString());
      if (!documentedMessages.Check(message)) this.#undocumented ??= data.toString();
      this.#messages.push(message as StreamMessage);
      this.#wake();
    });
    this.closed = new Promise((resolve) => {
      webSocket.on('close', (code, reason) => resolve({ code, reason: reason.toString() }));
    });
  }

  /** The number of messages that have not been taken. */
  get unreadCount(): number {
    return this.#messages.length;
  }

  static async open(url: string, options: ClientOptions = {}): Promise<StreamClient> {
    const client = new StreamClient(new WebSocket(url, options));
    await new Promise<void>((resolve, reject) => {
      client.webSocket.once('open', resolve);
      client.webSocket.once('error', reject);
    });
    return client;
  }

  send(message: unknown): void {
    this.webSocket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  /** The next message, or the next that fits; what came before it is skipped. */
  async next(fits: (message: StreamMessage) => boolean = () => true): Promise<StreamMessage> {
    for (;;) {
      if (this.#undocumented !== null) throw new Error(`undocumented: ${this.#undocumented}`);
      const message = this.#messages.shift();
      if (message === undefined) await new Promise<void>((wake) => (this.#wake = wake));
      else if (fits(message)) return message;
    }
  }

  async nextOf(type: string): Promise<StreamMessage> {
    return this.next((message) => message.type === type);
  }

  /** Sends and answers the reply that echoes the message's id. */
  async ask(message: Readonly<Record<string, unknown>>): Promise<StreamMessage> {
    const id = `ask-${Math.floor(performance.now() * 1000)}`;
    this.send({ ...message, id });
    return this.next((reply) => reply['id'] === id);
  }
}
