import { type FuturesPorts, peekMarket } from '../../../application/futures/futures-ports.ts';
import type { AggregateTrade } from '../../../application/market-data/aggregate-trades.ts';
import { listAggregateTrades } from '../../../application/market-data/list-aggregate-trades.ts';
import type { BookLevel } from '../../../application/ports/exchange.ts';
import type { MarketTradeFilter } from '../../../application/ports/futures-history.ts';
import { waitForDatabase } from '../../../application/wait-for-database.ts';
import { formatDecimal } from '../../../domain/decimal.ts';
import type { FuturesMarket } from '../../../domain/futures-market.ts';
import { done } from '../../../domain/outcome.ts';
import { decimalFromLots, decimalFromTicks, type Lots } from '../../../domain/spot-market.ts';
import type { Answer, Endpoint } from '../endpoint.ts';
import {
  badSymbol,
  failed,
  readTradePage,
  requireMarket,
  tradeLimitDefault,
  tradeLimitMax,
} from './fapi-answers.ts';
import { publicEndpoint } from './fapi-endpoint.ts';
import type { FapiFields } from './fapi-fields.ts';
import { levelPair, tradeFields } from './market-objects.ts';
import { depthWeight } from './request-weights.ts';

const depthLimits = [5, 10, 20, 50, 100, 500, 1_000];
const depthLimitDefault = 500;
const symbolText = 'The market, for example BTCUSDT';

/** GET /fapi/v1/depth */
export function depthEndpoint(ports: FuturesPorts): Endpoint {
  return publicEndpoint({
    method: 'GET',
    path: '/fapi/v1/depth',
    summary: 'Order book',
    weight: 20,
    weighs: depthWeight,
    fields: {
      symbol: symbolText,
      limit: `Levels per side: ${depthLimits.join(', ')}; absent: ${depthLimitDefault}`,
    },
    answers: '`lastUpdateId` on the same counter as the depth streams, bids and asks best first',
    handle: async (fields) => {
      const market = requireMarket(ports, fields);
      const limit = fields.integer('limit', 1) ?? depthLimitDefault;
      if (!depthLimits.includes(limit)) fields.fail('parameter_unknown_member', 'limit');
      const failure = failed(fields);
      if (failure !== null) return failure;
      if (market === null) return badSymbol;
      const depth = await ports.exchange.read(({ futures }) =>
        futures.getFuturesDepth(market.marketId, limit),
      );
      const now = ports.now();
      const levels = (side: readonly BookLevel[]) => side.map((level) => levelPair(market, level));
      const { lastUpdateId, bids, asks } = depth;
      return done({ lastUpdateId, E: now, T: now, bids: levels(bids), asks: levels(asks) });
    },
  });
}

/** Single trades, the newest or from an id on, and aggregate trades merged by price and side. */
export function tradeEndpoints(ports: FuturesPorts): readonly Endpoint[] {
  const fields = { symbol: symbolText, limit: `${tradeLimitDefault}, at most ${tradeLimitMax}` };
  const answers = 'Trades, oldest first';
  const read = (request: FapiFields) => answerTrades(ports, request);
  return [
    publicEndpoint({
      method: 'GET',
      path: '/fapi/v1/trades',
      summary: 'Recent trades',
      weight: 5,
      fields,
      answers,
      handle: read,
    }),
    publicEndpoint({
      method: 'GET',
      path: '/fapi/v1/historicalTrades',
      summary: 'Old trades',
      weight: 20,
      fields: { ...fields, fromId: 'The first trade; absent: the newest ones' },
      answers,
      handle: read,
    }),
    publicEndpoint({
      method: 'GET',
      path: '/fapi/v1/aggTrades',
      summary: 'Aggregate trades',
      weight: 20,
      description:
        'Consecutive trades at the same price and taker side within 100 ms are aggregated ' +
        'into one, which has the id of the first. Pages of aggregates that have thousands of ' +
        'trades are shorter than the limit; the next one begins at the last `l` + 1.',
      fields: {
        ...fields,
        fromId: 'The first trade',
        startTime: 'Milliseconds',
        endTime: 'Milliseconds, with startTime at most an hour after it',
      },
      answers,
      handle: (request) => answerAggregates(ports, request),
    }),
  ];
}

async function answerTrades(ports: FuturesPorts, fields: FapiFields): Promise<Answer<unknown>> {
  const market = requireMarket(ports, fields);
  const page = readTradePage(fields);
  const failure = failed(fields);
  if (failure !== null) return failure;
  if (market === null) return badSymbol;
  await waitForDatabase(ports);
  const isForward = page.from !== null || page.startTime !== null;
  const order = isForward ? 'oldest_first' : 'newest_first';
  const filter: MarketTradeFilter = { marketId: market.marketId, ...page, order };
  const trades = [...(await ports.futuresHistory.listMarketTrades(filter))];
  if (!isForward) trades.reverse();
  return done(trades.map((timed) => ({ ...tradeFields(market, timed), isRPITrade: false })));
}

/** At most an hour if both times are given. */
const aggregateSpanMax = 3_600_000;

async function answerAggregates(ports: FuturesPorts, fields: FapiFields): Promise<Answer<unknown>> {
  const market = requireMarket(ports, fields);
  const page = readTradePage(fields);
  const { startTime, endTime } = page;
  if (startTime !== null && endTime !== null) {
    const span = endTime - startTime;
    if (span < 0 || span > aggregateSpanMax) fields.fail('parameter_malformed', 'endTime');
  }
  const failure = failed(fields);
  if (failure !== null) return failure;
  if (market === null) return badSymbol;
  await waitForDatabase(ports);
  const filter = { marketId: market.marketId, ...page };
  const aggregates = await listAggregateTrades(ports.futuresHistory, filter);
  return done(aggregates.map((each) => aggregateObject(market, each)));
}

function aggregateObject(market: FuturesMarket, aggregate: AggregateTrade) {
  const quantity = formatDecimal(decimalFromLots(market, aggregate.quantity as Lots));
  return {
    a: aggregate.firstTradeId,
    p: formatDecimal(decimalFromTicks(market, aggregate.price)),
    q: quantity,
    nq: quantity,
    f: aggregate.firstTradeId,
    l: aggregate.lastTradeId,
    T: aggregate.time,
    m: aggregate.takerSide === 'sell',
  };
}

/** GET /fapi/v1/openInterest */
export function openInterestEndpoint(ports: FuturesPorts): Endpoint {
  return publicEndpoint({
    method: 'GET',
    path: '/fapi/v1/openInterest',
    summary: 'Open interest',
    weight: 1,
    fields: { symbol: symbolText },
    answers: 'All long positions of the market, in the base asset',
    handle: async (fields) => {
      const symbol = fields.requiredText('symbol');
      const failure = failed(fields);
      if (failure !== null) return failure;
      const market = peekMarket(ports, symbol);
      if (market === null) return badSymbol;
      const lots = await ports.exchange.read(({ futures }) =>
        futures.getOpenInterest(market.marketId),
      );
      const openInterest = formatDecimal(decimalFromLots(market, lots as Lots));
      return done({ openInterest, symbol: market.symbol, time: ports.now() });
    },
  });
}
