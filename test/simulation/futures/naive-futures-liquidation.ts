import { toAmount } from '../../../src/domain/amount.ts';
import type { SignedLots } from '../../../src/domain/futures-position.ts';
import type { AccountId, OrderNumber } from '../../../src/domain/identifiers.ts';
import type { Lots, Ticks } from '../../../src/domain/spot-market.ts';
import type { LiquidationStep } from '../../../src/engine/futures-events.ts';
import type { Need } from './naive-arithmetic.ts';
import { ending } from './naive-futures.ts';
import { floorOf, NaiveFuturesPrices } from './naive-futures-prices.ts';
import { lotsLeft, type Market, type Order } from './naive-futures-state.ts';

// Liquidation by the five steps of docs/futures.md, the insurance fund, and who gives way last.

const feeBps = 125n;
const bpsOne = 10_000n;
const scoreOne = 1_000_000n;

interface Standing {
  readonly equity: bigint;
  readonly maintenance: bigint;
}

function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

interface Rival {
  readonly accountId: AccountId;
  readonly lots: number;
  readonly score: bigint;
}

/** Accounts that can no longer carry their positions. */
export class NaiveFuturesLiquidation extends NaiveFuturesPrices {
  private warned = new Set<AccountId>();
  /** What close-outs that are not over have closed so far. */
  private owed = new Map<AccountId, bigint>();

  protected scanRisk(): void {
    for (let id = 1; id <= this.accountCount; id += 1) {
      const accountId = id as AccountId;
      const held = this.heldMarkets(accountId);
      if (held.length === 0 && !this.owed.has(accountId)) continue;
      this.warn(accountId);
      this.liquidate(accountId);
    }
  }

  private warn(accountId: AccountId): void {
    const { equity, maintenance } = this.standing(accountId);
    const isNear = maintenance > 0n && maintenance * 100n >= equity * 80n;
    if (isNear && !this.warned.has(accountId)) {
      this.events.push({
        ...{ type: 'marginCallRaised', accountId, equity: toAmount(equity) },
        maintenanceMargin: toAmount(maintenance),
        walletBalance: toAmount(this.wallet(accountId).balance),
        positions: this.heldMarkets(accountId).map((market) => {
          const { marketId } = market.terms;
          const need = this.needIn(accountId, market);
          return {
            marketId,
            quantity: this.position(accountId, marketId).quantity as SignedLots,
            markPrice: toAmount(market.markPrice ?? 0n),
            unrealizedProfit: toAmount(need.profit),
            maintenanceMargin: toAmount(need.maintenance),
          };
        }),
      });
    }
    if (isNear) this.warned.add(accountId);
    else this.warned.delete(accountId);
  }

  private liquidate(accountId: AccountId): void {
    const before = this.standing(accountId);
    if (!this.isBroken(before)) return this.breakOff(accountId, before);
    const orders = this.orders
      .filter((order) => order.accountId === accountId)
      .sort((left, right) => left.orderNumber - right.orderNumber);
    for (const order of orders) {
      if (!this.orders.includes(order)) continue;
      this.finish(order, ending('canceled', 'canceled', 'liquidation'));
    }
    if (orders.length > 0) this.report(accountId, 'orders_canceled', null, null, before);
    const purse = { left: this.insuranceFund as bigint };
    let notional = this.owed.get(accountId) ?? 0n;
    for (const { market, equity } of this.shares(accountId)) {
      const held = this.needIn(accountId, market).notional;
      const isFinal = before.equity < 0n || this.priceState(market) === 'fresh';
      this.closePosition(accountId, market, equity, purse, isFinal);
      notional += held - this.needIn(accountId, market).notional;
    }
    if (this.heldMarkets(accountId).length > 0) {
      this.owed.set(accountId, notional);
      return;
    }
    this.owed.delete(accountId);
    this.settleAccount(accountId, notional);
    this.report(accountId, 'finished');
  }

  /** What was closed so far still owes its fee, as far as that closes nobody again. */
  private breakOff(accountId: AccountId, { equity, maintenance }: Standing): void {
    const notional = this.owed.get(accountId) ?? 0n;
    this.owed.delete(accountId);
    if (notional === 0n) return;
    if (maintenance === 0n) return this.settleAccount(accountId, notional);
    const { balance } = this.wallet(accountId);
    const spare = equity - maintenance - 1n;
    const most = balance < spare ? balance : spare;
    if (most > 0n) this.payFund(accountId, least((notional * feeBps) / bpsOne, most));
  }

  protected isBroken({ equity, maintenance }: Standing): boolean {
    return maintenance > 0n && equity <= maintenance;
  }

  /** The part of the equity that stands behind each position. */
  private shares(accountId: AccountId): { readonly market: Market; readonly equity: bigint }[] {
    const held = this.heldMarkets(accountId);
    const { equity, maintenance } = this.standing(accountId);
    const needs = held.map((market) => this.needIn(accountId, market));
    const lossOf = ({ profit }: Need): bigint => (profit < 0n ? -profit : 0n);
    const losses = needs.reduce((sum, need) => sum + lossOf(need), 0n);
    const byLoss = equity < 0n && losses > 0n;
    return held.map((market, at) => {
      const need = needs[at] as Need;
      const [part, whole] = byLoss ? [lossOf(need), losses] : [need.maintenance, maintenance];
      return { market, equity: floorOf(equity * part, whole) };
    });
  }

  protected closePosition(
    accountId: AccountId,
    market: Market,
    equity: bigint,
    purse: { left: bigint },
    isFinal: boolean,
  ): void {
    const { quantity } = this.position(accountId, market.terms.marketId);
    const price = this.bankruptcyPrice(market, quantity, equity);
    const order = this.forcedOrder(accountId, market, price, quantity, 'liquidation');
    this.orders.push(order);
    this.tell(order, 'placed', 'liquidation');
    this.report(accountId, 'closing', market, price);
    this.sweep(market, order, price);
    if (!isFinal) {
      if (lotsLeft(order) > 0) this.finish(order, ending('expired', 'expired', 'liquidation'));
      return;
    }
    this.closeByInsurance(accountId, market, order, price, purse);
    if (lotsLeft(order) > 0) {
      this.deleverage(market, order, price);
      this.report(accountId, 'deleveraged', market, price);
    }
    if (lotsLeft(order) > 0) this.finish(order, ending('expired', 'expired', 'liquidation'));
  }

  /** Where closing the position uses its part of the equity up, and never more of it. */
  protected bankruptcyPrice(market: Market, quantity: number, equity: bigint): number {
    const lots = Math.abs(quantity);
    const perTick = this.money(market, 1, lots);
    const mark = market.markPrice ?? 0n;
    const ticks =
      quantity > 0
        ? -floorOf(equity - this.worth(market, mark, lots, 'down'), perTick)
        : floorOf(this.worth(market, mark, lots, 'up') + equity, perTick);
    return ticks < 1n ? 1 : Number(ticks);
  }

  private closeByInsurance(
    accountId: AccountId,
    market: Market,
    order: Order,
    price: number,
    purse: { left: bigint },
  ): void {
    const before = lotsLeft(order);
    while (lotsLeft(order) > 0) {
      const best = (order.side === 'sell' ? market.buy : market.sell)[0]?.price ?? null;
      if (best === null) break;
      const loss = this.money(market, Math.abs(best - price), 1);
      const lots = loss === 0n ? lotsLeft(order) : Number(purse.left / loss);
      if (lots === 0) break;
      const filled = order.filledQuantity;
      this.sweep(market, order, best, lots);
      purse.left -= loss * BigInt(order.filledQuantity - filled);
    }
    if (lotsLeft(order) < before) this.report(accountId, 'insurance_used', market, price);
  }

  private deleverage(market: Market, order: Order, price: number): void {
    for (const { accountId, lots } of this.rivals(market, order)) {
      if (lotsLeft(order) === 0) return;
      const taken = Math.min(lotsLeft(order), lots);
      const held = order.side === 'buy' ? taken : -taken;
      const forced = this.forcedOrder(accountId, market, price, held, 'auto_deleveraging');
      this.trade(market, forced, order, taken);
    }
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

  private score(accountId: AccountId, market: Market): bigint {
    const { entry } = this.position(accountId, market.terms.marketId);
    const { profit, notional } = this.needIn(accountId, market);
    const { equity } = this.standing(accountId);
    const atLeastOne = (value: bigint): bigint => (value > 0n ? value : 1n);
    return profit > 0n
      ? (profit * notional * scoreOne) / (atLeastOne(entry) * atLeastOne(equity))
      : (profit * atLeastOne(equity) * scoreOne) / (atLeastOne(entry) * atLeastOne(notional));
  }

  /** A fee out of what is left; what is missing comes out of the fund as far as it goes. */
  protected settleAccount(accountId: AccountId, notional: bigint): void {
    const wallet = this.wallet(accountId);
    const fee = (notional * feeBps) / bpsOne;
    const wanted = wallet.balance > 0n && fee < wallet.balance ? fee : wallet.balance;
    const change = this.insuranceFund + wanted < 0n ? 0n - this.insuranceFund : wanted;
    this.payFund(accountId, change);
  }

  private payFund(accountId: AccountId, change: bigint): void {
    if (change === 0n) return;
    this.wallet(accountId).balance -= change;
    this.insuranceFund = toAmount(this.insuranceFund + change);
    this.events.push({
      ...{ type: 'insuranceFundChanged', accountId, change: toAmount(change) },
      balance: this.insuranceFund,
    });
  }

  /** An order of the exchange that closes the quantity, with the next number. */
  private forcedOrder(
    accountId: AccountId,
    market: Market,
    price: number,
    held: number,
    origin: Order['origin'],
  ): Order {
    this.orderNumber += 1;
    return {
      ...{ orderNumber: this.orderNumber as OrderNumber, accountId },
      ...{ marketId: market.terms.marketId, clientOrderId: null, type: 'limit' },
      ...{
        side: held > 0 ? 'sell' : 'buy',
        timeInForce: 'ioc',
        price: price as Ticks,
        priceMatch: 'none',
      },
      ...{ quantity: Math.abs(held) as Lots, filledQuantity: 0 as Lots },
      ...{ filledQuote: toAmount(0n), status: 'new', stopPrice: null },
      ...{ triggerPriceKind: 'contract', activationPrice: null, callback: null },
      ...{ isReduceOnly: true, isClosePosition: false, isPriceProtected: false },
      ...{ selfTradeMode: 'expire_taker', goodTill: null, parentOrderNumber: null },
      ...{ isAlgo: false, origin, triggeredAt: null, createdAt: this.now, updatedAt: this.now },
      isResting: false,
    };
  }

  private heldMarkets(accountId: AccountId): Market[] {
    return this.markets.filter(
      ({ terms }) => this.position(accountId, terms.marketId).quantity !== 0,
    );
  }

  private needIn(accountId: AccountId, market: Market): Need {
    return this.need(accountId, market, { buy: 0n, sell: 0n });
  }

  private standing(accountId: AccountId): Standing {
    const { equity, maintenanceMargin } = this.getPerpAccount(accountId);
    return { equity, maintenance: maintenanceMargin };
  }

  private report(
    accountId: AccountId,
    step: LiquidationStep,
    market: Market | null = null,
    price: number | null = null,
    standing = this.standing(accountId),
  ): void {
    this.events.push({
      ...{ type: 'liquidationProgressed', accountId, step },
      marketId: market?.terms.marketId ?? null,
      equity: toAmount(standing.equity),
      maintenanceMargin: toAmount(standing.maintenance),
      bankruptcyPrice: price as Ticks | null,
    });
  }
}
