import { toAmount } from '../../../src/domain/amount.ts';
import type { SignedLots } from '../../../src/domain/futures-position.ts';
import type { AccountId } from '../../../src/domain/identifiers.ts';
import type { Ticks } from '../../../src/domain/spot-market.ts';
import type { LiquidationStep } from '../../../src/engine/futures-events.ts';
import { ending } from './naive-futures.ts';
import { NaiveFuturesDeleveraging, type Standing } from './naive-futures-deleveraging.ts';
import { floorOf } from './naive-futures-prices.ts';
import { lotsLeft } from './naive-futures-state.ts';
import type { Market, Order } from './naive-futures-types.ts';

// Liquidation by the five steps of docs/futures.md, the insurance fund, and who gives way last.

const feeBps = 125n;
const bpsOne = 10_000n;

function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

/** A position that is closed, with its part of the equity and the price that uses it up. */
interface Leg {
  readonly market: Market;
  readonly equity: bigint;
  readonly price: number;
}

/** Accounts that can no longer carry their positions. */
export class NaiveFuturesLiquidation extends NaiveFuturesDeleveraging {
  private warned = new Set<AccountId>();
  private triedAt = new Map<AccountId, number>();

  protected scanRisk(): void {
    for (let id = 1; id <= this.accountCount; id += 1) {
      const accountId = id as AccountId;
      if (this.heldMarkets(accountId).length === 0) continue;
      this.warn(accountId);
      this.liquidate(accountId);
    }
    for (const market of this.markets) market.judged = market.markPrice;
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
    if (!this.isBroken(before)) return;
    const orders = this.orders
      .filter((order) => order.accountId === accountId)
      .sort((left, right) => left.orderNumber - right.orderNumber);
    for (const order of orders) {
      if (!this.orders.includes(order)) continue;
      this.finish(order, ending('canceled', 'canceled', 'liquidation'));
    }
    if (orders.length > 0) this.report(accountId, 'orders_canceled', null, null, before);
    const shares = this.shares(accountId);
    const legs = shares.filter(({ market }) => {
      return before.equity < 0n || this.priceState(market) === 'fresh';
    });
    if (legs.length === 0) return this.closeOnBook(accountId, shares);
    const closing = legs.map(({ market, equity }) => {
      const { quantity } = this.position(accountId, market.terms.marketId);
      return { market, equity, price: this.bankruptcyPrice(market, quantity, equity) };
    });
    const purse = { left: this.setAside(accountId, closing) };
    let notional = 0n;
    this.closing = { accountId, markets: closing.map(({ market }) => market) };
    for (const leg of closing) {
      const held = this.needIn(accountId, leg.market).notional;
      this.closePosition(accountId, leg, purse);
      notional += held - this.needIn(accountId, leg.market).notional;
    }
    this.closing = null;
    this.settleAccount(accountId, notional, purse.left);
    this.report(accountId, 'finished');
  }

  /** What the fund sets aside: a quarter of it at most, and no more than can be needed. */
  protected setAside(accountId: AccountId, legs: readonly Leg[]): bigint {
    const worst = legs.reduce((sum, { market, equity }) => {
      const { quantity } = this.position(accountId, market.terms.marketId);
      const { makerFeeBps, takerFeeBps } = market.terms;
      const notional = this.worth(market, market.markPrice ?? 0n, Math.abs(quantity), 'up');
      const need = (notional * BigInt(makerFeeBps + takerFeeBps)) / bpsOne - equity;
      return need > 0n ? sum + need : sum;
    }, 0n);
    const reserved = least(this.insuranceFund / 4n, worst);
    this.changeFund(accountId, -reserved);
    return reserved;
  }

  /** Solvent at an old price: the book only, and not more often than once a second. */
  private closeOnBook(accountId: AccountId, shares: ReturnType<typeof this.shares>): void {
    const last = this.triedAt.get(accountId);
    if (last !== undefined && this.now - last < 1_000) return;
    this.triedAt.set(accountId, this.now);
    for (const { market, equity } of shares) {
      const { quantity } = this.position(accountId, market.terms.marketId);
      const price = this.bankruptcyPrice(market, quantity, equity);
      const order = this.openOrder(accountId, market, price);
      const before = this.needIn(accountId, market).notional;
      this.sweep(market, order, this.bookLimit(market, order, price));
      const closed = before - this.needIn(accountId, market).notional;
      this.payFee(accountId, closed);
      if (lotsLeft(order) > 0) this.finish(order, ending('expired', 'expired', 'liquidation'));
    }
  }

  protected isBroken({ equity, maintenance }: Standing): boolean {
    return maintenance > 0n && equity <= maintenance;
  }

  /** The part of the equity that stands behind each position. */
  private shares(accountId: AccountId): { readonly market: Market; readonly equity: bigint }[] {
    const held = this.heldMarkets(accountId);
    const { equity, maintenance } = this.standing(accountId);
    const lost = held.map((market) => this.lostSinceSettled(accountId, market));
    const losses = lost.reduce((sum, loss) => sum + loss, 0n);
    const byLoss = equity < 0n && losses > 0n;
    return held.map((market, at) => {
      const need = this.needIn(accountId, market);
      const [part, whole] = byLoss ? [lost[at] ?? 0n, losses] : [need.maintenance, maintenance];
      return { market, equity: floorOf(equity * part, whole) };
    });
  }

  protected lostSinceSettled(accountId: AccountId, market: Market): bigint {
    const position = this.position(accountId, market.terms.marketId);
    const { settled, markPrice } = market;
    if (settled === null || markPrice === null) return 0n;
    const lost =
      this.profitAt(market, settled, position) - this.profitAt(market, markPrice, position);
    return lost > 0n ? lost : 0n;
  }

  protected closePosition(accountId: AccountId, leg: Leg, purse: { left: bigint }): void {
    const { market, price } = leg;
    const order = this.openOrder(accountId, market, price);
    this.sweep(market, order, this.bookLimit(market, order, price));
    this.closeByInsurance(accountId, market, order, price, purse);
    if (lotsLeft(order) > 0) this.deleverage(accountId, market, order, purse);
    if (lotsLeft(order) > 0) this.finish(order, ending('expired', 'expired', 'liquidation'));
  }

  private openOrder(accountId: AccountId, market: Market, price: number): Order {
    const { quantity } = this.position(accountId, market.terms.marketId);
    const order = this.forcedOrder(accountId, market, price, quantity, 'liquidation');
    this.orders.push(order);
    this.tell(order, 'placed', 'liquidation');
    this.report(accountId, 'closing', market, price);
    return order;
  }

  /** No further from the mark than the base maintenance rate. */
  private bookLimit(market: Market, order: Order, price: number): number {
    const mark = market.markPrice ?? 0n;
    const band = (mark * market.terms.maintenanceMarginRate) / 1_000_000_000n;
    const [low, high] = this.ticksAround(market, mark - band, mark + band);
    return order.side === 'sell' ? Math.max(price, low) : Math.min(price, high);
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
    const mark = market.markPrice ?? 0n;
    const { makerFeeBps, takerFeeBps } = market.terms;
    const band = (mark * BigInt(makerFeeBps + takerFeeBps)) / bpsOne;
    const [low, high] = this.ticksAround(market, mark - band, mark + band);
    while (lotsLeft(order) > 0) {
      const isSell = order.side === 'sell';
      const best = (isSell ? market.buy : market.sell)[0]?.price ?? null;
      if (best === null || (isSell ? best < low : best > high)) break;
      const isWorse = isSell ? best < price : best > price;
      const loss = isWorse ? this.money(market, Math.abs(best - price), 1) : 0n;
      const lots = loss === 0n ? lotsLeft(order) : Number(purse.left / loss);
      if (lots === 0) break;
      const filled = order.filledQuantity;
      this.sweep(market, order, best, lots);
      this.payLoss(accountId, purse, loss * BigInt(order.filledQuantity - filled));
    }
    if (lotsLeft(order) < before) this.report(accountId, 'insurance_used', market, price);
  }

  private payLoss(accountId: AccountId, purse: { left: bigint }, loss: bigint): void {
    const paid = least(loss, purse.left);
    purse.left -= paid;
    this.wallet(accountId).balance += paid;
  }

  private deleverage(
    accountId: AccountId,
    market: Market,
    order: Order,
    purse: { left: bigint },
  ): void {
    const bankruptcy = order.price as number;
    const mark = market.markPrice ?? 0n;
    const [above, below] = this.ticksAround(market, mark, mark);
    const relief = Number(purse.left / this.money(market, 1, lotsLeft(order)));
    const isSell = order.side === 'sell';
    const value = Math.max(1, isSell ? above : below);
    const price = isSell
      ? Math.max(value, bankruptcy - relief)
      : Math.max(1, Math.min(value, bankruptcy + relief));
    const before = lotsLeft(order);
    const rivals = this.rivals(market, order);
    const spared = rivals.filter((rival) => this.wouldLose(market, rival, price));
    for (const rival of [...rivals.filter((each) => !spared.includes(each)), ...spared]) {
      const lots = this.lotsToGive(market, rival, price);
      const taken = this.takeFrom(
        market,
        order,
        rival.accountId,
        Math.min(lots, rival.lots),
        price,
      );
      const isWorse = isSell ? price < bankruptcy : price > bankruptcy;
      const perLot = isWorse ? this.money(market, Math.abs(price - bankruptcy), 1) : 0n;
      this.payLoss(accountId, purse, perLot * BigInt(taken));
    }
    for (const rival of rivals) {
      const { quantity } = this.position(rival.accountId, market.terms.marketId);
      this.takeFrom(market, order, rival.accountId, Math.abs(quantity), value);
    }
    if (lotsLeft(order) < before) this.report(accountId, 'deleveraged', market, bankruptcy);
  }

  /** What was reserved goes back, the house makes whole what is missing, and the fee is taken. */
  protected settleAccount(accountId: AccountId, notional: bigint, unused: bigint): void {
    this.changeFund(accountId, unused);
    const wallet = this.wallet(accountId);
    const missing = -wallet.balance;
    if (missing > 0n && this.heldMarkets(accountId).length === 0) {
      const fromFees = least(missing, this.futuresFees);
      this.futuresFees = toAmount(this.futuresFees - fromFees);
      const fromFund = least(missing - fromFees, this.insuranceFund);
      this.changeFund(accountId, -fromFund);
      this.badDebt = toAmount(this.badDebt - (missing - fromFees - fromFund));
      wallet.balance = 0n;
    }
    this.payFee(accountId, notional);
  }

  protected payFee(accountId: AccountId, notional: bigint): void {
    const { equity, maintenance } = this.standing(accountId);
    const { balance } = this.wallet(accountId);
    const most = maintenance === 0n ? balance : least(balance, equity - maintenance - 1n);
    const fee = least((notional * feeBps) / bpsOne, most);
    if (fee <= 0n) return;
    this.wallet(accountId).balance -= fee;
    const repaid = least(fee, 0n - this.badDebt);
    this.badDebt = toAmount(this.badDebt + repaid);
    this.changeFund(accountId, fee - repaid);
  }

  private changeFund(accountId: AccountId, change: bigint): void {
    if (change === 0n) return;
    this.insuranceFund = toAmount(this.insuranceFund + change);
    this.events.push({
      ...{ type: 'insuranceFundChanged', accountId, change: toAmount(change) },
      balance: this.insuranceFund,
    });
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
