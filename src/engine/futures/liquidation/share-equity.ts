import { ceilDivide, floorDivide } from '../../../domain/rounding.ts';
import type { ByRules } from '../../rules.ts';
import type { FuturesAccount } from '../accounts/futures-account.ts';
import type { Position } from '../accounts/stored-positions.ts';
import { fundingPerUnit } from '../funding/pending-funding.ts';
import type { FuturesState } from '../futures-state.ts';
import { accountMargin, marketMargin, profitAt } from '../margin/account-margin.ts';
import type { FuturesMarketState } from '../markets/futures-market-state.ts';

/** The part of an account's equity that backs one of its positions, in 10^-8 USDT. */
export interface PositionShare {
  readonly position: Position;
  readonly equity: bigint;
}

/** What decides a position's share, in 10^-8 USDT. */
interface Stake {
  readonly position: Position;
  /** Its maintenance margin. */
  readonly needed: bigint;
  readonly notional: bigint;
  /** What it has lost since its market's settled price. */
  readonly lost: bigint;
}

/** What all positions of an account have together. */
interface Total {
  readonly equity: bigint;
  readonly needed: bigint;
  readonly notional: bigint;
  readonly lost: bigint;
}

/**
 * The part of the account's equity that backs each position: in proportion to maintenance margin.
 * Negative equity is split by what each position has lost since its market's settled price, with
 * the funding of an hour that is being booked, so that the markets that have just moved pay and a
 * deleveraged account never ends with less than its position was worth before the move. No position
 * bears more than it has lost; the equity that was negative before is split like a positive one.
 */
export function shareEquity(
  state: FuturesState,
  account: FuturesAccount,
): readonly PositionShare[] {
  const { equity, maintenance } = accountMargin(state, account);
  const stakes: Stake[] = [];
  const total = { equity, needed: maintenance, notional: 0n, lost: 0n };
  for (const position of account.positions) {
    if (position === undefined || position.quantity === 0) continue;
    const market = state.getMarket(position.marketId);
    const { maintenance: needed, notional } = marketMargin(account, market);
    const lost = lossSinceSettled(state, market, position);
    stakes.push({ position, needed, notional, lost });
    total.notional += notional;
    total.lost += lost;
  }
  const share = shareOf[state.rules];
  return stakes.map((stake) => ({ position: stake.position, equity: share(stake, total) }));
}

/** Splits all that is below zero by what the positions have lost, however little that is. */
function shareByLoss(stake: Stake, { equity, needed, lost }: Total): bigint {
  if (equity < 0n && lost > 0n) return floorDivide(equity * stake.lost, lost);
  return floorDivide(equity * stake.needed, needed);
}

function shareUpToLoss(stake: Stake, { equity, needed, notional, lost }: Total): bigint {
  if (equity < 0n && lost >= -equity) return floorDivide(equity * stake.lost, lost);
  const before = equity < 0n ? equity + lost : equity;
  // Positions that are to be paid out at a settlement price need no margin.
  const rest = needed > 0n ? [stake.needed, needed] : [stake.notional, notional];
  const shared = floorDivide(before * (rest[0] as bigint), rest[1] as bigint);
  return equity < 0n ? shared - stake.lost : shared;
}

const shareOf: ByRules<(stake: Stake, total: Total) => bigint> = {
  11: shareByLoss,
  12: shareByLoss,
  13: shareUpToLoss,
};

/** Whether the funding of an hour counts as a loss. */
const countsFunding: ByRules<boolean> = { 11: false, 12: false, 13: true };

function lossSinceSettled(
  { rules }: FuturesState,
  market: FuturesMarketState,
  position: Position,
): bigint {
  const { settledPrice, markPrice, sweep } = market;
  if (settledPrice === null || markPrice === null) return 0n;
  let lost = profitAt(market, position, settledPrice) - profitAt(market, position, markPrice);
  if (countsFunding[rules] && sweep !== null) {
    const owed = sweep.markPrice * sweep.rate;
    lost += ceilDivide(BigInt(position.quantity) * market.terms.lotSize * owed, fundingPerUnit);
  }
  return lost > 0n ? lost : 0n;
}
