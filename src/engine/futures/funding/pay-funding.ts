import type { TimestampMs } from '../../../domain/identifiers.ts';
import type { FuturesState } from '../futures-state.ts';
import { shiftWatches } from '../liquidation/watch-account.ts';
import { type FuturesMarketState, hourMs, nextFullHour } from '../markets/futures-market-state.ts';
import { finalFundingRate } from './funding-rate.ts';
import { emitFunding, settleFunding } from './settle-funding.ts';

/**
 * Starts the funding hours that have begun, before anything else happens in them: an account that
 * closes or withdraws in the first moment of an hour held its position when the hour began. This
 * takes one step per market, however many accounts there are. The event is reported when the
 * payments begin.
 */
export function openFundingHours(state: FuturesState): void {
  if (state.now < state.hourDueAt) return;
  state.hourDueAt = Number.POSITIVE_INFINITY;
  for (const market of state.markets) {
    openFundingHour(state, market);
    if (market.terms.status === 'delisted') continue;
    state.hourDueAt = Math.min(state.hourDueAt, market.nextFundingTime);
  }
}

function openFundingHour(state: FuturesState, market: FuturesMarketState): void {
  if (state.now < market.nextFundingTime || market.sweep !== null) return;
  if (market.terms.status === 'delisted') return;
  const rate = finalFundingRate(state, market);
  // After a pause only the last full hour is paid: nobody could act in the earlier ones.
  const fundingTime = (Math.floor(state.now / hourMs) * hourMs) as TimestampMs;
  market.nextFundingTime = nextFullHour(state.now);
  market.premiumSum = 0n;
  market.premiumCount = 0;
  const { markPrice } = market;
  if (markPrice === null) return;
  market.lastFundingRate = rate;
  market.fundingIndex += markPrice * rate;
  shiftWatches(market, markPrice * rate);
  market.sweep = { fundingTime, rate, markPrice, nextAccountId: 1, isReported: false };
  state.sweepCount += 1;
}

/** Pays funding for at most `budget` accounts. @returns what is left of the budget. */
export function continueFunding(
  state: FuturesState,
  market: FuturesMarketState,
  budget: number,
): number {
  const { sweep } = market;
  if (sweep === null) return budget;
  emitFunding(state, market);
  const { marketId } = market.terms;
  const end = Math.min(state.accountsEnd, sweep.nextAccountId + budget);
  for (let accountId = sweep.nextAccountId; accountId < end; accountId += 1) {
    const account = state.accounts[accountId];
    const position = account?.positions[marketId];
    if (account !== undefined && position !== undefined) {
      settleFunding(state, market, account, position);
    }
  }
  const visited = end - sweep.nextAccountId;
  sweep.nextAccountId = end;
  if (end >= state.accountsEnd) {
    market.sweep = null;
    state.sweepCount -= 1;
  }
  return budget - visited;
}
