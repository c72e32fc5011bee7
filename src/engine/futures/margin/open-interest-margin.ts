import { ceilDivide } from '../../../domain/rounding.ts';
import type { ByRules } from '../../rules.ts';
import type { Position } from '../accounts/stored-positions.ts';
import type { FuturesState } from '../futures-state.ts';
import type { FuturesMarketState } from '../markets/futures-market-state.ts';

// From half of a market's maximum open interest on, what an order adds needs more initial margin
// than 1 / leverage: 1/L + (1 - 1/L) x share; the share rises with open interest from 0 at
// half of the maximum to 1 at the maximum. A position therefore keeps the part of its notional that
// needs margin in full, which falls with its lots only, so that the same money cannot carry one
// small piece after the other.

const isRaised: ByRules<boolean> = { 11: false, 12: true, 13: true };

/** Whether margin is raised at that many lots of open interest. */
export function raisesMargin(
  state: FuturesState,
  { openInterestMax }: FuturesMarketState,
  openInterest: number,
): boolean {
  return 2 * openInterest > openInterestMax && isRaised[state.rules];
}

/** Lots that a trade or order adds to a position. */
export interface AddedLots {
  readonly added: number;
  /** The open interest then, in lots. */
  readonly reached: number;
  /** In ticks; it values the lots in a market that has no mark price yet. */
  readonly price: number;
}

/** The part of the added lots' notional that needs margin in full, rounded up. */
export function fullNotionalOf(
  state: FuturesState,
  market: FuturesMarketState,
  { added, reached, price }: AddedLots,
): bigint {
  if (added <= 0 || !isRaised[state.rules]) return 0n;
  if (market.markPrice !== null && !raisesMargin(state, market, reached)) return 0n;
  const lots = Math.min(reached, market.openInterestMax);
  const most = market.terms.maxOpenInterest;
  const beyond = 2n * notionalAt(market, lots, price) - most;
  if (beyond <= 0n) return 0n;
  const share = beyond < most ? beyond : most;
  return ceilDivide(notionalAt(market, added, price) * share, most);
}

/** At the mark price; at the given price in ticks before the first. Rounded up. */
export function notionalAt(market: FuturesMarketState, lots: number, price: number): bigint {
  return market.markPrice === null ? market.quote(price, lots) : market.lotWorth.up(lots);
}

/** What is left of it once the position has shrunk from one number of lots to another. */
export function shrunkFullNotional(full: bigint, from: number, to: number): bigint {
  if (full === 0n) return 0n;
  return ceilDivide(full * BigInt(to), BigInt(from));
}

const none = { quantity: 0, fullNotional: 0n };

/** What a position of these lots keeps after a trade; the sign of the lots is their side. */
export function fullNotionalAfter(
  position: Position | undefined,
  lots: number,
  added: bigint,
): bigint {
  const { quantity, fullNotional } = position ?? none;
  const [before, after] = [Math.abs(quantity), Math.abs(lots)];
  if (quantity === 0 || quantity > 0 !== lots > 0) return added;
  return after < before ? shrunkFullNotional(fullNotional, before, after) : fullNotional + added;
}
