import { bpsPerWhole } from '../../../domain/fee.ts';
import type { ByRules } from '../../rules.ts';
import type { FuturesAccount } from '../accounts/futures-account.ts';
import { followDeficit } from '../accounts/withdrawal-gate.ts';
import { settleAccountFunding, settleFundingFirst } from '../funding/settle-funding.ts';
import type { FuturesState } from '../futures-state.ts';
import { type AccountMargin, accountMargin } from '../margin/account-margin.ts';
import { endOrders } from '../orders/cancel-orders.ts';
import { canceledBy } from '../orders/end-order.ts';
import { liquidationFeeBps } from '../risk-limits.ts';
import type { CloseOut } from './close-out.ts';
import { closesFinally, isBroken, isCarriedAgain } from './close-out-stage.ts';
import { countNowhere, countSettling } from './count-settling.ts';
import { beginFinalStage, closeLeg } from './final-stage.ts';
import { least, payByHouse, payIntoFund, releaseReservation } from './insurance.ts';
import { reportStep } from './report-step.ts';
import { hasNear } from './risk-queue.ts';
import { sellSlice } from './sell-slice.ts';

// An account whose equity is at or below its maintenance margin is closed. First its orders end.
// While its equity is above two thirds of the maintenance margin, slices are sold on the book, one
// per second, until it can carry the rest. Otherwise the final stage fixes the price of each
// position and what the insurance fund may pay, and closes everything: on the book, with the fund's
// money, and against the most profitable positions of the other side.

/**
 * Whether the account has nothing left that could make up its loss. A position in a market that is
 * being settled needs no margin, but is still to be paid out.
 */
const isOver: ByRules<(account: FuturesAccount, margin: AccountMargin) => boolean> = {
  11: (_account, { maintenance }) => maintenance === 0n,
  12: ({ isFlat }) => isFlat,
  13: ({ isFlat }) => isFlat,
};

/**
 * Begins closing an account that can no longer carry its positions.
 *
 * @returns null if it can; otherwise the number of positions of other accounts that were examined.
 */
export function liquidateAccount(state: FuturesState, account: FuturesAccount): number | null {
  if (!isBroken(accountMargin(state, account))) return null;
  settleFundingFirst(state, account);
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
 * Continues a close-out, and finishes it once nothing is left of its legs or the account can carry
 * its positions again.
 *
 * @returns the number of positions of other accounts that were examined.
 */
export function workOnCloseOut(state: FuturesState, closeOut: CloseOut): number {
  const account = state.openAccount(closeOut.accountId);
  if (closeOut.stage === 'orders' && !endItsOrders(state, account, closeOut)) return 0;
  if (closeOut.stage !== 'final' && !enterFinalStage(state, account, closeOut)) return 0;
  let visited = 0;
  let isClosed = true;
  for (const [marketId, leg] of closeOut.legs) {
    const market = state.getMarket(marketId);
    visited += closeLeg(state, { closeOut, account, market, leg });
    if (account.quantityIn(marketId) !== 0) isClosed = false;
  }
  if (isClosed) finish(state, account, closeOut);
  return visited;
}

/** Ends as many of the account's orders as the command may. @returns whether none is left. */
function endItsOrders(state: FuturesState, account: FuturesAccount, closeOut: CloseOut): boolean {
  if (account.orders.size > 0) {
    const ended = endOrders(state, account.accountId, canceledBy('liquidation'), {
      isChosen: () => true,
      most: state.endingBudget,
    });
    state.endingBudget -= ended;
    closeOut.hasEndedOrders ||= ended > 0;
  }
  if (account.orders.size > 0) return false;
  if (closeOut.hasEndedOrders) reportStep(state, account, { step: 'orders_canceled', closeOut });
  closeOut.hasEndedOrders = false;
  return true;
}

/** Continues the book stage. @returns whether the final stage has begun instead. */
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
    // Reducing orders that the account has placed meanwhile.
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

/** Lets the next scan judge close-outs that wait for a fresh price. */
export function judgeWaiting({ closeOuts, riskQueue, rules }: FuturesState): void {
  if (hasNear[rules]) return;
  for (const { accountId, stage } of closeOuts.values()) {
    if (stage === 'book') riskQueue.touch(accountId);
  }
}

/** Ends a book-stage close-out if incoming money lets the account carry its positions again. */
export function endIfCarried(state: FuturesState, account: FuturesAccount): void {
  const closeOut = state.closeOuts.get(account.accountId);
  if (closeOut?.stage !== 'book') return;
  if (isCarriedAgain(accountMargin(state, account))) finish(state, account, closeOut);
}

/** Charges the fee as far as the money allows; the exchange makes up an unpaid loss. */
function finish(state: FuturesState, account: FuturesAccount, closeOut: CloseOut): void {
  state.closeOuts.delete(account.accountId);
  countNowhere(state, closeOut);
  followDeficit(state, closeOut.deficit);
  releaseReservation(state, closeOut);
  const margin = accountMargin(state, account);
  const hasNothingLeft = isOver[state.rules](account, margin);
  if (hasNothingLeft && account.walletBalance < 0n) payByHouse(state, account, closeOut.number);
  const fee = (closeOut.closedNotional * liquidationFeeBps) / bpsPerWhole;
  const payable = hasNothingLeft ? account.walletBalance : payableFor(account, margin);
  payIntoFund(state, account, closeOut, least(fee, payable));
  reportStep(state, account, { step: 'finished', closeOut });
  state.riskQueue.touch(account.accountId);
}

/** The largest fee that leaves the account above its maintenance margin. */
function payableFor({ walletBalance }: FuturesAccount, { equity, maintenance }: AccountMargin) {
  return least(walletBalance, equity - maintenance - 1n);
}
