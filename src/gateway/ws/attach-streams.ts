import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Registry } from 'prom-client';
import { type WebSocket, WebSocketServer } from 'ws';
import type { AccountEventFeed } from '../../application/account-events.ts';
import type { ApiKeyStore, BalanceFeed, Exchange } from '../../application/ports.ts';
import type { FuturesMarketId } from '../../domain/futures-market.ts';
import { ClientAddresses } from '../auth/client-address.ts';
import type { Surface } from '../errors/surface.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { namesTwoHosts } from '../http/host-header.ts';
import type { RepeatedOrders } from '../http/repeated-orders.ts';
import { limitedAddress, type RequestLimiter } from '../http/request-limiter.ts';
import { BalancesChannel } from './channels/balances-channel.ts';
import type { Channel } from './channels/channel.ts';
import { HappeningsChannel } from './channels/happenings-channel.ts';
import { findKline, marketChannel, perpetualChannel } from './channels/market-channel.ts';
import { OrdersChannel } from './channels/orders-channel.ts';
import { PositionsChannel } from './channels/positions-channel.ts';
import { VipTierChannel, type VipTierSource } from './channels/vip-tier-channel.ts';
import { WholeTopics } from './channels/whole-topics.ts';
import type { ClientSession } from './client-watch.ts';
import { Connection } from './connection.ts';
import { ConnectionCounts } from './connection-counts.ts';
import { FirstMessageSession } from './first-message-session.ts';
import type { CandleHistory } from './futures/candle-history.ts';
import { EventSession, type EventSessionParts } from './futures/event-session.ts';
import { futuresAccountEvents } from './futures/futures-account-events.ts';
import { FuturesFeed } from './futures/futures-feed.ts';
import { findAccounts, type KeyAccounts, noAccounts } from './futures/listen-key-lookup.ts';
import { PastTrouble } from './futures/past-trouble.ts';
import { nothingAsked, parseStreamUrl, type StreamUrl } from './futures/stream-url.ts';
import { UserStreams } from './futures/user-streams.ts';
import { Hub } from './hub.ts';
import { type OrderEntryParts, OrderEntrySession } from './order-entry/order-entry-session.ts';
import { socketMethods } from './order-entry/socket-methods.ts';
import { Outbox } from './outbox.ts';
import { PerpetualFeed } from './perpetuals/perpetual-feed.ts';
import type { PerpetualHistory } from './perpetuals/perpetual-history.ts';
import type { ChannelName } from './protocol/channel-names.ts';
import { type CloseCode, closeCodes } from './protocol/stream-error.ts';
import { Session, type SessionParts } from './session.ts';
import { SpotFeed } from './spot-feed.ts';
import type { StreamClock } from './stream-clock.ts';
import type { StreamHistory } from './stream-history.ts';
import type { StreamLimits } from './stream-limits.ts';
import { registerStreamMetrics, type StreamMetrics } from './stream-metrics.ts';
import type { ListenKeys, StreamLog, TokenVerifier } from './stream-ports.ts';
import { isOriginAllowed, refuseUpgrade, type UpgradeRefusal } from './upgrade-gate.ts';

export interface StreamOptions {
  readonly server: Server;
  readonly exchange: Exchange;
  readonly balanceFeed: BalanceFeed;
  readonly vip: VipTierSource;
  readonly events: AccountEventFeed;
  /** Null: candles, statistics and trades begin with the process. */
  readonly history: StreamHistory | null;
  /** Null: candles and statistics of futures begin with the process. */
  readonly futuresHistory: CandleHistory<FuturesMarketId> | null;
  /** Counts handshakes; null: nobody does. */
  readonly limiter: RequestLimiter | null;
  /** Null: no order entry over WebSocket. */
  readonly orderEntry: OrderEntryOptions | null;
  /** The same for perpetuals. */
  readonly perpetualHistory: PerpetualHistory | null;
  readonly verifyToken: TokenVerifier;
  readonly listenKeys: ListenKeys | null;
  /** CIDR blocks of the proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
  /** Origins of web pages that may connect, besides the service's own. */
  readonly allowedOrigins: readonly string[];
  readonly clock: StreamClock;
  readonly limits: StreamLimits;
  readonly log: StreamLog;
  readonly metrics: Registry;
}

/** What order entry over WebSocket shares with HTTP. */
export interface OrderEntryOptions {
  /** The words of refusals; absent: those of /fapi as the interface has it. */
  readonly surface?: Surface;
  readonly endpoints: readonly Endpoint[];
  readonly apiKeys: ApiKeyStore;
  readonly limiter: RequestLimiter;
  readonly repeated: RepeatedOrders;
}

export interface Streams {
  /** Tells every client to go away and resolves once all have gone, or were dropped. */
  close(): Promise<void>;
}

const tickMs = 1_000;
const keysOfUrlMax = 10;
const streamsPerWeight = 100;
const stopping: UpgradeRefusal = { status: 503, reason: 'STOPPING' };
const serverOptions = {
  noServer: true,
  clientTracking: false,
  // Compressed or fragmented messages of `ws` could not be mixed with ready frames.
  perMessageDeflate: false,
  // A peer that does not answer a close frame is dropped after this many milliseconds.
  closeTimeout: 2_000,
};

/** Serves `GET /ws`, and Binance's stream paths, on the HTTP server. */
export function attachStreams(options: StreamOptions): Streams {
  const gateway = new StreamGateway(options);
  gateway.start();
  return { close: () => gateway.close() };
}

class StreamGateway {
  readonly #options: StreamOptions;
  readonly #metrics: StreamMetrics;
  readonly #addresses: ClientAddresses;
  readonly #hub: Hub;
  readonly #whole: WholeTopics;
  readonly #outbox: Outbox;
  readonly #feed: SpotFeed;
  readonly #futuresFeed: FuturesFeed;
  readonly #perpetuals: PerpetualFeed;
  readonly #sessionParts: SessionParts;
  readonly #futuresParts: EventSessionParts;
  readonly #orderEntry: OrderEntryParts | null;
  readonly #clients: ConnectionCounts;
  readonly #sessions = new Map<Connection, ClientSession>();
  readonly #webSockets: WebSocketServer;
  readonly #onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void =>
    this.#upgrade(request, socket, head);
  #cancelTick: (() => void) | null = null;
  #isClosing = false;
  #onAllGone: (() => void) | null = null;

  constructor(options: StreamOptions) {
    const { limits } = options;
    this.#options = options;
    this.#metrics = registerStreamMetrics(options.metrics, () => this.#backlogBytes());
    this.#addresses = new ClientAddresses(options.trustedProxies);
    this.#hub = new Hub({ ...options, metrics: this.#metrics });
    const onFailure = (): void => this.#closeAll(closeCodes.internalError, 'internal error');
    this.#whole = new WholeTopics(this.#hub, options.clock);
    const { markets, tickers } = this.#whole;
    this.#feed = new SpotFeed({
      ...{ ...options, hub: this.#hub, markets, onFailure },
      tickers: tickers.spot,
    });
    this.#futuresFeed = new FuturesFeed({
      ...options,
      hub: this.#hub,
      history: options.futuresHistory,
      onFailure,
    });
    this.#outbox = new Outbox({ clock: options.clock, metrics: this.#metrics });
    const userStreams = new UserStreams({
      ...options,
      feed: this.#futuresFeed,
      outbox: this.#outbox,
      describe: futuresAccountEvents({ ...options, feed: this.#futuresFeed }),
    });
    this.#futuresParts = {
      ...options,
      hub: this.#hub,
      feed: this.#futuresFeed,
      userStreams,
      pastTrouble: new PastTrouble(options),
    };
    this.#orderEntry =
      options.orderEntry === null
        ? null
        : {
            ...options,
            ...options.orderEntry,
            methods: socketMethods(options.orderEntry.endpoints),
          };
    this.#perpetuals = new PerpetualFeed({
      ...{ ...options, hub: this.#hub, markets, onFailure },
      tickers: tickers.futures,
    });
    this.#clients = new ConnectionCounts(limits.connectionsPerClientMax);
    this.#sessionParts = {
      ...options,
      hub: this.#hub,
      channels: this.#makeChannels(),
      accountConnections: new ConnectionCounts(limits.connectionsPerAccountMax),
    };
    this.#webSockets = new WebSocketServer({
      ...serverOptions,
      maxPayload: limits.messageBytesMax,
    });
  }

  start(): void {
    this.#options.server.on('upgrade', this.#onUpgrade);
    void this.#feed.start();
    void this.#futuresFeed.start();
    void this.#perpetuals.start();
    this.#scheduleTick();
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.#feed.stop();
    this.#futuresFeed.stop();
    this.#perpetuals.stop();
    this.#hub.close();
    const allGone = new Promise<void>((resolve) => {
      this.#onAllGone = resolve;
    });
    this.#closeAll(closeCodes.goingAway, 'the server is stopping');
    if (this.#sessions.size > 0) await allGone;
    this.#cancelTick?.();
    this.#options.server.off('upgrade', this.#onUpgrade);
  }

  #closeAll(code: CloseCode, reason: string): void {
    for (const connection of this.#sessions.keys()) connection.close(code, reason);
  }

  #makeChannels(): ReadonlyMap<string, Channel> {
    const { exchange, balanceFeed, clock, vip, events } = this.#options;
    const feed = this.#feed;
    const outbox = this.#outbox;
    const feeds = { spot: feed, futures: this.#perpetuals };
    const channels: Readonly<Record<ChannelName, Channel>> = {
      orderbook: marketChannel(feeds, ({ orderbook }) => orderbook),
      trades: marketChannel(feeds, ({ trades }) => trades),
      ticker: marketChannel(feeds, ({ ticker }) => ticker),
      kline: marketChannel(feeds, findKline),
      mark_price: perpetualChannel(feeds, ({ markPrice }) => markPrice),
      ...this.#whole.channels(feeds),
      orders: new OrdersChannel({ exchange, feed, outbox, clock }),
      balances: new BalancesChannel({ exchange, balanceFeed, outbox, clock }),
      positions: new PositionsChannel({ exchange, feed, outbox, clock }),
      vip_tier: new VipTierChannel({ exchange, vip, outbox, clock }),
      wallet: new HappeningsChannel('wallet', { events, outbox, clock }),
      referral: new HappeningsChannel('referral', { events, outbox, clock }),
    };
    return new Map(Object.entries(channels));
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (socket.destroyed) return;
    const client = this.#clientOf(request);
    const asked = parseStreamUrl(request.url ?? '') ?? nothingAsked;
    const refusal = this.#findRefusal(request, client, asked);
    if (refusal !== null) return this.#refuse(socket, refusal);
    socket.once('close', () => this.#clients.giveBack(client));
    const accept = (accounts: KeyAccounts): void =>
      this.#webSockets.handleUpgrade(request, socket, head, (webSocket) =>
        this.#open(webSocket, socket, request, accounts),
      );
    if (asked.listenKeys.length === 0) accept(noAccounts);
    else this.#findAccounts(socket, asked.listenKeys, accept);
  }

  // Whose keys these are is found out before the handshake is answered, so that nothing that
  // happens after the answer is missed.
  #findAccounts(
    socket: Duplex,
    listenKeys: readonly string[],
    accept: (accounts: KeyAccounts) => void,
  ): void {
    const drop = (): void => void socket.destroy();
    socket.on('error', drop);
    findAccounts(this.#options.listenKeys, listenKeys.slice(0, keysOfUrlMax)).then(
      (accounts) => {
        socket.off('error', drop);
        if (socket.destroyed) return;
        if (this.#isClosing) this.#refuse(socket, stopping);
        else accept(accounts);
      },
      (error: unknown) => {
        this.#options.log.warn({ err: error }, 'a listen key cannot be looked up');
        this.#refuse(socket, { status: 503, reason: 'DATABASE_UNAVAILABLE' });
      },
    );
  }

  #refuse(socket: Duplex, refusal: UpgradeRefusal): void {
    this.#metrics.connectionRefused(refusal.reason);
    refuseUpgrade(socket, refusal);
  }

  #backlogBytes(): number {
    let bytes = 0;
    for (const { backlogBytes } of this.#sessions.keys()) bytes += backlogBytes;
    return bytes;
  }

  #clientOf({ socket, headers }: IncomingMessage): string {
    const forwardedFor = headers['x-forwarded-for'];
    return limitedAddress(this.#addresses.find(socket.remoteAddress, forwardedFor));
  }

  /** Counts the client in where nothing speaks against it. */
  #findRefusal(
    request: IncomingMessage,
    client: string,
    { streamNames, listenKeys }: StreamUrl,
  ): UpgradeRefusal | null {
    const { allowedOrigins, limits } = this.#options;
    if (!this.#isServed(request.url ?? '')) return { status: 404, reason: 'NOT_FOUND' };
    if (namesTwoHosts(request.rawHeaders)) return { status: 400, reason: 'INVALID_PARAMETER' };
    if (this.#isClosing) return stopping;
    if (streamNames.length + listenKeys.length > 0 && !this.#futuresFeed.isReady) {
      return { status: 503, reason: 'STARTING' };
    }
    if (!isOriginAllowed(request, allowedOrigins)) {
      return { status: 403, reason: 'ORIGIN_NOT_ALLOWED' };
    }
    if (this.#sessions.size >= limits.connectionsMax) {
      return { status: 503, reason: 'TOO_MANY_CONNECTIONS' };
    }
    const weight = 1 + Math.ceil(streamNames.length / streamsPerWeight) + 2 * listenKeys.length;
    const use = this.#options.limiter?.useWeight(client, weight) ?? null;
    if (use !== null && use.retryAfterSeconds !== null) {
      return { status: use.isBanned ? 418 : 429, reason: 'RATE_LIMITED' };
    }
    if (!this.#clients.take(client)) return { status: 429, reason: 'TOO_MANY_CONNECTIONS' };
    return null;
  }

  #isServed(url: string): boolean {
    if (isOrderEntry(url)) return this.#orderEntry !== null;
    return parseStreamUrl(url) !== null;
  }

  #open(
    webSocket: WebSocket,
    socket: Duplex,
    request: IncomingMessage,
    accounts: KeyAccounts,
  ): void {
    const connection = new Connection(webSocket, socket, this.#options.limits);
    const session = this.#openSession(connection, request, accounts);
    this.#sessions.set(connection, session);
    this.#metrics.connectionOpened();
    webSocket.on('message', (data: Buffer, isBinary) => session.takeMessage(data, isBinary));
    webSocket.on('ping', () => session.takePing());
    webSocket.on('pong', () => session.takePong());
    // A frame that breaks the protocol: `ws` has begun to close with the code that says so, which
    // the metrics count; a log line for each would let clients fill the log.
    webSocket.on('error', () => {});
    webSocket.on('close', (code) => {
      session.end();
      this.#sessions.delete(connection);
      this.#metrics.connectionClosed(code);
      if (this.#sessions.size === 0) this.#onAllGone?.();
    });
  }

  // The bare path serves both protocols: which one a client speaks, its first message tells.
  #openSession(
    connection: Connection,
    request: IncomingMessage,
    accounts: KeyAccounts,
  ): ClientSession {
    const { url = '' } = request;
    if (isOrderEntry(url) && this.#orderEntry !== null) {
      const { socket, headers } = request;
      const client = this.#addresses.find(socket.remoteAddress, headers['x-forwarded-for']);
      return new OrderEntrySession(connection, this.#orderEntry, client);
    }
    const asked = parseStreamUrl(url) ?? nothingAsked;
    const speakBinance = (): ClientSession =>
      new EventSession(connection, this.#futuresParts, asked, accounts);
    const isBare = asked.streamNames.length === 0 && asked.listenKeys.length === 0;
    if (!isBare || url.split('?', 1)[0] !== '/ws') return speakBinance();
    return new FirstMessageSession(new Session(connection, this.#sessionParts), speakBinance);
  }

  #scheduleTick(): void {
    this.#cancelTick = this.#options.clock.after(tickMs, () => {
      for (const session of this.#sessions.values()) session.tick();
      this.#hub.closeStragglers();
      this.#feed.tick();
      this.#futuresFeed.tick();
      this.#perpetuals.tick();
      this.#scheduleTick();
    });
  }
}

function isOrderEntry(url: string): boolean {
  return /^\/ws-fapi\/v1\/?(\?|$)/.test(url);
}
