import { requireAmount } from '../../domain/amount.ts';
import { assert } from '../../domain/assert.ts';
import { requireDecimal } from '../../domain/decimal.ts';
import {
  defaultGuards,
  type FuturesMarketTerms,
  type IndexPriceSource,
  type Rate,
} from '../../domain/futures-market.ts';
import type { Exchange } from '../ports/exchange.ts';

const makerFeeBps = 2;
const takerFeeBps = 5;

/**
 * Creates the development markets BTCUSDT and ETHUSDT on an exchange without any futures market;
 * returns the created symbols. Called once at start, outside production only.
 */
export async function seedFuturesMarkets(
  exchange: Exchange,
  indexPriceSource: IndexPriceSource,
): Promise<readonly string[]> {
  const isEmpty = exchange.peek((view) => view.futures.listFuturesMarkets().length === 0);
  if (!isEmpty) return [];
  const markets = [
    describeMarket('BTC', { tickSize: '0.1', lotSize: '0.001', indexPriceSource }),
    describeMarket('ETH', { tickSize: '0.01', lotSize: '0.001', indexPriceSource }),
  ];
  for (const terms of markets) {
    const applied = await exchange.submit({ type: 'createFuturesMarket', terms });
    assert(applied.rejection === null, `${terms.symbol} is a market that can be created`);
  }
  return markets.map(({ symbol }) => symbol);
}

function describeMarket(
  baseAsset: string,
  units: {
    readonly tickSize: string;
    readonly lotSize: string;
    readonly indexPriceSource: IndexPriceSource;
  },
): FuturesMarketTerms {
  const maxNotional = requireAmount('10000000');
  return {
    symbol: `${baseAsset}USDT`,
    baseAsset,
    tickSize: requireDecimal(units.tickSize),
    lotSize: requireDecimal(units.lotSize),
    minNotional: requireAmount('5'),
    maxNotional,
    maxLeverage: 100,
    maintenanceMarginRate: 4_000_000n as Rate,
    makerFeeBps,
    takerFeeBps,
    indexPriceSource: units.indexPriceSource,
    ...defaultGuards(maxNotional),
  };
}
