import { amountMax } from '../../../domain/amount.ts';
import type { FuturesAccount } from '../accounts/futures-account.ts';
import { isGateShut } from '../accounts/withdrawal-gate.ts';
import { pendingFundingOf } from '../funding/pending-funding.ts';
import type { FuturesState } from '../futures-state.ts';
import { isFresh } from '../pricing/price-state.ts';
import { isSettling } from '../pricing/settling.ts';
import { type AccountMargin, marketMargin, renewMargins } from './account-margin.ts';
import { initialColumn, ordersColumn, profitColumn } from './stakes.ts';

// Equity for new risk is stricter than equity for closing. In a market whose price is stale or
// held a profit counts as nothing and the initial margin twice, in one that settles a profit
// counts as nothing: what may be gone, or unpaid, carries no trade and does not leave.

/** A sum in the making: what comes out of a branch as a bigint takes memory. */
const available = new BigInt64Array(1);

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
 * The same for the account as it stands, within 64 bits: what would pass them on the way ends at
 * the largest amount, which nobody has.
 */
export function availableNow(state: FuturesState, account: FuturesAccount): bigint {
  renewMargins(state, account);
  const { stakes, accountId } = account;
  available[0] = account.walletBalance;
  add(stakes.sum(accountId, profitColumn));
  add(BigInt.asIntN(64, 0n - stakes.sum(accountId, initialColumn)));
  add(BigInt.asIntN(64, 0n - stakes.sum(accountId, ordersColumn)));
  const left = available[0];
  if (state.sweepCount === 0 && state.calmPrices.areCalm(state)) return left;
  return left + pendingFundingOf(state, account) - uncountedIn(state, account);
}

function add(amount: bigint): void {
  const before = available[0] as bigint;
  const sum = BigInt.asIntN(64, before + BigInt.asIntN(64, amount));
  available[0] = sum;
  if (before < 0n !== amount < 0n || before < 0n === sum < 0n) return;
  available[0] = before < 0n ? 0n - amountMax : amountMax;
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
  if (isGateShut(state) || state.closeOuts.has(account.accountId)) return 0n;
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
    if (!isOld && !isSettling(market)) continue;
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
    if (!isSettling(market)) continue;
    const { unrealizedProfit } = marketMargin(account, market);
    if (unrealizedProfit > 0n) uncounted += unrealizedProfit;
  }
  return uncounted;
}
