import { Type } from 'typebox';
import type { SpotTickerPorts } from '../../../application/market-data/load-spot-ticker.ts';
import { PriceTrends, trendHours } from '../../../application/market-data/price-trends.ts';
import { waitForDatabase } from '../../../application/wait-for-database.ts';
import { done } from '../../../domain/outcome.ts';
import { anyone, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { strictObject } from '../schema.ts';
import { trendSchema, trendsDescription } from '../trend-schema.ts';
import { engineUnavailableIsDatabaseError } from './unavailable-rows.ts';

/** The last day of all spot markets. */
export function listTrends(ports: SpotTickerPorts): Endpoint {
  const { exchange, barrier, history, now } = ports;
  const trends = new PriceTrends({
    now,
    listSymbols: () => exchange.peek((view) => view.listSpotMarkets().map(({ symbol }) => symbol)),
    listHours: async (symbol, startTime) => {
      await waitForDatabase({ exchange, barrier });
      const hours = { interval: '1h', startTime, endTime: null, limit: trendHours } as const;
      const klines = await history.listKlines({ symbol, ...hours });
      return klines.map(({ open_time, close }) => ({ openTime: open_time, close }));
    },
  });
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/spot/trends',
    tag: 'Spot market data',
    summary: 'List the trends of all markets',
    description: trendsDescription,
    weight: 5,
    auth: anyone,
    answer: strictObject({ items: Type.Array(trendSchema, { description: 'The markets' }) }),
    errorRows: engineUnavailableIsDatabaseError,
    handle: async () => done({ items: await trends.list() }),
  });
}
