import { toAmount } from '../../../domain/amount.ts';
import type { SignedLots } from '../../../domain/futures-position.ts';
import type { MarginCallPosition } from '../../futures-events.ts';
import type { FuturesAccount } from '../accounts/futures-account.ts';
import type { FuturesState } from '../futures-state.ts';
import { equityOf, marketMargin } from '../margin/account-margin.ts';
import { maintenanceColumn } from '../margin/stake-margins.ts';
import { beginLook, endLook } from '../pricing/settling.ts';
import { closesFinally } from './close-out-stage.ts';
import { liquidateAccount, workOnCloseOut } from './liquidate-account.ts';

/** Positions that one command looks at, and accounts that it closes, at most. */
const positionsMax = 1_000;
const accountsMax = 20_000;
const liquidationsMax = 8;
/** Maintenance margin over equity, in hundredths, from which an account is warned. */
const warnedFrom = 80n;

/** Goes on with the search for accounts whose equity no longer covers their maintenance margin. */
export function scanRisk(state: FuturesState): void {
  let positions = 0;
  let liquidations = 0;
  if (state.riskCursor === 1) beginLook(state);
  const end = Math.min(state.accountsEnd, state.riskCursor + accountsMax);
  while (state.riskCursor < end) {
    const account = state.accounts[state.riskCursor];
    state.riskCursor += 1;
    const count = account === undefined ? 0 : countPositions(account);
    if (account !== undefined && count > 0) {
      const visited = judge(state, account);
      positions += count + (visited ?? 0);
      if (visited !== null) liquidations += 1;
    }
    if (positions >= positionsMax || liquidations >= liquidationsMax) break;
  }
  if (state.riskCursor < state.accountsEnd) {
    state.hasWorkLeft = true;
    return;
  }
  state.riskCursor = 1;
  if (!endLook(state)) state.hasWorkLeft = true;
}

function judge(state: FuturesState, account: FuturesAccount): number | null {
  const closeOut = state.closeOuts.get(account.accountId);
  if (closeOut !== undefined && closeOut.stage !== 'book') return null;
  const equity = equityOf(state, account);
  const maintenance = account.margins.sum(maintenanceColumn);
  if (closeOut !== undefined) {
    const isFinal = closesFinally(state, account, { equity, maintenance });
    return isFinal ? workOnCloseOut(state, closeOut) : null;
  }
  warn(state, account, equity, maintenance);
  return maintenance === 0n || equity > maintenance ? null : liquidateAccount(state, account);
}

function warn(
  state: FuturesState,
  account: FuturesAccount,
  equity: bigint,
  maintenance: bigint,
): void {
  const isNear = maintenance > 0n && maintenance * 100n >= equity * warnedFrom;
  if (isNear && !account.isWarned) {
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
