import type { FuturesAccount } from '../accounts/futures-account.ts';
import { followDeficit } from '../accounts/withdrawal-gate.ts';
import { settleAccountFunding } from '../funding/settle-funding.ts';
import type { FuturesState } from '../futures-state.ts';
import { type AccountMargin, accountMargin } from '../margin/account-margin.ts';
import { endOrders } from '../orders/cancel-orders.ts';
import { canceledBy } from '../orders/end-order.ts';
import { bpsPerWhole, liquidationFeeBps } from '../risk-limits.ts';
import type { CloseOut } from './close-out.ts';
import { closesFinally, isBroken, isCarriedAgain } from './close-out-stage.ts';
import { countNowhere, countSettling } from './count-settling.ts';
import { beginFinalStage, closeLeg } from './final-stage.ts';
import { payByHouse, payIntoFund, releaseReservation } from './insurance.ts';
import { reportStep } from './report-step.ts';
import { sellSlice } from './sell-slice.ts';

// An account whose equity is at or under its maintenance margin is closed. Its orders end. While
// its equity is above two thirds of the maintenance margin slices are sold on the book, one a
// second, until the rest is carried again. Else the final stage fixes the price of each position
// and what the insurance fund may pay, and closes everything: on the book, with the fund's money,
// and against the positions of those who profit most.

/**
 * Begins to close an account that can no longer carry its positions.
 * @returns null where it can; else how many positions of other accounts had to be looked at.
 */
export function liquidateAccount(state: FuturesState, account: FuturesAccount): number | null {
  if (!isBroken(accountMargin(state, account))) return null;
  state.closeOutNumber += 1;
  const closeOut: CloseOut = {
    number: state.closeOutNumber,
    accountId: account.accountId,
    begunAt: state.now,
    stage: 'orders',
    hasEndedOrders: false,
    sliceAt: 0,
    closedNotional: 0n,
    deficit: 0n,
    legs: new Map(),
    settlesIn: [],
  };
  state.closeOuts.set(account.accountId, closeOut);
  countSettling(state, closeOut);
  return workOnCloseOut(state, closeOut);
}

/**
 * Goes on with a close-out, and ends it where nothing is left of its legs, or the account carries
 * its positions again.
 * @returns how many positions of other accounts were looked at.
 */
export function workOnCloseOut(state: FuturesState, closeOut: CloseOut): number {
  const account = state.openAccount(closeOut.accountId);
  if (closeOut.stage === 'orders' && !endItsOrders(state, account, closeOut)) return 0;
  if (closeOut.stage !== 'final' && !enterFinalStage(state, account, closeOut)) return 0;
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

/** Ends what the command may still end of the account's orders. @returns whether none is left. */
function endItsOrders(state: FuturesState, account: FuturesAccount, closeOut: CloseOut): boolean {
  if (account.orders.size > 0) {
    const ended = endOrders(state, account.accountId, canceledBy('liquidation'), {
      isChosen: () => true,
      most: state.endingBudget,
    });
    state.endingBudget -= ended;
    closeOut.hasEndedOrders ||= ended > 0;
  }
  if (account.orders.size > 0) {
    state.hasWorkLeft = true;
    return false;
  }
  if (closeOut.hasEndedOrders) reportStep(state, account, { step: 'orders_canceled', closeOut });
  closeOut.hasEndedOrders = false;
  return true;
}

/** Goes on with the book stage. @returns whether the final stage has begun instead. */
function enterFinalStage(
  state: FuturesState,
  account: FuturesAccount,
  closeOut: CloseOut,
): boolean {
  settleAccountFunding(state, account);
  const margin = accountMargin(state, account);
  if (isCarriedAgain(margin)) {
    finish(state, account, closeOut);
    return false;
  }
  if (closesFinally(state, account, margin)) {
    closeOut.stage = 'orders';
    countSettling(state, closeOut);
    // What the account has placed since, to reduce.
    if (!endItsOrders(state, account, closeOut)) return false;
    beginFinalStage(state, account, closeOut);
    return true;
  }
  closeOut.stage = 'book';
  countSettling(state, closeOut);
  if (state.now < closeOut.sliceAt) return false;
  sellSlice(state, account, closeOut);
  if (isCarriedAgain(accountMargin(state, account))) finish(state, account, closeOut);
  return false;
}

/** Money has come in: whoever carries his positions again is closed no further. */
export function endIfCarried(state: FuturesState, account: FuturesAccount): void {
  const closeOut = state.closeOuts.get(account.accountId);
  if (closeOut?.stage !== 'book') return;
  if (isCarriedAgain(accountMargin(state, account))) finish(state, account, closeOut);
}

/** The fee, as far as the money goes; the house makes whole what nobody has paid. */
function finish(state: FuturesState, account: FuturesAccount, closeOut: CloseOut): void {
  state.closeOuts.delete(account.accountId);
  countNowhere(state, closeOut);
  followDeficit(state, closeOut.deficit);
  releaseReservation(state, closeOut);
  const margin = accountMargin(state, account);
  if (margin.maintenance === 0n && account.walletBalance < 0n) payByHouse(state, account);
  const fee = (closeOut.closedNotional * liquidationFeeBps) / bpsPerWhole;
  const payable = payableFor(account, margin);
  payIntoFund(state, account, fee < payable ? fee : payable);
  reportStep(state, account, { step: 'finished', closeOut });
  state.riskQueue.touch(account.accountId);
}

/** No fee takes more than leaves the rest of the account above its maintenance margin. */
function payableFor({ walletBalance }: FuturesAccount, { equity, maintenance }: AccountMargin) {
  if (maintenance === 0n) return walletBalance;
  const spare = equity - maintenance - 1n;
  return walletBalance < spare ? walletBalance : spare;
}
