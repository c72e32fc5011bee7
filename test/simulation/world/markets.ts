import { toAmount } from '../../../src/domain/amount.ts';
import { assert } from '../../../src/domain/assert.ts';
import { parseDecimal } from '../../../src/domain/decimal.ts';
import type { Command } from '../../../src/engine/commands.ts';

function createMarket(symbol: string, baseToken: string, tick: string): Command {
  const tickSize = parseDecimal(tick);
  const lotSize = parseDecimal('0.001');
  assert(tickSize !== null && lotSize !== null, 'the sizes are decimals');
  const terms = {
    symbol,
    baseToken,
    quoteToken: 'USDT',
    tickSize,
    lotSize,
    minNotional: toAmount(0n),
    makerFeeBps: 10,
    takerFeeBps: 25,
  };
  return { type: 'createSpotMarket', terms };
}

/** The markets in which the clients of a simulated world trade. */
export const openMarkets: readonly Command[] = [
  createMarket('BTCUSDT', 'BTC', '0.01'),
  createMarket('DFUSDT', 'DF', '0.0001'),
];
