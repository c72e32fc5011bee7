import type { Lots } from '../../../src/domain/spot-market.ts';
import { ending } from './naive-futures-children.ts';
import { isRising, isWaiting } from './naive-futures-judge.ts';
import { NaiveFuturesLiquidation } from './naive-futures-liquidation.ts';
import type { Market, Order } from './naive-futures-types.ts';

// Trailing stops come before others, what watches the mark price before what watches the last; of
// those, first what fires upwards from the lowest price, then what fires downwards from the highest.
// Before each one all trailing stops see the price that the one before has left behind.

const bpsPerWhole = 10_000n;
const protectDivisor = 20n;

/** Orders that wait for a price, each asked again before any of them fires. */
export class NaiveFuturesTriggers extends NaiveFuturesLiquidation {
  /** Best price since a trailing stop became active, by order. */
  protected extremes = new Map<Order, bigint>();

  protected fireTriggers(): void {
    const markets = [...this.moved].sort(
      (left, right) => left.terms.marketId - right.terms.marketId,
    );
    for (const market of markets) {
      const isWaiting = market.terms.status === 'listed' && this.priceState(market) !== 'fresh';
      if (isWaiting) continue;
      if (market.terms.status === 'listed') this.fireMarket(market);
      this.moved.delete(market);
    }
    this.followPositions();
  }

  private fireMarket(market: Market): void {
    for (;;) {
      const trailing = this.waiting(market).filter(({ callback }) => callback !== null);
      for (const order of trailing) this.trail(market, order);
      const due = this.firstDue(market);
      if (due === undefined) return;
      this.fire(market, due);
    }
  }

  private firstDue(market: Market): Order | undefined {
    const waiting = this.waiting(market);
    const trailing = waiting
      .filter((order) => this.hasComeBack(market, order))
      .sort((left, right) => this.inTrailingTurn(left, right));
    const others = waiting.filter((order) => this.isReached(market, order)).sort(inTurn);
    return [...ofKind(trailing), ...ofKind(others)][0];
  }

  private waiting(market: Market): Order[] {
    return this.orders
      .filter((order) => order.marketId === market.terms.marketId && isWaiting(order))
      .filter(({ parentOrderNumber, protects }) => parentOrderNumber === null || protects !== null)
      .sort((left, right) => left.orderNumber - right.orderNumber);
  }

  private fire(market: Market, order: Order): void {
    if (order.parentOrderNumber !== null) {
      if (!this.keepOrEnd(order)) return;
      order.quantity = (order.protects?.lots ?? 0) as Lots;
    }
    order.triggeredAt = this.now;
    this.extremes.delete(order);
    const { lastPrice, markPrice } = market;
    if (order.isPriceProtected && lastPrice !== null && markPrice !== null) {
      const gap = this.priceOf(market, lastPrice) - markPrice;
      if ((gap < 0n ? -gap : gap) * protectDivisor > markPrice) {
        return this.finish(order, ending('expired', 'rejected', 'price_protection'));
      }
    }
    const refusal = this.admit(market, order, null);
    this.tell(order, 'triggered');
    const siblings =
      order.parentOrderNumber === null ? [] : this.childrenOf(order.parentOrderNumber);
    for (const sibling of siblings) {
      this.finish(sibling, ending('canceled', 'canceled', 'sibling_fired'));
    }
    if (refusal === null) return this.enter(market, order, null);
    const ends = {
      nothing_to_reduce: 'reduce_only',
      insufficient_margin: 'margin',
      no_price_to_match: 'price_match',
      post_only_would_cross: 'time_in_force',
    } as const;
    const end = ends[refusal.reason as keyof typeof ends] ?? 'price_protection';
    this.finish(order, ending('expired', 'rejected', end));
  }

  protected trail(market: Market, order: Order): void {
    const price = this.watched(market, order);
    if (price === null) return;
    const isSell = order.side === 'sell';
    const extreme = this.extremes.get(order);
    if (extreme === undefined) {
      const { activationPrice } = order;
      const activation = activationPrice === null ? price : this.priceOf(market, activationPrice);
      if (isSell ? price >= activation : price <= activation) this.extremes.set(order, price);
      return;
    }
    this.extremes.set(order, (isSell ? price > extreme : price < extreme) ? price : extreme);
  }

  private hasComeBack(market: Market, order: Order): boolean {
    const [price, best] = [this.watched(market, order), this.extremes.get(order)];
    if (price === null || best === undefined || order.callback === null) return false;
    const back = order.side === 'sell' ? best - price : price - best;
    return back * bpsPerWhole >= best * BigInt(order.callback);
  }

  /** Ten thousand times the price at which an active trailing stop fires. */
  private trailingTrigger(order: Order): bigint {
    const callback = BigInt(order.callback ?? 0);
    const share = order.side === 'sell' ? bpsPerWhole - callback : bpsPerWhole + callback;
    return (this.extremes.get(order) ?? 0n) * share;
  }

  protected inTrailingTurn(left: Order, right: Order): number {
    if (left.side !== right.side) return left.side === 'buy' ? -1 : 1;
    const [one, other] = [this.trailingTrigger(left), this.trailingTrigger(right)];
    if (one === other) return left.orderNumber - right.orderNumber;
    return one < other === (left.side === 'buy') ? -1 : 1;
  }
}

/** What watches the mark price before what watches the last. */
function ofKind(orders: readonly Order[]): readonly Order[] {
  return (['mark', 'contract'] as const).flatMap((kind) =>
    orders.filter(({ triggerPriceKind }) => triggerPriceKind === kind),
  );
}

function inTurn(left: Order, right: Order): number {
  if (isRising(left) !== isRising(right)) return isRising(left) ? -1 : 1;
  const byPrice = (left.stopPrice ?? 0) - (right.stopPrice ?? 0);
  if (byPrice !== 0) return isRising(left) ? byPrice : -byPrice;
  return left.orderNumber - right.orderNumber;
}
