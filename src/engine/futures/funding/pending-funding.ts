import { decimalOne } from '../../../domain/decimal.ts';
import { rateOne } from '../../../domain/futures-market.ts';
import { floorDivide } from '../../../domain/rounding.ts';
import type { FuturesAccount } from '../accounts/futures-account.ts';
import type { Position } from '../accounts/stored-positions.ts';
import type { FuturesState } from '../futures-state.ts';
import type { FuturesMarketState } from '../markets/futures-market-state.ts';

/** The scale of a quantity x mark price x rate, all in their smallest units, to 10^-8 USDT. */
export const fundingPerUnit = decimalOne * rateOne;

/** What the position is still to receive, negative if it is to pay; rounded down in both cases. */
export function pendingFunding(market: FuturesMarketState, position: Position): bigint {
  const owed = market.fundingIndex - position.fundingIndex;
  if (owed === 0n || position.quantity === 0) return 0n;
  const exact = -BigInt(position.quantity) * market.terms.lotSize * owed;
  return floorDivide(exact, fundingPerUnit);
}

/**
 * Sums it over all positions of the account. Reads none of them while every hour is fully booked.
 */
export function pendingFundingOf(state: FuturesState, account: FuturesAccount): bigint {
  if (state.sweepCount === 0) return 0n;
  let pending = 0n;
  for (const position of account.positions) {
    if (position === undefined) continue;
    pending += pendingFunding(state.getMarket(position.marketId), position);
  }
  return pending;
}
