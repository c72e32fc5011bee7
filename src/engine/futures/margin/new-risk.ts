import type { FuturesAccount } from '../accounts/futures-account.ts';
import { badDebtOf } from '../accounts/house-money.ts';
import { pendingFundingOf } from '../funding/pending-funding.ts';
import type { FuturesState } from '../futures-state.ts';
import { isFresh } from '../pricing/price-state.ts';
import { isSettling } from '../pricing/settling.ts';
import { type AccountMargin, marketMargin } from './account-margin.ts';

// Equity for new risk is stricter than equity for closing. In a market whose price is stale or
// held a profit counts as nothing and the initial margin twice, in one that settles a profit
// counts as nothing: what may be gone, or unpaid, carries no trade and does not leave.

/** What new orders may use, below zero where the margins already pass the equity. */
export function availableFor(
  state: FuturesState,
  account: FuturesAccount,
  margin: AccountMargin,
): bigint {
  const { equity, initial, orders } = margin;
  return equity - initial - orders - uncountedIn(state, account);
}

/** Nothing leaves while somebody's loss has no payer yet, or never found one. */
export function isGateShut(state: FuturesState): boolean {
  if (state.closeOuts.size > 0 || badDebtOf(state) < 0n) return true;
  return state.markets.some((market) => isSettling(state, market));
}

/**
 * What may leave the wallet: settled money, with the funding that is due, less all losses and what
 * margins need. No profit, not even as far as it makes good a loss of another market.
 */
export function withdrawableOf(
  state: FuturesState,
  account: FuturesAccount,
  { initial, orders }: AccountMargin,
): bigint {
  if (isGateShut(state)) return 0n;
  let free = account.walletBalance + pendingFundingOf(state, account) - initial - orders;
  for (const position of account.positions) {
    if (position === undefined || position.quantity === 0) continue;
    const market = state.getMarket(position.marketId);
    const need = marketMargin(account, market);
    if (need.unrealizedProfit < 0n) free += need.unrealizedProfit;
    if (!isFresh(market, state.now)) free -= need.initial;
  }
  return free > 0n ? free : 0n;
}

/** What equity for closing and plain margins hold too much, for the sake of new risk. */
function uncountedIn(state: FuturesState, account: FuturesAccount): bigint {
  let uncounted = 0n;
  for (const position of account.positions) {
    if (position === undefined || position.quantity === 0) continue;
    const market = state.getMarket(position.marketId);
    const isOld = !isFresh(market, state.now);
    if (!isOld && !isSettling(state, market)) continue;
    const { unrealizedProfit, initial } = marketMargin(account, market);
    if (isOld) uncounted += initial;
    if (unrealizedProfit > 0n) uncounted += unrealizedProfit;
  }
  return uncounted;
}

/** Profit in markets that settle: somebody may still fail to pay it. */
export function uncountedProfit(state: FuturesState, account: FuturesAccount): bigint {
  let uncounted = 0n;
  for (const position of account.positions) {
    if (position === undefined || position.quantity === 0) continue;
    const market = state.getMarket(position.marketId);
    if (!isSettling(state, market)) continue;
    const { unrealizedProfit } = marketMargin(account, market);
    if (unrealizedProfit > 0n) uncounted += unrealizedProfit;
  }
  return uncounted;
}
