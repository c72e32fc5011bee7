import type { PriceState } from '../../../domain/futures-market.ts';
import type { FuturesMarketState } from '../markets/futures-market-state.ts';
import { delistingNoticeMs, indexPriceAgeMax } from '../risk-limits.ts';

// Every market is in one price state, and one rule follows for margin, orders, liquidation and
// withdrawals alike. A price that is old or unconfirmed takes rights away (to open, to withdraw,
// to count a profit); it protects nobody from being judged and closed.

/** What the market's value price is worth at the moment. */
export function priceStateOf(market: FuturesMarketState, now: number): PriceState {
  if (market.markPrice === null) return 'unpriced';
  if (market.terms.status === 'delisted') return 'final';
  if (market.terms.indexPriceSource === 'book') return 'fresh';
  if (now - market.indexPriceAt > indexPriceAgeMax) return 'stale';
  return market.heldPush === null ? 'fresh' : 'held';
}

/** Whether a planned delisting is so near that only orders that reduce are taken. */
export function isClosingSoon(
  { plannedDelisting: plan }: FuturesMarketState,
  now: number,
): boolean {
  return plan !== null && plan.at - now <= delistingNoticeMs;
}

/** Whether the market's profit may carry new risk, and new positions may be opened there. */
export function isFresh(market: FuturesMarketState, now: number): boolean {
  return priceStateOf(market, now) === 'fresh';
}
