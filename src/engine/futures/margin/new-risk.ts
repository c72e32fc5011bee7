import type { FuturesAccount } from '../accounts/futures-account.ts';
import type { FuturesState } from '../futures-state.ts';
import { isFresh } from '../pricing/price-state.ts';
import { type AccountMargin, marketMargin } from './account-margin.ts';

// Equity for new risk is stricter than equity for closing. In a market whose price is stale or
// held a profit counts as nothing and the initial margin twice: what may be gone with the next
// price carries no trade, and does not leave.

/** What new orders may use, below zero where the margins already pass the equity. */
export function availableFor(
  state: FuturesState,
  account: FuturesAccount,
  margin: AccountMargin,
): bigint {
  const { equity, initial, orders } = margin;
  return equity - initial - orders - uncountedIn(state, account);
}

/**
 * What may leave the wallet: settled money less all losses and what margins need. No profit, not
 * even as far as it makes good a loss of another market.
 */
export function withdrawableOf(
  state: FuturesState,
  account: FuturesAccount,
  { initial, orders }: AccountMargin,
): bigint {
  let free = account.walletBalance - initial - orders;
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
    if (isFresh(market, state.now)) continue;
    const { unrealizedProfit, initial } = marketMargin(account, market);
    uncounted += initial + (unrealizedProfit > 0n ? unrealizedProfit : 0n);
  }
  return uncounted;
}
