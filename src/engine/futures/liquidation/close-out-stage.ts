import type { FuturesAccount } from '../accounts/futures-account.ts';
import type { Position } from '../accounts/stored-positions.ts';
import type { FuturesState } from '../futures-state.ts';
import { type AccountMargin, notionalIn } from '../margin/account-margin.ts';
import { isFresh } from '../pricing/price-state.ts';
import { finalNotional } from '../risk-limits.ts';

/** Equity of 5/4 of the maintenance margin: no more has to be sold. */
export function isCarriedAgain({ equity, maintenance }: AccountMargin): boolean {
  return equity >= 0n && 4n * equity >= 5n * maintenance;
}

/** At or under the maintenance margin; without one, as after a settlement, below zero. */
export function isBroken({ equity, maintenance }: AccountMargin): boolean {
  return equity < 0n || (maintenance > 0n && equity <= maintenance);
}

/**
 * Whether the account's positions are closed now, whole: little equity is left, or they are too
 * small for slices. Nobody solvent hands a position over at an old price: where all are in stale or
 * held markets, they wait for the next price.
 */
export function closesFinally(
  state: FuturesState,
  account: FuturesAccount,
  { equity, maintenance }: Pick<AccountMargin, 'equity' | 'maintenance'>,
): boolean {
  if (equity < 0n) return true;
  const isDue = 3n * equity <= 2n * maintenance || notionalOfAll(state, account) <= finalNotional;
  return isDue && account.positions.some((position) => isClosable(state, position));
}

/** Whether a solvent account's position is closed by other means than a slice on the book. */
export function isClosable(state: FuturesState, position: Position | undefined): boolean {
  if (position === undefined || position.quantity === 0) return false;
  return isFresh(state.getMarket(position.marketId), state.now);
}

function notionalOfAll(state: FuturesState, account: FuturesAccount): bigint {
  let sum = 0n;
  for (const position of account.positions) {
    if (position === undefined || position.quantity === 0) continue;
    sum += notionalIn(account, state.getMarket(position.marketId));
  }
  return sum;
}
