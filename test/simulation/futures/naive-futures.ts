import { toAmount } from '../../../src/domain/amount.ts';
import type { FuturesTradeParty } from '../../../src/domain/futures-order.ts';
import type { AccountId, OrderNumber, TradeNumber } from '../../../src/domain/identifiers.ts';
import type { Rejection } from '../../../src/domain/rejection.ts';
import type { Lots, Ticks } from '../../../src/domain/spot-market.ts';
import type { AttachedTrigger, PlaceFuturesOrder } from '../../../src/engine/futures-commands.ts';
import type { FuturesOrderCause, FuturesOrderEnd } from '../../../src/engine/futures-events.ts';
import { divideUp } from './naive-arithmetic.ts';
import { coverFill, type Ending, ending, NaiveFuturesChildren } from './naive-futures-children.ts';
import { isWaiting } from './naive-futures-judge.ts';
import { describe, lotsLeft } from './naive-futures-state.ts';
import { countTrade, type Market, type Order } from './naive-futures-types.ts';

// The futures rules once more, as simply as possible: each answer is a walk over arrays.

const safeMax = Number.MAX_SAFE_INTEGER;
const ordersMax = 200;

/** Orders, matching, triggers and what they do to positions and wallets. */
export abstract class NaiveFutures extends NaiveFuturesChildren {
  protected place(command: PlaceFuturesOrder): Rejection | null {
    const market = this.markets[command.marketId];
    if (market === undefined) return { reason: 'market_not_found' };
    const { status } = market.terms;
    if (status === 'halted') return { reason: 'market_halted' };
    if (status === 'delisted') return { reason: 'market_delisted' };
    const isBookPriced = market.terms.indexPriceSource === 'book';
    if (market.markPrice === null && !isBookPriced) return { reason: 'index_price_missing' };
    const { accountId, clientOrderId } = command;
    const order = this.readOrder(command);
    if (this.isHeldBack(order)) return { reason: 'account_in_liquidation' };
    if (clientOrderId !== null && this.isTaken(accountId, clientOrderId)) {
      return { reason: 'duplicate_client_order_id' };
    }
    if (this.ordersOf(accountId, command.marketId).length >= ordersMax) {
      return { reason: 'too_many_orders' };
    }
    if (isWaiting(order)) {
      const refusal = this.refuseTrigger(market, order);
      if (refusal === null) this.accept(order);
      return refusal;
    }
    const refusal = this.admit(market, order, command.worstPrice);
    if (refusal !== null) return refusal;
    this.accept(order);
    this.attach(order, 'take_profit_market', command.takeProfit);
    this.attach(order, 'stop_market', command.stopLoss);
    this.enter(market, order, command.worstPrice);
    return null;
  }

  private readOrder(command: PlaceFuturesOrder): Order {
    return {
      orderNumber: (this.orderNumber + 1) as OrderNumber,
      accountId: command.accountId,
      marketId: command.marketId,
      clientOrderId: command.clientOrderId,
      side: command.side,
      type: command.orderType,
      timeInForce: command.timeInForce,
      price: command.price,
      priceMatch: command.priceMatch,
      quantity: command.quantity ?? (0 as Lots),
      filledQuantity: 0 as Lots,
      filledQuote: toAmount(0n),
      status: 'new',
      stopPrice: command.stopPrice,
      triggerPriceKind: command.triggerPriceKind,
      activationPrice: command.activationPrice,
      callback: command.callback,
      isReduceOnly: command.isReduceOnly || command.isClosePosition,
      isClosePosition: command.isClosePosition,
      isPriceProtected: command.isPriceProtected,
      selfTradeMode: command.selfTradeMode,
      goodTill: command.goodTill,
      parentOrderNumber: null,
      isAlgo: command.isAlgo,
      origin: 'user',
      triggeredAt: null,
      createdAt: this.now,
      updatedAt: this.now,
      isResting: false,
      protects: null,
    };
  }

  private accept(order: Order): void {
    this.orderNumber += 1;
    this.orders.push(order);
    this.tell(order, 'placed');
  }

  private attach(parent: Order, type: Order['type'], trigger: AttachedTrigger | null): void {
    if (trigger === null) return;
    this.accept({
      ...parent,
      orderNumber: (this.orderNumber + 1) as OrderNumber,
      clientOrderId: null,
      side: parent.side === 'buy' ? 'sell' : 'buy',
      type,
      timeInForce: 'ioc',
      price: null,
      priceMatch: 'none',
      stopPrice: trigger.stopPrice,
      triggerPriceKind: trigger.triggerPriceKind,
      isReduceOnly: true,
      isClosePosition: false,
      isPriceProtected: false,
      selfTradeMode: 'expire_maker',
      goodTill: null,
      parentOrderNumber: parent.orderNumber,
      isAlgo: false,
    });
  }

  protected tell(
    order: Order,
    cause: FuturesOrderCause,
    end: FuturesOrderEnd | null = null,
    tradeNumber: number | null = null,
  ): void {
    order.updatedAt = this.now;
    this.events.push({
      type: 'futuresOrderUpdated',
      order: { ...describe(order) },
      cause,
      tradeNumber: tradeNumber as TradeNumber | null,
      end,
    });
  }

  // The book.

  /** Trades the order as far as it goes; what is left rests or ends. */
  protected enter(market: Market, order: Order, worst: Ticks | null): void {
    const anything = order.side === 'buy' ? safeMax : 1;
    const limit = this.limitOf(market, order, worst) ?? anything;
    if (order.timeInForce === 'fok') {
      const fill = this.reach(market, order, limit);
      const isWhole = fill.lots >= lotsLeft(order);
      if (!isWhole || !this.mayFill(market, order, fill)) {
        const end = isWhole ? 'margin' : 'time_in_force';
        return this.finish(order, ending('expired', 'expired', end));
      }
    }
    const isSwept = this.sweep(market, order, limit);
    if (isSwept && lotsLeft(order) > 0) this.settleRest(market, order, anything);
  }

  /**
   * Trades up to a price, or that many lots; false if the order has met one of its own and ended.
   */
  protected sweep(market: Market, order: Order, limit: number, lotsMax = safeMax): boolean {
    const filledMax = order.filledQuantity + lotsMax;
    while (lotsLeft(order) > 0 && order.filledQuantity < filledMax) {
      const [maker] = this.makersFor(market, order, limit);
      if (maker === undefined) return true;
      const band = this.band(market);
      const isBuy = order.side === 'buy';
      const price = maker.price ?? 0;
      if (isBuy ? price > band.high : price < band.low) {
        if (order.origin !== 'user') return true;
        this.finish(order, ending('expired', 'expired', 'price_protection'));
        return false;
      }
      const room = filledMax - order.filledQuantity;
      if (this.isOwn(maker, order)) {
        const expired = ending('expired_in_match', 'expired', 'self_trade');
        if (order.selfTradeMode !== 'expire_taker') this.finish(maker, expired);
        if (order.selfTradeMode !== 'expire_maker') {
          this.finish(order, expired);
          return false;
        }
      } else if (maker.isReduceOnly && lotsLeft(maker) > this.room(maker)) {
        this.cutTo(maker, this.room(maker));
      } else if (isBuy ? price < band.low : price > band.high) {
        this.finish(maker, ending('expired', 'expired', 'price_protection'));
      } else {
        const wanted = Math.min(lotsLeft(maker), lotsLeft(order), room);
        const lots = Math.min(wanted, this.openInterestRoom(market, maker, order));
        if (lots === 0) {
          this.finish(order, ending('expired', 'expired', 'open_interest'));
          return false;
        }
        const reached = this.openInterestAfter(market, lots, maker, order);
        const isJudged = order.origin === 'user' && order.timeInForce !== 'fok';
        if (!this.mayFill(market, maker, { price, lots, reached, role: 'maker' })) {
          this.finish(maker, ending('expired', 'expired', 'margin'));
        } else if (
          isJudged &&
          !this.mayFill(market, order, { price, lots, reached, role: 'taker' })
        ) {
          this.finish(order, ending('expired', 'expired', 'margin'));
          return false;
        } else {
          this.trade(market, maker, order, lots);
        }
      }
    }
    return true;
  }

  protected isOwn(maker: Order, taker: Order): boolean {
    return maker.accountId === taker.accountId;
  }

  private settleRest(market: Market, order: Order, anything: number): void {
    if (order.price === null) {
      const hasMore = this.makersFor(market, order, anything).length > 0;
      const end = hasMore ? 'price_protection' : 'time_in_force';
      return this.finish(order, ending('expired', 'expired', end));
    }
    if (order.timeInForce === 'ioc') {
      return this.finish(order, ending('expired', 'expired', 'time_in_force'));
    }
    const band = this.band(market);
    const { price } = order;
    if (order.side === 'buy' ? price > band.high : price < band.low) {
      return this.finish(order, ending('expired', 'expired', 'price_protection'));
    }
    this.rest(market, order);
  }

  protected rest(market: Market, order: Order): void {
    const side = market[order.side];
    const behind = side.findIndex(({ price }) => {
      return order.side === 'buy'
        ? (order.price ?? 0) > (price ?? 0)
        : (order.price ?? 0) < (price ?? 0);
    });
    side.splice(behind < 0 ? side.length : behind, 0, order);
    order.isResting = true;
  }

  protected trade(market: Market, maker: Order, taker: Order, quantity: number): void {
    const price = maker.price as Ticks;
    this.reached = this.openInterestAfter(market, quantity, maker, taker);
    const makerParty = this.settle(market, maker, { price, quantity, role: 'maker' });
    const takerParty = this.settle(market, taker, { price, quantity, role: 'taker' });
    if (maker.origin === 'user') market.lastPrice = price;
    this.tradeNumber += 1;
    this.events.push({
      type: 'futuresTradeExecuted',
      trade: {
        tradeNumber: this.tradeNumber as TradeNumber,
        tradeId: countTrade(market),
        marketId: market.terms.marketId,
        price,
        quantity: quantity as Lots,
        quoteAmount: toAmount(this.money(market, price, quantity)),
        takerSide: taker.side,
        isOffBook: maker.origin !== 'user',
        maker: makerParty,
        taker: takerParty,
      },
    });
    for (const order of [maker, taker]) {
      if (lotsLeft(order) === 0) this.remove(order);
      this.tell(order, 'traded', null, this.tradeNumber);
    }
  }

  /** One side of a trade: position, profit, fee, and what the order has filled. */
  protected settle(
    market: Market,
    order: Order,
    fill: { price: number; quantity: number; role: 'maker' | 'taker' },
  ): FuturesTradeParty {
    const { accountId } = order;
    const quote = this.money(market, fill.price, fill.quantity);
    const fee = order.origin === 'user' ? this.fee(accountId, market, quote, fill.role) : 0n;
    const position = this.position(accountId, market.terms.marketId);
    const { quantity: held, fees } = position;
    this.payUnpaid(accountId);
    const profit = this.fillPosition(market, order, fill.price, fill.quantity);
    // A position that a trade reverses begins with its own part of the trade's fee.
    const isTurned = held * position.quantity < 0;
    position.fees = isTurned
      ? divideUp(fee * BigInt(Math.abs(position.quantity)), BigInt(fill.quantity))
      : (held === 0 ? 0n : fees) + fee;
    this.wallet(accountId).balance += profit - fee;
    market.clearing -= profit;
    this.futuresFees = toAmount(this.futuresFees + fee);
    order.filledQuantity = (order.filledQuantity + fill.quantity) as Lots;
    order.filledQuote = toAmount(order.filledQuote + quote);
    order.status = lotsLeft(order) === 0 ? 'filled' : 'partially_filled';
    coverFill(position, order, fill.quantity, this.childrenOf(order.orderNumber));
    const { orderNumber } = order;
    return { orderNumber, accountId, fee: toAmount(fee), realizedProfit: toAmount(profit) };
  }

  /** Books what is due to the account, in one market or all. */
  protected abstract payUnpaid(accountId: AccountId, only?: Market): void;

  /** Closes what the trade closes and opens the rest; the profit of what was closed. */
  protected fillPosition(market: Market, order: Order, price: number, quantity: number): bigint {
    const position = this.position(order.accountId, market.terms.marketId);
    const direction = order.side === 'buy' ? 1 : -1;
    const held = Math.abs(position.quantity);
    const isOpposite = position.quantity !== 0 && Math.sign(position.quantity) !== direction;
    const closed = isOpposite ? Math.min(held, quantity) : 0;
    if (position.quantity === 0) position.realized = 0n;
    if (quantity > closed && (held === 0 || isOpposite)) position.number += 1;
    let profit = 0n;
    if (closed > 0) {
      const share = position.entry * BigInt(closed);
      const rest = share % BigInt(held) === 0n ? 0n : 1n;
      // What is released is rounded against the trader: up for a long, down for a short.
      const cost = share / BigInt(held) + (direction === -1 ? rest : 0n);
      const money = this.money(market, price, closed);
      profit = direction === -1 ? money - cost : cost - money;
      position.entry -= cost;
      position.realized += profit;
    }
    if (quantity > closed) {
      if (closed > 0) position.realized = 0n;
      position.entry += this.money(market, price, quantity - closed);
    }
    const opened = this.fullOf(market, quantity - closed, this.reached, price);
    position.full = this.fullAfter(position, position.quantity + direction * quantity, opened);
    position.quantity += direction * quantity;
    position.updatedAt = this.now;
    this.touched.add(`${order.accountId}:${market.terms.marketId}`);
    return profit;
  }

  /** The open interest after the trade being made. */
  private reached = 0;

  /** Positions that the running command has changed. */
  protected touched = new Set<string>();

  protected remove(order: Order): void {
    const market = this.market(order.marketId);
    market[order.side] = market[order.side].filter((each) => each !== order);
    this.orders = this.orders.filter((each) => each !== order);
    order.isResting = false;
  }

  /** Ends an order without filling it; its waiting children go unless they protect a fill. */
  protected finish(order: Order, { status, cause, end }: Ending): void {
    this.remove(order);
    order.status = status;
    this.tell(order, cause, end);
    const isKept = order.filledQuantity > 0 && cause !== 'canceled';
    for (const child of this.childrenOf(order.orderNumber)) {
      if (isKept) this.keepOrEnd(child);
      else this.finish(child, ending('canceled', 'canceled', 'parent_ended'));
    }
  }

  protected cutTo(order: Order, lots: number): void {
    if (lotsLeft(order) <= lots) return;
    if (lots === 0) return this.finish(order, ending('expired', 'expired', 'reduce_only'));
    order.quantity = (order.filledQuantity + lots) as Lots;
    this.tell(order, 'amended', 'reduce_only');
  }

  /** Reduce-only orders follow the positions, and children end with them. */
  protected followPositions(): void {
    const keys = [...this.touched].map((key) => key.split(':').map(Number));
    keys.sort((left, right) => {
      return (left[0] ?? 0) - (right[0] ?? 0) || (left[1] ?? 0) - (right[1] ?? 0);
    });
    this.touched.clear();
    for (const [account, marketId] of keys) {
      const orders = this.ordersOf(account as AccountId, marketId as Order['marketId']);
      for (const order of orders.sort((left, right) => left.orderNumber - right.orderNumber)) {
        if (order.isResting && order.isReduceOnly) this.cutTo(order, this.room(order));
        const isLive = this.orders.includes(order);
        if (isLive && order.parentOrderNumber !== null && isWaiting(order)) this.keepOrEnd(order);
      }
    }
  }
}
