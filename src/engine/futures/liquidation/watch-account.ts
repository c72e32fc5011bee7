import { decimalOne } from '../../../domain/decimal.ts';
import { rateOne } from '../../../domain/futures-market.ts';
import { ceilDivide } from '../../../domain/rounding.ts';
import type { FuturesAccount } from '../accounts/futures-account.ts';
import type { FuturesState } from '../futures-state.ts';
import { marketMargin } from '../margin/account-margin.ts';
import { notionalSum } from '../margin/stakes.ts';
import type { FuturesMarketState } from '../markets/futures-market-state.ts';

// An account has a slack s: what its equity can lose before it has to be examined. Each position
// gets b, its share by notional of 7/8 of s, and a recheck price: mark - b / quantity for a long,
// mark + b / (quantity x (1 + highest maintenance rate)) for a short. Until a mark passes one of
// them, the account has lost less than s, since moves in its favor only help. Funding counts as a
// move of the mark: what a long pays per lot, divided by 1 less the highest rate, raises its
// market's longShift, and what a short pays its shortShift. So neither marks nor funding cost
// anything for accounts far from their maintenance margin.
//
// An account that has to be examined after a gain as well has a second slack, and each of its
// positions a recheck price on the other side of the mark: a long among the shorts, a short among
// the longs.

const slackPart = 7n;
const slackParts = 8n;
/**
 * Profits, margins and funding are each rounded to a unit, both now and when the watch is passed.
 */
const roundingEach = 4n;
/** Above this a price is no longer exact as a number. */
const exactMax = BigInt(Number.MAX_SAFE_INTEGER);

/** After which changes an account has to be examined. */
export interface Slack {
  /** Of its equity less a multiple, at most 1, of its maintenance margin. */
  readonly loss: bigint;
  /** Of its equity less at most 3/2 of its maintenance margin; null if no gain matters. */
  readonly gain: bigint | null;
}

/** Sets the recheck prices of each of the account's positions. */
export function watchAccount(state: FuturesState, account: FuturesAccount, slack: Slack): void {
  const notionals = state.stakes.sum(account.accountId, notionalSum);
  let count = 0n;
  for (const position of account.positions) {
    if (position !== undefined && position.quantity !== 0) count += 1n;
  }
  const budgetOf = (money: bigint) => (money * slackPart) / slackParts - count * roundingEach;
  const loss = budgetOf(slack.loss);
  const gain = slack.gain === null ? null : budgetOf(slack.gain);
  for (const position of account.positions) {
    if (position === undefined) continue;
    const market = state.getMarket(position.marketId);
    const { longs, shorts } = market.watches;
    const { accountId } = account;
    const { quantity } = position;
    const { notional } = marketMargin(account, market);
    const shareOf = (budget: bigint) =>
      budget > 0n && notionals > 0n ? (budget * notional) / notionals : 0n;
    if (quantity > 0) {
      longs.set(accountId, longKey(market, quantity, shareOf(loss)));
      if (gain === null) shorts.remove(accountId);
      else shorts.set(accountId, longGainKey(market, quantity, shareOf(gain)));
    } else if (quantity < 0) {
      shorts.set(accountId, shortKey(market, -quantity, shareOf(loss)));
      if (gain === null) longs.remove(accountId);
      else longs.set(accountId, shortGainKey(market, -quantity, shareOf(gain)));
    } else {
      longs.remove(accountId);
      shorts.remove(accountId);
    }
  }
}

/** Removes the account's watches: every scan examines it anyway, or it has no position. */
export function unwatchAccount(
  state: FuturesState,
  { accountId, positions }: FuturesAccount,
): void {
  for (const position of positions) {
    if (position === undefined) continue;
    const { longs, shorts } = state.getMarket(position.marketId).watches;
    longs.remove(accountId);
    shorts.remove(accountId);
  }
}

/**
 * Adds the accounts with a watch that a mark has passed to the scan, at most `most`.
 *
 * @returns whether these were all.
 */
export function takeDue(state: FuturesState, most: number): boolean {
  const { riskQueue } = state;
  let left = most;
  for (const market of state.markets) {
    const { longs, shorts, longShift, shortShift } = market.watches;
    if (market.markPrice === null) continue;
    const mark = Number(market.markPrice);
    for (const [heap, limit] of [
      [longs, longShift - mark],
      [shorts, shortShift + mark],
    ] as const) {
      while (heap.firstKey < limit) {
        if (left === 0) return false;
        riskQueue.addToScan(heap.takeFirst());
        left -= 1;
      }
    }
  }
  return true;
}

/** Whether the next scan judges the account: one of its watches is due, or it is in the queue. */
export function isDue({ markets, riskQueue }: FuturesState, accountId: number): boolean {
  if (riskQueue.has(accountId)) return true;
  return markets.some(({ markPrice, watches: { longs, shorts, longShift, shortShift } }) => {
    if (markPrice === null) return false;
    const mark = Number(markPrice);
    return longs.keyOf(accountId) < longShift - mark || shorts.keyOf(accountId) < shortShift + mark;
  });
}

/**
 * Shifts the watches by an hour's funding, in 10^-17 USDT per base asset; positive if longs pay.
 */
export function shiftWatches(market: FuturesMarketState, funding: bigint): void {
  const { watches } = market;
  if (funding > 0n) watches.longShift += Number(ceilDivide(funding, rateOne - highestRate(market)));
  else watches.shortShift += Number(ceilDivide(-funding, rateOne));
}

/** A long loses as the mark falls. */
function longKey(market: FuturesMarketState, lots: number, share: bigint): number {
  return keyBelow(market, (share * decimalOne) / baseUnits(market, lots));
}

/** A short loses as the mark rises, and its maintenance margin rises with it. */
function shortKey(market: FuturesMarketState, lots: number, share: bigint): number {
  const perUnit = baseUnits(market, lots) * (rateOne + highestRate(market));
  return keyAbove(market, (share * decimalOne * rateOne) / perUnit);
}

function longGainKey(market: FuturesMarketState, lots: number, share: bigint): number {
  return keyAbove(market, (share * decimalOne) / baseUnits(market, lots));
}

/** As the mark falls, a short gains, and up to 3/2 of its maintenance margin is set free. */
function shortGainKey(market: FuturesMarketState, lots: number, share: bigint): number {
  const perUnit = baseUnits(market, lots) * (2n * rateOne + 3n * highestRate(market));
  return keyBelow(market, (2n * share * decimalOne * rateOne) / perUnit);
}

/** Due at mark < watch: keys rise as recheck prices fall. */
function keyBelow({ markPrice, watches }: FuturesMarketState, distance: bigint): number {
  const mark = markPrice ?? 0n;
  if (mark > exactMax) return Number.NEGATIVE_INFINITY;
  return watches.longShift - Number(mark - distance);
}

/** Due at mark > watch. */
function keyAbove({ markPrice, watches }: FuturesMarketState, distance: bigint): number {
  const mark = markPrice ?? 0n;
  if (mark > exactMax) return Number.NEGATIVE_INFINITY;
  return watches.shortShift + Number(mark + distance);
}

function baseUnits({ terms }: FuturesMarketState, lots: number): bigint {
  return BigInt(lots) * terms.lotSize;
}

function highestRate({ terms }: FuturesMarketState): bigint {
  return terms.brackets.at(-1)?.maintenanceMarginRate ?? 0n;
}
