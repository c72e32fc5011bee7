import { maintenanceMargin } from '../../../domain/margin.ts';
import type { Lots, Ticks } from '../../../domain/spot-market.ts';
import type { FuturesState } from '../futures-state.ts';
import { accountMargin, marketMargin } from '../margin/account-margin.ts';
import type { FuturesMarketState } from '../markets/futures-market-state.ts';
import { settleTrade } from '../orders/futures-settlement.ts';
import { type LiveOrder, leftOf } from '../orders/live-order.ts';
import type { Candidate } from './candidate.ts';

/** Called after each forced trade with its price and lots. */
export type FillListener = (price: number, lots: number) => void;

/**
 * Trades the remainder of a close-out's order against the other side's positions, in the given
 * order. `lotsOf` returns how many lots may be taken from a candidate.
 */
export function tradeWithCandidates(
  state: FuturesState,
  market: FuturesMarketState,
  order: LiveOrder,
  {
    candidates,
    price,
    lotsOf,
    onFill,
  }: {
    readonly candidates: readonly Candidate[];
    readonly price: number;
    readonly lotsOf: (candidate: Candidate) => number;
    readonly onFill: FillListener;
  },
): void {
  for (const candidate of candidates) {
    if (leftOf(order) === 0) return;
    const quantity = Math.min(leftOf(order), lotsOf(candidate));
    if (quantity <= 0) continue;
    const { accountId } = candidate.account;
    const forced = state.openOrder(state.takeOrderNumber(), accountId, order.marketId);
    forced.side = order.side === 'buy' ? 'sell' : 'buy';
    forced.type = 'limit';
    forced.price = price as Ticks;
    forced.quantity = quantity as Lots;
    forced.isReduceOnly = true;
    forced.origin = 'auto_deleveraging';
    settleTrade(state, market, { maker: forced, taker: order, price, quantity });
    onFill(price, quantity);
  }
}

/**
 * Puts candidates first whose position the price does not close at a loss; ranked within each
 * group.
 */
export function inTurn(
  market: FuturesMarketState,
  candidates: readonly Candidate[],
  price: number,
): readonly Candidate[] {
  const isSpared = ({ position }: Candidate): boolean => {
    const { quantity, entryNotional } = position;
    const money = market.quote(price, Math.abs(quantity));
    return quantity > 0 ? money < entryNotional : money > entryNotional;
  };
  return [
    ...candidates.filter((each) => !isSpared(each)),
    ...candidates.filter((each) => isSpared(each)),
  ];
}

/**
 * The maximum lots that the candidate can give up at the price with its equity still above its
 * maintenance margin.
 */
export function lotsWithinMargin(
  state: FuturesState,
  market: FuturesMarketState,
  candidate: Candidate,
  price: number,
): number {
  const isSafe = safetyOf(state, market, candidate, price);
  const all = Math.abs(candidate.position.quantity);
  if (isSafe(all)) return all;
  let [most, tooMany] = [0, all];
  while (tooMany - most > 1) {
    const middle = Math.floor((most + tooMany) / 2);
    if (isSafe(middle)) most = middle;
    else tooMany = middle;
  }
  return most;
}

/**
 * Whether the candidate stays above its maintenance margin if it gives up all its lots, or one, at
 * the price in ticks.
 */
export function canGiveUp(
  state: FuturesState,
  market: FuturesMarketState,
  candidate: Candidate,
  price: number,
): boolean {
  const isSafe = safetyOf(state, market, candidate, price);
  return isSafe(Math.abs(candidate.position.quantity)) || isSafe(1);
}

/** Tells whether the candidate is above its maintenance margin without that many lots. */
function safetyOf(
  state: FuturesState,
  market: FuturesMarketState,
  { account, position }: Candidate,
  price: number,
): (lots: number) => boolean {
  const { equity, maintenance } = accountMargin(state, account);
  const before = marketMargin(account, market).maintenance;
  const isFinal = market.terms.status === 'delisted';
  const isLong = position.quantity > 0;
  const all = Math.abs(position.quantity);
  const value = (lots: number): bigint =>
    isLong ? market.lotWorth.down(lots) : 0n - market.lotWorth.up(lots);
  return (lots) => {
    const money = isLong ? market.quote(price, lots) : 0n - market.quote(price, lots);
    const left = equity + money + value(all - lots) - value(all);
    const notional = market.lotWorth.up(all - lots);
    const rest = isFinal ? 0n : maintenanceMargin(market.terms.brackets, notional);
    const needed = maintenance - before + rest;
    return left > needed || (needed === 0n && left >= 0n);
  };
}
