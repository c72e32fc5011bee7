import { toAmount } from '../../../domain/amount.ts';
import type { SignedLots } from '../../../domain/futures-position.ts';
import { postingCodes } from '../../ledger/postings.ts';
import type { FuturesAccount, Position } from '../accounts/futures-account.ts';
import type { FuturesState } from '../futures-state.ts';
import { decimalOne } from '../margin/lot-worth.ts';
import type { FuturesMarketState } from '../markets/futures-market-state.ts';

// Funding at a full hour: each position pays quantity x mark price x rate, longs to shorts where
// the rate is above zero. It is kept as a running index of mark price x rate, so that a position
// pays exactly for the fundings since its last change, whenever it is reached.
// https://www.binance.com/en/support/faq/introduction-to-binance-futures-funding-rates-360033525031

const rateUnit = 1_000_000_000n;

/** What the position is still to receive, below zero to pay; rounded down either way. */
export function pendingFunding(market: FuturesMarketState, position: Position): bigint {
  const owed = market.fundingIndex - position.fundingIndex;
  if (owed === 0n || position.quantity === 0) return 0n;
  const exact = -BigInt(position.quantity) * market.terms.lotSize * owed;
  return floorDivide(exact, decimalOne * rateUnit);
}

/** Pays what the position owes up to now, rounded down for whoever receives and up for payers. */
export function settleFunding(
  state: FuturesState,
  market: FuturesMarketState,
  account: FuturesAccount,
  position: Position,
): void {
  const isDue = market.fundingIndex !== position.fundingIndex && position.quantity !== 0;
  const amount = pendingFunding(market, position);
  position.fundingIndex = market.fundingIndex;
  if (!isDue) return;
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

export function floorDivide(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  return dividend < 0n && quotient * divisor !== dividend ? quotient - 1n : quotient;
}
