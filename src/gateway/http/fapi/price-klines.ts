import {
  type FuturesPorts,
  findFuturesMarket,
  historyUpToNow,
} from '../../../application/futures/futures-trading-ports.ts';
import type { PriceKind } from '../../../application/futures/market-statistics.ts';
import { done } from '../../../domain/outcome.ts';
import type { Answer, Endpoint } from '../endpoint.ts';
import { badSymbol, failed } from './fapi-answers.ts';
import { publicEndpoint } from './fapi-endpoint.ts';
import type { FapiFields } from './fapi-fields.ts';
import { klineFields, readKlineQuery } from './klines.ts';
import { klineWeight } from './request-weights.ts';

interface PriceKlines {
  readonly path: string;
  readonly summary: string;
  readonly kind: PriceKind;
  readonly marketName: 'symbol' | 'pair';
}

const endpoints: readonly PriceKlines[] = [
  {
    path: '/fapi/v1/markPriceKlines',
    summary: 'Candles of the mark price',
    kind: 'mark',
    marketName: 'symbol',
  },
  {
    path: '/fapi/v1/indexPriceKlines',
    summary: 'Candles of the index price',
    kind: 'index',
    marketName: 'pair',
  },
  {
    path: '/fapi/v1/premiumIndexKlines',
    summary: 'Candles of the premium',
    kind: 'premium',
    marketName: 'symbol',
  },
];

/** Candles of computed prices, not of trades. */
export function priceKlinesEndpoints(ports: FuturesPorts): readonly Endpoint[] {
  return endpoints.map(({ path, summary, kind, marketName }) =>
    publicEndpoint({
      method: 'GET',
      path,
      summary,
      weight: 10,
      weighs: klineWeight,
      fields: { [marketName]: 'The market, for example BTCUSDT', ...klineFields },
      answers: 'Arrays of twelve; the fields for trades and volumes are 0',
      handle: (fields) => priceKlines(ports, fields, kind, marketName),
    }),
  );
}

async function priceKlines(
  ports: FuturesPorts,
  fields: FapiFields,
  kind: PriceKind,
  marketName: 'symbol' | 'pair',
): Promise<Answer<unknown>> {
  const { symbol, ...span } = readKlineQuery(fields, marketName);
  const failure = failed(fields);
  if (failure !== null) return failure;
  const market = findFuturesMarket(ports, symbol);
  if (market === null) return badSymbol;
  await historyUpToNow(ports);
  const filter = { marketId: market.marketId, kind, ...span };
  const candles = await ports.marketStatistics.listPriceCandles(filter);
  return done(
    candles.map(({ openTime, open, high, low, close, closeTime, sampleCount }) => [
      openTime,
      open,
      high,
      low,
      close,
      '0',
      closeTime,
      '0',
      sampleCount,
      '0',
      '0',
      '0',
    ]),
  );
}
