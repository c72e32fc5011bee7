import { Type } from 'typebox';
import type { FuturesReadPorts } from '../../../application/futures/futures-ports.ts';
import { PriceTrends, trendHours } from '../../../application/market-data/price-trends.ts';
import { waitForDatabase } from '../../../application/wait-for-database.ts';
import { done } from '../../../domain/outcome.ts';
import { anyone, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { trendSchema, trendsDescription } from '../trend-schema.ts';

/** The last day of all perpetual markets. */
export function listTrends(ports: FuturesReadPorts): Endpoint {
  const { exchange, barrier, futuresHistory, now } = ports;
  const trends = new PriceTrends({
    now,
    listSymbols: () =>
      exchange.peek(({ futures }) => futures.listFuturesMarkets().map(({ symbol }) => symbol)),
    listHours: async (symbol, startTime) => {
      const market = exchange.peek(({ futures }) => futures.findFuturesMarket(symbol));
      if (market === null) return [];
      await waitForDatabase({ exchange, barrier });
      const hours = { interval: '1h', startTime, endTime: null, limit: trendHours } as const;
      return futuresHistory.listKlines({ marketId: market.marketId, ...hours });
    },
  });
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/trends',
    tag: 'Derivatives market data',
    summary: 'List the trends of all perpetual markets',
    description: trendsDescription,
    weight: 5,
    auth: anyone,
    answer: Type.Array(trendSchema, { description: 'The markets' }),
    handle: async () => done(await trends.list()),
  });
}
