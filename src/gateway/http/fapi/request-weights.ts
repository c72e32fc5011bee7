import { partsOfCandle } from '../../../application/futures/price-candle-parts.ts';
import { klineIntervals } from '../../../domain/kline-interval.ts';
import type { Weighs } from '../endpoint.ts';
import { FapiFields } from './fapi-fields.ts';

// Binance's weights that depend on the parameters, which are read like the handlers read them: a
// call must not weigh less than what it does. A missing or malformed limit weighs like the default.

/** One weight for a single market, another for all, for example 1 and 40. */
export function bySymbol(one: number, all: number): Weighs {
  return (query) => (new FapiFields(query).has('symbol') ? one : all);
}

/** Each step's weight applies up to its limit, the last one beyond. */
function byLimit(
  usual: number,
  steps: readonly (readonly [limit: number, weight: number])[],
): Weighs {
  return (query) => {
    const limit = new FapiFields(query).integer('limit', 1) ?? usual;
    const step = steps.find(([most]) => limit <= most) ?? steps.at(-1);
    return step?.[1] ?? 1;
  };
}

export const depthWeight = byLimit(500, [
  [50, 2],
  [100, 5],
  [500, 10],
  [1_000, 20],
]);

export const klineWeight = byLimit(500, [
  [99, 1],
  [499, 2],
  [1_000, 5],
  [1_500, 10],
]);

/** Binance has another limit for these, which this weight stands for. */
export const fundingRateWeight = byLimit(100, [
  [100, 1],
  [1_000, 5],
]);

/** Binance has another limit, of 200 calls a minute, for its statistics. */
export const statisticsWeight = 10;

const partsPerWeight = 1_000;
const weightOfParts = (parts: number): number => Math.ceil(parts / partsPerWeight);
/** No candle is made of more. */
const partsMax = partsOfCandle('1M');

interface CandleLimits {
  readonly usual: number;
  readonly most: number;
}

const priceKlineLimits: CandleLimits = { usual: 500, most: 1_500 };
const basisLimits: CandleLimits = { usual: 30, most: 500 };

/** The weight of candles that are made of shorter ones follows what has to be read for them. */
function byParts(intervalName: string, limits: CandleLimits, weighs: Weighs): Weighs {
  return (query) => {
    const fields = new FapiFields(query);
    const text = fields.text(intervalName);
    const interval = klineIntervals.find((each) => each === text);
    const parts = interval === undefined ? 1 : partsOfCandle(interval);
    const limit = Math.min(fields.integer('limit', 1) ?? limits.usual, limits.most);
    return Math.max(weighs(query), weightOfParts(limit * parts));
  };
}

export const priceKlineWeight = byParts('interval', priceKlineLimits, klineWeight);
export const priceKlineWeightMax = weightOfParts(priceKlineLimits.most * partsMax);

/** Compares candles of trades with those of the index. */
export const basisWeight = byParts('period', basisLimits, () => statisticsWeight);
export const basisWeightMax = weightOfParts(basisLimits.most * partsMax);

const rowsPerWeight = 1_000;
export const incomeWeightMax = 30 + 1_000;

/** Income of later pages is read from the first page on. */
export const incomeWeight: Weighs = (query) => {
  const fields = new FapiFields(query);
  const skippedPages = (fields.integer('page', 1) ?? 1) - 1;
  const rows = skippedPages * (fields.integer('limit', 1) ?? 100);
  return Math.min(incomeWeightMax, 30 + Math.ceil(rows / rowsPerWeight));
};
