import { floorDivide } from '../../../domain/rounding.ts';
import type { FuturesAccount } from '../accounts/futures-account.ts';
import type { Position } from '../accounts/stored-positions.ts';
import type { FuturesState } from '../futures-state.ts';
import { accountMargin, marketMargin, profitAt } from '../margin/account-margin.ts';
import type { FuturesMarketState } from '../markets/futures-market-state.ts';

/** The part of an account's equity that backs one of its positions, in 10^-8 USDT. */
export interface PositionShare {
  readonly position: Position;
  readonly equity: bigint;
}

/**
 * The part of the account's equity that backs each position: in proportion to maintenance margin.
 * Negative equity is split by what each position has lost since its market's settled price, so that
 * the markets that have just moved pay, and a deleveraged account never ends with less than its
 * position was worth before the move.
 */
export function shareEquity(
  state: FuturesState,
  account: FuturesAccount,
): readonly PositionShare[] {
  const open = account.positions.filter((position) => position !== undefined).filter(isOpen);
  const { equity, maintenance } = accountMargin(state, account);
  const stakes = open.map((position) => {
    const market = state.getMarket(position.marketId);
    const needed = marketMargin(account, market).maintenance;
    return { position, needed, lost: lossSinceSettled(market, position) };
  });
  const losses = stakes.reduce((sum, { lost }) => sum + lost, 0n);
  const isByLoss = equity < 0n && losses > 0n;
  return stakes.map(({ position, needed, lost }) => ({
    position,
    equity: isByLoss
      ? floorDivide(equity * lost, losses)
      : floorDivide(equity * needed, maintenance),
  }));
}

function isOpen({ quantity }: Position): boolean {
  return quantity !== 0;
}

function lossSinceSettled(market: FuturesMarketState, position: Position): bigint {
  const { settledPrice, markPrice } = market;
  if (settledPrice === null || markPrice === null) return 0n;
  const lost = profitAt(market, position, settledPrice) - profitAt(market, position, markPrice);
  return lost > 0n ? lost : 0n;
}
