import type { FuturesPorts } from '../../../application/futures/futures-trading-ports.ts';
import { formatAmount } from '../../../domain/amount.ts';
import { done } from '../../../domain/outcome.ts';
import { accountReads, type Endpoint } from '../endpoint.ts';
import { badSymbol, failed, optionalMarket } from './fapi-answers.ts';
import { accountEndpoint, publicEndpoint } from './fapi-endpoint.ts';

/** The insurance fund, which all markets share, and what clients ask for beside it. */
export function insuranceEndpoints(ports: FuturesPorts): readonly Endpoint[] {
  return [
    publicEndpoint({
      ...{ method: 'GET', path: '/fapi/v1/insuranceBalance', summary: 'Insurance fund', weight: 1 },
      fields: { symbol: 'A market, all of which share the fund; absent: the same' },
      answers: 'The fund’s markets and its balance; for a symbol the entry alone',
      handle: async (fields) => {
        const market = optionalMarket(ports, fields);
        const failure = failed(fields);
        if (failure !== null) return failure;
        if (market === undefined) return badSymbol;
        const { balance, symbols } = await ports.exchange.read(({ futures }) => ({
          balance: formatAmount(futures.insuranceFund),
          symbols: futures.listFuturesMarkets().map(({ symbol }) => symbol),
        }));
        const assets = [{ asset: 'USDT', marginBalance: balance, updateTime: ports.now() }];
        const fund = { symbols, assets };
        return done(market === null ? [fund] : fund);
      },
    }),
    accountEndpoint(accountReads, {
      ...{ method: 'GET', path: '/fapi/v1/feeBurn', summary: 'Fees in another coin', weight: 30 },
      ...{ fields: {}, answers: 'feeBurn: false; fees are paid in USDT' },
      handle: () => done({ feeBurn: false }),
    }),
  ];
}
