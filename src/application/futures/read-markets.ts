import { formatAmount } from '../../domain/amount.ts';
import type { KlineInterval } from '../../domain/kline-interval.ts';
import { done, type Outcome, refused } from '../../domain/outcome.ts';
import { formatTime } from '../format-time.ts';
import type { FuturesKline } from '../ports/futures-history.ts';
import { waitForDatabase } from '../wait-for-database.ts';
import { type FuturesReadPorts, findMarket, peekMarket } from './futures-ports.ts';
import {
  type FuturesDepthView,
  type FuturesMarketView,
  formatRate,
  type MarketTradeView,
  viewFuturesDepth,
  viewFuturesMarket,
  viewMarketTrade,
} from './futures-views.ts';
import type { MarketStatistics, PriceKind } from './market-statistics.ts';

// Public data of futures. Symbols are accepted in any letter case.

/** @throws EngineBusyError, EngineRestartingError */
export async function listFuturesMarkets({
  exchange,
}: FuturesReadPorts): Promise<readonly FuturesMarketView[]> {
  return exchange.read(({ futures }) =>
    futures.listFuturesMarkets().map((market) => viewFuturesMarket(market, futures)),
  );
}

/** @throws EngineBusyError, EngineRestartingError */
export async function getFuturesMarket(
  { exchange }: FuturesReadPorts,
  symbol: string,
): Promise<Outcome<FuturesMarketView>> {
  return exchange.read((view) => {
    const market = findMarket(view, symbol);
    if (market === null) return refused({ reason: 'market_not_found' });
    return done(viewFuturesMarket(market, view.futures));
  });
}

/** @throws EngineBusyError, EngineRestartingError */
export async function getFuturesDepth(
  { exchange }: FuturesReadPorts,
  symbol: string,
  levelsMax: number,
): Promise<Outcome<FuturesDepthView>> {
  return exchange.read((view) => {
    const market = findMarket(view, symbol);
    if (market === null) return refused({ reason: 'market_not_found' });
    return done(viewFuturesDepth(market, view.futures.getFuturesDepth(market.marketId, levelsMax)));
  });
}

/**
 * The newest trades, newest first.
 * @throws EngineRestartingError, DatabaseError
 */
export async function listFuturesTrades(
  ports: FuturesReadPorts,
  symbol: string,
  limit: number,
): Promise<Outcome<readonly MarketTradeView[]>> {
  const market = peekMarket(ports, symbol);
  if (market === null) return refused({ reason: 'market_not_found' });
  await waitForDatabase(ports);
  const trades = await ports.futuresHistory.listMarketTrades({
    marketId: market.marketId,
    from: null,
    startTime: null,
    endTime: null,
    order: 'newest_first',
    limit,
  });
  return done(trades.map((trade) => viewMarketTrade(trade, market)));
}

export interface KlineRequest {
  readonly symbol: string;
  readonly interval: KlineInterval;
  readonly startTime: number | null;
  readonly endTime: number | null;
  readonly limit: number;
}

/** @throws EngineRestartingError, DatabaseError */
export async function listFuturesKlines(
  ports: FuturesReadPorts,
  { symbol, ...rest }: KlineRequest,
): Promise<Outcome<readonly FuturesKline[]>> {
  const market = peekMarket(ports, symbol);
  if (market === null) return refused({ reason: 'market_not_found' });
  await waitForDatabase(ports);
  return done(await ports.futuresHistory.listKlines({ marketId: market.marketId, ...rest }));
}

/**
 * The candles of a computed price, without volume and trades.
 * @throws EngineRestartingError, DatabaseError
 */
export async function listPriceKlines(
  ports: FuturesReadPorts & { readonly marketStatistics: MarketStatistics },
  { symbol, ...rest }: KlineRequest & { readonly kind: PriceKind },
): Promise<Outcome<readonly FuturesKline[]>> {
  const market = peekMarket(ports, symbol);
  if (market === null) return refused({ reason: 'market_not_found' });
  await waitForDatabase(ports);
  const { marketId } = market;
  const candles = await ports.marketStatistics.listPriceCandles({ marketId, ...rest });
  return done(
    candles.map(({ openTime, closeTime, open, high, low, close }) => ({
      openTime,
      closeTime,
      open,
      high,
      low,
      close,
      ...noTrades,
    })),
  );
}

const noTrades = {
  volume: '0',
  quoteVolume: '0',
  takerBuyVolume: '0',
  takerBuyQuoteVolume: '0',
  tradeCount: 0,
} as const;

export interface ExternalTickerView {
  readonly symbol: string;
  readonly last_price: string | null;
  readonly mark_price: string | null;
  readonly index_price: string | null;
  readonly best_bid: string | null;
  readonly best_ask: string | null;
  readonly open_price: string | null;
  readonly high_price: string | null;
  readonly low_price: string | null;
  readonly price_change: string;
  readonly price_change_percent: string;
  readonly volume: string;
  readonly quote_volume: string;
  readonly trade_count: number;
  readonly open_interest: string;
  readonly funding_rate: string;
  readonly next_funding_time: string;
  readonly timestamp: string;
}

const hourMs = 3_600_000;

/**
 * A summary of the market for sites that list exchanges; the next funding is at the next full UTC
 * hour.
 * @throws EngineBusyError, EngineRestartingError, DatabaseError
 */
export async function loadExternalTicker(
  ports: FuturesReadPorts,
  symbol: string,
): Promise<Outcome<ExternalTickerView>> {
  const { exchange, barrier, futuresHistory } = ports;
  const live = await exchange.read((view) => {
    const market = findMarket(view, symbol);
    if (market === null) return null;
    const { futures } = view;
    const { bids, asks } = viewFuturesDepth(market, futures.getFuturesDepth(market.marketId, 1));
    const prices = viewFuturesMarket(market, futures);
    return { market, prices, bids, asks, sequence: view.sequence };
  });
  if (live === null) return refused({ reason: 'market_not_found' });
  await barrier.waitFor(live.sequence);
  const now = ports.now();
  const { marketId } = live.market;
  const day = (await futuresHistory.listTickers([marketId], now)).get(marketId);
  return done({
    symbol: live.market.symbol,
    last_price: day?.lastPrice ?? null,
    mark_price: live.prices.mark_price,
    index_price: live.prices.index_price,
    best_bid: live.bids[0]?.[0] ?? null,
    best_ask: live.asks[0]?.[0] ?? null,
    open_price: day?.openPrice ?? null,
    high_price: day?.highPrice ?? null,
    low_price: day?.lowPrice ?? null,
    price_change: day?.priceChange ?? '0',
    price_change_percent: day?.priceChangePercent ?? '0',
    volume: day?.volume ?? '0',
    quote_volume: day?.quoteVolume ?? '0',
    trade_count: day?.tradeCount ?? 0,
    open_interest: live.prices.open_interest,
    funding_rate: live.prices.funding_rate,
    next_funding_time: formatTime((Math.floor(now / hourMs) + 1) * hourMs),
    timestamp: formatTime(now),
  });
}

export interface FundingRatesView {
  readonly symbol: string;
  readonly funding_rate: string;
  readonly last_funding_rate: string;
  readonly next_funding_time: string;
  readonly mark_price: string | null;
  readonly index_price: string | null;
  readonly history: readonly {
    readonly funding_time: string;
    readonly funding_rate: string;
    readonly mark_price: string;
  }[];
}

/**
 * The current estimate of the next funding rate, and the past rates, newest first.
 * @throws EngineBusyError, EngineRestartingError, DatabaseError
 */
export async function loadFundingRates(
  ports: FuturesReadPorts,
  symbol: string,
  limit: number,
): Promise<Outcome<FundingRatesView>> {
  const { exchange, barrier, futuresHistory } = ports;
  const live = await exchange.read((view) => {
    const market = findMarket(view, symbol);
    if (market === null) return null;
    const prices = view.futures.getFuturesPrices(market.marketId);
    const { mark_price, index_price } = viewFuturesMarket(market, view.futures);
    return { market, prices, shown: { mark_price, index_price }, sequence: view.sequence };
  });
  if (live === null) return refused({ reason: 'market_not_found' });
  const { market, prices, shown, sequence } = live;
  await barrier.waitFor(sequence);
  const past = await futuresHistory.listFundingRates({
    marketId: market.marketId,
    startTime: null,
    endTime: null,
    order: 'newest_first',
    limit,
  });
  return done({
    symbol: market.symbol,
    funding_rate: formatRate(prices.fundingRate),
    last_funding_rate: formatRate(prices.lastFundingRate),
    next_funding_time: formatTime(prices.nextFundingTime),
    ...shown,
    history: past.map((entry) => ({
      funding_time: formatTime(entry.fundingTime),
      funding_rate: formatRate(entry.fundingRate),
      mark_price: formatAmount(entry.markPrice),
    })),
  });
}
