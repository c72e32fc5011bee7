import { amountMax } from '../../../domain/amount.ts';
import type { Rejection } from '../../../domain/rejection.ts';
import type { SetIndexPrice } from '../../futures-commands.ts';
import type { FuturesState } from '../futures-state.ts';
import { refreshPrices } from './mark-price.ts';

/** An administrator's index price; markets that follow their own book take none. */
export function setIndexPrice(
  state: FuturesState,
  { symbol, price }: SetIndexPrice,
): Rejection | null {
  const market = state.markets[state.marketIds.get(symbol) ?? -1];
  if (market === undefined) return { reason: 'market_not_found' };
  if (price <= 0n) return { reason: 'amount_not_positive' };
  if (price > amountMax / 1_000_000n) return { reason: 'amount_out_of_range' };
  if (market.terms.indexPriceSource !== 'admin') {
    return {
      reason: 'parameter_invalid',
      detail: 'the market takes its index price from its book',
    };
  }
  market.indexPrice = price;
  market.indexPriceAt = state.now;
  refreshPrices(state, market);
  return null;
}
