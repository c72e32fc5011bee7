import type { FuturesPorts } from '../../../application/futures/futures-ports.ts';
import { formatAmount } from '../../../domain/amount.ts';
import { done } from '../../../domain/outcome.ts';
import type { Endpoint } from '../endpoint.ts';
import { badSymbol, failed, requireMarket } from './fapi-answers.ts';
import { publicEndpoint } from './fapi-endpoint.ts';

/** The sources of index prices, and Binance's other market-wide information. */
export function indexEndpoints(ports: FuturesPorts): readonly Endpoint[] {
  return [
    publicEndpoint({
      method: 'GET',
      path: '/fapi/v1/constituents',
      summary: 'Sources of the index price',
      weight: 2,
      fields: { symbol: 'The market' },
      answers: 'The sources of the index price',
      handle: async (fields) => {
        const market = requireMarket(ports, fields);
        const failure = failed(fields);
        if (failure !== null) return failure;
        if (market === null) return badSymbol;
        const { symbol, indexPriceSource: source } = market;
        const { indexPrice } = await ports.exchange.read(({ futures }) =>
          futures.getFuturesPrices(market.marketId),
        );
        const exchange = source === 'book' ? 'openbourse' : 'operator';
        const only = (price: string) => ({ exchange, symbol, price, weight: '1' });
        const constituents = indexPrice === null ? [] : [only(formatAmount(indexPrice))];
        return done({ symbol, time: ports.now(), constituents });
      },
    }),
    publicEndpoint({
      method: 'GET',
      path: '/fapi/v1/assetIndex',
      summary: 'Indexes of assets as margin',
      weight: 1,
      fields: { symbol: 'An index of Binance’s multi-assets mode' },
      description: 'Asset indexes for multi-asset margin; always empty, since all margin is USDT',
      answers: 'An empty list; any symbol is unknown',
      handle: (fields) => (fields.text('symbol') === null ? done([]) : badSymbol),
    }),
    publicEndpoint({
      method: 'GET',
      path: '/fapi/v1/tradingSchedule',
      summary: 'Trading hours',
      weight: 5,
      description: 'Trading hours by kind of market; every market here is always open',
      fields: {},
      answers: 'No schedules',
      handle: () => done({ updateTime: ports.now(), marketSchedules: {} }),
    }),
  ];
}
