import { bpsPerWhole } from '../../../domain/fee.ts';
import type { Rejection } from '../../../domain/rejection.ts';
import type { SetFuturesMarketStatus } from '../../futures-commands.ts';
import type { FuturesState } from '../futures-state.ts';
import { settleRisk } from '../liquidation/settle-risk.ts';
import { setFinalPrice } from '../pricing/mark-price.ts';
import { settlementBandBps } from '../risk-limits.ts';
import { type TimedOutcome, workLeft } from '../work-left.ts';
import { continueDelistings } from './continue-delistings.ts';
import { type FuturesMarketState, uniformTerms } from './futures-market-state.ts';

// Delisting is final. The settlement price is fixed when it begins: the mean of the index over the
// last half hour, which cannot be moved in a moment or, if that has too few samples, the
// administrator's price, near the last mark. From then on it values all positions in the market.

/** Delists the market now, or plans it for the given time. */
export function delistMarket(
  state: FuturesState,
  market: FuturesMarketState,
  { settlementPrice = null, effectiveAt = null }: SetFuturesMarketStatus,
): TimedOutcome {
  const refusal = checkSettlementPrice(market, settlementPrice);
  if (refusal !== null) return refusal;
  if (effectiveAt !== null && effectiveAt > state.now) {
    market.plannedDelisting = { at: effectiveAt, price: settlementPrice };
    emitDelistingPlan(state, market);
    return null;
  }
  const price = settlementPriceOf(state, market, settlementPrice);
  if (price === null && market.openInterest > 0) return { reason: 'settlement_price_required' };
  begin(state, market, price);
  const isSettled = settleRisk(state);
  const isDone = continueDelistings(state);
  return isSettled && isDone ? null : workLeft;
}

/** Cancels a planned delisting; does nothing if none is planned. */
export function cancelPlannedDelisting(state: FuturesState, market: FuturesMarketState): void {
  if (market.plannedDelisting === null) return;
  market.plannedDelisting = null;
  emitDelistingPlan(state, market);
}

/**
 * Begins the planned delistings that are due. Without a settlement price the market waits and
 * accepts only reducing orders.
 */
export function beginPlannedDelistings(state: FuturesState): void {
  for (const market of state.markets) {
    const { plannedDelisting: plan } = market;
    if (plan === null || plan.at > state.now) continue;
    const price = settlementPriceOf(state, market, plan.price);
    if (price !== null || market.openInterest === 0) begin(state, market, price);
  }
}

function begin(state: FuturesState, market: FuturesMarketState, price: bigint | null): void {
  const { marketId } = market.terms;
  const status = 'delisted';
  market.plannedDelisting = null;
  market.heldPush = null;
  market.terms = uniformTerms({ ...market.terms, status });
  state.engine.outcome.push({ type: 'futuresMarketStatusChanged', marketId, status });
  if (price !== null) setFinalPrice(state, market, price);
  const scan = state.riskQueue.scans + 1;
  market.delisting = { phase: 'orders', scan, nextAccountId: 1, nextShortId: 1 };
}

/** In whole ticks, so that a position is worth exactly what its trade at the price pays. */
function settlementPriceOf(
  state: FuturesState,
  market: FuturesMarketState,
  given: bigint | null,
): bigint | null {
  const isGiven = given !== null && checkSettlementPrice(market, given) === null;
  const price = market.indexSamples.mean(state.now) ?? (isGiven ? given : null);
  if (price === null) return null;
  return market.priceOf(Math.max(1, market.ticksBelow(price)));
}

function checkSettlementPrice(
  { markPrice }: FuturesMarketState,
  price: bigint | null,
): Rejection | null {
  if (price === null || markPrice === null) return null;
  const distance = price > markPrice ? price - markPrice : markPrice - price;
  if (distance * bpsPerWhole <= markPrice * settlementBandBps) return null;
  const detail = 'settlement_price: more than 10 % from the mark price';
  return { reason: 'parameter_invalid', detail };
}

function emitDelistingPlan(
  state: FuturesState,
  { terms, plannedDelisting }: FuturesMarketState,
): void {
  state.engine.outcome.push({
    type: 'futuresDelistingPlanned',
    marketId: terms.marketId,
    effectiveAt: plannedDelisting?.at ?? null,
  });
}
