import { type FuturesPorts, peekMarket } from '../../../application/futures/futures-ports.ts';
import type { LongShort, PositionSample } from '../../../application/futures/market-statistics.ts';
import { waitForDatabase } from '../../../application/wait-for-database.ts';
import { parseDecimal } from '../../../domain/decimal.ts';
import type { FuturesMarket } from '../../../domain/futures-market.ts';
import type { KlineInterval } from '../../../domain/kline-interval.ts';
import { done } from '../../../domain/outcome.ts';
import type { Answer, Endpoint, Weighs } from '../endpoint.ts';
import { badSymbol, failed } from './fapi-answers.ts';
import { publicEndpoint } from './fapi-endpoint.ts';
import type { FapiFields } from './fapi-fields.ts';
import { basisOf, ratioText } from './market-ratios.ts';
import { basisWeight, basisWeightMax, statisticsWeight } from './request-weights.ts';

// What Binance serves under /futures/data: samples and sums of a market over time.

const minuteMs = 60_000;
const periods = {
  '5m': 5 * minuteMs,
  '15m': 15 * minuteMs,
  '30m': 30 * minuteMs,
  '1h': 60 * minuteMs,
  '2h': 120 * minuteMs,
  '4h': 240 * minuteMs,
  '6h': 360 * minuteMs,
  '12h': 720 * minuteMs,
  '1d': 1_440 * minuteMs,
} as const satisfies Partial<Record<KlineInterval, number>>;

type Period = keyof typeof periods;

const periodWords = Object.fromEntries(
  Object.keys(periods).map((period) => [period, period as Period]),
) as Record<Period, Period>;
const limitDefault = 30;
const limitMax = 500;

const spanFields = {
  period: Object.keys(periods).join(', '),
  limit: `${limitDefault}, at most ${limitMax}`,
  startTime: 'Milliseconds',
  endTime: 'Milliseconds',
};
const oldestFirst = 'A list, oldest first';

interface Span {
  readonly market: FuturesMarket;
  readonly period: Period;
  readonly startTime: number | null;
  readonly endTime: number | null;
  readonly limit: number;
}

/** Open interest, long/short ratios, taker volumes and basis over time. */
export function futuresDataEndpoints(ports: FuturesPorts): readonly Endpoint[] {
  const sampled = (
    name: string,
    summary: string,
    describe: (symbol: string, sample: PositionSample) => unknown,
  ): Endpoint =>
    spanEndpoint(ports, { name, summary, marketName: 'symbol' }, async (span) => {
      const { market, period, ...rest } = span;
      const filter = { marketId: market.marketId, periodMs: periods[period], ...rest };
      const samples = await ports.marketStatistics.listPositionSamples(filter);
      return samples.map((sample) => describe(market.symbol, sample));
    });
  return [
    sampled('openInterestHist', 'Open interest over time', (symbol, sample) => ({
      symbol,
      sumOpenInterest: sample.openInterest,
      sumOpenInterestValue: sample.openInterestValue,
      timestamp: sample.sampledAt,
    })),
    sampled(
      'topLongShortAccountRatio',
      "Ratio of top traders' long and short accounts",
      (symbol, { topAccounts, sampledAt }) => longShort(symbol, topAccounts, sampledAt),
    ),
    sampled(
      'topLongShortPositionRatio',
      "Ratio of top traders' long and short positions",
      (symbol, { topPositions, sampledAt }) => longShort(symbol, topPositions, sampledAt),
    ),
    sampled(
      'globalLongShortAccountRatio',
      'Ratio of long and short accounts',
      (symbol, { accounts, sampledAt }) => longShort(symbol, accounts, sampledAt),
    ),
    takerRatio(ports),
    basis(ports),
    deliveryPrices(ports),
  ];
}

function longShort(symbol: string, { longs, shorts, ratio }: LongShort, timestamp: number) {
  return { symbol, longShortRatio: ratio, longAccount: longs, shortAccount: shorts, timestamp };
}

function takerRatio(ports: FuturesPorts): Endpoint {
  const text = { name: 'takerlongshortRatio', summary: 'Taker buy and sell volumes' };
  return spanEndpoint(ports, { ...text, marketName: 'symbol' }, async (span) => {
    const { market, period, ...rest } = span;
    const filter = { marketId: market.marketId, interval: period, ...rest };
    const klines = await ports.futuresHistory.listKlines(filter);
    return klines.map(({ openTime, volume, takerBuyVolume }) => {
      const { sold, ratio } = ratioText(takerBuyVolume, volume);
      return { buySellRatio: ratio, buyVol: takerBuyVolume, sellVol: sold, timestamp: openTime };
    });
  });
}

function basis(ports: FuturesPorts): Endpoint {
  const text = { name: 'basis', summary: 'Difference between the last price and the index price' };
  const terms = {
    ...text,
    marketName: 'pair',
    weight: basisWeightMax,
    weighs: basisWeight,
  } as const;
  return spanEndpoint(ports, terms, async (span) => {
    const { market, period, ...rest } = span;
    const filter = { marketId: market.marketId, interval: period, ...rest };
    const [klines, indexes] = await Promise.all([
      ports.futuresHistory.listKlines(filter),
      ports.marketStatistics.listPriceCandles({ ...filter, kind: 'index' }),
    ]);
    const closes = new Map(klines.map(({ openTime, close }) => [openTime, close]));
    return indexes.flatMap(({ openTime, close: index }) => {
      const last = closes.get(openTime);
      if (last === undefined || parseDecimal(index) === 0n) return [];
      const contract = { pair: market.symbol, contractType: 'PERPETUAL' };
      return [{ ...contract, ...basisOf(last, index), timestamp: openTime }];
    });
  });
}

function deliveryPrices(ports: FuturesPorts): Endpoint {
  return publicEndpoint({
    method: 'GET',
    path: '/futures/data/delivery-price',
    summary: 'Delivery prices',
    weight: 1,
    fields: { pair: 'The market, for example BTCUSDT' },
    description: 'Delivery prices; always empty, since perpetuals are never delivered',
    answers: 'An empty list',
    handle: (fields) => {
      const symbol = fields.requiredText('pair');
      const failure = failed(fields);
      if (failure !== null) return failure;
      return peekMarket(ports, symbol) === null ? badSymbol : done([]);
    },
  });
}

interface SpanText {
  readonly name: string;
  readonly summary: string;
  readonly marketName: 'symbol' | 'pair';
  /** The highest; absent: that of every call. */
  readonly weight?: number;
  readonly weighs?: Weighs;
}

function spanEndpoint(
  ports: FuturesPorts,
  { name, summary, marketName, weight = statisticsWeight, weighs = () => weight }: SpanText,
  answer: (span: Span) => Promise<readonly unknown[]>,
): Endpoint {
  const isPair = marketName === 'pair';
  return publicEndpoint({
    method: 'GET',
    path: `/futures/data/${name}`,
    summary,
    weight,
    weighs,
    fields: {
      [marketName]: 'The market, for example BTCUSDT',
      ...(isPair ? { contractType: 'PERPETUAL' } : {}),
      ...spanFields,
    },
    answers: oldestFirst,
    handle: async (fields) => {
      const span = readSpan(ports, fields, marketName);
      if ('kind' in span) return span;
      await waitForDatabase(ports);
      return done(await answer(span));
    },
  });
}

function readSpan(
  ports: FuturesPorts,
  fields: FapiFields,
  marketName: 'symbol' | 'pair',
): Span | Answer<never> {
  const symbol = fields.requiredText(marketName);
  if (marketName === 'pair') fields.requiredMember('contractType', { PERPETUAL: true }, true);
  const period = fields.requiredMember<Period>('period', periodWords, '5m');
  const startTime = fields.time('startTime');
  const endTime = fields.time('endTime');
  const limit = fields.limit(limitDefault, limitMax);
  const failure = failed(fields);
  if (failure !== null) return failure;
  const market = peekMarket(ports, symbol);
  return market === null ? badSymbol : { market, period, startTime, endTime, limit };
}
