import type { PriceState } from '../../../domain/futures-market.ts';
import type { FuturesMarketState } from '../markets/futures-market-state.ts';
import { delistingNoticeMs, indexPriceAgeMax } from '../risk-limits.ts';

// Every market is in one price state, and a single rule follows from it for margin, orders,
// liquidation and withdrawals. A stale or unconfirmed price takes rights away (to open, to
// withdraw, to count a profit); it protects no account from being judged and closed.

/** The state of the market's valuation price at the moment. */
export function priceStateOf(market: FuturesMarketState, now: number): PriceState {
  if (market.markPrice === null) return 'unpriced';
  if (market.terms.status === 'delisted') return 'final';
  if (market.terms.indexPriceSource === 'book') return 'fresh';
  if (now - market.indexPriceAt > indexPriceAgeMax) return 'stale';
  return market.heldPush === null ? 'fresh' : 'held';
}

/** Whether a planned delisting is so near that only reducing orders are accepted. */
export function isClosingSoon(
  { plannedDelisting: plan }: FuturesMarketState,
  now: number,
): boolean {
  return plan !== null && plan.at - now <= delistingNoticeMs;
}

/** Whether profit in the market can carry new risk, and new positions can be opened there. */
export function isFresh(market: FuturesMarketState, now: number): boolean {
  return priceStateOf(market, now) === 'fresh';
}
