import { toAmount } from '../../../domain/amount.ts';
import type { SignedLots } from '../../../domain/futures-position.ts';
import type { MarginCallPosition } from '../../futures-events.ts';
import type { FuturesAccount } from '../accounts/futures-account.ts';
import { settleFundingFirst } from '../funding/settle-funding.ts';
import type { FuturesState } from '../futures-state.ts';
import { equityOf, marketMargin } from '../margin/account-margin.ts';
import { maintenanceColumn } from '../margin/stakes.ts';
import { beginScan, endScan } from '../pricing/settling.ts';
import { closesFinally } from './close-out-stage.ts';
import { liquidateAccount, workOnCloseOut } from './liquidate-account.ts';
import { takeDue, unwatchAccount, watchAccount } from './watch-account.ts';

/** The maximum number of positions that one command examines, and of accounts that it closes. */
const positionsMax = 1_000;
const liquidationsMax = 4;
/** The maximum number of due watches that one command handles. */
const dueMax = 2_000;
/** Maintenance margin over equity, in percent, from which an account gets a margin call. */
const warnedFrom = 80n;
const hundred = 100n;

/**
 * Continues the scan for accounts that may no longer cover their maintenance margin.
 *
 * @returns whether it is complete, and no other one is needed.
 */
export function scanRisk(state: FuturesState): boolean {
  const { riskQueue } = state;
  if (!riskQueue.isLooking) {
    riskQueue.begin();
    beginScan(state);
  }
  const isAllDue = takeDue(state, dueMax);
  let positions = 0;
  let liquidations = 0;
  while (positions < positionsMax && liquidations < liquidationsMax) {
    const account = state.accounts[riskQueue.take()];
    if (account === undefined && riskQueue.isLookEmpty) break;
    if (account === undefined) continue;
    const visited = judge(state, account);
    positions += 1 + countPositions(account) + (visited ?? 0);
    if (visited !== null) liquidations += 1;
  }
  if (!isAllDue || !riskQueue.isLookEmpty) return false;
  riskQueue.end();
  return endScan(state);
}

/** @returns null if nothing was closed; otherwise the number of others' positions examined. */
function judge(state: FuturesState, account: FuturesAccount): number | null {
  const { accountId } = account;
  const closed = judgePositions(state, account);
  const isClosed = state.closeOuts.get(accountId)?.stage === 'book';
  const isNear = countPositions(account) > 0 && (isClosed || account.isWarned);
  if (isNear) state.riskQueue.near.add(accountId);
  else state.riskQueue.near.delete(accountId);
  return closed;
}

function judgePositions(state: FuturesState, account: FuturesAccount): number | null {
  const closeOut = state.closeOuts.get(account.accountId);
  if (countPositions(account) === 0 || (closeOut !== undefined && closeOut.stage !== 'book')) {
    unwatchAccount(state, account);
    return null;
  }
  const equity = equityOf(state, account);
  const maintenance = state.stakes.sum(account.accountId, maintenanceColumn);
  if (closeOut !== undefined) {
    unwatchAccount(state, account);
    const isFinal = closesFinally(state, account, { equity, maintenance });
    return isFinal ? workOnCloseOut(state, closeOut) : null;
  }
  warn(state, account, equity, maintenance);
  if (account.isWarned) unwatchAccount(state, account);
  else watchAccount(state, account, (equity * warnedFrom) / hundred - maintenance);
  return liquidateAccount(state, account);
}

function warn(
  state: FuturesState,
  account: FuturesAccount,
  equity: bigint,
  maintenance: bigint,
): void {
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
  account.isWarned = isNear;
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
