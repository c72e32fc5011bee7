import { bpsPerWhole } from '../../../domain/fee.ts';
import { rateOne } from '../../../domain/futures-market.ts';
import type { Lots, Ticks } from '../../../domain/spot-market.ts';
import type { ByRules } from '../../rules.ts';
import type { FuturesAccount } from '../accounts/futures-account.ts';
import { followDeficit } from '../accounts/withdrawal-gate.ts';
import { checkDeleveraging } from '../command-rules.ts';
import type { FuturesState } from '../futures-state.ts';
import { accountMargin, notionalIn } from '../margin/account-margin.ts';
import type { FuturesMarketState } from '../markets/futures-market-state.ts';
import { endOrder, expiredBy } from '../orders/end-order.ts';
import { type LiveOrder, leftOf } from '../orders/live-order.ts';
import {
  type MakerBudget,
  type MatchEnd,
  matchOrder,
  openMakerBudget,
} from '../orders/match-order.ts';
import { inTurn, lotsWithinMargin, tradeWithCandidates } from './auto-deleverage.ts';
import { bankruptcyPrice } from './bankruptcy-price.ts';
import type { Candidate } from './candidate.ts';
import type { CloseOut, CloseOutLeg } from './close-out.ts';
import { isClosable } from './close-out-stage.ts';
import { countSettling } from './count-settling.ts';
import { findCandidates } from './find-candidates.ts';
import { payFromReservation, reservationOf, reserveInsurance } from './insurance.ts';
import { reportStep } from './report-step.ts';
import { shareEquity } from './share-equity.ts';

/** The inputs for closing one position. */
interface Leg {
  readonly closeOut: CloseOut;
  readonly account: FuturesAccount;
  readonly market: FuturesMarketState;
  readonly leg: CloseOutLeg;
}

/**
 * Fixes the price of each position and what the insurance fund may pay. If the account's equity is
 * not negative, its positions at old prices are left out.
 */
export function beginFinalStage(
  state: FuturesState,
  account: FuturesAccount,
  closeOut: CloseOut,
): void {
  const { equity: all } = accountMargin(state, account);
  let worst = 0n;
  let missing = 0n;
  for (const { position, equity } of shareEquity(state, account)) {
    if (all >= 0n && !isClosable(state, position)) continue;
    const market = state.getMarket(position.marketId);
    const bankruptcy = bankruptcyPrice(market, position, equity);
    closeOut.legs.set(position.marketId, { bankruptcy, deleverageAt: null });
    const { makerFeeBps, takerFeeBps } = market.terms;
    const notional = market.lotWorth.up(Math.abs(position.quantity));
    const need = (notional * BigInt(makerFeeBps + takerFeeBps)) / bpsPerWhole - equity;
    if (need > 0n) worst += need;
    missing -= equity;
  }
  closeOut.stage = 'final';
  countSettling(state, closeOut);
  reserveInsurance(state, closeOut, worst);
  const deficit = missing - reservationOf(state, closeOut);
  if (deficit > 0n) closeOut.deficit = deficit;
  followDeficit(state, closeOut.deficit);
}

/**
 * Closes what is left of a leg: on the book, then with insurance, then against the other side.
 * @returns the number of positions of other accounts that were examined.
 */
export function closeLeg(state: FuturesState, closing: Leg): number {
  const { closeOut, account, market, leg } = closing;
  const { marketId } = market.terms;
  const held = account.quantityIn(marketId);
  if (held === 0) return 0;
  const before = notionalIn(account, market);
  const { bankruptcy } = leg;
  const lots = Math.abs(held);
  const order = openClosingOrder(state, account, market, { price: bankruptcy, lots });
  reportStep(state, account, { step: 'closing', closeOut, market, price: bankruptcy, lots });
  // A delisted market is settled without its book.
  if (market.terms.status !== 'delisted') {
    const limit = bookLimit(market, order.side, bankruptcy);
    const meeting = openMakerBudget(state, order);
    let end = matchOrder(state, market, order, limit, Number.POSITIVE_INFINITY, meeting);
    if (end !== 'makers' && leftOf(order) > 0) {
      end = closeWithInsurance(state, closing, order, meeting);
    }
    // The next command continues with the book before any position of others is touched.
    if (end === 'makers') {
      closeOut.closedNotional += before - notionalIn(account, market);
      endOrder(state, order, expiredBy('liquidation'));
      return 0;
    }
  }
  const visited = leftOf(order) > 0 ? deleverage(state, closing, order) : 0;
  closeOut.closedNotional += before - notionalIn(account, market);
  // The ranking of the other side is still being built, or did not contain enough lots.
  if (leftOf(order) > 0) endOrder(state, order, expiredBy('liquidation'));
  return visited;
}

/** Opens the reduce-only order, in ticks and lots, that closes a position. */
export function openClosingOrder(
  state: FuturesState,
  { accountId, positions }: FuturesAccount,
  market: FuturesMarketState,
  { price, lots }: { readonly price: number; readonly lots: number },
): LiveOrder {
  const { marketId } = market.terms;
  const held = positions[marketId]?.quantity ?? 0;
  const order = state.openOrder(state.takeOrderNumber(), accountId, marketId);
  order.side = held > 0 ? 'sell' : 'buy';
  order.type = 'limit';
  order.price = price as Ticks;
  order.quantity = lots as Lots;
  order.isReduceOnly = true;
  order.origin = 'liquidation';
  state.addOrder(order);
  state.reportOrder(order, 'placed', 'liquidation');
  return order;
}

/**
 * The limit for trading on the book: the bankruptcy price, but within a band around the valuation
 * price.
 */
export function bookLimit(market: FuturesMarketState, side: 'buy' | 'sell', price: number): number {
  const mark = market.markPrice ?? 0n;
  const band = (mark * market.terms.maintenanceMarginRate) / rateOne;
  return side === 'sell'
    ? Math.max(price, market.ticksAbove(mark - band))
    : Math.min(price, market.ticksBelow(mark + band));
}

/**
 * Beyond the bankruptcy price, trades on the book within the insured band only: no further than the
 * fees of opening both sides, so that far-off bids of the same trader drain nothing.
 */
function closeWithInsurance(
  state: FuturesState,
  { closeOut, account, market, leg }: Leg,
  order: LiveOrder,
  meeting: MakerBudget,
): MatchEnd {
  const { bankruptcy } = leg;
  const { makerFeeBps, takerFeeBps } = market.terms;
  const mark = market.markPrice ?? 0n;
  const band = (mark * BigInt(makerFeeBps + takerFeeBps)) / bpsPerWhole;
  const isSell = order.side === 'sell';
  const last = isSell ? market.ticksAbove(mark - band) : market.ticksBelow(mark + band);
  const before = leftOf(order);
  let paid = 0n;
  let end: MatchEnd = 'exhausted';
  while (leftOf(order) > 0 && end !== 'makers') {
    const best = isSell ? market.book.bestBid : market.book.bestAsk;
    const isWithin = isSell ? best >= last && best > 0 : best <= last;
    if (!isWithin) break;
    const perLot = market.quote(Math.abs(best - bankruptcy), 1);
    const isWorse = isSell ? best < bankruptcy : best > bankruptcy;
    const lots =
      isWorse && perLot > 0n ? Number(reservationOf(state, closeOut) / perLot) : leftOf(order);
    if (lots === 0) break;
    const filled = order.filledQuantity;
    end = matchOrder(state, market, order, best, lots, meeting);
    const traded = BigInt(order.filledQuantity - filled);
    if (isWorse) paid += payFromReservation(state, closeOut, account, perLot * traded);
  }
  const lots = before - leftOf(order);
  if (lots > 0) {
    const price = bankruptcy;
    reportStep(state, account, { step: 'insurance_used', closeOut, market, price, lots, paid });
  }
  return end;
}

/** Closes positions of the other side at a price that is fixed at the first attempt. */
function deleverage(state: FuturesState, closing: Leg, order: LiveOrder): number {
  const { closeOut, account, market, leg } = closing;
  const price = leg.deleverageAt ?? fixDeleveragePrice(state, closing, order);
  leg.deleverageAt = price;
  const side = order.side === 'buy' ? 'long' : 'short';
  const isFree = ({ account: other }: Candidate) => !state.closeOuts.has(other.accountId);
  const lotsOf = (each: Candidate) => lotsWithinMargin(state, market, each, price);
  const canTake = (each: Candidate) => isFree(each) && lotsOf(each) > 0;
  const except = order.accountId;
  const found = findCandidates(state, market, side, { except, price, canTake });
  if (found === null) return 0;
  const before = leftOf(order);
  let paid = 0n;
  const isWorse = order.side === 'sell' ? price < leg.bankruptcy : price > leg.bankruptcy;
  tradeWithCandidates(state, market, order, {
    candidates: inTurn(market, found.candidates.filter(isFree), price),
    price,
    lotsOf,
    onFill: (_price, lots) => {
      if (!isWorse) return;
      const perLot = market.quote(Math.abs(price - leg.bankruptcy), 1);
      paid += payFromReservation(state, closeOut, account, perLot * BigInt(lots));
    },
  });
  // The rest, which no one can take at that price, is closed at the valuation price, at no cost to
  // the other side.
  if (found.isComplete || leftOf(order) === before) {
    tradeWithCandidates(state, market, order, {
      candidates: found.candidates,
      price: valueTicks(market, order.side),
      lotsOf: ({ position }) => Math.abs(position.quantity),
      onFill: () => undefined,
    });
  }
  const lots = before - leftOf(order);
  if (lots > 0) {
    const { price: bankruptcy } = order;
    const step = 'deleveraged';
    reportStep(state, account, { step, closeOut, market, price: bankruptcy, lots, paid });
  }
  return found.candidates.reduce((sum, each) => sum + each.account.positions.length, 0);
}

function fixDeleveragePrice(
  state: FuturesState,
  { closeOut, market, leg }: Leg,
  order: LiveOrder,
): number {
  const held = reservationOf(state, closeOut);
  const price = isBounded[state.rules]
    ? boundedPrice(market, order, leg.bankruptcy, held)
    : deleveragePrice(market, order, leg.bankruptcy, held);
  checkDeleveraging(state, market, order.side, price);
  return price;
}

/** Whether positions of others are closed for no less than they were worth before the move. */
const isBounded: ByRules<boolean> = { 11: false, 12: false, 13: true };

/**
 * `deleveragePrice`, but no worse for the other side than the settled price and the most that an
 * hour's funding is of it. The marks can have come back since the bankruptcy price was fixed, and
 * the equity was then lost in another market.
 */
function boundedPrice(
  market: FuturesMarketState,
  order: LiveOrder,
  bankruptcy: number,
  held: bigint,
): number {
  const price = deleveragePrice(market, order, bankruptcy, held);
  const { settledPrice, terms } = market;
  if (settledPrice === null) return price;
  const value = valueTicks(market, order.side);
  const give = (settledPrice * terms.maintenanceMarginRate) / rateOne;
  return order.side === 'sell'
    ? Math.min(price, Math.max(value, market.ticksAbove(settledPrice + give)))
    : Math.max(price, Math.min(value, market.ticksBelow(settledPrice - give)));
}

/**
 * Solvent: the valuation price, so that no one gains or loses against it. Bankrupt: the fund's
 * reservation pays first, and the winners of the other side pay the rest.
 */
function deleveragePrice(
  market: FuturesMarketState,
  order: LiveOrder,
  bankruptcy: number,
  held: bigint,
): number {
  const perTick = market.quote(1, leftOf(order));
  const relief = Number(held / perTick);
  const value = valueTicks(market, order.side);
  return order.side === 'sell'
    ? Math.max(value, bankruptcy - relief)
    : Math.max(1, Math.min(value, bankruptcy + relief));
}

/** The valuation price in ticks, rounded in favor of the order. */
function valueTicks(market: FuturesMarketState, side: 'buy' | 'sell'): number {
  return Math.max(1, side === 'sell' ? market.markTicksAbove : market.markTicksBelow);
}
