import { amountMax } from '../../../domain/amount.ts';
import { maintenanceMargin } from '../../../domain/leverage-brackets.ts';
import { int64 } from '../../storage/int64.ts';
import type { FuturesAccount, Position } from '../accounts/futures-account.ts';
import { pendingFundingOf } from '../funding/pending-funding.ts';
import type { FuturesState } from '../futures-state.ts';
import type { FuturesMarketState } from '../markets/futures-market-state.ts';
import {
  asksColumn,
  bidsColumn,
  freshRow,
  initialColumn,
  maintenanceColumn,
  notionalColumn,
  ordersColumn,
  profitColumn,
} from './stake-margins.ts';

// Cross margin over the perp wallet: equity = wallet balance + unrealized profit at mark price
// + funding that is due and not yet booked, so that nobody is judged before his own funding.
// Initial margin of a position is its notional at mark price over the leverage. Resting orders
// need margin for what they could add: with P the position's signed notional, B the bids and A the
// asks, (max(|P + B|, |P - A|) - |P|) / leverage, so an order that only closes needs none.
// Margins are rounded up, profits down.
// https://www.binance.com/en/support/faq/87fa7ee33b574f7084d42bd2ce2e463b

export const defaultLeverage = 20;

/** No stake counts for more, so that the sums of many still fit into a column. */
export const stakeMax = amountMax / 64n;
const stakeMin = 0n - stakeMax;

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
    ? market.lotWorth.down(quantity) - entryNotional
    : entryNotional - market.lotWorth.up(-quantity);
}

/** The position's size in USDT at mark price, rounded up; at entry before the first. */
export function notionalOf(market: FuturesMarketState, position: Position | undefined): bigint {
  if (position === undefined || position.quantity === 0) return 0n;
  if (market.markPrice === null) return position.entryNotional;
  return market.lotWorth.up(Math.abs(position.quantity));
}

/**
 * The margin of a stake, computed again only where its mark price, position, orders or leverage
 * have changed since: one order then asks for one market's arithmetic, not for a portfolio's.
 */
export function marketMargin(account: FuturesAccount, market: FuturesMarketState): MarketMargin {
  const { marketId } = market.terms;
  const { margins } = account;
  if (margins.isOutdated(marketId, market.markVersion)) refresh(account, market);
  return {
    notional: margins.get(marketId, notionalColumn),
    unrealizedProfit: margins.get(marketId, profitColumn),
    initial: margins.get(marketId, initialColumn),
    maintenance: margins.get(marketId, maintenanceColumn),
    orders: margins.get(marketId, ordersColumn),
  };
}

/** What resting orders would need with so much more of a side. */
export function orderMarginWith(
  account: FuturesAccount,
  market: FuturesMarketState,
  isBuy: boolean,
  added: bigint,
): bigint {
  const signed = signedNotional(account, market, notionalIn(account, market));
  return isBuy
    ? reachMargin(account, market, signed, added, 0n)
    : reachMargin(account, market, signed, 0n, added);
}

export function accountMargin(state: FuturesState, account: FuturesAccount): AccountMargin {
  renewMargins(state, account);
  const { margins } = account;
  const unrealizedProfit = margins.sum(profitColumn);
  return {
    equity: account.walletBalance + unrealizedProfit + pendingFundingOf(state, account),
    unrealizedProfit,
    initial: margins.sum(initialColumn),
    maintenance: margins.sum(maintenanceColumn),
    orders: margins.sum(ordersColumn),
  };
}

/** The equity of `accountMargin`, where nothing else is asked. */
export function equityOf(state: FuturesState, account: FuturesAccount): bigint {
  renewMargins(state, account);
  const settled = account.walletBalance + pendingFundingOf(state, account);
  return settled + account.margins.sum(profitColumn);
}

/** The notional of `marketMargin`, where nothing else is asked. */
export function notionalIn(account: FuturesAccount, market: FuturesMarketState): bigint {
  const { marketId } = market.terms;
  if (account.margins.isOutdated(marketId, market.markVersion)) refresh(account, market);
  return account.margins.get(marketId, notionalColumn);
}

/** Computes again what has changed since, so that the sums hold. */
export function renewMargins(state: FuturesState, account: FuturesAccount): void {
  const { margins } = account;
  if (account.markEpoch !== state.markEpoch) {
    for (let marketId = 0; marketId < margins.marketCount; marketId += 1) {
      renew(state, account, marketId);
    }
    account.markEpoch = state.markEpoch;
  } else {
    for (let marketId = margins.takeTouched(); marketId >= 0; marketId = margins.takeTouched()) {
      renew(state, account, marketId);
    }
  }
}

function renew(state: FuturesState, account: FuturesAccount, marketId: number): void {
  const market = state.markets[marketId];
  if (market === undefined) return;
  if (account.margins.isOutdated(marketId, market.markVersion)) refresh(account, market);
}

function refresh(account: FuturesAccount, market: FuturesMarketState): void {
  const { marketId, brackets } = market.terms;
  const { margins } = account;
  const position = account.positions[marketId];
  const isOpen = position !== undefined && position.quantity !== 0;
  const hasOrders = margins.hasOrders(marketId);
  if (hasOrders && margins.isOutdatedByOrders(marketId, market.markVersion)) {
    const held = margins.get(marketId, notionalColumn);
    const need = reachMargin(account, market, signedNotional(account, market, held), 0n, 0n);
    margins.set(marketId, ordersColumn, need);
    return margins.renew(marketId, market.markVersion);
  }
  margins.renew(marketId, isOpen || hasOrders ? market.markVersion : null);
  if (isOpen && isSmall(market, position)) valueSmall(market, position);
  else valueAny(market, position);
  const notional = BigInt.asIntN(64, freshRow[notionalColumn] as bigint);
  const leverage = int64(leverageIn(account, market));
  const raised = BigInt.asIntN(64, BigInt.asIntN(64, notional + leverage) - 1n);
  freshRow[initialColumn] = BigInt.asIntN(64, raised / leverage);
  freshRow[maintenanceColumn] = BigInt.asIntN(64, maintenanceMargin(brackets, notional));
  freshRow[ordersColumn] = hasOrders
    ? reachMargin(account, market, signedNotional(account, market, notional), 0n, 0n)
    : 0n;
  margins.setRow(marketId);
}

/** Whether the position's worth needs no bound, and the way to it no more than 64 bits. */
function isSmall(market: FuturesMarketState, position: Position): boolean {
  const { quantity, entryNotional } = position;
  const isWorthSmall = Math.abs(quantity) <= market.lotWorth.lotsMax;
  return isWorthSmall && entryNotional <= stakeMax && market.markPrice !== null;
}

function valueSmall({ lotWorth }: FuturesMarketState, { quantity, entryNotional }: Position): void {
  const entry = BigInt.asIntN(64, entryNotional);
  const lots = Math.abs(quantity);
  const cost = BigInt.asIntN(64, lotWorth.up(lots));
  freshRow[notionalColumn] = cost;
  if (quantity < 0) freshRow[profitColumn] = BigInt.asIntN(64, entry - cost);
  else freshRow[profitColumn] = BigInt.asIntN(64, BigInt.asIntN(64, lotWorth.down(lots)) - entry);
}

function valueAny(market: FuturesMarketState, position: Position | undefined): void {
  freshRow[notionalColumn] = bounded(notionalOf(market, position));
  freshRow[profitColumn] =
    position === undefined ? 0n : bounded(unrealizedProfit(market, position));
}

// A mark price may jump however far; what it makes of a stake still has to fit into a column.
export function bounded(value: bigint): bigint {
  if (value > stakeMax) return stakeMax;
  return value < stakeMin ? stakeMin : value;
}

function signedNotional(
  account: FuturesAccount,
  market: FuturesMarketState,
  notional: bigint,
): bigint {
  const isShort = account.quantityIn(market.terms.marketId) < 0;
  return isShort ? BigInt.asIntN(64, 0n - notional) : BigInt.asIntN(64, notional);
}

/**
 * What resting orders and those that are added need beside a position of the signed notional.
 * Stakes are bounded, and orders were taken within that bound, so that no step passes 64 bits.
 */
export function reachMargin(
  account: FuturesAccount,
  market: FuturesMarketState,
  signed: bigint,
  addedBids: bigint,
  addedAsks: bigint,
): bigint {
  const { margins } = account;
  const { marketId } = market.terms;
  const held = BigInt.asIntN(64, signed);
  const bids = BigInt.asIntN(64, BigInt.asIntN(64, margins.get(marketId, bidsColumn)) + addedBids);
  const asks = BigInt.asIntN(64, BigInt.asIntN(64, margins.get(marketId, asksColumn)) + addedAsks);
  const long = absolute(BigInt.asIntN(64, held + bids));
  const short = absolute(BigInt.asIntN(64, held - asks));
  const reach = long > short ? long : short;
  const grown = BigInt.asIntN(64, reach - absolute(held));
  if (grown <= 0n) return 0n;
  const leverage = int64(leverageIn(account, market));
  const raised = BigInt.asIntN(64, BigInt.asIntN(64, grown + leverage) - 1n);
  return BigInt.asIntN(64, raised / leverage);
}

/** Of a 64-bit integer. */
function absolute(value: bigint): bigint {
  return value < 0n ? BigInt.asIntN(64, 0n - value) : BigInt.asIntN(64, value);
}

export function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
