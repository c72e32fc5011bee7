import type { FuturesPorts } from '../../../application/futures/futures-ports.ts';
import { insuranceBalance } from '../../../application/futures/insurance-fund.ts';
import type { FuturesView } from '../../../application/ports/exchange.ts';
import { formatAmount } from '../../../domain/amount.ts';
import type { FuturesMarket } from '../../../domain/futures-market.ts';
import { valueDown } from '../../../domain/margin.ts';
import { done } from '../../../domain/outcome.ts';
import { accountReads, type Endpoint } from '../endpoint.ts';
import { badSymbol, failed, optionalMarket } from './fapi-answers.ts';
import { accountEndpoint, publicEndpoint } from './fapi-endpoint.ts';

/** The insurance fund, which all markets share, and what clients request along with it. */
export function insuranceEndpoints(ports: FuturesPorts): readonly Endpoint[] {
  return [
    publicEndpoint({
      method: 'GET',
      path: '/fapi/v1/insuranceBalance',
      summary: 'Insurance fund',
      weight: 1,
      fields: { symbol: 'A market, all of which share the fund; absent: the same' },
      answers: 'The fund’s markets and balance; with a symbol, only the entry',
      handle: async (fields) => {
        const market = optionalMarket(ports, fields);
        const failure = failed(fields);
        if (failure !== null) return failure;
        if (market === undefined) return badSymbol;
        const { balance, symbols } = await ports.exchange.read(({ futures }) => ({
          balance: formatAmount(insuranceBalance(futures)),
          symbols: futures.listFuturesMarkets().map(({ symbol }) => symbol),
        }));
        const assets = [{ asset: 'USDT', marginBalance: balance, updateTime: ports.now() }];
        const fund = { symbols, assets };
        return done(market === null ? [fund] : fund);
      },
    }),
    adlRisk(ports),
    accountEndpoint(accountReads, {
      method: 'GET',
      path: '/fapi/v1/feeBurn',
      summary: 'Whether fees are paid in another coin',
      weight: 30,
      fields: {},
      answers: 'feeBurn: false; fees are paid in USDT',
      handle: () => done({ feeBurn: false }),
    }),
  ];
}

function adlRisk(ports: FuturesPorts): Endpoint {
  return publicEndpoint({
    method: 'GET',
    path: '/fapi/v1/symbolAdlRisk',
    summary: 'Risk of auto-deleveraging',
    weight: 1,
    fields: { symbol: 'Absent: all markets' },
    answers: 'low, medium or high, depending on how much the insurance fund could cover',
    handle: async (fields) => {
      const asked = optionalMarket(ports, fields);
      const failure = failed(fields);
      if (failure !== null) return failure;
      if (asked === undefined) return badSymbol;
      const updateTime = ports.now();
      return ports.exchange.read(({ futures }) => {
        const describe = (market: FuturesMarket) => ({
          symbol: market.symbol,
          adlRisk: riskOf(futures, market),
          updateTime,
        });
        const markets = futures.listFuturesMarkets();
        return done(asked === null ? markets.map(describe) : describe(asked));
      });
    },
  });
}

const lowRiskDivisor = 100n;
const mediumRiskDivisor = 1_000n;

/** The part of all positions that the fund could pay for: a hundredth, a thousandth, or less. */
function riskOf(futures: FuturesView, market: FuturesMarket): 'low' | 'medium' | 'high' {
  const { markPrice } = futures.getFuturesPrices(market.marketId);
  const lots = BigInt(futures.getOpenInterest(market.marketId));
  const value = valueDown(lots * market.lotSize, markPrice ?? 0n);
  const fund = insuranceBalance(futures);
  if (fund * lowRiskDivisor >= value) return 'low';
  return fund * mediumRiskDivisor >= value ? 'medium' : 'high';
}
