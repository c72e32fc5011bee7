import { toAmount } from '../../../domain/amount.ts';
import type { Lots, Ticks } from '../../../domain/spot-market.ts';
import { noAsk, noBid } from '../../book/order-book.ts';
import type { LiquidationStep } from '../../futures-events.ts';
import { postingCodes } from '../../ledger/postings.ts';
import type { FuturesAccount, Position } from '../accounts/futures-account.ts';
import { floorDivide, settleFunding } from '../funding/settle-funding.ts';
import type { FuturesState } from '../futures-state.ts';
import {
  type AccountMargin,
  accountMargin,
  type MarketMargin,
  marketMargin,
  notionalIn,
} from '../margin/account-margin.ts';
import type { FuturesMarketState } from '../markets/futures-market-state.ts';
import { endOrders } from '../orders/cancel-orders.ts';
import { canceledBy, endOrder, expiredBy } from '../orders/end-order.ts';
import { blankOrder, type LiveOrder, leftOf } from '../orders/live-order.ts';
import { matchOrder } from '../orders/match-order.ts';
import { isFresh } from '../pricing/price-state.ts';
import { autoDeleverage } from './auto-deleverage.ts';
import { bankruptcyPrice } from './bankruptcy-price.ts';

// An account whose equity is at or under its maintenance margin is closed: its orders are
// canceled; each position is closed on the book at its bankruptcy price or better, then at worse
// prices as far as the insurance fund can pay the difference, and the rest against the positions
// of those who profit most. What is left of its money pays a fee into the insurance fund, on all
// that was closed, in however many attempts.

/** Of the notional that was liquidated: 1.25 %, in 10^-4. */
export const liquidationFeeBps = 125n;
const bpsPerWhole = 10_000n;

/**
 * @returns null where the account can stay as it is; else how many positions of other accounts had
 * to be looked at to close it.
 */
export function liquidateAccount(state: FuturesState, account: FuturesAccount): number | null {
  const before = accountMargin(state, account);
  if (before.maintenance === 0n || before.equity > before.maintenance) {
    if (account.closedNotional > 0n) breakOff(state, account, before);
    return null;
  }
  if (account.orders.size > 0) {
    endOrders(state, account.accountId, canceledBy('liquidation'), () => true);
    report(state, account, before, 'orders_canceled');
  }
  let visited = 0;
  const insurance = { left: insuranceFundOf(state) };
  for (const { position, equity } of shareEquity(state, account)) {
    const market = state.getMarket(position.marketId);
    const notional = notionalIn(account, market);
    // Nobody solvent hands its position over at an old price: it waits for the next one.
    const isFinal = before.equity < 0n || isFresh(market, state.now);
    visited += closePosition(state, account, market, { position, equity, isFinal }, insurance);
    account.closedNotional += notional - notionalIn(account, market);
  }
  // What nobody has taken yet is tried again when the account is looked at next.
  if (account.positions.some((position) => (position?.quantity ?? 0) !== 0)) return visited;
  settleRest(state, account);
  report(state, account, accountMargin(state, account), 'finished');
  return visited;
}

/** What the insurance fund can still pay for the account that is being closed. */
interface Insurance {
  left: bigint;
}

interface PositionShare {
  readonly position: Position;
  readonly equity: bigint;
}

/**
 * What of the equity stands behind each position: its part of the maintenance margin. Where prices
 * have jumped past that and there is less than nothing, losing positions share it by their losses,
 * so that no position is closed at a better price than its entry.
 */
function shareEquity(state: FuturesState, account: FuturesAccount): readonly PositionShare[] {
  const open = account.positions.filter((position) => position !== undefined).filter(isOpen);
  for (const position of open) {
    settleFunding(state, state.getMarket(position.marketId), account, position);
  }
  const { equity, maintenance } = accountMargin(state, account);
  const stakes = open.map((position) => {
    return { position, margin: marketMargin(account, state.getMarket(position.marketId)) };
  });
  const losses = stakes.reduce((sum, { margin }) => sum + lossOf(margin), 0n);
  return stakes.map(({ position, margin }) => ({
    position,
    equity:
      equity < 0n && losses > 0n
        ? floorDivide(equity * lossOf(margin), losses)
        : floorDivide(equity * margin.maintenance, maintenance),
  }));
}

function lossOf({ unrealizedProfit }: MarketMargin): bigint {
  return unrealizedProfit < 0n ? 0n - unrealizedProfit : 0n;
}

function isOpen({ quantity }: Position): boolean {
  return quantity !== 0;
}

function closePosition(
  state: FuturesState,
  account: FuturesAccount,
  market: FuturesMarketState,
  { position, equity, isFinal }: PositionShare & { readonly isFinal: boolean },
  insurance: Insurance,
): number {
  const price = bankruptcyPrice(market, position, equity);
  const order = blankOrder(
    state.takeOrderNumber(),
    account.accountId,
    position.marketId,
    state.now,
  );
  order.side = position.quantity > 0 ? 'sell' : 'buy';
  order.type = 'limit';
  order.price = price as Ticks;
  order.quantity = Math.abs(position.quantity) as Lots;
  order.isReduceOnly = true;
  order.origin = 'liquidation';
  state.addOrder(order);
  state.reportOrder(order, 'placed', 'liquidation');
  report(state, account, accountMargin(state, account), 'closing', market, price);
  matchOrder(state, market, order, price);
  if (!isFinal) {
    if (leftOf(order) > 0) endOrder(state, order, expiredBy('liquidation'));
    return 0;
  }
  if (leftOf(order) > 0) closeWithInsurance(state, account, market, order, { price, insurance });
  const left = leftOf(order);
  const visited = left === 0 ? 0 : autoDeleverage(state, market, order, price);
  if (leftOf(order) < left) {
    report(state, account, accountMargin(state, account), 'deleveraged', market, price);
  }
  // The ranking of the other side is still being made, or has not held enough.
  if (leftOf(order) > 0) endOrder(state, order, expiredBy('liquidation'));
  return visited;
}

/** Goes on at worse prices while the insurance fund can pay what they lose. */
function closeWithInsurance(
  state: FuturesState,
  account: FuturesAccount,
  market: FuturesMarketState,
  order: LiveOrder,
  { price: bankruptcy, insurance }: { readonly price: number; readonly insurance: Insurance },
): void {
  const before = leftOf(order);
  while (leftOf(order) > 0) {
    const best = order.side === 'sell' ? market.book.bestBid : market.book.bestAsk;
    if (best === noBid || best === noAsk) break;
    const lossPerLot = market.quote(Math.abs(best - bankruptcy), 1);
    const affordable = lossPerLot === 0n ? leftOf(order) : Number(insurance.left / lossPerLot);
    if (affordable === 0) break;
    const filled = order.filledQuantity;
    matchOrder(state, market, order, best, affordable);
    insurance.left -= lossPerLot * BigInt(order.filledQuantity - filled);
    // Reduce-only makers may have left instead of trading; the next price is then another one.
  }
  if (leftOf(order) < before) {
    report(state, account, accountMargin(state, account), 'insurance_used', market, bankruptcy);
  }
}

/**
 * Ends a close-out that others have made needless between two attempts: prices have turned, money
 * has come in, or nothing is left to close. The fee on what was closed is due now; it takes no
 * more than the account can give without being closed again.
 */
function breakOff(
  state: FuturesState,
  account: FuturesAccount,
  { equity, maintenance }: AccountMargin,
): void {
  if (maintenance === 0n) settleRest(state, account);
  else payFee(state, account, min(account.walletBalance, equity - maintenance - 1n));
}

/** Fee and insurance: the account ends with what is left of its money, never below zero. */
function settleRest(state: FuturesState, account: FuturesAccount): void {
  const { walletBalance } = account;
  if (walletBalance >= 0n) return payFee(state, account, walletBalance);
  account.closedNotional = 0n;
  const insuranceFund = insuranceFundOf(state);
  // The fund never pays more than it has; a debt beyond it stays with the account.
  changeInsuranceFund(
    state,
    account,
    insuranceFund + walletBalance < 0n ? -insuranceFund : walletBalance,
  );
}

/** The fee on all that the close-out has closed, as far as the account can pay it. */
function payFee(state: FuturesState, account: FuturesAccount, payable: bigint): void {
  const fee = (account.closedNotional * liquidationFeeBps) / bpsPerWhole;
  account.closedNotional = 0n;
  if (payable > 0n) changeInsuranceFund(state, account, min(fee, payable));
}

function changeInsuranceFund(state: FuturesState, account: FuturesAccount, change: bigint): void {
  if (change === 0n) return;
  const code = change > 0n ? postingCodes.liquidationFee : postingCodes.insurancePayment;
  state.postToWallet(account, state.cells.insurance(), -change, code);
  state.engine.outcome.push({
    type: 'insuranceFundChanged',
    balance: toAmount(insuranceFundOf(state)),
    change: toAmount(change),
    accountId: account.accountId,
  });
}

function report(
  state: FuturesState,
  account: FuturesAccount,
  { equity, maintenance }: AccountMargin,
  step: LiquidationStep,
  market: FuturesMarketState | null = null,
  price: number | null = null,
): void {
  state.engine.outcome.push({
    type: 'liquidationProgressed',
    accountId: account.accountId,
    marketId: market?.terms.marketId ?? null,
    step,
    equity: toAmount(equity),
    maintenanceMargin: toAmount(maintenance),
    bankruptcyPrice: price as Ticks | null,
  });
}

function insuranceFundOf({ cells }: FuturesState): bigint {
  return cells.ledger.balance(cells.insurance());
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
