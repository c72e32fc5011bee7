import { toAmount } from '../../../src/domain/amount.ts';
import type { AccountId, OrderNumber } from '../../../src/domain/identifiers.ts';
import type { Lots, Ticks } from '../../../src/domain/spot-market.ts';
import type { Need } from './naive-arithmetic.ts';
import { NaiveFuturesPrices } from './naive-futures-prices.ts';
import { lotsLeft } from './naive-futures-state.ts';
import type { Market, Order } from './naive-futures-types.ts';

const scoreOne = 1_000_000n;

export interface Standing {
  readonly equity: bigint;
  readonly maintenance: bigint;
}

/** Someone on the other side of a close-out. */
export interface Rival {
  readonly accountId: AccountId;
  readonly lots: number;
  readonly score: bigint;
}

/** Which positions are closed against a close-out, in which order, and how far. */
export class NaiveFuturesDeleveraging extends NaiveFuturesPrices {
  protected takeFrom(
    market: Market,
    order: Order,
    accountId: AccountId,
    lots: number,
    price: number,
  ): number {
    const taken = Math.min(lotsLeft(order), lots);
    if (taken <= 0) return 0;
    const held = order.side === 'buy' ? taken : -taken;
    const forced = this.forcedOrder(accountId, market, price, held, 'auto_deleveraging');
    this.trade(market, forced, order, taken);
    return taken;
  }

  protected wouldLose(market: Market, { accountId }: Rival, price: number): boolean {
    const { quantity, entry } = this.position(accountId, market.terms.marketId);
    const money = this.money(market, price, Math.abs(quantity));
    return quantity > 0 ? money < entry : money > entry;
  }

  /** As many lots as leave the rival more equity than it needs, found one by one. */
  protected lotsToGive(market: Market, { accountId, lots }: Rival, price: number): number {
    const { marketId } = market.terms;
    const position = this.position(accountId, marketId);
    const { quantity } = position;
    const { equity, maintenance } = this.standing(accountId);
    const mark = market.markPrice ?? 0n;
    const direction = Math.sign(quantity);
    const worthOf = (held: number): bigint =>
      held < 0 ? -this.worth(market, mark, -held, 'up') : this.worth(market, mark, held, 'down');
    const needed = this.needIn(accountId, market).maintenance;
    const isSafe = (given: number): boolean => {
      const money = this.money(market, price, given) * BigInt(direction);
      const left = equity + money + worthOf(quantity - direction * given) - worthOf(quantity);
      position.quantity = quantity - direction * given;
      const after = maintenance - needed + this.needIn(accountId, market).maintenance;
      position.quantity = quantity;
      return left > after || (after === 0n && left >= 0n);
    };
    let [most, tooMany] = [0, lots];
    if (isSafe(lots)) return lots;
    while (tooMany - most > 1) {
      const middle = Math.floor((most + tooMany) / 2);
      if (isSafe(middle)) most = middle;
      else tooMany = middle;
    }
    return most;
  }

  /** Who holds the other side, the highest score first. */
  protected rivals(market: Market, order: Order): Rival[] {
    const { marketId } = market.terms;
    const rivals: Rival[] = [];
    for (let id = 1; id <= this.accountCount; id += 1) {
      const accountId = id as AccountId;
      const { quantity } = this.position(accountId, marketId);
      const isOpposite = order.side === 'buy' ? quantity > 0 : quantity < 0;
      if (!isOpposite || accountId === order.accountId) continue;
      const score = this.score(accountId, market);
      rivals.push({ accountId, lots: Math.abs(quantity), score });
    }
    return rivals.sort((a, b) => (a.score === b.score ? 0 : a.score > b.score ? -1 : 1));
  }

  protected score(accountId: AccountId, market: Market): bigint {
    const { entry } = this.position(accountId, market.terms.marketId);
    const { profit, notional } = this.needIn(accountId, market);
    const { equity } = this.standing(accountId);
    const atLeastOne = (value: bigint): bigint => (value > 0n ? value : 1n);
    return profit > 0n
      ? (profit * notional * scoreOne) / (atLeastOne(entry) * atLeastOne(equity))
      : (profit * atLeastOne(equity) * scoreOne) / (atLeastOne(entry) * atLeastOne(notional));
  }

  /** An order of the exchange that closes the quantity, with the next number. */
  protected forcedOrder(
    accountId: AccountId,
    market: Market,
    price: number,
    held: number,
    origin: Order['origin'],
  ): Order {
    this.orderNumber += 1;
    return {
      orderNumber: this.orderNumber as OrderNumber,
      accountId,
      marketId: market.terms.marketId,
      clientOrderId: null,
      type: 'limit',
      side: held > 0 ? 'sell' : 'buy',
      timeInForce: 'ioc',
      price: price as Ticks,
      priceMatch: 'none',
      quantity: Math.abs(held) as Lots,
      filledQuantity: 0 as Lots,
      filledQuote: toAmount(0n),
      status: 'new',
      stopPrice: null,
      triggerPriceKind: 'contract',
      activationPrice: null,
      callback: null,
      isReduceOnly: true,
      isClosePosition: false,
      isPriceProtected: false,
      selfTradeMode: 'expire_taker',
      goodTill: null,
      parentOrderNumber: null,
      protects: null,
      isAlgo: false,
      origin,
      triggeredAt: null,
      createdAt: this.now,
      updatedAt: this.now,
      isResting: false,
    };
  }

  protected heldMarkets(accountId: AccountId): Market[] {
    return this.markets.filter(
      ({ terms }) => this.position(accountId, terms.marketId).quantity !== 0,
    );
  }

  protected needIn(accountId: AccountId, market: Market): Need {
    return this.need(accountId, market, { buy: 0n, sell: 0n });
  }

  protected standing(accountId: AccountId): Standing {
    const { equity, maintenanceMargin } = this.getPerpAccount(accountId);
    return { equity, maintenance: maintenanceMargin };
  }

  /** Whole ticks, the lower price rounded up and the higher one down. */
  protected ticksAround({ terms }: Market, low: bigint, high: bigint): [number, number] {
    const perTick = terms.tickSize / 10n ** 10n;
    return [Number((low + perTick - 1n) / perTick), Number(high / perTick)];
  }
}
