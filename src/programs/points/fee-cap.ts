import { type Amount, scaleAmount, toAmount, zeroAmount } from '../../domain/amount.ts';
import { type Points, pointsFromAmount, toPoints, zeroPoints } from './points.ts';
import { defaultPointsRates, type PointsRates } from './points-rule.ts';

// Every point has to cost its earner something. Fees do; profits and positions do not, since two
// accounts of one owner can trade with each other and hold opposite positions for free. So the
// points of profits and positions in an epoch count only up to the fees that the account paid in
// it.

/** An account's fees and points of an epoch before the cap. */
export interface EpochEarned {
  readonly feesPaid: Amount;
  readonly pnl: Points;
  readonly holding: Points;
}

export const nothingEarned: EpochEarned = {
  feesPaid: zeroAmount,
  pnl: zeroPoints,
  holding: zeroPoints,
};

/** Adds what was earned in two parts of the same epoch. */
export function addEarned(left: EpochEarned, right: EpochEarned): EpochEarned {
  return {
    feesPaid: toAmount(left.feesPaid + right.feesPaid),
    pnl: toPoints(left.pnl + right.pnl),
    holding: toPoints(left.holding + right.holding),
  };
}

/** The points of an epoch that the cap leaves. */
export interface CappedPoints {
  readonly pnl: Points;
  readonly holding: Points;
}

/**
 * Caps the points by the fees, at `perFeeMax` points per USDT: profit counts first, then positions
 * as far as there is room.
 */
export function capByFees(
  { feesPaid, pnl, holding }: EpochEarned,
  { perFeeMax }: PointsRates = defaultPointsRates,
): CappedPoints {
  const room = pointsFromAmount(scaleAmount(feesPaid, perFeeMax, 'down'));
  const countedPnl = least(pnl, room);
  return { pnl: countedPnl, holding: least(holding, toPoints(room - countedPnl)) };
}

function least(left: Points, right: Points): Points {
  return left < right ? left : right;
}
