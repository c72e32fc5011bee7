import { requireAmount } from '../../domain/amount.ts';
import { assert } from '../../domain/assert.ts';
import { requireDecimal } from '../../domain/decimal.ts';
import type { SpotMarketTerms } from '../../domain/spot-market.ts';
import type { Exchange } from '../ports/exchange.ts';

const makerFeeBps = 5;
const takerFeeBps = 10;

const developmentMarkets: readonly SpotMarketTerms[] = [
  describeMarket('BTC', { tickSize: '0.01', lotSize: '0.00001' }),
  describeMarket('ETH', { tickSize: '0.01', lotSize: '0.0001' }),
  describeMarket('DF', { tickSize: '0.0001', lotSize: '0.01' }),
];

/**
 * Creates the development markets BTCUSDT, ETHUSDT and DFUSDT on an exchange without any market;
 * returns the created symbols. Called once at start, outside production only.
 */
export async function seedDevelopmentMarkets(exchange: Exchange): Promise<readonly string[]> {
  const isEmpty = exchange.peek((view) => view.listSpotMarkets().length === 0);
  if (!isEmpty) return [];
  for (const terms of developmentMarkets) {
    const applied = await exchange.submit({ type: 'createSpotMarket', terms });
    assert(applied.rejection === null, `${terms.symbol} is a market that can be created`);
  }
  return developmentMarkets.map(({ symbol }) => symbol);
}

function describeMarket(
  baseToken: string,
  units: { readonly tickSize: string; readonly lotSize: string },
): SpotMarketTerms {
  const quoteToken = 'USDT';
  return {
    symbol: `${baseToken}${quoteToken}`,
    baseToken,
    quoteToken,
    tickSize: requireDecimal(units.tickSize),
    lotSize: requireDecimal(units.lotSize),
    minNotional: requireAmount('5'),
    makerFeeBps,
    takerFeeBps,
  };
}
