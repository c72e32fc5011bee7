import { amountMax } from '../../domain/amount.ts';
import { spotFeeBpsMax } from '../../domain/fee.ts';
import type { MarketId } from '../../domain/identifiers.ts';
import type { Rejection } from '../../domain/rejection.ts';
import {
  marketUnits,
  type SpotMarket,
  type SpotMarketTerms,
  spotMarketStatuses,
} from '../../domain/spot-market.ts';
import { noAsk, noBid } from '../book/order-book.ts';
import { type CreateSpotMarket, canceledMax, type SetSpotMarketStatus } from '../commands.ts';
import type { EngineState } from '../engine-state.ts';
import { cancelMarketOrders } from './cancel-spot-orders.ts';
import { SpotMarketState } from './spot-market-state.ts';

/** Creates a listed market; tokens without a number get one. */
export function createSpotMarket(state: EngineState, command: CreateSpotMarket): Rejection | null {
  const { terms } = command;
  if (!areTermsSound(terms)) return { reason: 'market_terms_invalid' };
  const units = marketUnits(terms.tickSize, terms.lotSize);
  if (units === null) return { reason: 'market_units_too_fine' };
  if (units.lotAmount > amountMax || units.tickLotAmount > amountMax) {
    return { reason: 'market_terms_invalid' };
  }
  if (state.spotMarketIds.has(terms.symbol)) return { reason: 'market_exists' };
  const marketId = state.spotMarkets.length as MarketId;
  const market: SpotMarket = {
    ...terms,
    ...units,
    marketId,
    baseTokenId: state.openToken(terms.baseToken),
    quoteTokenId: state.openToken(terms.quoteToken),
    status: 'listed',
    createdAt: state.timestamp,
  };
  const { settlement, orders, ledger } = state;
  state.spotMarkets.push(new SpotMarketState(market, settlement, orders.records, ledger));
  state.spotMarketIds.set(terms.symbol, marketId);
  state.outcome.push({ type: 'spotMarketCreated', market });
  return null;
}

/**
 * Lists, halts or delists a market. Delisting is final and cancels its resting orders, a bounded
 * number per command: the same status again, or advanceTime, continues.
 */
export function setSpotMarketStatus(
  state: EngineState,
  command: SetSpotMarketStatus,
): Rejection | null {
  const { symbol, status } = command;
  const marketId = state.spotMarketIds.get(symbol);
  if (marketId === undefined) return { reason: 'market_not_found' };
  if (!spotMarketStatuses.includes(status)) return { reason: 'market_status_unknown' };
  const market = state.getSpotMarket(marketId);
  if (market.terms.status === status) {
    endDelisted(state, market);
    return null;
  }
  if (market.terms.status === 'delisted') return { reason: 'market_status_final' };
  market.terms = { ...market.terms, status };
  state.outcome.push({ type: 'spotMarketStatusChanged', marketId, status });
  endDelisted(state, market);
  return null;
}

function endDelisted(state: EngineState, market: SpotMarketState): void {
  if (market.terms.status !== 'delisted') return;
  cancelMarketOrders(state, market, canceledMax);
  if (!isEmpty(market)) state.outcome.push({ type: 'workDue' });
}

/**
 * Continues to end the orders of delisted markets, for which no sender may be waiting.
 *
 * @returns whether none is left.
 */
export function continueSpotDelistings(state: EngineState): boolean {
  let left = canceledMax;
  for (const market of state.spotMarkets) {
    if (market.terms.status !== 'delisted' || isEmpty(market)) continue;
    left -= cancelMarketOrders(state, market, left);
    if (!isEmpty(market)) return false;
  }
  return true;
}

function isEmpty({ book }: SpotMarketState): boolean {
  return book.bestBid === noBid && book.bestAsk === noAsk;
}

function areTermsSound(terms: SpotMarketTerms): boolean {
  const { baseToken, quoteToken, minNotional, makerFeeBps, takerFeeBps } = terms;
  if (baseToken === quoteToken) return false;
  if (minNotional < 0n || minNotional > amountMax) return false;
  return isFeeSound(makerFeeBps) && isFeeSound(takerFeeBps);
}

function isFeeSound(bps: number): boolean {
  return Number.isInteger(bps) && bps >= 0 && bps <= spotFeeBpsMax;
}
