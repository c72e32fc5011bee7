import { listAggregateTrades } from '../../../application/market-data/list-aggregate-trades.ts';
import type { BookLevel } from '../../../application/ports/exchange.ts';
import { type BinanceSpotPorts } from '../../../application/trading/binance-spot-ports.ts';
import { waitForDatabase } from '../../../application/wait-for-database.ts';
import { formatDecimal } from '../../../domain/decimal.ts';
import { klineIntervals } from '../../../domain/kline-interval.ts';
import { done } from '../../../domain/outcome.ts';
import { decimalFromLots, decimalFromTicks, type Lots } from '../../../domain/spot-market.ts';
import type { Answer, Endpoint } from '../endpoint.ts';
import { badSymbol, failed, readTradePage } from '../fapi/fapi-answers.ts';
import type { FapiFields } from '../fapi/fapi-fields.ts';
import { klineArray, readInterval } from '../fapi/klines.ts';
import { levelPair, tradeFields } from '../fapi/market-objects.ts';
import * as answers from './reference/spot-market-answers.ts';
import { publicSpot, requireMarket } from './spot-endpoint.ts';
import { depthWeight } from './spot-weights.ts';

const symbolText = 'The market, for example BTCUSDT; case-sensitive';
const limitText = '500, at most 1000';
const times = { startTime: 'Milliseconds', endTime: 'Milliseconds' };
const reasons = ['parameter_missing', 'market_not_found', 'database_failed'] as const;
const averageMs = 300_000;

/** Books, trades and candles of spot markets. */
export function marketDataEndpoints(ports: BinanceSpotPorts): readonly Endpoint[] {
  return [depth(ports), ...trades(ports), ...klines(ports), averagePrice(ports)];
}

function depth(ports: BinanceSpotPorts): Endpoint {
  return publicSpot({
    method: 'GET',
    path: '/api/v3/depth',
    summary: 'Order book',
    weight: 250,
    weighs: depthWeight,
    answer: answers.depth,
    fields: { symbol: symbolText, limit: 'Levels per side: 100, at most 5000' },
    required: ['symbol'],
    reasons,
    handle: async (fields) => {
      const market = requireMarket(ports, fields);
      const limit = fields.limit(100, 5_000);
      const failure = failed(fields);
      if (failure !== null) return failure;
      if (market === null) return badSymbol;
      const book = await ports.exchange.read((view) => view.getDepth(market.marketId, limit));
      const { lastUpdateId, bids, asks } = book;
      const levels = (side: readonly BookLevel[]) => side.map((each) => levelPair(market, each));
      return done({ lastUpdateId, bids: levels(bids), asks: levels(asks) });
    },
  });
}

function trades(ports: BinanceSpotPorts): readonly Endpoint[] {
  const fields = { symbol: symbolText, limit: limitText };
  const text = { method: 'GET', required: ['symbol'], reasons } as const;
  const answer = answers.marketTrades;
  return [
    publicSpot({
      ...text,
      path: '/api/v3/trades',
      summary: 'Recent trades',
      weight: 25,
      fields,
      answer,
      handle: (request) => answerTrades(ports, request),
    }),
    publicSpot({
      ...text,
      path: '/api/v3/historicalTrades',
      summary: 'Old trades',
      weight: 25,
      answer,
      fields: { ...fields, fromId: 'The first trade; absent: the newest ones' },
      handle: (request) => answerTrades(ports, request),
    }),
    publicSpot({
      ...text,
      path: '/api/v3/aggTrades',
      summary: 'Aggregate trades',
      weight: 25,
      description:
        'Consecutive trades at the same price and taker side within 100 ms are aggregated ' +
        'into one, which has the id of the first. Pages of aggregates that have thousands of ' +
        'trades are shorter than the limit; the next one begins at the last `l` + 1.',
      fields: { ...fields, fromId: 'The first trade', ...times },
      answer: answers.aggregateTrades,
      handle: (request) => answerAggregates(ports, request),
    }),
  ];
}

async function answerTrades(ports: BinanceSpotPorts, fields: FapiFields): Promise<Answer<unknown>> {
  const market = requireMarket(ports, fields);
  const page = readTradePage(fields);
  const failure = failed(fields);
  if (failure !== null) return failure;
  if (market === null) return badSymbol;
  await waitForDatabase(ports);
  const isForward = page.from !== null;
  const found = await ports.spotRecords.listMarketTrades({
    marketId: market.marketId,
    from: page.from,
    limit: page.limit,
    startTime: null,
    endTime: null,
    order: isForward ? 'oldest_first' : 'newest_first',
  });
  const ordered = isForward ? found : [...found].reverse();
  return done(ordered.map((timed) => ({ ...tradeFields(market, timed), isBestMatch: true })));
}

async function answerAggregates(
  ports: BinanceSpotPorts,
  fields: FapiFields,
): Promise<Answer<unknown>> {
  const market = requireMarket(ports, fields);
  const page = readTradePage(fields);
  const failure = failed(fields);
  if (failure !== null) return failure;
  if (market === null) return badSymbol;
  await waitForDatabase(ports);
  const filter = { marketId: market.marketId, ...page };
  const aggregates = await listAggregateTrades(ports.spotRecords, filter);
  return done(
    aggregates.map((each) => ({
      a: each.firstTradeId,
      p: formatDecimal(decimalFromTicks(market, each.price)),
      q: formatDecimal(decimalFromLots(market, each.quantity as Lots)),
      f: each.firstTradeId,
      l: each.lastTradeId,
      T: each.time,
      m: each.takerSide === 'sell',
      M: true,
    })),
  );
}

function klines(ports: BinanceSpotPorts): readonly Endpoint[] {
  return ['/api/v3/klines', '/api/v3/uiKlines'].map((path) =>
    publicSpot({
      method: 'GET',
      path,
      summary: 'Candles',
      weight: 2,
      answer: answers.klines,
      fields: {
        symbol: symbolText,
        interval: klineIntervals.join(', '),
        ...times,
        limit: limitText,
      },
      required: ['symbol', 'interval'],
      reasons: [...reasons, 'interval_unknown'],
      handle: (fields) => answerKlines(ports, fields),
    }),
  );
}

async function answerKlines(ports: BinanceSpotPorts, fields: FapiFields): Promise<Answer<unknown>> {
  const market = requireMarket(ports, fields);
  const interval = readInterval(fields);
  const startTime = fields.time('startTime');
  const endTime = fields.time('endTime');
  const limit = fields.limit(500, 1_000);
  const failure = failed(fields);
  if (failure !== null) return failure;
  if (market === null) return badSymbol;
  await waitForDatabase(ports);
  const { marketId } = market;
  const filter = { marketId, interval, startTime, endTime, limit };
  const candles = await ports.spotRecords.listKlines(filter);
  return done(candles.map(klineArray));
}

function averagePrice(ports: BinanceSpotPorts): Endpoint {
  return publicSpot({
    method: 'GET',
    path: '/api/v3/avgPrice',
    summary: 'Average price',
    weight: 2,
    fields: { symbol: symbolText },
    required: ['symbol'],
    reasons,
    answer: answers.averagePrice,
    handle: async (fields) => {
      const market = requireMarket(ports, fields);
      const failure = failed(fields);
      if (failure !== null) return failure;
      if (market === null) return badSymbol;
      await waitForDatabase(ports);
      const since = ports.now() - averageMs;
      const average = await ports.spotRecords.findAveragePrice(market.marketId, since);
      const { price, closeTime } = average ?? { price: '0', closeTime: 0 };
      return done({ mins: averageMs / 60_000, price, closeTime });
    },
  });
}
