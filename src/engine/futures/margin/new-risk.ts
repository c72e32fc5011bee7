import { amountMax } from '../../../domain/amount.ts';
import type { ByRules } from '../../rules.ts';
import type { FuturesAccount } from '../accounts/futures-account.ts';
import type { Position } from '../accounts/stored-positions.ts';
import { isGateShut } from '../accounts/withdrawal-gate.ts';
import { pendingFundingOf } from '../funding/pending-funding.ts';
import type { FuturesState } from '../futures-state.ts';
import type { FuturesMarketState } from '../markets/futures-market-state.ts';
import { isFresh } from '../pricing/price-state.ts';
import { isSettling } from '../pricing/settling.ts';
import { type AccountMargin, marketMargin, profitAt, renewMargins } from './account-margin.ts';
import { initialColumn, ordersColumn, profitColumn } from './stakes.ts';

// Equity for new risk is stricter than equity for closing. In a market whose price is stale or
// held, a profit counts as nothing and the initial margin counts twice. In a market that is
// settling, a profit counts as nothing, and a loss is taken at the worse of valuation price and
// settled price. Money that may be lost or unpaid cannot back a trade and cannot be withdrawn.

/** A sum being computed: a bigint that comes out of a branch is allocated. */
const available = new BigInt64Array(1);

/** What new orders can use; negative if margins already exceed the equity. */
export function availableFor(
  state: FuturesState,
  account: FuturesAccount,
  margin: AccountMargin,
): bigint {
  const { equity, initial, orders } = margin;
  return equity - initial - orders - uncountedIn(state, account);
}

/**
 * The same for the account's current state, within 64 bits: an intermediate sum beyond them stops
 * at the largest amount, which no account has.
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
 * What can leave the wallet: settled money and funding due, less all losses and what the margins
 * require. Profits never count, not even to offset a loss in another market.
 */
export function withdrawableOf(
  state: FuturesState,
  account: FuturesAccount,
  margin: AccountMargin,
): bigint {
  if (isGateShut(state) || state.closeOuts.has(account.accountId)) return 0n;
  const free = freeOf(state, account, margin);
  return free > 0n ? free : 0n;
}

/** The same with an open gate; negative if margins and losses exceed the settled money. */
export function freeOf(
  state: FuturesState,
  account: FuturesAccount,
  { initial, orders }: AccountMargin,
): bigint {
  let free = account.walletBalance + pendingFundingOf(state, account) - initial - orders;
  for (const position of account.positions) {
    if (position === undefined || position.quantity === 0) continue;
    const market = state.getMarket(position.marketId);
    const need = marketMargin(account, market);
    if (need.unrealizedProfit < 0n) free += need.unrealizedProfit;
    if (!isFresh(market, state.now)) free -= need.initial;
  }
  return free;
}

/** The amount that is in plain equity and margins but does not count for new risk. */
function uncountedIn(state: FuturesState, account: FuturesAccount): bigint {
  let uncounted = 0n;
  for (const position of account.positions) {
    if (position === undefined || position.quantity === 0) continue;
    const market = state.getMarket(position.marketId);
    const isOld = !isFresh(market, state.now);
    if (!isOld && !isSettling(market)) continue;
    const { unrealizedProfit, initial } = marketMargin(account, market);
    if (isOld) uncounted += initial;
    uncounted += unrealizedProfit - countedProfit(state, market, position, unrealizedProfit);
  }
  return uncounted;
}

/**
 * What markets that are settling add to plain equity and does not count: profit, which its payer
 * may still fail to pay, and a loss that is smaller than at the settled price.
 */
export function uncountedSettling(state: FuturesState, account: FuturesAccount): bigint {
  let uncounted = 0n;
  for (const position of account.positions) {
    if (position === undefined || position.quantity === 0) continue;
    const market = state.getMarket(position.marketId);
    if (!isSettling(market)) continue;
    const { unrealizedProfit } = marketMargin(account, market);
    uncounted += unrealizedProfit - countedProfit(state, market, position, unrealizedProfit);
  }
  return uncounted;
}

/** Whether a loss in a settling market counts at the worse of valuation price and settled price. */
const countsWorse: ByRules<boolean> = { 11: false, 12: true, 13: true };

/** The loss that counts; never positive. */
function countedProfit(
  { rules }: FuturesState,
  market: FuturesMarketState,
  position: Position,
  profit: bigint,
): bigint {
  const loss = profit < 0n ? profit : 0n;
  const { settledPrice } = market;
  if (!countsWorse[rules] || settledPrice === null || !isSettling(market)) return loss;
  const settled = profitAt(market, position, settledPrice);
  return settled < loss ? settled : loss;
}
