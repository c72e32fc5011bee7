import { toAmount } from '../../../domain/amount.ts';
import type { SignedLots } from '../../../domain/futures-position.ts';
import { postingCodes } from '../../ledger/postings.ts';
import type { ByRules } from '../../rules.ts';
import type { FuturesAccount } from '../accounts/futures-account.ts';
import type { Position } from '../accounts/stored-positions.ts';
import type { FuturesState } from '../futures-state.ts';
import type { FuturesMarketState } from '../markets/futures-market-state.ts';
import { pendingFunding } from './pending-funding.ts';

// Funding at a full hour: each position pays quantity x mark price x rate, longs to shorts if the
// rate is positive. It is kept as a running index of mark price x rate, so that a position pays
// exactly for the fundings since its last change, whenever it is processed.
// https://www.binance.com/en/support/faq/introduction-to-binance-futures-funding-rates-360033525031

/** Reports the hour's funding before its first payment. */
export function emitFunding(state: FuturesState, market: FuturesMarketState): void {
  const { sweep } = market;
  if (sweep === null || sweep.isReported) return;
  sweep.isReported = true;
  state.engine.outcome.push({
    type: 'fundingSettled',
    marketId: market.terms.marketId,
    fundingTime: sweep.fundingTime,
    fundingRate: sweep.rate,
    markPrice: toAmount(sweep.markPrice),
  });
}

/**
 * Books what the position owes or is owed up to now. Received amounts are rounded down, paid ones
 * up.
 */
export function settleFunding(
  state: FuturesState,
  market: FuturesMarketState,
  account: FuturesAccount,
  position: Position,
): void {
  if (market.fundingIndex === position.fundingIndex) return;
  const amount = pendingFunding(market, position);
  position.fundingIndex = market.fundingIndex;
  if (position.quantity === 0) return;
  emitFunding(state, market);
  state.postToWallet(account, state.cells.funding(market), amount, postingCodes.funding);
  state.engine.outcome.push({
    type: 'fundingPaid',
    accountId: account.accountId,
    marketId: market.terms.marketId,
    fundingTime: market.sweep?.fundingTime ?? state.now,
    positionQuantity: position.quantity as SignedLots,
    amount: toAmount(amount),
  });
}

const isBookedFirst: ByRules<boolean> = { 11: false, 12: true, 13: true };

/** Books the account's funding before it trades, is warned or is closed. */
export function settleFundingFirst(state: FuturesState, account: FuturesAccount): void {
  if (isBookedFirst[state.rules]) settleAccountFunding(state, account);
}

/** Books all funding due to or from the account. */
export function settleAccountFunding(state: FuturesState, account: FuturesAccount): void {
  if (state.sweepCount === 0) return;
  for (const position of account.positions) {
    if (position === undefined) continue;
    settleFunding(state, state.getMarket(position.marketId), account, position);
  }
}
