import type { FuturesPorts } from '../../../application/futures/futures-ports.ts';
import type { PriceCandle, PriceKind } from '../../../application/futures/market-statistics.ts';
import type { Endpoint } from '../endpoint.ts';
import { publicEndpoint } from './fapi-endpoint.ts';
import { answerCandles, klineFields, type MarketName } from './klines.ts';
import { priceKlineWeight, priceKlineWeightMax } from './request-weights.ts';

interface PriceKlines {
  readonly path: string;
  readonly summary: string;
  readonly kind: PriceKind;
  readonly marketName: MarketName;
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
      weight: priceKlineWeightMax,
      weighs: priceKlineWeight,
      fields: { [marketName]: 'The market, for example BTCUSDT', ...klineFields },
      answers: 'Arrays of twelve; the fields for trades and volumes are 0',
      handle: (fields) =>
        answerCandles(ports, fields, marketName, async (filter) => {
          const candles = await ports.marketStatistics.listPriceCandles({ ...filter, kind });
          return candles.map(priceArray);
        }),
    }),
  );
}

/** A candle whose fields for trades and volumes are 0. */
function priceArray(candle: PriceCandle): readonly (string | number)[] {
  const { openTime, open, high, low, close, closeTime, sampleCount } = candle;
  return [openTime, open, high, low, close, '0', closeTime, '0', sampleCount, '0', '0', '0'];
}
