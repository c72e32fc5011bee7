import { type FuturesPorts, peekMarket } from '../../../application/futures/futures-ports.ts';
import type {
  FuturesKline,
  FuturesKlineFilter,
} from '../../../application/ports/futures-history.ts';
import { waitForDatabase } from '../../../application/wait-for-database.ts';
import { type KlineInterval, klineIntervals } from '../../../domain/kline-interval.ts';
import { done } from '../../../domain/outcome.ts';
import type { Answer, Endpoint } from '../endpoint.ts';
import { badSymbol, failed } from './fapi-answers.ts';
import { publicEndpoint } from './fapi-endpoint.ts';
import type { FapiFields } from './fapi-fields.ts';
import { klineWeight } from './request-weights.ts';

const limitDefault = 500;
const limitMax = 1_500;
const symbolText = 'The market, for example BTCUSDT';

/** The parameters of all candle requests, besides the market. */
export const klineFields = {
  interval: klineIntervals.join(', '),
  startTime: 'Milliseconds',
  endTime: 'Milliseconds',
  limit: `${limitDefault}, at most ${limitMax}`,
};
const answers = 'Arrays of twelve: open time, open, high, low, close, volume, close time, ...';

/** Candles of a market by its symbol, and by pair and contract type, which is the same here. */
export function klinesEndpoints(ports: FuturesPorts): readonly Endpoint[] {
  return [
    publicEndpoint({
      method: 'GET',
      path: '/fapi/v1/klines',
      summary: 'Candles',
      weight: 10,
      weighs: klineWeight,
      fields: { symbol: symbolText, ...klineFields },
      answers,
      handle: (request) => klines(ports, request, 'symbol'),
    }),
    publicEndpoint({
      method: 'GET',
      path: '/fapi/v1/continuousKlines',
      summary: 'Candles of a contract',
      weight: 10,
      weighs: klineWeight,
      answers,
      fields: { pair: symbolText, contractType: 'PERPETUAL', ...klineFields },
      handle: (request) => {
        request.requiredMember('contractType', { PERPETUAL: true }, true);
        return klines(ports, request, 'pair');
      },
    }),
  ];
}

function klines(
  ports: FuturesPorts,
  fields: FapiFields,
  marketName: MarketName,
): Promise<Answer<unknown>> {
  return answerCandles(ports, fields, marketName, async (filter) => {
    const candles = await ports.futuresHistory.listKlines(filter);
    return candles.map(klineArray);
  });
}

/** Which parameter of a candle request has the market. */
export type MarketName = 'symbol' | 'pair';

type CandleArray = readonly (string | number)[];

/** Answers a request for candles of a market with those that `load` finds. */
export async function answerCandles(
  ports: FuturesPorts,
  fields: FapiFields,
  marketName: MarketName,
  load: (filter: FuturesKlineFilter) => Promise<readonly CandleArray[]>,
): Promise<Answer<unknown>> {
  const symbol = fields.requiredText(marketName);
  const interval = readInterval(fields);
  const startTime = fields.time('startTime');
  const endTime = fields.time('endTime');
  const limit = fields.limit(limitDefault, limitMax);
  const failure = failed(fields);
  if (failure !== null) return failure;
  const market = peekMarket(ports, symbol);
  if (market === null) return badSymbol;
  await waitForDatabase(ports);
  const { marketId } = market;
  return done(await load({ marketId, interval, startTime, endTime, limit }));
}

/** A candle as Binance's arrays have it, on both markets. */
export function klineArray(candle: FuturesKline): CandleArray {
  return [
    candle.openTime,
    candle.open,
    candle.high,
    candle.low,
    candle.close,
    candle.volume,
    candle.closeTime,
    candle.quoteVolume,
    candle.tradeCount,
    candle.takerBuyVolume,
    candle.takerBuyQuoteVolume,
    '0',
  ];
}

/** The interval of candles; an unknown one is recorded as a failure of the fields. */
export function readInterval(fields: FapiFields): KlineInterval {
  const text = fields.requiredText('interval');
  const interval = klineIntervals.find((each) => each === text);
  if (interval === undefined && text !== '') fields.fail('interval_unknown', 'interval');
  return interval ?? '1m';
}
