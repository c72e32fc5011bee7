import { type Server } from 'node:http';
import { type Registry } from 'prom-client';
import { type AccountEventFeed } from '../../application/account-events.ts';
import type { ApiKeyStore } from '../../application/ports/accounts.ts';
import type { BalanceFeed } from '../../application/ports/balance-feed.ts';
import type { Exchange } from '../../application/ports/exchange.ts';
import { type FuturesMarketId } from '../../domain/futures-market.ts';
import { type MarketId } from '../../domain/identifiers.ts';
import { type Surface } from '../errors/surface.ts';
import { type Endpoint } from '../http/endpoint.ts';
import { type RepeatedOrders } from '../http/repeated-orders.ts';
import { type RequestLimiter } from '../http/request-limiter.ts';
import { type VipTierSource } from './channels/vip-tier-channel.ts';
import { type CandleHistory } from './futures/candle-history.ts';
import { type PerpetualHistory } from './perpetuals/perpetual-history.ts';
import { type StreamClock } from './stream-clock.ts';
import { type StreamHistory } from './stream-history.ts';
import { type StreamLimits } from './stream-limits.ts';
import {
  type ListenKeys,
  type SessionEnded,
  type StreamLog,
  type TokenVerifier,
} from './stream-ports.ts';

export interface StreamOptions {
  readonly server: Server;
  readonly exchange: Exchange;
  readonly balanceFeed: BalanceFeed;
  readonly vip: VipTierSource;
  readonly events: AccountEventFeed;
  /** Null: candles, statistics and trades begin when the process starts. */
  readonly history: StreamHistory | null;
  /** Null: candles and statistics of futures begin when the process starts. */
  readonly futuresHistory: CandleHistory<FuturesMarketId> | null;
  /** The same for spot's Binance-style streams. */
  readonly spotCandles: CandleHistory<MarketId> | null;
  /** Counts handshakes; null: they are not counted. */
  readonly limiter: RequestLimiter | null;
  /** Null: no order entry over WebSocket. */
  readonly orderEntry: OrderEntryOptions | null;
  /** The same for perpetuals. */
  readonly perpetualHistory: PerpetualHistory | null;
  readonly verifyToken: TokenVerifier;
  readonly isSessionEnded: SessionEnded;
  readonly listenKeys: ListenKeys | null;
  /** CIDR blocks of the proxies whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[];
  /** Origins of web pages that can connect, besides the service's own. */
  readonly allowedOrigins: readonly string[];
  readonly clock: StreamClock;
  readonly limits: StreamLimits;
  readonly log: StreamLog;
  readonly metrics: Registry;
}

/** What order entry over WebSocket shares with HTTP. */
interface OrderEntryOptions {
  /** The surface whose errors are used; absent: that of /fapi. */
  readonly surface?: Surface;
  readonly endpoints: readonly Endpoint[];
  /** The endpoints of /api/v3; absent: no order entry for spot. */
  readonly spotEndpoints?: readonly Endpoint[];
  readonly apiKeys: ApiKeyStore;
  readonly limiter: RequestLimiter;
  readonly repeated: RepeatedOrders;
}
