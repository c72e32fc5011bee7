import { type Amount, toAmount } from '../../src/domain/amount.ts';
import { assert } from '../../src/domain/assert.ts';
import type { OrderNumber, TradeId, TradeNumber } from '../../src/domain/identifiers.ts';
import type { Rejection } from '../../src/domain/rejection.ts';
import type { Lots } from '../../src/domain/spot-market.ts';
import type { SpotOrderStatus } from '../../src/domain/spot-order.ts';
import type {
  CancelAllSpotOrders,
  CancelSpotOrder,
  Command,
  PlaceSpotOrder,
} from '../../src/engine/commands.ts';
import type { AppliedCommand } from '../../src/engine/events.ts';
import type { Stamp } from '../../src/engine/state-machine.ts';
import {
  naiveAmountMax,
  naiveCanceledMax,
  naiveFee,
  naiveMakersMax,
  naiveOrdersMax,
  naiveSeenMax,
} from './naive-arithmetic.ts';
import { NaiveMarkets } from './naive-markets.ts';
import {
  isBetter,
  isCrossing,
  lotsLeft,
  type Market,
  money,
  type Order,
  remove,
} from './naive-state.ts';

/** One side's share in a trade. */
export interface TradePart {
  readonly market: Market;
  readonly order: Order;
  readonly quote: bigint;
  readonly base: bigint;
  readonly feeBps: number;
}

interface PlannedTrade {
  readonly maker: Order;
  readonly lots: number;
}

/** How many resting orders an order meets, and among how many of them it must not meet its own. */
interface Reach {
  readonly met: number;
  readonly seen: number;
}

const everywhere: Reach = { met: Number.POSITIVE_INFINITY, seen: Number.POSITIVE_INFINITY };
const asFarAsSeen: Reach = { met: naiveSeenMax, seen: naiveSeenMax };

/** The plain engine: arrays and maps, each rule as it reads in the specification. */
export class NaiveEngine extends NaiveMarkets {
  /** Whether the last order could have traded with more orders than it may. */
  protected isCutShort = false;

  apply(command: Command, stamp: Stamp): AppliedCommand {
    assert(stamp.sequence === this.sequence + 1, 'a sequence is missing or came twice');
    assert(stamp.timestamp >= this.now, 'the time went back');
    this.sequence = stamp.sequence;
    this.now = stamp.timestamp;
    this.events = [];
    const rejection = this.execute(command);
    this.reportLevels();
    this.reportCells();
    return { ...stamp, command, rejection, events: this.events };
  }

  protected execute(command: Command): Rejection | null {
    switch (command.type) {
      case 'openAccount':
        this.openAccount(command.address);
        return null;
      case 'creditBalance':
        return this.credit(command);
      case 'createSpotMarket':
        return this.createMarket(command);
      case 'setSpotMarketStatus':
        return this.setStatus(command);
      case 'placeSpotOrder':
        return this.place(command);
      case 'cancelSpotOrder':
        return this.cancel(command);
      case 'cancelAllSpotOrders':
        return this.cancelAll(command);
      case 'creditDeposit':
      case 'reserveWithdrawal':
      case 'completeWithdrawal':
      case 'releaseWithdrawal':
      case 'reopenWithdrawal':
        return this.moveMoney(command);
      default:
        throw new Error(`the plain engine does not know ${command.type}`);
    }
  }

  protected place(command: PlaceSpotOrder): Rejection | null {
    if (this.addresses[command.accountId - 1] === undefined) {
      return { reason: 'account_not_found' };
    }
    const market = this.markets[command.marketId];
    if (market === undefined) return { reason: 'market_not_found' };
    if (market.terms.status === 'halted') return { reason: 'market_halted' };
    if (market.terms.status === 'delisted') return { reason: 'market_delisted' };
    const order = this.orderOf(command);
    const refusal =
      this.refuseTerms(market, order) ??
      this.refuseFunds(market, order) ??
      this.refuseMatch(market, order) ??
      this.refuseCount(market, order);
    if (refusal !== null) return refusal;
    this.orderNumber += 1;
    const [pays] = this.cellsOf(market, order);
    const lock = this.needOf(market, order);
    pays.available -= lock;
    pays.locked += lock;
    const spent = this.matchOrder(market, order);
    this.finishTaker(market, order, lock - spent);
    this.events.push({ type: 'spotOrderUpdated', order: { ...order } });
    return null;
  }

  protected orderOf(command: PlaceSpotOrder): Order {
    const isMarket = command.orderType === 'market';
    const isMoneyGiven =
      command.side === 'buy' ? command.quoteQuantity !== null : command.quantity === null;
    const isByMoney = isMarket && isMoneyGiven;
    return {
      orderNumber: (this.orderNumber + 1) as OrderNumber,
      accountId: command.accountId,
      marketId: command.marketId,
      clientOrderId: command.clientOrderId,
      side: command.side,
      type: command.orderType,
      timeInForce: isMarket ? 'ioc' : command.timeInForce,
      price: isMarket ? null : command.price,
      quantity: isByMoney ? null : command.quantity,
      quoteQuantity: isByMoney ? command.quoteQuantity : null,
      filledQuantity: 0 as Lots,
      filledQuote: toAmount(0n),
      status: 'new',
      createdAt: this.now,
      updatedAt: this.now,
    };
  }

  protected refuseTerms(market: Market, order: Order): Rejection | null {
    if (order.type === 'limit') {
      if (order.price === null) return { reason: 'limit_price_missing' };
      if (order.quantity === null) return { reason: 'limit_quantity_missing' };
      if (!isPositiveInteger(order.price)) return { reason: 'price_off_tick' };
    }
    if (order.quantity === null && order.quoteQuantity === null) {
      return order.side === 'buy'
        ? { reason: 'market_buy_quote_missing' }
        : { reason: 'market_sell_quantity_missing' };
    }
    if (order.quoteQuantity !== null && order.quoteQuantity <= 0n) {
      return { reason: 'amount_not_positive' };
    }
    if (order.quantity !== null && !isPositiveInteger(order.quantity)) {
      return { reason: 'quantity_off_lot' };
    }
    const best = market[order.side === 'buy' ? 'sell' : 'buy'][0]?.price ?? null;
    const price = order.price ?? best;
    const notional =
      order.quoteQuantity ??
      (price === null || order.quantity === null ? null : money(market, price, order.quantity));
    if (notional !== null && notional < market.terms.minNotional) {
      return { reason: 'below_min_notional' };
    }
    return null;
  }

  protected refuseFunds(market: Market, order: Order): Rejection | null {
    const isDuplicate = this.liveOrders().some(
      (other) =>
        other.accountId === order.accountId &&
        other.clientOrderId !== null &&
        other.clientOrderId === order.clientOrderId,
    );
    if (isDuplicate) return { reason: 'duplicate_client_order_id' };
    const tokenId = order.side === 'buy' ? market.terms.quoteTokenId : market.terms.baseTokenId;
    const held = this.findCell(order.accountId, tokenId)?.available ?? 0n;
    if (this.needOf(market, order) > held) return { reason: 'insufficient_balance' };
    if (order.price === null || order.quantity === null) return null;
    const resting = market[order.side].reduce((sum, other) => sum + BigInt(lotsLeft(other)), 0n);
    const isSideFull = resting + BigInt(order.quantity) > BigInt(Number.MAX_SAFE_INTEGER);
    const quoteMost =
      money(market, order.price, order.quantity) + this.token(market.terms.quoteTokenId).issued;
    if (isSideFull || (order.side === 'sell' && quoteMost > naiveAmountMax)) {
      return { reason: 'amount_out_of_range' };
    }
    return null;
  }

  /** What the order pays at most: a market order without its own price, by its matches. */
  protected needOf(market: Market, order: Order): bigint {
    const isPlain = order.type === 'limit' || (order.side === 'buy') === (order.quantity === null);
    if (isPlain) return this.lockOf(market, order);
    const plan = this.planMatch(market, order, everywhere);
    const base = market.terms.lotAmount;
    return plan.reduce((sum, { maker, lots }) => {
      return sum + (order.side === 'buy' ? money(market, maker.price, lots) : base * BigInt(lots));
    }, 0n);
  }

  protected refuseMatch(market: Market, order: Order): Rejection | null {
    const plan = this.planMatch(market, order);
    if (order.timeInForce === 'post_only' && plan.length > 0) {
      return { reason: 'post_only_would_cross' };
    }
    if (plan.some(({ maker }) => maker.accountId === order.accountId)) {
      return { reason: 'self_trade' };
    }
    return null;
  }

  protected refuseCount(market: Market, order: Order): Rejection | null {
    if (order.timeInForce !== 'gtc' && order.timeInForce !== 'post_only') return null;
    const traded = lotsOf(this.planMatch(market, order, asFarAsSeen));
    const open = [...market.buy, ...market.sell].filter(
      ({ accountId }) => accountId === order.accountId,
    );
    const isOneTooMany = traded !== order.quantity && open.length >= naiveOrdersMax;
    return isOneTooMany ? { reason: 'too_many_orders' } : null;
  }

  /** The makers that the order would meet, in their order, each with the lots it would take. */
  protected planMatch(market: Market, order: Order, reach = this.reachOf(order)): PlannedTrade[] {
    const plan: PlannedTrade[] = [];
    let left = order.quantity ?? Number.POSITIVE_INFINITY;
    let quoteLeft = order.quoteQuantity ?? 0n;
    const prices = new Set<number | null>();
    for (const maker of market[order.side === 'buy' ? 'sell' : 'buy']) {
      prices.add(maker.price);
      if (!isCrossing(order, maker) || plan.length === reach.met) break;
      if (prices.size > naiveSeenMax && isPriced(order)) break;
      if (maker.accountId === order.accountId && plan.length >= reach.seen) break;
      if (order.quoteQuantity !== null) {
        left = Number(quoteLeft / money(market, maker.price, 1));
      }
      const lots = Math.min(left, lotsLeft(maker));
      if (lots === 0) break;
      plan.push({ maker, lots });
      if (order.quoteQuantity !== null && left <= lotsLeft(maker)) break;
      quoteLeft -= money(market, maker.price, lots);
      left -= lots;
    }
    return plan;
  }

  protected reachOf({ timeInForce }: Order): Reach {
    return timeInForce === 'fok' ? asFarAsSeen : { met: naiveMakersMax, seen: naiveSeenMax };
  }

  /** Trades the plan; returns what came out of the order's lock. */
  protected matchOrder(market: Market, order: Order): bigint {
    const plan = this.planMatch(market, order);
    const lots = lotsOf(plan);
    this.isCutShort = lots < lotsOf(this.planMatch(market, order, everywhere));
    if (order.timeInForce === 'fok' && lots !== order.quantity) return 0n;
    let spent = 0n;
    for (const step of plan) spent += this.trade(market, order, step.maker, step.lots);
    return spent;
  }

  protected trade(market: Market, taker: Order, maker: Order, quantity: number): bigint {
    assert(maker.price !== null, 'a resting order has a price');
    const quote = money(market, maker.price, quantity);
    const base = market.terms.lotAmount * BigInt(quantity);
    const { takerFeeBps, makerFeeBps } = market.terms;
    const takerFee = this.settle({ market, order: taker, quote, base, feeBps: takerFeeBps });
    const makerFee = this.settle({ market, order: maker, quote, base, feeBps: makerFeeBps });
    this.tradeNumber += 1;
    const { marketId } = market.terms;
    const tradeId = ((this.tradeCounts[marketId] ?? 0) + 1) as TradeId;
    this.tradeCounts[marketId] = tradeId;
    for (const order of [taker, maker]) {
      order.filledQuantity = (order.filledQuantity + quantity) as Lots;
      order.filledQuote = toAmount(order.filledQuote + quote);
      order.updatedAt = this.now;
    }
    maker.status = lotsLeft(maker) === 0 ? 'filled' : 'partially_filled';
    if (lotsLeft(maker) === 0) remove(market[maker.side], maker);
    this.touchLevel(market, maker);
    this.events.push({
      type: 'spotTradeExecuted',
      trade: {
        tradeNumber: this.tradeNumber as TradeNumber,
        tradeId,
        marketId,
        price: maker.price,
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
    return taker.side === 'buy' ? quote : base;
  }

  /** One side's money of a trade: pays out of its lock, receives less the fee. */
  protected settle(part: TradePart): Amount {
    const isBuy = part.order.side === 'buy';
    const [pays, gets] = this.cellsOf(part.market, part.order);
    const received = isBuy ? part.base : part.quote;
    const fee = naiveFee(received, part.feeBps);
    pays.locked -= isBuy ? part.quote : part.base;
    gets.available += received - fee;
    this.token(gets.tokenId).fees += fee;
    return fee;
  }

  protected finishTaker(market: Market, order: Order, lockLeft: bigint): void {
    const mayRest = order.timeInForce === 'gtc' || order.timeInForce === 'post_only';
    const isResting = mayRest && lotsLeft(order) > 0 && !this.isCutShort;
    const keep = isResting ? this.lockOf(market, order) : 0n;
    const [pays] = this.cellsOf(market, order);
    pays.locked -= lockLeft - keep;
    pays.available += lockLeft - keep;
    if (isResting) {
      order.status = order.filledQuantity > 0 ? 'partially_filled' : 'new';
      const side = market[order.side];
      const behind = side.findIndex((other) => isBetter(order, other));
      side.splice(behind < 0 ? side.length : behind, 0, order);
      this.touchLevel(market, order);
    } else {
      order.status = this.finalStatus(market, order);
    }
  }

  protected finalStatus(market: Market, order: Order): SpotOrderStatus {
    if (order.quoteQuantity === null) return lotsLeft(order) === 0 ? 'filled' : 'expired';
    if (order.filledQuantity === 0 || this.isCutShort) return 'expired';
    const unspent = order.quoteQuantity - order.filledQuote;
    // The missing proceeds of a sell are made up at no worse price than its last one.
    const last = this.events.findLast((event) => event.type === 'spotTradeExecuted');
    const next = (order.side === 'buy' ? market.sell[0]?.price : last?.trade.price) ?? null;
    const isDone = unspent === 0n || (next !== null && unspent < money(market, next, 1));
    return isDone ? 'filled' : 'expired';
  }

  protected cancel({ accountId, orderNumber }: CancelSpotOrder): Rejection | null {
    const order = this.liveOrders().find((each) => each.orderNumber === orderNumber);
    if (order === undefined) return { reason: 'order_not_found' };
    if (order.accountId !== accountId) return { reason: 'order_not_owned' };
    this.cancelOrder(this.market(order.marketId), order);
    return null;
  }

  protected cancelAll({ accountId, marketId }: CancelAllSpotOrders): Rejection | null {
    if (this.addresses[accountId - 1] === undefined) return { reason: 'account_not_found' };
    if (marketId !== null && this.markets[marketId] === undefined) {
      return { reason: 'market_not_found' };
    }
    const orders = this.liveOrders()
      .filter((order) => order.accountId === accountId)
      .filter((order) => marketId === null || order.marketId === marketId)
      .sort(
        (left, right) => left.marketId - right.marketId || left.orderNumber - right.orderNumber,
      );
    for (const order of orders.slice(0, naiveCanceledMax))
      this.cancelOrder(this.market(order.marketId), order);
    if (orders.length > naiveCanceledMax) this.events.push({ type: 'workDue' });
    return null;
  }
}

/** Whether the prices of the book decide how much the order trades or what it costs. */
function isPriced({ type, side, quantity }: Order): boolean {
  return type === 'market' && (side === 'buy' || quantity === null);
}

function lotsOf(plan: readonly PlannedTrade[]): number {
  return plan.reduce((sum, { lots }) => sum + lots, 0);
}

function isPositiveInteger(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0;
}
