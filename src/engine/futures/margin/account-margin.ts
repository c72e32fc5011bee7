import type { FuturesAccount, Position } from '../accounts/futures-account.ts';
import type { FuturesState } from '../futures-state.ts';
import type { FuturesMarketState } from '../markets/futures-market-state.ts';
import { maintenanceMargin } from '../markets/leverage-brackets.ts';

// Cross margin over the perp wallet: equity = wallet balance + unrealized profit at mark price.
// Initial margin of a position is its notional at mark price over the leverage. Resting orders
// need margin for what they could add: with P the position's signed notional, B the bids and A the
// asks, (max(|P + B|, |P - A|) - |P|) / leverage, so an order that only closes needs none.
// Margins are rounded up, profits down.
// https://www.binance.com/en/support/faq/87fa7ee33b574f7084d42bd2ce2e463b

export const defaultLeverage = 20;

export interface MarketMargin {
  readonly notional: bigint;
  readonly unrealizedProfit: bigint;
  readonly initial: bigint;
  readonly maintenance: bigint;
  readonly orders: bigint;
}

export interface AccountMargin {
  equity: bigint;
  unrealizedProfit: bigint;
  initial: bigint;
  maintenance: bigint;
  orders: bigint;
}

export function leverageIn(account: FuturesAccount, market: FuturesMarketState): number {
  const { marketId, maxLeverage } = market.terms;
  return account.leverages[marketId] ?? Math.min(defaultLeverage, maxLeverage);
}

/** What the position would bring if it were closed at the mark price; at entry before the first. */
export function unrealizedProfit(market: FuturesMarketState, position: Position): bigint {
  const { quantity, entryNotional } = position;
  if (quantity === 0 || market.markPrice === null) return 0n;
  return quantity > 0
    ? market.valueAt(market.markPrice, quantity) - entryNotional
    : entryNotional - market.costAt(market.markPrice, -quantity);
}

/** The position's size in USDT at mark price, rounded up; at entry before the first. */
export function notionalOf(market: FuturesMarketState, position: Position | undefined): bigint {
  if (position === undefined || position.quantity === 0) return 0n;
  if (market.markPrice === null) return position.entryNotional;
  return market.costAt(market.markPrice, Math.abs(position.quantity));
}

/** The margin of a market, with orders that would add to those that rest. */
export function marketMargin(
  account: FuturesAccount,
  market: FuturesMarketState,
  addedBids = 0n,
  addedAsks = 0n,
): MarketMargin {
  const { marketId, brackets } = market.terms;
  const position = account.positions[marketId];
  const exposure = account.exposures[marketId];
  const notional = notionalOf(market, position);
  const leverage = BigInt(leverageIn(account, market));
  const signed = (position?.quantity ?? 0) < 0 ? -notional : notional;
  const bids = signed + (exposure?.bidNotional ?? 0n) + addedBids;
  const asks = signed - (exposure?.askNotional ?? 0n) - addedAsks;
  const reach = max(absolute(bids), absolute(asks));
  return {
    notional,
    unrealizedProfit: position === undefined ? 0n : unrealizedProfit(market, position),
    initial: divideUp(notional, leverage),
    maintenance: maintenanceMargin(brackets, notional),
    orders: reach <= notional ? 0n : divideUp(reach - notional, leverage),
  };
}

export function accountMargin(state: FuturesState, account: FuturesAccount): AccountMargin {
  const margin: AccountMargin = {
    equity: account.walletBalance,
    unrealizedProfit: 0n,
    initial: 0n,
    maintenance: 0n,
    orders: 0n,
  };
  const count = Math.max(account.positions.length, account.exposures.length);
  for (let marketId = 0; marketId < count; marketId += 1) {
    if (!isConcerned(account, marketId)) continue;
    const each = marketMargin(account, state.getMarket(marketId));
    margin.unrealizedProfit += each.unrealizedProfit;
    margin.initial += each.initial;
    margin.maintenance += each.maintenance;
    margin.orders += each.orders;
  }
  margin.equity += margin.unrealizedProfit;
  return margin;
}

/** What new orders may use, below zero where the margins already pass the equity. */
export function availableFor(margin: AccountMargin): bigint {
  return margin.equity - margin.initial - margin.orders;
}

/** What may leave the wallet: no unrealized profit, and not what margins need. */
export function withdrawableOf(margin: AccountMargin): bigint {
  const available = availableFor(margin);
  const free = margin.unrealizedProfit > 0n ? available - margin.unrealizedProfit : available;
  return free > 0n ? free : 0n;
}

function isConcerned(account: FuturesAccount, marketId: number): boolean {
  if (account.quantityIn(marketId) !== 0) return true;
  const exposure = account.exposures[marketId];
  return exposure !== undefined && (exposure.bidNotional !== 0n || exposure.askNotional !== 0n);
}

export function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
