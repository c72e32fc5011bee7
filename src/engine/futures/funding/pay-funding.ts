import { toAmount } from '../../../domain/amount.ts';
import type { TimestampMs } from '../../../domain/identifiers.ts';
import type { FuturesState } from '../futures-state.ts';
import { type FuturesMarketState, hourMs, nextFullHour } from '../markets/futures-market-state.ts';
import { estimateFundingRate } from './funding-rate.ts';
import { settleFunding } from './settle-funding.ts';

/** Begins a market's funding once its hour has come: rate and mark price are fixed at that. */
export function beginFunding(state: FuturesState, market: FuturesMarketState): void {
  if (state.now < market.nextFundingTime || market.sweep !== null) return;
  const rate = estimateFundingRate(market);
  // After a pause only the last full hour is paid: nobody could act in the ones before.
  const fundingTime = (Math.floor(state.now / hourMs) * hourMs) as TimestampMs;
  market.nextFundingTime = nextFullHour(state.now);
  market.premiumSum = 0n;
  market.premiumCount = 0;
  const { markPrice } = market;
  if (markPrice === null) return;
  market.lastFundingRate = rate;
  market.fundingIndex += markPrice * rate;
  market.sweep = { fundingTime, rate, markPrice, nextAccountId: 1 };
  state.engine.outcome.push({
    type: 'fundingSettled',
    marketId: market.terms.marketId,
    fundingTime,
    fundingRate: rate,
    markPrice: toAmount(markPrice),
  });
}

/** Pays the funding of so many accounts at most; how many more could still be looked at. */
export function continueFunding(
  state: FuturesState,
  market: FuturesMarketState,
  budget: number,
): number {
  const { sweep } = market;
  if (sweep === null) return budget;
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
  if (end >= state.accountsEnd) market.sweep = null;
  else state.hasWorkLeft = true;
  return budget - visited;
}
