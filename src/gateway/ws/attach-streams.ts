import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { assert } from '../../domain/assert.ts';
import { ClientAddresses } from '../auth/client-address.ts';
import { binanceSpotSurface } from '../errors/binance-spot-errors.ts';
import { namesTwoHosts } from '../http/host-header.ts';
import { limitedAddress } from '../http/request-limiter.ts';
import type { ClientSession } from './client-watch.ts';
import { Connection } from './connection.ts';
import { ConnectionCounts } from './connection-counts.ts';
import { FirstMessageSession } from './first-message-session.ts';
import { EventSession } from './futures/event-session.ts';
import { findAccounts, type KeyAccounts, noAccounts } from './futures/listen-key-lookup.ts';
import type { StreamUrl } from './futures/stream-url.ts';
import { Hub } from './hub.ts';
import { MessageTurns } from './message-turns.ts';
import { type OrderEntryParts, OrderEntrySession } from './order-entry/order-entry-session.ts';
import { socketMethods, spotEndpointsByMethod } from './order-entry/socket-methods.ts';
import { Outbox } from './outbox.ts';
import { type CloseCode, closeCodes } from './protocol/stream-error.ts';
import { Session, type SessionParts } from './session.ts';
import { registerStreamMetrics, type StreamMetrics } from './stream-metrics.ts';
import { type StreamOptions } from './stream-options.ts';

import {
  parseStreamRoute,
  requestedStreams,
  type StreamMarkets,
  type StreamRoute,
} from './stream-route.ts';
import { StreamSources } from './stream-sources.ts';
import { isOriginAllowed, refuseUpgrade, type UpgradeRefusal } from './upgrade-gate.ts';

export interface Streams {
  /** Closes all connections; resolves once every client has disconnected or was dropped. */
  close(): Promise<void>;
}

const tickMs = 1_000;
/** Sessions that tick in one turn of the event loop, as thousands can be due for a ping at once. */
const tickedAtOnce = 200;
const keysOfUrlMax = 10;
const streamsPerWeight = 100;
const stopping: UpgradeRefusal = { status: 503, reason: 'STOPPING' };
const serverOptions = {
  noServer: true,
  clientTracking: false,
  // Compressed or fragmented messages of `ws` could not be mixed with prepared frames.
  perMessageDeflate: false,
  // A peer that does not answer a close frame is dropped after this many milliseconds.
  closeTimeout: 2_000,
};

/** Serves `GET /ws` and Binance's stream paths on the HTTP server. */
export function attachStreams(options: StreamOptions): Streams {
  const gateway = new StreamGateway(options);
  gateway.start();
  return { close: () => gateway.close() };
}

/** A client that connects to one of the URLs. */
interface Upgrade {
  readonly socket: Duplex;
  readonly request: IncomingMessage;
  readonly route: StreamRoute;
  /** The accounts that its listen keys open. */
  readonly accounts: KeyAccounts;
}

class StreamGateway {
  readonly #options: StreamOptions;
  readonly #metrics: StreamMetrics;
  readonly #addresses: ClientAddresses;
  readonly #hub: Hub;
  readonly #sources: StreamSources;
  readonly #sessionParts: SessionParts;
  readonly #orderEntry: Readonly<Record<StreamMarkets, OrderEntryParts | null>>;
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
    this.#sources = new StreamSources({
      options,
      hub: this.#hub,
      outbox: new Outbox({ clock: options.clock, metrics: this.#metrics }),
      onFailure: () => this.#closeAll(closeCodes.internalError, 'internal error'),
    });
    this.#orderEntry = this.#makeOrderEntry();
    this.#clients = new ConnectionCounts(limits.connectionsPerClientMax);
    this.#sessionParts = {
      ...options,
      hub: this.#hub,
      channels: this.#sources.channels,
      accountConnections: new ConnectionCounts(limits.connectionsPerAccountMax),
    };
    this.#webSockets = new WebSocketServer({
      ...serverOptions,
      maxPayload: limits.messageBytesMax,
    });
  }

  start(): void {
    this.#options.server.on('upgrade', this.#onUpgrade);
    this.#sources.start();
    this.#scheduleTick();
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.#sources.stop();
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

  #makeOrderEntry(): Readonly<Record<StreamMarkets, OrderEntryParts | null>> {
    const { orderEntry } = this.#options;
    if (orderEntry === null) return { futures: null, spot: null };
    const { endpoints, spotEndpoints = [] } = orderEntry;
    const common = { ...this.#options, ...orderEntry };
    const { userStreams } = this.#sources.events.spot;
    const spotMethods = socketMethods(spotEndpoints, spotEndpointsByMethod);
    return {
      futures: { ...common, methods: socketMethods(endpoints), userStreams: null },
      spot: { ...common, methods: spotMethods, userStreams, surface: binanceSpotSurface },
    };
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (socket.destroyed) return;
    const client = this.#clientOf(request);
    const route = this.#findRoute(request.url ?? '');
    const asked = requestedStreams(route);
    const overLimit = this.#countHandshake(client, asked);
    if (overLimit !== null) return this.#refuse(socket, overLimit);
    if (route === null) return this.#refuse(socket, { status: 404, reason: 'NOT_FOUND' });
    const refusal = this.#findRefusal(request, client, route, asked);
    if (refusal !== null) return this.#refuse(socket, refusal);
    socket.once('close', () => this.#clients.giveBack(client));
    const accept = (accounts: KeyAccounts): void =>
      this.#webSockets.handleUpgrade(request, socket, head, (webSocket) =>
        this.#open(webSocket, { socket, request, route, accounts }),
      );
    if (asked.listenKeys.length === 0) accept(noAccounts);
    else this.#findAccounts(socket, asked.listenKeys, accept);
  }

  // The keys' accounts are looked up before the handshake is answered, so that nothing that happens
  // after the answer is missed.
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

  // Handshakes that are refused cost as much as others, so all are counted.
  #countHandshake(client: string, { streamNames, listenKeys }: StreamUrl): UpgradeRefusal | null {
    const weight = 1 + Math.ceil(streamNames.length / streamsPerWeight) + 2 * listenKeys.length;
    const use = this.#options.limiter?.useWeight(client, weight) ?? null;
    if (use === null || use.retryAfterSeconds === null) return null;
    return { status: use.isBanned ? 418 : 429, reason: 'RATE_LIMITED' };
  }

  /** Counts the client's connection unless there is a reason to refuse it. */
  #findRefusal(
    request: IncomingMessage,
    client: string,
    route: StreamRoute,
    { streamNames, listenKeys }: StreamUrl,
  ): UpgradeRefusal | null {
    const { allowedOrigins, limits } = this.#options;
    if (namesTwoHosts(request.rawHeaders)) return { status: 400, reason: 'INVALID_PARAMETER' };
    if (this.#isClosing) return stopping;
    const isAsking = streamNames.length + listenKeys.length > 0;
    if (isAsking && route.kind === 'events' && !this.#sources.events[route.market].feed.isReady) {
      return { status: 503, reason: 'STARTING' };
    }
    if (!isOriginAllowed(request, allowedOrigins)) {
      return { status: 403, reason: 'ORIGIN_NOT_ALLOWED' };
    }
    if (this.#sessions.size >= limits.connectionsMax) {
      return { status: 503, reason: 'TOO_MANY_CONNECTIONS' };
    }
    if (!this.#clients.take(client)) return { status: 429, reason: 'TOO_MANY_CONNECTIONS' };
    return null;
  }

  #findRoute(url: string): StreamRoute | null {
    const route = parseStreamRoute(url);
    const isClosed = route?.kind === 'order_entry' && this.#orderEntry[route.market] === null;
    return isClosed ? null : route;
  }

  #open(webSocket: WebSocket, upgrade: Upgrade): void {
    const connection = this.#connect(webSocket, upgrade);
    const session = this.#openSession(connection, upgrade);
    this.#sessions.set(connection, session);
    this.#metrics.connectionOpened();
    const messages = new MessageTurns({
      clock: this.#options.clock,
      take: (data, isBinary) => session.takeMessage(data, isBinary),
      pause: () => webSocket.pause(),
      resume: () => webSocket.resume(),
    });
    webSocket.on('message', (data: Buffer, isBinary) => messages.push(data, isBinary));
    webSocket.on('ping', () => session.takePing());
    webSocket.on('pong', () => session.takePong());
    // A frame violates the protocol: `ws` has begun to close with the appropriate code, which the
    // metrics count; logging each one would let clients fill the log.
    webSocket.on('error', () => {});
    webSocket.on('close', (code) => {
      messages.end();
      session.end();
      this.#sessions.delete(connection);
      this.#metrics.connectionClosed(code);
      if (this.#sessions.size === 0) this.#onAllGone?.();
    });
  }

  // Order entry counts its messages by their own weights.
  #connect(webSocket: WebSocket, { socket, request, route }: Upgrade): Connection {
    const { limiter, limits } = this.#options;
    if (limiter === null || route.kind === 'order_entry') {
      return new Connection(webSocket, socket, limits);
    }
    const client = this.#clientOf(request);
    const affords = (amount: number): boolean => limiter.useStreams(client, amount);
    return new Connection(webSocket, socket, limits, affords);
  }

  #openSession(connection: Connection, { request, route, accounts }: Upgrade): ClientSession {
    const { events } = this.#sources;
    const asked = requestedStreams(route);
    switch (route.kind) {
      case 'first_message':
        return new FirstMessageSession(
          new Session(connection, this.#sessionParts),
          () => new EventSession(connection, events.futures, asked, accounts),
        );
      case 'events':
        return new EventSession(connection, events[route.market], asked, accounts);
      case 'order_entry': {
        const parts = this.#orderEntry[route.market];
        assert(parts !== null, 'a closed gate cannot be opened');
        const { socket, headers } = request;
        const client = this.#addresses.find(socket.remoteAddress, headers['x-forwarded-for']);
        return new OrderEntrySession(connection, parts, client);
      }
    }
  }

  #tickSome(sessions: Iterator<ClientSession>): void {
    for (let count = 0; count < tickedAtOnce; count += 1) {
      const next = sessions.next();
      if (next.done === true) return;
      next.value.tick();
    }
    this.#options.clock.afterTurn(() => this.#tickSome(sessions));
  }

  #scheduleTick(): void {
    this.#cancelTick = this.#options.clock.after(tickMs, () => {
      this.#tickSome(this.#sessions.values());
      this.#hub.closeStragglers();
      this.#sources.tick();
      this.#scheduleTick();
    });
  }
}
