import { scaleAmount, toAmount } from '../../src/domain/amount.ts';
import type {
  AccountId,
  Address,
  MarketId,
  OrderNumber,
  Sequence,
  TimestampMs,
  TokenId,
  TradeId,
  TradeNumber,
} from '../../src/domain/identifiers.ts';
import type { Rejection } from '../../src/domain/rejection.ts';
import {
  type Lots,
  marketUnits,
  type SpotMarket,
  type Ticks,
} from '../../src/domain/spot-market.ts';
import type { Side, SpotOrder, SpotOrderStatus } from '../../src/domain/spot-order.ts';
import type { Command, CreditBalance, PlaceSpotOrder } from '../../src/engine/commands.ts';
import type { AppliedCommand, EngineEvent } from '../../src/engine/events.ts';

// The exchange that most would write first: an object an order, Maps of objects for balances and
// client order ids, a sorted array of levels per side, bigint objects for money. It does what the
// engine does for limit orders of gtc and ioc, events included, so that the two can be compared.

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type Order = Mutable<SpotOrder>;

interface Balance {
  readonly accountId: AccountId;
  readonly tokenId: TokenId;
  available: bigint;
  locked: bigint;
}

interface Level {
  readonly price: Ticks;
  total: number;
  readonly orders: Map<OrderNumber, Order>;
}

interface Book {
  readonly market: SpotMarket;
  /** Worst first, so that the best is popped off the end. */
  readonly buy: Level[];
  readonly sell: Level[];
  updateId: number;
}

export class ObjectExchange {
  private readonly accounts = new Map<Address, AccountId>();
  private readonly tokens = new Map<string, TokenId>();
  private readonly balances = new Map<string, Balance>();
  private readonly books: Book[] = [];
  private readonly orders = new Map<OrderNumber, Order>();
  private readonly clientOrderIds = new Set<string>();
  private readonly fees = new Map<TokenId, bigint>();
  private orderNumber = 0;
  private tradeNumber = 0;
  private now = 0 as TimestampMs;
  private events: EngineEvent[] = [];
  private readonly touched = new Set<Balance>();

  apply(command: Command, stamp: { sequence: Sequence; timestamp: TimestampMs }): AppliedCommand {
    this.events = [];
    this.now = stamp.timestamp;
    const rejection = this.execute(command);
    for (const balance of this.touched) {
      const { accountId, tokenId, available, locked } = balance;
      this.events.push({
        type: 'balanceChanged',
        accountId,
        tokenId,
        available: toAmount(available),
        locked: toAmount(locked),
      });
    }
    this.touched.clear();
    return { ...stamp, command, rejection, events: this.events };
  }

  private execute(command: Command): Rejection | null {
    if (command.type === 'placeSpotOrder') return this.place(command);
    if (command.type === 'cancelSpotOrder') return this.cancel(command.orderNumber);
    if (command.type === 'creditBalance') return this.credit(command);
    if (command.type !== 'createSpotMarket') throw new Error(`no ${command.type} here`);
    const units = marketUnits(command.terms.tickSize, command.terms.lotSize);
    if (units === null) return { reason: 'market_units_too_fine' };
    const market: SpotMarket = {
      ...command.terms,
      ...units,
      marketId: this.books.length as MarketId,
      baseTokenId: this.token(command.terms.baseToken),
      quoteTokenId: this.token(command.terms.quoteToken),
      status: 'listed',
      createdAt: this.now,
    };
    this.books.push({ market, buy: [], sell: [], updateId: 0 });
    return null;
  }

  private credit({ address, token, amount }: CreditBalance): null {
    let accountId = this.accounts.get(address);
    if (accountId === undefined) {
      accountId = (this.accounts.size + 1) as AccountId;
      this.accounts.set(address, accountId);
    }
    this.touch(accountId, this.token(token)).available += amount;
    return null;
  }

  private place(command: PlaceSpotOrder): Rejection | null {
    const book = this.books[command.marketId];
    const { price, quantity, accountId, side, clientOrderId } = command;
    if (book === undefined || price === null || quantity === null) {
      return { reason: 'market_not_found' };
    }
    const { market } = book;
    const key = clientOrderId === null ? null : `${accountId}:${clientOrderId}`;
    const notional = BigInt(price) * BigInt(quantity) * market.tickLotAmount;
    if (notional < market.minNotional) return { reason: 'below_min_notional' };
    if (key !== null && this.clientOrderIds.has(key)) {
      return { reason: 'duplicate_client_order_id' };
    }
    const lock = side === 'buy' ? notional : BigInt(quantity) * market.lotAmount;
    const pays = this.balance(accountId, side === 'buy' ? market.quoteTokenId : market.baseTokenId);
    if (pays.available < lock) return { reason: 'insufficient_balance' };
    if (this.meetsOwn(book, command, price, quantity)) return { reason: 'self_trade' };
    this.orderNumber += 1;
    const order = this.orderOf(command);
    pays.available -= lock;
    pays.locked += lock;
    this.touched.add(pays);
    this.match(book, order, price);
    this.finish(book, order, key);
    this.events.push({ type: 'spotOrderUpdated', order: { ...order } });
    return null;
  }

  private match(book: Book, taker: Order, limit: Ticks): void {
    const levels = taker.side === 'buy' ? book.sell : book.buy;
    for (;;) {
      const level = levels[levels.length - 1];
      const left = (taker.quantity ?? 0) - taker.filledQuantity;
      if (level === undefined || left === 0 || isWorse(taker.side, level.price, limit)) return;
      for (const maker of level.orders.values()) {
        if (taker.filledQuantity === taker.quantity) break;
        this.trade(book, level, taker, maker);
      }
      if (level.orders.size === 0) levels.pop();
      this.reportLevel(book, maker(taker.side), level);
    }
  }

  private trade({ market }: Book, level: Level, taker: Order, maker: Order): void {
    const quantity = Math.min(
      (taker.quantity ?? 0) - taker.filledQuantity,
      (maker.quantity ?? 0) - maker.filledQuantity,
    );
    const quote = BigInt(level.price) * BigInt(quantity) * market.tickLotAmount;
    const base = BigInt(quantity) * market.lotAmount;
    this.tradeNumber += 1;
    const takerFee = this.settle(market, taker, { quote, base, feeBps: market.takerFeeBps });
    const makerFee = this.settle(market, maker, { quote, base, feeBps: market.makerFeeBps });
    for (const order of [taker, maker]) {
      order.filledQuantity = (order.filledQuantity + quantity) as Lots;
      order.filledQuote = toAmount(order.filledQuote + quote);
      order.updatedAt = this.now;
    }
    level.total -= quantity;
    const isDone = maker.filledQuantity === maker.quantity;
    maker.status = isDone ? 'filled' : 'partially_filled';
    if (isDone) this.forget(level, maker);
    this.events.push({
      type: 'spotTradeExecuted',
      trade: {
        tradeNumber: this.tradeNumber as TradeNumber,
        tradeId: this.tradeNumber as unknown as TradeId,
        marketId: market.marketId,
        price: level.price,
        quantity: quantity as Lots,
        quoteAmount: toAmount(quote),
        takerSide: taker.side,
        makerOrderNumber: maker.orderNumber,
        takerOrderNumber: taker.orderNumber,
        makerOrderCreatedAt: maker.createdAt,
        takerOrderCreatedAt: taker.createdAt,
        makerAccountId: maker.accountId,
        takerAccountId: taker.accountId,
        makerFee,
        takerFee,
      },
    });
    this.events.push({ type: 'spotOrderUpdated', order: { ...maker } });
  }

  private settle(
    market: SpotMarket,
    order: Order,
    money: { readonly quote: bigint; readonly base: bigint; readonly feeBps: number },
  ) {
    const { accountId, side, price } = order;
    const isBuy = side === 'buy';
    const quote = this.touch(accountId, market.quoteTokenId);
    const base = this.touch(accountId, market.baseTokenId);
    const received = toAmount(isBuy ? money.base : money.quote);
    const ratio = { numerator: BigInt(money.feeBps), denominator: 10_000n };
    const fee = scaleAmount(received, ratio, 'up');
    if (isBuy) {
      const lots = money.base / market.lotAmount;
      const locked = BigInt(price ?? 0) * lots * market.tickLotAmount;
      quote.locked -= locked;
      quote.available += locked - money.quote;
      base.available += received - fee;
    } else {
      base.locked -= money.base;
      quote.available += received - fee;
    }
    const feeToken = isBuy ? market.baseTokenId : market.quoteTokenId;
    this.fees.set(feeToken, (this.fees.get(feeToken) ?? 0n) + fee);
    return fee;
  }

  private finish(book: Book, order: Order, key: string | null): void {
    const left = (order.quantity ?? 0) - order.filledQuantity;
    order.status = left === 0 ? 'filled' : restStatus(order);
    if (left === 0) return;
    if (order.timeInForce === 'ioc') {
      this.unlock(book.market, order, left);
      return;
    }
    if (key !== null) this.clientOrderIds.add(key);
    const level = this.level(book, order.side, order.price ?? (0 as Ticks));
    level.orders.set(order.orderNumber, order);
    level.total += left;
    this.orders.set(order.orderNumber, order);
    this.reportLevel(book, order.side, level);
  }

  private cancel(orderNumber: OrderNumber): Rejection | null {
    const order = this.orders.get(orderNumber);
    const book = order === undefined ? undefined : this.books[order.marketId];
    if (order === undefined || book === undefined) return { reason: 'order_not_found' };
    const levels = book[order.side];
    const price = order.price ?? (0 as Ticks);
    const level = this.level(book, order.side, price);
    const left = (order.quantity ?? 0) - order.filledQuantity;
    this.unlock(book.market, order, left);
    this.forget(level, order);
    level.total -= left;
    if (level.orders.size === 0) levels.splice(placeOf(levels, order.side, price), 1);
    order.status = 'canceled';
    order.updatedAt = this.now;
    this.events.push({ type: 'spotOrderUpdated', order: { ...order } });
    this.reportLevel(book, order.side, level);
    return null;
  }

  private unlock(market: SpotMarket, order: Order, left: number): void {
    const isBuy = order.side === 'buy';
    const balance = this.touch(order.accountId, isBuy ? market.quoteTokenId : market.baseTokenId);
    const lock = isBuy
      ? BigInt(order.price ?? 0) * BigInt(left) * market.tickLotAmount
      : BigInt(left) * market.lotAmount;
    balance.locked -= lock;
    balance.available += lock;
  }

  private meetsOwn(book: Book, command: PlaceSpotOrder, limit: Ticks, quantity: number): boolean {
    const levels = command.side === 'buy' ? book.sell : book.buy;
    let left = quantity;
    for (let at = levels.length - 1; at >= 0 && left > 0; at -= 1) {
      const level = levels[at];
      if (level === undefined || isWorse(command.side, level.price, limit)) return false;
      for (const order of level.orders.values()) {
        if (order.accountId === command.accountId) return true;
        left -= (order.quantity ?? 0) - order.filledQuantity;
        if (left <= 0) return false;
      }
    }
    return false;
  }

  private forget(level: Level, order: Order): void {
    level.orders.delete(order.orderNumber);
    this.orders.delete(order.orderNumber);
    if (order.clientOrderId === null) return;
    this.clientOrderIds.delete(`${order.accountId}:${order.clientOrderId}`);
  }

  private orderOf(command: PlaceSpotOrder): Order {
    return {
      orderNumber: this.orderNumber as OrderNumber,
      accountId: command.accountId,
      marketId: command.marketId,
      clientOrderId: command.clientOrderId,
      side: command.side,
      type: 'limit',
      timeInForce: command.timeInForce,
      price: command.price,
      quantity: command.quantity,
      quoteQuantity: null,
      filledQuantity: 0 as Lots,
      filledQuote: toAmount(0n),
      status: 'new',
      createdAt: this.now,
      updatedAt: this.now,
    };
  }

  private level(book: Book, side: Side, price: Ticks): Level {
    const levels = book[side];
    const place = placeOf(levels, side, price);
    const known = levels[place];
    if (known?.price === price) return known;
    const level: Level = { price, total: 0, orders: new Map() };
    levels.splice(place, 0, level);
    return level;
  }

  private reportLevel(book: Book, side: Side, level: Level): void {
    book.updateId += 1;
    this.events.push({
      type: 'bookLevelChanged',
      marketId: book.market.marketId,
      side,
      price: level.price,
      quantity: level.total as Lots,
      updateId: book.updateId,
    });
  }

  private token(symbol: string): TokenId {
    const known = this.tokens.get(symbol);
    if (known !== undefined) return known;
    const tokenId = this.tokens.size as TokenId;
    this.tokens.set(symbol, tokenId);
    return tokenId;
  }

  private touch(accountId: AccountId, tokenId: TokenId): Balance {
    const balance = this.balance(accountId, tokenId);
    this.touched.add(balance);
    return balance;
  }

  private balance(accountId: AccountId, tokenId: TokenId): Balance {
    const key = `${accountId}:${tokenId}`;
    let balance = this.balances.get(key);
    if (balance === undefined) {
      balance = { accountId, tokenId, available: 0n, locked: 0n };
      this.balances.set(key, balance);
    }
    return balance;
  }
}

function maker(takerSide: Side): Side {
  return takerSide === 'buy' ? 'sell' : 'buy';
}

function restStatus(order: Order): SpotOrderStatus {
  if (order.timeInForce === 'ioc') return 'expired';
  return order.filledQuantity > 0 ? 'partially_filled' : 'new';
}

function isWorse(takerSide: Side, price: Ticks, limit: Ticks): boolean {
  return takerSide === 'buy' ? price > limit : price < limit;
}

/** Where a price stands, or would stand, among levels sorted from worst to best. */
function placeOf(levels: readonly Level[], side: Side, price: Ticks): number {
  let low = 0;
  let high = levels.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const found = levels[middle]?.price ?? 0;
    if (side === 'buy' ? found < price : found > price) low = middle + 1;
    else high = middle;
  }
  return low;
}
