import type { AccountId } from '../../../src/domain/identifiers.ts';
import type { Rejection } from '../../../src/domain/rejection.ts';
import type { Lots, Ticks } from '../../../src/domain/spot-market.ts';
import { divideUp } from './naive-arithmetic.ts';
import { lotsLeft, NaiveFuturesState } from './naive-futures-state.ts';
import type { Market, Order, Position } from './naive-futures-types.ts';

const safeMax = Number.MAX_SAFE_INTEGER;

/** A fill of one of the two orders, and the open interest after it. */
export interface Fill {
  readonly price: number;
  readonly lots: number;
  readonly reached: number;
  readonly role: 'maker' | 'taker';
  /** Of several fills, of which `price` is the worst. */
  readonly whole?: { readonly quote: bigint; readonly fee: bigint };
}

/** What an order has to pass before it may trade. */
export class NaiveFuturesJudge extends NaiveFuturesState {
  /** The lots by which the order's account can shrink its position with it. */
  protected room({ accountId, marketId, side }: Order): number {
    const { quantity } = this.position(accountId, marketId);
    return Math.max(0, side === 'sell' ? quantity : -quantity);
  }

  /** An account that is being closed may only reduce, and at once. */
  protected isHeldBack(order: Order): boolean {
    return this.isClosing(order.accountId) && (!order.isReduceOnly || isWaiting(order));
  }

  /** At an old price an order that cannot but reduce becomes reduce-only; others are refused. */
  protected refuseOldPrice(market: Market, order: Order): Rejection | null {
    if (order.isReduceOnly || ['unpriced', 'fresh'].includes(this.priceState(market))) return null;
    const resting = market[order.side]
      .filter((each) => each.accountId === order.accountId && !each.isReduceOnly)
      .reduce((lots, each) => lots + lotsLeft(each), 0);
    if (lotsLeft(order) + resting > this.room(order)) return { reason: 'index_price_stale' };
    order.isReduceOnly = true;
    return null;
  }

  /** The worst price in ticks at which the order trades; a market order stays near the mark. */
  protected limitOf(market: Market, order: Order, worst: Ticks | null): number | null {
    if (order.price !== null) return order.price;
    const best = (order.side === 'buy' ? market.sell : market.buy)[0]?.price ?? null;
    const { tickSize } = market.terms;
    const perTick = tickSize / 10n ** 10n;
    const reference = market.markPrice ?? (best === null ? null : BigInt(best) * perTick);
    if (reference === null) return null;
    const band = reference / 20n;
    const isBuy = order.side === 'buy';
    const edge = isBuy ? (reference + band) / perTick : (reference - band + perTick - 1n) / perTick;
    const limits = worst === null ? [Number(edge)] : [Number(edge), worst];
    return Math.max(1, isBuy ? Math.min(...limits) : Math.max(...limits));
  }

  protected refuseNotional(market: Market, order: Order, price: number): Rejection | null {
    const notional = this.money(market, price, lotsLeft(order));
    const { minNotional, maxNotional } = market.terms;
    if (price < 1) return { reason: 'price_off_tick' };
    if (notional > maxNotional) return { reason: 'notional_too_large' };
    const isSmall = !order.isReduceOnly && notional < minNotional;
    return isSmall ? { reason: 'notional_too_small' } : null;
  }

  /** Margin that the order adds, and what it loses at once against the mark price. */
  protected refuseMargin(market: Market, order: Order, limit: number): Rejection | null {
    const { accountId, side } = order;
    const notional = order.isReduceOnly ? 0n : this.money(market, limit, lotsLeft(order));
    const added = { buy: 0n, sell: 0n, [side]: notional };
    const before = this.need(accountId, market, { buy: 0n, sell: 0n });
    const opened = Math.max(0, lotsLeft(order) - this.room(order));
    const reached = this.getOpenInterest(market.terms.marketId) + opened;
    const leverage = BigInt(this.getLeverage(accountId, market.terms.marketId));
    const full = order.isReduceOnly ? 0n : this.fullOf(market, opened, reached, limit);
    const raised = divideUp(full * (leverage - 1n), leverage);
    const needed = this.need(accountId, market, added).orders - before.orders + raised;
    const loss = this.lossAtOnce(market, order, limit);
    const all = this.needs(accountId);
    const equity = this.settled(accountId) + all.reduce((sum, { profit }) => sum + profit, 0n);
    if (needed === 0n) {
      return loss > 0n && loss > equity ? { reason: 'insufficient_margin' } : null;
    }
    if (this.freeOf(accountId) < needed + loss) return { reason: 'insufficient_margin' };
    const open = this.openNotional(accountId, market)[side];
    const { quantity } = this.position(accountId, market.terms.marketId);
    const isSameSide = quantity > 0 === (side === 'buy');
    const held = quantity === 0 ? 0n : isSameSide ? before.notional : -before.notional;
    const isTooLarge = notional + open + held > this.largestNotional(accountId, market);
    return isTooLarge ? { reason: 'position_too_large' } : null;
  }

  /** The lots that both may trade: each closes what it can, the rest adds to open interest. */
  protected openInterestRoom(market: Market, ...orders: readonly Order[]): number {
    const room = Math.max(0, this.openInterestLeft(market));
    return orders.reduce((sum, order) => sum + this.room(order), room);
  }

  /** Once they have traded the lots: what one of them closes adds nothing. */
  protected openInterestAfter(market: Market, lots: number, ...orders: readonly Order[]): number {
    const closed = orders.reduce((sum, order) => sum + Math.min(lots, this.room(order)), 0);
    return this.getOpenInterest(market.terms.marketId) + lots - closed;
  }

  /** Below zero if the mark has taken it beyond its largest. */
  private openInterestLeft(market: Market): number {
    return this.openInterestMax(market) - this.getOpenInterest(market.terms.marketId);
  }

  private openInterestMax({ markPrice, terms }: Market): number {
    if (markPrice === null) return Number.POSITIVE_INFINITY;
    return Number((terms.maxOpenInterest * 10n ** 18n) / (terms.lotSize * markPrice));
  }

  /**
   * What of the notional of opened lots is to be covered in full: none if the trade leaves open
   * interest at half of its largest, all of it at the largest.
   */
  protected fullOf(market: Market, opened: number, openInterest: number, price: number): bigint {
    const { terms } = market;
    const markPrice = market.markPrice ?? this.priceOf(market, price);
    const most = this.openInterestMax(market);
    const reached = Math.min(most, openInterest);
    const isFirst = market.markPrice === null;
    if (opened === 0 || !(isFirst || this.isRaised(market, reached))) return 0n;
    const cap = terms.maxOpenInterest;
    const beyond = this.worth(market, markPrice, reached, 'up') * 2n - cap;
    const share = beyond > cap ? cap : beyond < 0n ? 0n : beyond;
    return divideUp(this.worth(market, markPrice, opened, 'up') * share, cap);
  }

  private isRaised(market: Market, openInterest: number): boolean {
    return openInterest * 2 > this.openInterestMax(market);
  }

  /** What is still covered in full once the position has that many lots. */
  protected fullAfter(held: Position, quantity: number, opened: bigint): bigint {
    if (held.quantity * quantity <= 0) return opened;
    const [before, after] = [Math.abs(held.quantity), Math.abs(quantity)];
    if (after >= before) return held.full + opened;
    return divideUp(held.full * BigInt(after), BigInt(before));
  }

  /** The prices in ticks at which the market trades. */
  protected band({ terms, markPrice }: Market): { readonly low: number; readonly high: number } {
    if (markPrice === null) return { low: 1, high: Number.MAX_SAFE_INTEGER };
    const width = (markPrice * BigInt(terms.tradeBandBps)) / 10_000n;
    const perTick = terms.tickSize / 10n ** 10n;
    const low = Number((markPrice - width + perTick - 1n) / perTick);
    return { low: Math.max(1, low), high: Math.max(1, Number((markPrice + width) / perTick)) };
  }

  /** Whether the order's account still meets its requirements after the fill. */
  protected mayFill(market: Market, order: Order, fill: Fill): boolean {
    const { accountId, side } = order;
    const quote = fill.whole?.quote ?? this.money(market, fill.price, fill.lots);
    const fee = fill.whole?.fee ?? this.fee(accountId, market, quote, fill.role);
    const free = this.freeOf(accountId);
    const isFirst = market.markPrice === null;
    const mark = market.markPrice ?? this.priceOf(market, fill.price);
    const isBuy = side === 'buy';
    const price = this.priceOf(market, fill.price);
    const isWorse = isBuy ? price > mark : price < mark;
    const isFresh = isFirst || this.priceState(market) === 'fresh';
    const { quantity } = this.position(accountId, market.terms.marketId);
    const opened = Math.max(0, fill.lots - this.room(order));
    const full = this.fullOf(market, opened, fill.reached, fill.price);
    const isRaised = isFirst || this.isRaised(market, fill.reached);
    if (!isWorse && isFresh && !isRaised && free >= fee) return true;
    const after = quantity + (isBuy ? fill.lots : -fill.lots);
    const isReducing = Math.abs(after) < Math.abs(quantity) && after * quantity >= 0;
    const worthOf = (held: number): bigint =>
      held < 0 ? -this.worth(market, mark, -held, 'up') : this.worth(market, mark, held, 'down');
    const gain = (isBuy ? -quote : quote) + worthOf(after) - worthOf(quantity) - fee;
    const before = this.standingFor(accountId);
    market.markPrice = mark;
    const then = this.tryOut(market, order, { quantity: after, lots: fill.lots, full });
    if (isFirst) market.markPrice = null;
    if (!isReducing) return isFresh && free + gain - then.added >= 0n;
    const left = before.equity + gain;
    if (left < 0n || left > then.maintenance) return left >= 0n;
    return left * before.maintenance >= before.equity * then.maintenance;
  }

  /** Equity that counts while markets settle, and maintenance margin. */
  private standingFor(accountId: AccountId): { equity: bigint; maintenance: bigint } {
    const needs = this.needs(accountId);
    const uncounted = this.markets
      .filter((market) => this.isSettling(market))
      .reduce((sum, market) => sum + this.profitIn(accountId, market), 0n);
    const { balance } = this.wallet(accountId);
    const equity = needs.reduce((sum, { profit }) => sum + profit, balance - uncounted);
    return { equity, maintenance: needs.reduce((sum, need) => sum + need.maintenance, 0n) };
  }

  /** Margins with another quantity held, and the order's own lots no longer resting. */
  private tryOut(
    market: Market,
    order: Order,
    { quantity, lots, full }: { quantity: number; lots: number; full: bigint },
  ): { readonly added: bigint; readonly maintenance: bigint } {
    const { accountId, side } = order;
    const position = this.position(accountId, market.terms.marketId);
    const held = { ...position };
    const before = this.need(accountId, market, { buy: 0n, sell: 0n });
    const all = this.standingFor(accountId).maintenance;
    const isCounted = order.isResting && !order.isReduceOnly;
    const released = isCounted ? -this.money(market, order.price ?? 0, lots) : 0n;
    position.full = this.fullAfter(held, quantity, full);
    position.quantity = quantity;
    const after = this.need(accountId, market, { buy: 0n, sell: 0n, [side]: released });
    Object.assign(position, held);
    return {
      added: after.initial + after.orders - before.initial - before.orders,
      maintenance: all - before.maintenance + after.maintenance,
    };
  }

  /** What a fok order could trade in all, before it meets an order that ends it. */
  protected reach(market: Market, order: Order, limit: number): Fill {
    const makers = this.makersFor(market, order, limit);
    const first = makers.findIndex(({ accountId }) => accountId === order.accountId);
    const isStopped = first >= 0 && order.selfTradeMode !== 'expire_maker';
    const reached = isStopped ? makers.slice(0, first) : makers;
    const band = this.band(market);
    const given = new Map<AccountId, Fill>();
    let openInterest = this.getOpenInterest(market.terms.marketId);
    let [sum, last, quote, fee] = [0, 0, 0n, 0n];
    let space = this.openInterestLeft(market);
    let own = this.room(order);
    for (const maker of reached) {
      const price = maker.price ?? 0;
      if (order.side === 'buy' ? price > band.high : price < band.low) break;
      if (maker.accountId === order.accountId) continue;
      const { accountId } = maker;
      const before = given.get(accountId) ?? { lots: 0, price, reached: 0 };
      const room = maker.isReduceOnly ? this.room(maker) - before.lots : safeMax;
      const most = Math.min(lotsLeft(maker), room, lotsLeft(order) - sum);
      const isBeyond = order.side === 'buy' ? price < band.low : price > band.high;
      if (most <= 0) continue;
      const closes = Math.max(0, this.room(maker) - before.lots);
      const lots = Math.min(most, Math.max(0, space) + own + closes);
      if (lots === 0) break;
      if (isBeyond) continue;
      const opened = lots - Math.min(lots, own) - Math.min(lots, closes);
      const reached = Math.max(before.reached, openInterest + opened);
      // An account's total cost is judged at the first and at the worst of its prices.
      const all = {
        price: before.price,
        lots: before.lots + lots,
        reached,
        role: 'maker',
      } as const;
      if (!this.mayFill(market, maker, all)) continue;
      given.set(accountId, all);
      const money = this.money(market, price, lots);
      quote += money;
      fee += this.fee(order.accountId, market, money, 'taker');
      if (sum === 0 || market.markPrice !== null) last = price;
      sum += lots;
      openInterest += opened;
      space -= opened;
      own -= Math.min(lots, own);
      if (lots < most) break;
    }
    const whole = { quote, fee };
    return { price: last, lots: sum, reached: openInterest, role: 'taker', whole };
  }

  protected largestNotional(accountId: AccountId, { terms }: Market): bigint {
    const leverage = this.getLeverage(accountId, terms.marketId);
    const allowed = terms.brackets.filter(({ maxLeverage }) => leverage <= maxLeverage);
    return allowed.at(-1)?.notionalCap ?? terms.brackets[0]?.notionalCap ?? 0n;
  }

  protected lossAtOnce(market: Market, order: Order, limit: number): bigint {
    const [best] = order.side === 'buy' ? market.sell : market.buy;
    if (market.markPrice === null && best === undefined) return 0n;
    const markPrice = market.markPrice ?? this.priceOf(market, best?.price ?? 0);
    let left = lotsLeft(order);
    let money = 0n;
    for (const maker of this.makersFor(market, order, limit)) {
      const taken = Math.min(left, lotsLeft(maker));
      money += this.money(market, maker.price ?? 0, taken);
      left -= taken;
    }
    const isDropped = order.type === 'market';
    if (!isDropped) money += this.money(market, limit, left);
    const counted = lotsLeft(order) - (isDropped ? left : 0);
    const loss =
      order.side === 'buy'
        ? money - this.worth(market, markPrice, counted, 'down')
        : this.worth(market, markPrice, counted, 'up') - money;
    return loss > 0n ? loss : 0n;
  }

  /** Resting orders of the other side that the price reaches, in the order of trading. */
  protected makersFor(market: Market, { side }: Order, limit: number): Order[] {
    return side === 'buy'
      ? market.sell.filter(({ price }) => price !== null && price <= limit)
      : market.buy.filter(({ price }) => price !== null && price >= limit);
  }

  protected refuseTrigger(market: Market, order: Order): Rejection | null {
    const price = this.watched(market, order);
    const { activationPrice } = order;
    if (price !== null && this.isReached(market, order)) {
      return { reason: 'would_trigger_immediately' };
    }
    if (price !== null && activationPrice !== null) {
      const activation = this.priceOf(market, activationPrice);
      const isPast = order.side === 'sell' ? price >= activation : price <= activation;
      if (isPast) return { reason: 'would_trigger_immediately' };
    }
    const named = order.price ?? order.stopPrice ?? activationPrice;
    if (order.isClosePosition || named === null) return null;
    return this.refuseNotional(market, order, named);
  }

  protected priceOf({ terms }: Market, ticks: number): bigint {
    return (BigInt(ticks) * terms.tickSize) / 10n ** 10n;
  }

  protected watched(market: Market, { triggerPriceKind }: Order): bigint | null {
    const { lastPrice, markPrice } = market;
    if (triggerPriceKind === 'mark' || lastPrice === null) return markPrice;
    return this.priceOf(market, lastPrice);
  }

  protected isReached(market: Market, order: Order): boolean {
    const price = this.watched(market, order);
    if (price === null || order.stopPrice === null) return false;
    const stop = this.priceOf(market, order.stopPrice);
    return isRising(order) ? price >= stop : price <= stop;
  }

  /** Judges an order that is about to reach the book, and cuts a reduce-only one to size. */
  protected admit(market: Market, order: Order, worst: Ticks | null): Rejection | null {
    if (order.price === null && order.priceMatch !== 'none') {
      order.price = this.priceFrom(market, order);
      if (order.price === null) return { reason: 'no_price_to_match' };
    }
    const old = this.refuseOldPrice(market, order);
    if (old !== null) return old;
    if (order.isReduceOnly) {
      const room = this.room(order);
      if (room === 0) return { reason: 'nothing_to_reduce' };
      if (order.isClosePosition || lotsLeft(order) > room) {
        order.quantity = (order.filledQuantity + room) as Lots;
      }
    }
    const limit = this.limitOf(market, order, worst);
    if (limit === null) return null;
    const isCrossing = this.makersFor(market, order, limit).length > 0;
    return (
      this.refuseNotional(market, order, limit) ??
      (order.timeInForce === 'gtx' && isCrossing ? { reason: 'post_only_would_cross' } : null) ??
      this.refuseMargin(market, order, limit)
    );
  }

  /** The level that the order's price match names; the order's own lots do not count. */
  protected priceFrom(market: Market, order: Order): Ticks | null {
    const [word, level = '1'] = order.priceMatch.split('_');
    const other = order.side === 'buy' ? 'sell' : 'buy';
    const resting = market[word === 'queue' ? order.side : other];
    const prices = resting.filter((each) => each !== order).map(({ price }) => price);
    return [...new Set(prices)][Number(level) - 1] ?? null;
  }

  protected isTaken(accountId: AccountId, clientOrderId: string): boolean {
    return this.findFuturesOrderByClientId(accountId, clientOrderId) !== null;
  }
}

/** Whether the order waits for its trigger. */
export function isWaiting({ stopPrice, callback, triggeredAt }: Order): boolean {
  return (stopPrice !== null || callback !== null) && triggeredAt === null;
}

/** Stops follow the market, take-profits meet it. */
export function isRising({ type, side }: Order): boolean {
  const isStop = type === 'stop' || type === 'stop_market';
  return isStop ? side === 'buy' : side === 'sell';
}
