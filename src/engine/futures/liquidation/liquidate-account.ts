import type { FuturesAccount } from '../accounts/futures-account.ts';
import { settleFunding } from '../funding/settle-funding.ts';
import type { FuturesState } from '../futures-state.ts';
import { type AccountMargin, accountMargin, marketMargin } from '../margin/account-margin.ts';
import { endOrders } from '../orders/cancel-orders.ts';
import { canceledBy, endOrder, expiredBy } from '../orders/end-order.ts';
import { leftOf } from '../orders/live-order.ts';
import { matchOrder } from '../orders/match-order.ts';
import { isFresh } from '../pricing/price-state.ts';
import { bpsPerWhole } from '../risk-limits.ts';
import { bankruptcyPrice } from './bankruptcy-price.ts';
import type { CloseOut } from './close-out.ts';
import { bookLimit, closeLeg, openClosingOrder } from './final-stage.ts';
import { payByHouse, payIntoFund, releaseReservation, reserveInsurance } from './insurance.ts';
import { reportStep } from './report-step.ts';
import { type PositionShare, shareEquity } from './share-equity.ts';

// An account whose equity is at or under its maintenance margin is closed: its orders are
// canceled; the closing price of each position and what the insurance fund may pay are fixed once;
// then each position is closed on the book, with the fund's money, and against the positions of
// those who profit most. What is left of its money pays a fee into the insurance fund.

/** Of the notional that was liquidated: 1.25 %, in 10^-4. */
export const liquidationFeeBps = 125n;
/** A solvent account's positions at an old price are tried on the book once in so long. */
const bookEveryMs = 1_000;

/**
 * Begins to close an account that can no longer carry its positions.
 * @returns null where it can; else how many positions of other accounts had to be looked at.
 */
export function liquidateAccount(state: FuturesState, account: FuturesAccount): number | null {
  const before = accountMargin(state, account);
  if (before.maintenance === 0n || before.equity > before.maintenance) return null;
  if (account.orders.size > 0) {
    endOrders(state, account.accountId, canceledBy('liquidation'), () => true);
    reportStep(state, account, { step: 'orders_canceled', margin: before });
  }
  for (const position of account.positions) {
    if (position === undefined || position.quantity === 0) continue;
    settleFunding(state, state.getMarket(position.marketId), account, position);
  }
  const { equity } = accountMargin(state, account);
  const shares = shareEquity(state, account);
  // Nobody solvent hands its position over at an old price: it waits for the next one.
  const isFinal = ({ position }: PositionShare): boolean =>
    equity < 0n || isFresh(state.getMarket(position.marketId), state.now);
  const legs = shares.filter(isFinal);
  if (legs.length === 0) return closeOnBook(state, account, shares);
  const closeOut = openCloseOut(state, account, legs);
  return workOnCloseOut(state, closeOut);
}

function openCloseOut(
  state: FuturesState,
  { accountId }: FuturesAccount,
  legs: readonly PositionShare[],
): CloseOut {
  state.closeOutNumber += 1;
  const closeOut: CloseOut = {
    number: state.closeOutNumber,
    accountId,
    closedNotional: 0n,
    legs: new Map(),
  };
  let worst = 0n;
  for (const { position, equity } of legs) {
    const market = state.getMarket(position.marketId);
    const bankruptcy = bankruptcyPrice(market, position, equity);
    closeOut.legs.set(position.marketId, { bankruptcy, deleverageAt: null });
    const { makerFeeBps, takerFeeBps } = market.terms;
    const notional = market.lotWorth.up(Math.abs(position.quantity));
    const need = (notional * BigInt(makerFeeBps + takerFeeBps)) / bpsPerWhole - equity;
    if (need > 0n) worst += need;
  }
  state.closeOuts.set(accountId, closeOut);
  reserveInsurance(state, closeOut, worst);
  return closeOut;
}

/**
 * Goes on with a close-out, and ends it where nothing is left of its legs.
 * @returns how many positions of other accounts were looked at.
 */
export function workOnCloseOut(state: FuturesState, closeOut: CloseOut): number {
  const account = state.openAccount(closeOut.accountId);
  let visited = 0;
  let isOver = true;
  for (const [marketId, leg] of closeOut.legs) {
    const market = state.getMarket(marketId);
    visited += closeLeg(state, { closeOut, account, market, leg });
    if (account.quantityIn(marketId) !== 0) isOver = false;
  }
  if (isOver) finish(state, account, closeOut);
  else state.hasWorkLeft = true;
  return visited;
}

/** The fee, as far as the money goes; the house makes whole what nobody has paid. */
function finish(state: FuturesState, account: FuturesAccount, closeOut: CloseOut): void {
  state.closeOuts.delete(account.accountId);
  releaseReservation(state, closeOut);
  const margin = accountMargin(state, account);
  if (margin.maintenance === 0n && account.walletBalance < 0n) payByHouse(state, account);
  const fee = (closeOut.closedNotional * liquidationFeeBps) / bpsPerWhole;
  const payable = payableFor(account, margin);
  payIntoFund(state, account, fee < payable ? fee : payable);
  reportStep(state, account, { step: 'finished' });
}

/** No fee takes more than leaves the rest of the account above its maintenance margin. */
function payableFor({ walletBalance }: FuturesAccount, { equity, maintenance }: AccountMargin) {
  if (maintenance === 0n) return walletBalance;
  const spare = equity - maintenance - 1n;
  return walletBalance < spare ? walletBalance : spare;
}

/** A solvent account whose prices are old: only the book, at no worse than its own equity pays. */
function closeOnBook(
  state: FuturesState,
  account: FuturesAccount,
  shares: readonly PositionShare[],
): number | null {
  if (account.bookTriedAt !== 0 && state.now - account.bookTriedAt < bookEveryMs) return null;
  account.bookTriedAt = state.now;
  for (const { position, equity } of shares) {
    const market = state.getMarket(position.marketId);
    const price = bankruptcyPrice(market, position, equity);
    const order = openClosingOrder(state, account, market, price);
    reportStep(state, account, { step: 'closing', market, price });
    const before = marketMargin(account, market).notional;
    matchOrder(state, market, order, bookLimit(market, order.side, price));
    const closed = before - marketMargin(account, market).notional;
    const fee = (closed * liquidationFeeBps) / bpsPerWhole;
    const payable = payableFor(account, accountMargin(state, account));
    payIntoFund(state, account, fee < payable ? fee : payable);
    if (leftOf(order) > 0) endOrder(state, order, expiredBy('liquidation'));
  }
  return 0;
}
