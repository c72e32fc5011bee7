import { type Amount, scaleAmount, toAmount, zeroAmount } from '../../domain/amount.ts';
import { type Points, pointsFromAmount, toPoints, zeroPoints } from './points.ts';
import { defaultPointsRates, type PointsRates } from './points-rule.ts';

// Every point has to cost its earner. Fees do; profits and positions do not, since two accounts of
// one owner can trade with each other and hold against each other for nothing. So what both bring
// in an epoch counts only up to the fees that the account has paid in it.

/** What an account did over an epoch, before the cap. */
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

export function addEarned(left: EpochEarned, right: EpochEarned): EpochEarned {
  return {
    feesPaid: toAmount(left.feesPaid + right.feesPaid),
    pnl: toPoints(left.pnl + right.pnl),
    holding: toPoints(left.holding + right.holding),
  };
}

export interface CappedPoints {
  readonly pnl: Points;
  readonly holding: Points;
}

/** What of them counts: profit first, then positions as far as there is room. */
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
