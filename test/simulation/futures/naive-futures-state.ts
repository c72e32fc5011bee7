import { type Amount, toAmount } from '../../../src/domain/amount.ts';
import { assert } from '../../../src/domain/assert.ts';
import type {
  FuturesMarket,
  FuturesMarketId,
  FuturesPrices,
  PriceState,
  Rate,
} from '../../../src/domain/futures-market.ts';
import type { FuturesOrder } from '../../../src/domain/futures-order.ts';
import type {
  FuturesPositionView,
  PerpAccountView,
  SignedLots,
} from '../../../src/domain/futures-position.ts';
import type { AccountId, OrderNumber, TimestampMs } from '../../../src/domain/identifiers.ts';
import type { Lots, Ticks } from '../../../src/domain/spot-market.ts';
import type { Side } from '../../../src/domain/spot-order.ts';
import type { BookDepth, BookLevel } from '../../../src/engine/book-depth.ts';
import type { FuturesEvent } from '../../../src/engine/futures-events.ts';
import type {
  EffectiveFees,
  FeeTermsView,
  OpenNotional,
} from '../../../src/engine/futures-view.ts';
import {
  divideUp,
  isBetween,
  lowest,
  maintenanceOf,
  type Need,
  noDiscount,
  notBelowZero,
  sumOf,
} from './naive-arithmetic.ts';
import type { Market, Order, PlainAudit, Position, Wallet } from './naive-futures-types.ts';

const decimalOne = 10n ** 18n;
const rateOne = 10n ** 9n;
const staleAfterMs = 60_000;

/** What the plain futures engine knows, in plain Maps and arrays, and how it is read. */
export class NaiveFuturesState implements PlainAudit {
  now = 0 as TimestampMs;
  orderNumber = 0;
  tradeNumber = 0;
  accountCount = 0;
  markets: Market[] = [];
  wallets = new Map<AccountId, Wallet>();
  positions = new Map<string, Position>();
  leverages = new Map<string, number>();
  /** Live orders, waiting ones too, in the order of their numbers. */
  orders: Order[] = [];
  transfers: string[] = [];
  transferNumber = 0;
  events: FuturesEvent[] = [];
  perpFunds = toAmount(0n);
  futuresFees = toAmount(0n);
  insuranceFund = toAmount(0n);
  insuranceHeld = toAmount(0n);
  badDebt = toAmount(0n);
  protected gateUntil = 0;
  /** What the fund has held, until when, before each of its falls. */
  protected fundHighs: { readonly until: number; readonly level: bigint }[] = [];
  /** The account that is being closed, and where. */
  protected closing: { accountId: AccountId; markets: readonly Market[] } | null = null;

  /** Whether the account's positions are being sold for it. */
  protected isClosing(_accountId: AccountId): boolean {
    return false;
  }

  market(marketId: FuturesMarketId): Market {
    const market = this.markets[marketId];
    assert(market !== undefined, 'no such market');
    return market;
  }

  getPendingFunding(accountId: AccountId): Amount {
    const due = this.markets.flatMap(({ unpaid }) => unpaid);
    return toAmount(sumOf(due.filter((each) => each.accountId === accountId)));
  }

  settled(accountId: AccountId): bigint {
    return this.wallet(accountId).balance + this.getPendingFunding(accountId);
  }

  getClearing(marketId: FuturesMarketId): Amount {
    return toAmount(this.market(marketId).clearing);
  }

  getFundingHeld(marketId: FuturesMarketId): Amount {
    return toAmount(this.market(marketId).funding);
  }

  wallet(accountId: AccountId): Wallet {
    const known = this.wallets.get(accountId);
    if (known !== undefined) return known;
    const wallet: Wallet = { balance: 0n, reserved: 0n, spot: 0n, fees: noDiscount };
    this.wallets.set(accountId, wallet);
    return wallet;
  }

  position(accountId: AccountId, marketId: FuturesMarketId): Position {
    const key = `${accountId}:${marketId}`;
    const known = this.positions.get(key);
    if (known !== undefined) return known;
    const none = { quantity: 0, entry: 0n, realized: 0n, fees: 0n, updatedAt: 0 };
    const position = { ...none, number: 0, full: 0n };
    this.positions.set(key, position);
    return position;
  }

  ordersOf(accountId: AccountId, marketId: FuturesMarketId): Order[] {
    return this.orders.filter(
      (order) => order.accountId === accountId && order.marketId === marketId,
    );
  }

  /** USDT of a quantity at a price in ticks. */
  money({ terms }: Market, price: number, quantity: number): bigint {
    return BigInt(price) * BigInt(quantity) * terms.tickLotAmount;
  }

  /** USDT of a quantity at a price for one whole base asset, rounded up or down. */
  worth({ terms }: Market, price: bigint, quantity: number, rounding: 'up' | 'down'): bigint {
    const exact = BigInt(quantity) * terms.lotSize * price;
    const down = exact / decimalOne;
    return rounding === 'up' && down * decimalOne < exact ? down + 1n : down;
  }

  need(accountId: AccountId, market: Market, added: { buy: bigint; sell: bigint }): Need {
    const { marketId, brackets } = market.terms;
    const { quantity, entry, full } = this.position(accountId, marketId);
    const { markPrice } = market;
    const size = Math.abs(quantity);
    const notional = markPrice === null ? entry : this.worth(market, markPrice, size, 'up');
    const leverage = BigInt(this.getLeverage(accountId, marketId));
    const open = this.openNotional(accountId, market);
    const signed = quantity < 0 ? -notional : notional;
    const reach = [signed + open.buy + added.buy, signed - open.sell - added.sell]
      .map((value) => (value < 0n ? -value : value))
      .reduce((most, value) => (value > most ? value : most), notional);
    return {
      notional,
      profit: markPrice === null ? 0n : this.profitAt(market, markPrice, { quantity, entry }),
      initial: divideUp(notional, leverage) + divideUp(full * (leverage - 1n), leverage),
      maintenance: maintenanceOf(brackets, notional),
      orders: divideUp(reach - notional, leverage),
    };
  }

  profitAt(market: Market, mark: bigint, position: Pick<Position, 'quantity' | 'entry'>): bigint {
    const { quantity, entry } = position;
    if (quantity === 0) return 0n;
    return quantity > 0
      ? this.worth(market, mark, quantity, 'down') - entry
      : entry - this.worth(market, mark, -quantity, 'up');
  }

  openNotional(accountId: AccountId, market: Market): { buy: bigint; sell: bigint } {
    const sum = (orders: readonly Order[]): bigint =>
      orders
        .filter((order) => order.accountId === accountId && !order.isReduceOnly)
        .reduce(
          (total, order) => total + this.money(market, order.price ?? 0, lotsLeft(order)),
          0n,
        );
    return { buy: sum(market.buy), sell: sum(market.sell) };
  }

  needs(accountId: AccountId): Need[] {
    return this.markets.map((market) => this.need(accountId, market, { buy: 0n, sell: 0n }));
  }

  getPerpAccount(accountId: AccountId): PerpAccountView {
    const { balance, reserved } = this.wallet(accountId);
    const settled = this.settled(accountId);
    const needs = this.needs(accountId);
    const sum = (read: (need: Need) => bigint): bigint =>
      needs.reduce((total, need) => total + read(need), 0n);
    const profit = sum((need) => need.profit);
    const free = this.freeOf(accountId);
    const initialTwice = this.oldPriced(accountId).reduce((all, need) => all + need.initial, 0n);
    const losses = sum((need) => (need.profit < 0n ? need.profit : 0n));
    const margins = sum((need) => need.initial) + sum((need) => need.orders);
    const mayLeave = !this.isWithdrawalGateShut && !this.isClosing(accountId);
    const withdrawable = mayLeave ? settled + losses - margins - initialTwice : 0n;
    return {
      accountId,
      walletBalance: toAmount(balance),
      unrealizedProfit: toAmount(profit),
      equity: toAmount(settled + profit),
      positionMargin: toAmount(sum((need) => need.initial)),
      orderMargin: toAmount(sum((need) => need.orders)),
      maintenanceMargin: toAmount(sum((need) => need.maintenance)),
      available: toAmount(notBelowZero(free)),
      withdrawable: toAmount(notBelowZero(withdrawable)),
      reserved: toAmount(reserved),
    };
  }

  get isWithdrawalGateShut(): boolean {
    return this.badDebt < 0n || this.now < this.gateUntil;
  }

  get withdrawalGateUntil(): TimestampMs | null {
    return this.gateUntil > this.now ? (this.gateUntil as TimestampMs) : null;
  }

  /** What may carry new risk: at an old price profit counts nothing and margin twice. */
  protected freeOf(accountId: AccountId): bigint {
    const free = this.needs(accountId).reduce(
      (sum, { profit, initial, orders }) => sum + profit - initial - orders,
      this.settled(accountId),
    );
    const old = this.oldPriced(accountId).reduce((sum, { initial }) => sum + initial, 0n);
    return this.markets
      .filter((market) => this.priceState(market) !== 'fresh' || this.isSettling(market))
      .reduce((sum, market) => sum - this.profitIn(accountId, market), free - old);
  }

  /** What the market adds to equity and does not count: profit, or a loss of less than before. */
  protected profitIn(accountId: AccountId, market: Market): bigint {
    const { profit } = this.need(accountId, market, { buy: 0n, sell: 0n });
    const settled = this.isSettling(market) ? market.settled : null;
    const position = this.position(accountId, market.terms.marketId);
    const then = settled === null ? profit : this.profitAt(market, settled, position);
    return profit - lowest(0n, profit, then);
  }

  /** Not all positions have been judged, or closed, at the mark price. */
  protected isSettling(market: Market): boolean {
    const { terms, markPrice, judged } = market;
    const part = terms.maintenanceMarginRate / 4n;
    const reach = ((judged ?? 0n) * part) / rateOne;
    const isFar = markPrice !== null && judged !== null && !isBetween(markPrice, judged, reach);
    const { closing } = this;
    if (isFar || !closing?.markets.includes(market)) return isFar;
    return this.position(closing.accountId, terms.marketId).quantity !== 0;
  }

  /** What the account's positions in markets without a fresh price need. */
  private oldPriced(accountId: AccountId): Need[] {
    return this.markets
      .filter((market) => this.priceState(market) !== 'fresh')
      .filter(({ terms }) => this.position(accountId, terms.marketId).quantity !== 0)
      .map((market) => this.need(accountId, market, { buy: 0n, sell: 0n }));
  }

  priceState({ terms, markPrice, indexPriceAt, held }: Market): PriceState {
    if (markPrice === null) return 'unpriced';
    if (terms.indexPriceSource === 'book') return 'fresh';
    if (indexPriceAt === null || this.now - indexPriceAt > staleAfterMs) return 'stale';
    return held === null ? 'fresh' : 'held';
  }

  getPosition(accountId: AccountId, marketId: FuturesMarketId): FuturesPositionView {
    const market = this.market(marketId);
    const { quantity, entry, realized, fees, updatedAt } = this.position(accountId, marketId);
    const need = this.need(accountId, market, { buy: 0n, sell: 0n });
    const open = this.openNotional(accountId, market);
    return {
      accountId,
      marketId,
      quantity: quantity as SignedLots,
      entryNotional: toAmount(entry),
      realizedProfit: toAmount(realized),
      fees: toAmount(fees),
      updatedAt: updatedAt as TimestampMs,
      leverage: this.getLeverage(accountId, marketId),
      markPrice: market.markPrice === null ? null : toAmount(market.markPrice),
      notional: toAmount(need.notional),
      unrealizedProfit: toAmount(need.profit),
      initialMargin: toAmount(need.initial),
      maintenanceMargin: toAmount(need.maintenance),
      orderMargin: toAmount(need.orders),
      bidNotional: toAmount(open.buy),
      askNotional: toAmount(open.sell),
      liquidationPrice: null,
      deleverageRank: 0,
    };
  }

  getOpenNotional(accountId: AccountId, marketId: FuturesMarketId): OpenNotional {
    const { buy, sell } = this.openNotional(accountId, this.market(marketId));
    return { bids: toAmount(buy), asks: toAmount(sell) };
  }

  listPositions(accountId: AccountId): readonly FuturesPositionView[] {
    return this.markets
      .map(({ terms }) => this.getPosition(accountId, terms.marketId))
      .filter(({ quantity, bidNotional, askNotional }) => {
        return quantity !== 0 || bidNotional + askNotional > 0n;
      });
  }

  findFuturesMarket(symbol: string): FuturesMarket | null {
    return this.markets.find(({ terms }) => terms.symbol === symbol)?.terms ?? null;
  }

  getFuturesMarket(marketId: FuturesMarketId): FuturesMarket {
    return this.market(marketId).terms;
  }

  listFuturesMarkets(): readonly FuturesMarket[] {
    return this.markets.map(({ terms }) => terms);
  }

  getFuturesPrices(_marketId: FuturesMarketId): FuturesPrices {
    throw new Error('prices are known further down');
  }

  getFuturesDepth(marketId: FuturesMarketId, levelsMax: number): BookDepth {
    const { updateId, buy, sell } = this.market(marketId);
    const bids = levelsOf(buy).slice(0, levelsMax);
    return { lastUpdateId: updateId, bids, asks: levelsOf(sell).slice(0, levelsMax) };
  }

  getOpenInterest(marketId: FuturesMarketId): number {
    let long = 0;
    for (const [key, { quantity }] of this.positions) {
      if (key.endsWith(`:${marketId}`)) long += Math.max(0, quantity);
    }
    return long;
  }

  findOpenFuturesOrder(orderNumber: OrderNumber): FuturesOrder | null {
    const order = this.orders.find((each) => each.orderNumber === orderNumber);
    return order === undefined ? null : describe(order);
  }

  findFuturesOrderByClientId(accountId: AccountId, clientOrderId: string): FuturesOrder | null {
    const order = this.orders.find(
      (each) => each.accountId === accountId && each.clientOrderId === clientOrderId,
    );
    return order === undefined ? null : describe(order);
  }

  listOpenFuturesOrders(
    accountId: AccountId,
    marketId: FuturesMarketId | null,
  ): readonly FuturesOrder[] {
    return this.orders
      .filter((order) => order.accountId === accountId)
      .filter((order) => marketId === null || order.marketId === marketId)
      .sort((left, right) => left.orderNumber - right.orderNumber)
      .map(describe);
  }

  listRestingFuturesOrders(marketId: FuturesMarketId, side: Side): readonly FuturesOrder[] {
    return this.market(marketId)[side].map(describe);
  }

  getLeverage(accountId: AccountId, marketId: FuturesMarketId): number {
    const { maxLeverage } = this.market(marketId).terms;
    return this.leverages.get(`${accountId}:${marketId}`) ?? Math.min(20, maxLeverage);
  }

  getFeeTerms(accountId: AccountId): FeeTermsView {
    return this.wallet(accountId).fees;
  }

  getEffectiveFees(accountId: AccountId, marketId: FuturesMarketId): EffectiveFees {
    const { makerFeeBps, takerFeeBps } = this.market(marketId).terms;
    const { vipMultiplierTenths, referralDiscountBps } = this.wallet(accountId).fees;
    const rate = (bps: number): Rate => {
      const charged = BigInt(10_000 - referralDiscountBps);
      // bps x tenths x ten-thousandths is 10^-4 x 10^-1 x 10^-4.
      return (BigInt(bps) * BigInt(vipMultiplierTenths) * charged) as Rate;
    };
    return { maker: rate(makerFeeBps), taker: rate(takerFeeBps) };
  }

  getCountdown(): TimestampMs | null {
    return null;
  }

  protected fee(accountId: AccountId, market: Market, quote: bigint, role: keyof EffectiveFees) {
    const rate = this.getEffectiveFees(accountId, market.terms.marketId)[role];
    return divideUp(quote * rate, rateOne);
  }
}

export function describe({ isResting: _, protects: _protects, ...order }: Order): FuturesOrder {
  return order;
}

export function lotsLeft({ quantity, filledQuantity }: Order): number {
  return quantity - filledQuantity;
}

function levelsOf(orders: readonly Order[]): BookLevel[] {
  const levels = new Map<Ticks, number>();
  for (const order of orders) {
    assert(order.price !== null, 'a resting order has a price');
    levels.set(order.price, (levels.get(order.price) ?? 0) + lotsLeft(order));
  }
  return [...levels].map(([price, quantity]) => ({ price, quantity: quantity as Lots }));
}
