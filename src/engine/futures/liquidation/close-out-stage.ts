import type { FuturesAccount } from '../accounts/futures-account.ts';
import type { Position } from '../accounts/stored-positions.ts';
import type { FuturesState } from '../futures-state.ts';
import { type AccountMargin, notionalIn } from '../margin/account-margin.ts';
import { isFresh } from '../pricing/price-state.ts';
import { finalNotional } from '../risk-limits.ts';

/** Whether equity is at least 5/4 of the maintenance margin, so that no more has to be sold. */
export function isCarriedAgain({ equity, maintenance }: AccountMargin): boolean {
  return equity >= 0n && 4n * equity >= 5n * maintenance;
}

/**
 * Whether equity is at or below the maintenance margin or, without one, as after a settlement,
 * negative.
 */
export function isBroken({ equity, maintenance }: AccountMargin): boolean {
  return equity < 0n || (maintenance > 0n && equity <= maintenance);
}

/**
 * Whether the account's positions are to be closed entirely now: little equity is left, or they are
 * too small for slices. A solvent account is not closed at an old price: if all its positions are
 * in stale or held markets, they wait for the next price.
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

/** Whether a solvent account's position can be closed other than by a slice on the book. */
export function isClosable(state: FuturesState, position: Position | undefined): boolean {
  if (position === undefined || position.quantity === 0) return false;
  return isFresh(state.getMarket(position.marketId), state.now);
}

/** The size of all positions of the account at mark prices. */
export function notionalOfAll(state: FuturesState, account: FuturesAccount): bigint {
  let sum = 0n;
  for (const position of account.positions) {
    if (position === undefined || position.quantity === 0) continue;
    sum += notionalIn(account, state.getMarket(position.marketId));
  }
  return sum;
}
