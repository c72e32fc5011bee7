import type { TriggerPriceKind } from '../../../domain/futures-order.ts';
import type { FuturesMarketState } from '../markets/futures-market-state.ts';
import { type WatchedPrice } from './is-reached.ts';

/** The price that triggers of the kind watch; null before the first one. */
export function watchedPrice(
  market: FuturesMarketState,
  kind: TriggerPriceKind,
): WatchedPrice | null {
  const { markPrice, markTicksBelow, markTicksAbove, lastPrice } = market;
  if (kind === 'contract' && lastPrice !== 0) {
    return { price: market.priceOf(lastPrice), ticksBelow: lastPrice, ticksAbove: lastPrice };
  }
  if (markPrice === null) return null;
  return { price: markPrice, ticksBelow: markTicksBelow, ticksAbove: markTicksAbove };
}
