import { amountMax } from '../../../domain/amount.ts';
import type { Rejection } from '../../../domain/rejection.ts';
import type { SetIndexPrice } from '../../futures-commands.ts';
import type { FuturesState } from '../futures-state.ts';
import { refreshPrices } from './mark-price.ts';

// Above this a price in the finest ticks is no exact number any more: 46 million USDT.
const priceMax = amountMax / 2_000n;
// What all longs together may be worth, so that no sum over an account's markets overflows.
const openValueMax = amountMax / 10n;

/** An administrator's index price; markets that follow their own book take none. */
export function setIndexPrice(
  state: FuturesState,
  { symbol, price }: SetIndexPrice,
): Rejection | null {
  const market = state.markets[state.marketIds.get(symbol) ?? -1];
  if (market === undefined) return { reason: 'market_not_found' };
  if (price <= 0n) return { reason: 'amount_not_positive' };
  const isTooHigh = price > priceMax || market.valueAt(price, market.openInterest) > openValueMax;
  if (isTooHigh) return { reason: 'amount_out_of_range' };
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
