import { toAmount } from '../../../domain/amount.ts';
import { bpsPerWhole } from '../../../domain/fee.ts';
import { type Rate, rateOne } from '../../../domain/futures-market.ts';
import { noAsk, noBid } from '../../book/order-book.ts';
import type { ByRules } from '../../rules.ts';
import { estimateFundingRate } from '../funding/funding-rate.ts';
import type { FuturesState } from '../futures-state.ts';
import { type FuturesMarketState, hourMs } from '../markets/futures-market-state.ts';
import { markBandBps } from '../risk-limits.ts';
import { fitsOpenValue } from './open-value.ts';
import { priceStateOf } from './price-state.ts';
import { isSettling, widenScan } from './settling.ts';

// Mark price = median of
//   price 1 = index x (1 + last funding rate x remaining part of the hour),
//   price 2 = index + average of (mid price - index) over the last 30 samples,
//   the last trade's price,
// so that none of them alone can liquidate an account, and never further than the mark band from
// the index. While the index is stale or a push is unconfirmed, the mark price stays as it is. It
// follows the index at once, but its distance from it changes in steps, each of which is settled
// before the next: trades and quotes of a few accounts cannot create a gap for which others would
// pay.
// https://www.binance.com/en/support/faq/mark-price-in-usd%E2%93%A2-margined-futures-360033525071

const basisSamplesMax = 30;
const sampleIntervalMs = 1_000;

/** Whether the mark price's distance from the index changes in steps. */
const isStepped: ByRules<boolean> = { 11: false, 12: false, 13: true };
/** A step is the base maintenance rate, divided by this, of the index. */
const stepDivisor = 4n;

/**
 * Updates the mark price from the index price and the book's mid price. `indexBefore` is the index
 * of the mark price so far.
 */
export function refreshPrices(
  state: FuturesState,
  market: FuturesMarketState,
  indexBefore = market.indexPrice,
): void {
  const mid = midPrice(market);
  if (market.terms.indexPriceSource === 'book') followBook(state, market, mid);
  const { indexPrice } = market;
  if (indexPrice === null) return;
  const priceState = priceStateOf(market, state.now);
  const isFrozen = priceState === 'stale' || priceState === 'held';
  if (!isFrozen && state.now - market.sampledAt >= sampleIntervalMs) {
    sample(state, market, indexPrice, mid);
  }
  const before = market.markPrice;
  const wasStale = market.isIndexStale;
  market.isIndexStale = priceState === 'stale';
  const markPrice =
    isFrozen && before !== null
      ? before
      : computeMarkPrice(market, indexPrice, state.now, carriedMark(state, market, indexBefore));
  if (markPrice === before && wasStale === market.isIndexStale) return;
  setMarkPrice(state, market, indexPrice, markPrice);
}

/** Sets the first index and mark price of a market that follows its book, at its first trade. */
export function priceByFirstTrade(
  state: FuturesState,
  market: FuturesMarketState,
  ticks: number,
): void {
  const price = market.priceOf(ticks);
  market.lastPrice = ticks;
  market.indexPrice = price;
  market.indexPriceAt = state.now;
  setMarkPrice(state, market, price, price);
}

/** Sets the settlement price of a delisted market, which values its positions from now on. */
export function setFinalPrice(
  state: FuturesState,
  market: FuturesMarketState,
  price: bigint,
): void {
  setMarkPrice(state, market, market.indexPrice ?? price, price);
}

function setMarkPrice(
  state: FuturesState,
  market: FuturesMarketState,
  indexPrice: bigint,
  markPrice: bigint,
): void {
  market.markPrice = markPrice;
  widenScan(market, markPrice);
  state.markEpoch += 1;
  state.movedMarkets.add(market);
  state.engine.outcome.push({
    type: 'markPriceChanged',
    marketId: market.terms.marketId,
    indexPrice: toAmount(indexPrice),
    markPrice: toAmount(markPrice),
    isIndexStale: market.isIndexStale,
    fundingRate: estimateFundingRate(state, market),
    nextFundingTime: market.nextFundingTime,
  });
}

/** The mark price as far as the index alone has moved it; null if its next one is in no step. */
function carriedMark(
  { rules }: FuturesState,
  { indexPrice, markPrice }: FuturesMarketState,
  indexBefore: bigint | null,
): bigint | null {
  if (!isStepped[rules] || indexPrice === null) return null;
  if (markPrice === null || indexBefore === null) return null;
  return (markPrice * indexPrice) / indexBefore;
}

/**
 * The median of the index with the funding due, the index with the average basis, and the last
 * price, within a step of the carried mark price and a band around the index; at least one unit.
 */
function computeMarkPrice(
  market: FuturesMarketState,
  indexPrice: bigint,
  now: number,
  carried: bigint | null,
): bigint {
  const last = market.lastPrice === 0 ? indexPrice : market.priceOf(market.lastPrice);
  const price1 = priceByFunding(indexPrice, market.lastFundingRate, market.nextFundingTime - now);
  const price2 = indexPrice + average(market.basisSamples);
  const aim = median(price1, price2, last);
  const rate = isSettling(market) ? 0n : market.terms.maintenanceMarginRate;
  const step = (indexPrice * rate) / (stepDivisor * rateOne);
  const next = carried === null ? aim : median(carried - step, aim, carried + step);
  const band = (indexPrice * markBandBps) / bpsPerWhole;
  const mark = median(indexPrice - band, next, indexPrice + band);
  return mark > 0n ? mark : 1n;
}

/** The middle between the best prices; null if a side is empty. */
function midPrice(market: FuturesMarketState): bigint | null {
  const { bestBid, bestAsk } = market.book;
  if (bestBid === noBid || bestAsk === noAsk) return null;
  return (market.priceOf(bestBid) + market.priceOf(bestAsk)) / 2n;
}

function followBook(state: FuturesState, market: FuturesMarketState, mid: bigint | null): void {
  const last = market.lastPrice === 0 ? null : market.priceOf(market.lastPrice);
  const index = mid ?? last ?? market.indexPrice;
  if (index === null || !fitsOpenValue(state, market, index)) return;
  market.indexPrice = index;
  market.indexPriceAt = state.now;
}

function sample(
  state: FuturesState,
  market: FuturesMarketState,
  indexPrice: bigint,
  mid: bigint | null,
): void {
  market.sampledAt = state.now;
  market.indexSamples.add(state.now, indexPrice);
  market.basisSamples.push(mid === null ? 0n : mid - indexPrice);
  if (market.basisSamples.length > basisSamplesMax) market.basisSamples.shift();
  market.premiumSum += premiumIndex(market, indexPrice);
  market.premiumCount += 1;
}

/** (max(0, bid - index) - max(0, index - ask)) / index, in 10^-9. */
function premiumIndex(market: FuturesMarketState, indexPrice: bigint): bigint {
  const { bestBid, bestAsk } = market.book;
  const above = bestBid === noBid ? 0n : market.priceOf(bestBid) - indexPrice;
  const below = bestAsk === noAsk ? 0n : indexPrice - market.priceOf(bestAsk);
  const premium = (above > 0n ? above : 0n) - (below > 0n ? below : 0n);
  return (premium * rateOne) / indexPrice;
}

function priceByFunding(indexPrice: bigint, rate: Rate, leftMs: number): bigint {
  const left = BigInt(Math.max(0, Math.min(leftMs, hourMs)));
  return indexPrice + (indexPrice * rate * left) / (rateOne * BigInt(hourMs));
}

function average(samples: readonly bigint[]): bigint {
  if (samples.length === 0) return 0n;
  return samples.reduce((sum, sample) => sum + sample, 0n) / BigInt(samples.length);
}

function median(a: bigint, b: bigint, c: bigint): bigint {
  const [low, high] = a < b ? [a, b] : [b, a];
  if (c < low) return low;
  return c > high ? high : c;
}
