import {
  initialMargin,
  initialMargin64,
  maintenanceMargin,
  raisedMargin,
} from '../../../domain/margin.ts';
import type { ByRules } from '../../rules.ts';
import { int64 } from '../../storage/int64.ts';
import type { FuturesAccount } from '../accounts/futures-account.ts';
import type { Position } from '../accounts/stored-positions.ts';
import { pendingFundingOf } from '../funding/pending-funding.ts';
import type { FuturesState } from '../futures-state.ts';
import type { FuturesMarketState } from '../markets/futures-market-state.ts';
import {
  absolute,
  bounded,
  initialColumn,
  maintenanceColumn,
  ordersColumn,
  profitColumn,
  signedColumn,
  stakeMax,
  within,
} from './stakes.ts';

// Cross margin over the perp wallet: equity = wallet balance + unrealized profit at mark price +
// funding that is due and not yet booked, so that no account is judged before its own funding. The
// initial margin of a position is its notional at mark price over the leverage. Resting orders need
// margin for what they could add: with P the position's signed notional, B the bids and A the asks,
// (max(|P + B|, |P - A|) - |P|) / leverage, so an order that only closes needs none. Margins are
// rounded up, profits down.
// https://www.binance.com/en/support/faq/87fa7ee33b574f7084d42bd2ce2e463b

const defaultLeverage = 20;

/** An account's margin in one market, in 10^-8 USDT. `orders` is the margin of resting orders. */
export interface MarketMargin {
  readonly notional: bigint;
  readonly unrealizedProfit: bigint;
  readonly initial: bigint;
  readonly maintenance: bigint;
  readonly orders: bigint;
}

/** An account's equity and margin over all markets, in 10^-8 USDT. */
export interface AccountMargin {
  equity: bigint;
  unrealizedProfit: bigint;
  initial: bigint;
  maintenance: bigint;
  orders: bigint;
}

/** The leverage that the account has chosen, or the default one. */
export function leverageIn(account: FuturesAccount, market: FuturesMarketState): number {
  const { marketId, maxLeverage } = market.terms;
  return account.leverages[marketId] ?? Math.min(defaultLeverage, maxLeverage);
}

/** What closing the position at the mark price would bring in; zero before the first mark price. */
export function unrealizedProfit(market: FuturesMarketState, position: Position): bigint {
  const { quantity, entryNotional } = position;
  if (quantity === 0 || market.markPrice === null) return 0n;
  return quantity > 0
    ? market.lotWorth.down(quantity) - entryNotional
    : entryNotional - market.lotWorth.up(-quantity);
}

/** What closing the open position at a price for one whole base asset would bring in. */
export function profitAt(
  market: FuturesMarketState,
  { quantity, entryNotional }: Position,
  price: bigint,
): bigint {
  return quantity > 0
    ? market.valueAt(price, quantity) - entryNotional
    : entryNotional - market.costAt(price, -quantity);
}

/** The position's size in USDT at mark price, rounded up; at entry before the first mark price. */
export function notionalOf(market: FuturesMarketState, position: Position | undefined): bigint {
  if (position === undefined || position.quantity === 0) return 0n;
  if (market.markPrice === null) return position.entryNotional;
  return market.lotWorth.up(Math.abs(position.quantity));
}

/**
 * The margin of a stake. It is recomputed only if its mark price, position, orders or leverage have
 * changed, so that an order costs one market's arithmetic rather than a whole portfolio's.
 */
export function marketMargin(account: FuturesAccount, market: FuturesMarketState): MarketMargin {
  const { stakes } = account;
  const record = renewedStake(account, market);
  return {
    notional: absolute(stakes.figure(record, signedColumn)),
    unrealizedProfit: stakes.figure(record, profitColumn),
    initial: stakes.figure(record, initialColumn),
    maintenance: stakes.figure(record, maintenanceColumn),
    orders: stakes.figure(record, ordersColumn),
  };
}

/** The record of a stake, with its figures brought up to date with the current mark price. */
export function renewedStake(account: FuturesAccount, market: FuturesMarketState): number {
  const { marketId } = market.terms;
  const { stakes, accountId } = account;
  if (stakes.isOutdated(accountId, marketId, market.markVersion)) refresh(account, market);
  return stakes.find(accountId, marketId);
}

/** The account's equity and margin at the current mark prices, with funding that is due. */
export function accountMargin(state: FuturesState, account: FuturesAccount): AccountMargin {
  renewMargins(state, account);
  const { stakes, accountId } = account;
  const unrealizedProfit = stakes.sum(accountId, profitColumn);
  return {
    equity: account.walletBalance + unrealizedProfit + pendingFundingOf(state, account),
    unrealizedProfit,
    initial: stakes.sum(accountId, initialColumn),
    maintenance: stakes.sum(accountId, maintenanceColumn),
    orders: stakes.sum(accountId, ordersColumn),
  };
}

/** The equity of `accountMargin` alone, in 10^-8 USDT; negative for a bankrupt account. */
export function equityOf(state: FuturesState, account: FuturesAccount): bigint {
  renewMargins(state, account);
  const settled = account.walletBalance + pendingFundingOf(state, account);
  return settled + account.stakes.sum(account.accountId, profitColumn);
}

/** Whether the equity of `accountMargin` is not negative. */
export function hasEquity(state: FuturesState, account: FuturesAccount): boolean {
  if (state.sweepCount > 0) return equityOf(state, account) >= 0n;
  renewMargins(state, account);
  const profit = account.stakes.sum(account.accountId, profitColumn);
  return BigInt.asIntN(64, account.walletBalance + profit) >= 0n;
}

/** The notional of `marketMargin` alone, in 10^-8 USDT; not negative. */
export function notionalIn(account: FuturesAccount, market: FuturesMarketState): bigint {
  return absolute(account.stakes.figure(renewedStake(account, market), signedColumn));
}

/** Recomputes the stakes that have changed, so that the sums are right. */
export function renewMargins(state: FuturesState, account: FuturesAccount): void {
  const { stakes, accountId } = account;
  if (stakes.epochOf(accountId) === state.markEpoch) {
    let marketId = stakes.takeTouched(accountId);
    for (; marketId >= 0; marketId = stakes.takeTouched(accountId)) renew(state, account, marketId);
    return;
  }
  const { marketCount } = stakes;
  for (let marketId = 0; marketId < marketCount; marketId += 1) renew(state, account, marketId);
  stakes.setEpoch(accountId, state.markEpoch);
}

function renew(state: FuturesState, account: FuturesAccount, marketId: number): void {
  const market = state.markets[marketId] as FuturesMarketState;
  const { stakes, accountId } = account;
  if (stakes.isOutdated(accountId, marketId, market.markVersion)) refresh(account, market);
}

function refresh(account: FuturesAccount, market: FuturesMarketState): void {
  const { marketId, brackets, status } = market.terms;
  const { stakes, accountId } = account;
  const hasOrders = stakes.hasOrders(accountId, marketId);
  const position = account.positions[marketId];
  const isOpen = position !== undefined && position.quantity !== 0;
  const version = isOpen || hasOrders ? market.markVersion : null;
  const record = stakes.renew(accountId, marketId, version);
  if (isOpen && isSmall(market, position)) setSmallValue(account, market, record, position);
  else setValue(account, market, record, position);
  const notional = absolute(BigInt.asIntN(64, stakes.figure(record, signedColumn)));
  const leverage = leverageIn(account, market);
  const initial = initialMargin64(notional, int64(leverage));
  if (isOpen && position.fullNotional > 0n) {
    const raised = initial + raisedMargin(position.fullNotional, leverage);
    stakes.setFigure(accountId, record, initialColumn, bounded(raised));
  } else {
    stakes.setFigure(accountId, record, initialColumn, initial);
  }
  // A position at its settlement price cannot lose any more.
  if (status === 'delisted') stakes.setFigure(accountId, record, maintenanceColumn, 0n);
  else
    stakes.setFigure(accountId, record, maintenanceColumn, maintenanceMargin(brackets, notional));
  if (hasOrders) setOrderMargin(account, market, record);
  else stakes.setFigure(accountId, record, ordersColumn, 0n);
}

/** Whether the position's value needs no bound and its computation stays within 64 bits. */
function isSmall(market: FuturesMarketState, position: Position): boolean {
  const { quantity, entryNotional } = position;
  const isWorthSmall = Math.abs(quantity) <= market.lotWorth.lotsMax;
  return isWorthSmall && entryNotional <= stakeMax && market.markPrice !== null;
}

/**
 * The most of a position's profit or loss that counts. Rules 13 limit what all positions cost and
 * are worth so that no profit or loss exceeds this, and all of an account fit into a column.
 */
const profitMaxOf: ByRules<bigint> = { 11: stakeMax, 12: stakeMax, 13: 1n << 61n };

function setSmallValue(
  { stakes, accountId }: FuturesAccount,
  { lotWorth }: FuturesMarketState,
  record: number,
  { quantity, entryNotional }: Position,
): void {
  const entry = BigInt.asIntN(64, entryNotional);
  if (quantity < 0) {
    const cost = BigInt.asIntN(64, lotWorth.up(-quantity));
    stakes.setSigned(accountId, record, BigInt.asIntN(64, 0n - cost));
    stakes.setFigure(accountId, record, profitColumn, BigInt.asIntN(64, entry - cost));
    return;
  }
  const value = BigInt.asIntN(64, lotWorth.down(quantity));
  stakes.setSigned(accountId, record, lotWorth.up(quantity));
  stakes.setFigure(accountId, record, profitColumn, BigInt.asIntN(64, value - entry));
}

function setValue(
  { stakes, accountId }: FuturesAccount,
  market: FuturesMarketState,
  record: number,
  position: Position | undefined,
): void {
  const notional = bounded(notionalOf(market, position));
  const isShort = position !== undefined && position.quantity < 0;
  const profitMax = profitMaxOf[market.settlement.state.rules];
  const profit =
    position === undefined ? 0n : within(unrealizedProfit(market, position), profitMax);
  stakes.setSigned(accountId, record, isShort ? 0n - notional : notional);
  stakes.setFigure(accountId, record, profitColumn, profit);
}

/** Adds an order's notional, or removes it if it is negative, and updates the orders' margin. */
export function changeOrders(
  account: FuturesAccount,
  market: FuturesMarketState,
  isBuy: boolean,
  notional: bigint,
): void {
  const { stakes, accountId } = account;
  const { markVersion, terms } = market;
  const record = stakes.addOrder(accountId, terms.marketId, isBuy, notional, markVersion);
  if (record > 0) setOrderMargin(account, market, record);
}

function setOrderMargin(account: FuturesAccount, market: FuturesMarketState, record: number): void {
  const { stakes, accountId } = account;
  const grown = stakes.growth(record, stakes.figure(record, signedColumn), 0n, 0n);
  stakes.setFigure(
    accountId,
    record,
    ordersColumn,
    growthMargin(grown, leverageIn(account, market)),
  );
}

/** The margin of orders that could let a position grow by the given notional. */
export function growthMargin(growth: bigint, leverage: number): bigint {
  const grown = BigInt.asIntN(64, growth);
  return grown <= 0n ? 0n : initialMargin64(grown, int64(leverage));
}

/** What the account's position and orders in the market would need at another leverage. */
export function marginAt(
  account: FuturesAccount,
  market: FuturesMarketState,
  leverage: number,
): Pick<MarketMargin, 'initial' | 'orders'> {
  const { stakes } = account;
  const record = renewedStake(account, market);
  const signed = stakes.figure(record, signedColumn);
  const full = account.positions[market.terms.marketId]?.fullNotional ?? 0n;
  const initial = initialMargin(absolute(signed), leverage) + raisedMargin(full, leverage);
  const growth = stakes.growth(record, signed, 0n, 0n);
  return { initial: bounded(initial), orders: growthMargin(growth, leverage) };
}
