import { toAmount } from '../../../domain/amount.ts';
import type { SignedLots } from '../../../domain/futures-position.ts';
import type { MarginCallPosition } from '../../futures-events.ts';
import type { ByRules } from '../../rules.ts';
import type { FuturesAccount } from '../accounts/futures-account.ts';
import { settleFundingFirst } from '../funding/settle-funding.ts';
import type { FuturesState } from '../futures-state.ts';
import { equityOf, marketMargin } from '../margin/account-margin.ts';
import { maintenanceColumn } from '../margin/stakes.ts';
import { beginScan, endScan } from '../pricing/settling.ts';
import type { CloseOut } from './close-out.ts';
import { closesFinally } from './close-out-stage.ts';
import { liquidateAccount, workOnCloseOut } from './liquidate-account.ts';
import { takeDue, unwatchAccount, watchAccount } from './watch-account.ts';
import {
  hundred,
  isClear,
  type JudgedMargin,
  slackOf,
  slackOfWarning,
  warnedFrom,
} from './watch-slack.ts';

/** The maximum number of positions that one command examines, and of accounts that it closes. */
const positionsMax = 1_000;
const liquidationsMax = 4;
/** The maximum number of due watches that one command handles. */
const dueMax = 2_000;

/**
 * Continues the scan for accounts that may no longer cover their maintenance margin.
 *
 * @returns whether it is complete, and no other one is needed.
 */
export function scanRisk(state: FuturesState): boolean {
  const { riskQueue } = state;
  if (!riskQueue.isScanning) {
    riskQueue.begin();
    beginScan(state);
  }
  const isAllDue = takeDue(state, dueMax);
  let positions = 0;
  let liquidations = 0;
  while (positions < positionsMax && liquidations < liquidationsMax) {
    const account = state.accounts[riskQueue.take()];
    if (account === undefined && riskQueue.isScanEmpty) break;
    if (account === undefined) continue;
    const visited = judge[state.rules](state, account);
    positions += 1 + countPositions(account) + (visited ?? 0);
    if (visited !== null) liquidations += 1;
  }
  if (!isAllDue || !riskQueue.isScanEmpty) return false;
  riskQueue.end();
  return endScan(state);
}

/** @returns null if nothing was closed; otherwise the number of others' positions examined. */
type Judge = (state: FuturesState, account: FuturesAccount) => number | null;

/** Accounts under a margin call or in the book stage are judged at every mark. */
const judgeNear: Judge = (state, account) => {
  const { accountId } = account;
  const closed = judgePositions(state, account);
  const isClosed = state.closeOuts.get(accountId)?.stage === 'book';
  const isNear = countPositions(account) > 0 && (isClosed || account.isWarned);
  if (isNear) state.riskQueue.near.add(accountId);
  else state.riskQueue.near.delete(accountId);
  return closed;
};

function judgePositions(state: FuturesState, account: FuturesAccount): number | null {
  const closeOut = state.closeOuts.get(account.accountId);
  if (countPositions(account) === 0 || (closeOut !== undefined && closeOut.stage !== 'book')) {
    unwatchAccount(state, account);
    return null;
  }
  const margin = judgedMargin(state, account);
  if (closeOut !== undefined) {
    unwatchAccount(state, account);
    return closesFinally(state, account, margin) ? workOnCloseOut(state, closeOut) : null;
  }
  account.isWarned = warn(state, account, margin);
  if (account.isWarned) unwatchAccount(state, account);
  else watchAccount(state, account, { loss: slackOfWarning(margin), gain: null });
  return liquidateAccount(state, account);
}

/** All accounts have watches at the level at which something happens to them next. */
const judgeWatched: Judge = (state, account) => {
  const closeOut = state.closeOuts.get(account.accountId);
  const isFlat = countPositions(account) === 0;
  if (isFlat) account.isWarned = false;
  if (isFlat || (closeOut !== undefined && closeOut.stage !== 'book')) {
    unwatchAccount(state, account);
    return null;
  }
  const margin = judgedMargin(state, account);
  if (closeOut === undefined) {
    const isNear = warn(state, account, margin);
    if (isNear || isClear(margin)) account.isWarned = isNear;
  }
  const closed =
    closeOut === undefined
      ? liquidateAccount(state, account)
      : closeFinally(state, account, closeOut, margin);
  if (closed === null) watchAccount(state, account, slackOf(state, account, margin));
  else {
    unwatchAccount(state, account);
    state.riskQueue.touch(account.accountId);
  }
  return closed;
};

const judge: ByRules<Judge> = { 11: judgeNear, 12: judgeNear, 13: judgeWatched };

function closeFinally(
  state: FuturesState,
  account: FuturesAccount,
  closeOut: CloseOut,
  margin: JudgedMargin,
): number | null {
  return closesFinally(state, account, margin) ? workOnCloseOut(state, closeOut) : null;
}

function judgedMargin(state: FuturesState, account: FuturesAccount): JudgedMargin {
  const equity = equityOf(state, account);
  return { equity, maintenance: state.stakes.sum(account.accountId, maintenanceColumn) };
}

/** Raises a margin call, unless one is in force. @returns whether the margin is that low. */
function warn(
  state: FuturesState,
  account: FuturesAccount,
  { equity, maintenance }: JudgedMargin,
): boolean {
  const isNear = maintenance > 0n && maintenance * hundred >= equity * warnedFrom;
  if (isNear && !account.isWarned) {
    settleFundingFirst(state, account);
    state.engine.outcome.push({
      type: 'marginCallRaised',
      accountId: account.accountId,
      equity: toAmount(equity),
      maintenanceMargin: toAmount(maintenance),
      walletBalance: toAmount(account.walletBalance),
      positions: describePositions(state, account),
    });
  }
  return isNear;
}

function describePositions(
  state: FuturesState,
  account: FuturesAccount,
): readonly MarginCallPosition[] {
  return account.positions.flatMap((position) => {
    if (position === undefined || position.quantity === 0) return [];
    const market = state.getMarket(position.marketId);
    const { unrealizedProfit, maintenance } = marketMargin(account, market);
    return {
      marketId: market.terms.marketId,
      quantity: position.quantity as SignedLots,
      markPrice: toAmount(market.markPrice ?? 0n),
      unrealizedProfit: toAmount(unrealizedProfit),
      maintenanceMargin: toAmount(maintenance),
    };
  });
}

function countPositions({ positions }: FuturesAccount): number {
  let count = 0;
  for (const position of positions)
    if (position !== undefined && position.quantity !== 0) count += 1;
  return count;
}
