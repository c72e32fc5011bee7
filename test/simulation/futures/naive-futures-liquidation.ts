import { toAmount } from '../../../src/domain/amount.ts';
import type { SignedLots } from '../../../src/domain/futures-position.ts';
import type { AccountId } from '../../../src/domain/identifiers.ts';
import type { Lots, Ticks } from '../../../src/domain/spot-market.ts';
import type { LiquidationStep } from '../../../src/engine/futures-events.ts';
import { ending } from './naive-futures-children.ts';
import { NaiveFuturesShares } from './naive-futures-shares.ts';
import { lotsLeft } from './naive-futures-state.ts';
import type { CloseOut, Leg, Market, Order } from './naive-futures-types.ts';

// Liquidation by the five steps of docs/futures.md, the insurance fund, and whose positions are
// closed against it.

const feeBps = 125n;
const bpsOne = 10_000n;
export const gateMs = 60_000;
const gateDeficit = 100_000_000_000n;
const minuteMs = 60_000;
const drawdownMs = 28_800_000;

function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

/** Accounts that can no longer cover their positions. */
export class NaiveFuturesLiquidation extends NaiveFuturesShares {
  private warned = new Set<AccountId>();

  /** Accounts whose positions are sold in slices, oldest first. */
  private closeOuts = new Map<AccountId, CloseOut>();

  get closeOutCount(): number {
    return this.closeOuts.size;
  }
  private closeOutNumber = 0;

  protected scanRisk(): void {
    for (const closeOut of [...this.closeOuts.values()]) {
      if (closeOut.sliceAt <= this.now) this.goOn(closeOut);
    }
    for (let id = 1; id <= this.accountCount; id += 1) {
      const accountId = id as AccountId;
      if (this.heldMarkets(accountId).length === 0) {
        this.warned.delete(accountId);
        continue;
      }
      const closeOut = this.closeOuts.get(accountId);
      if (closeOut === undefined) {
        this.warn(accountId);
        this.liquidate(accountId);
      } else if (this.isFinal(accountId)) {
        this.goOn(closeOut);
      }
    }
    for (const market of this.markets) market.judged = market.markPrice;
  }

  protected override isClosing(accountId: AccountId): boolean {
    return this.closeOuts.has(accountId);
  }

  private warn(accountId: AccountId): void {
    const { equity, maintenance } = this.standing(accountId);
    const isNear = maintenance > 0n && maintenance * 100n >= equity * 80n;
    if (isNear && !this.warned.has(accountId)) {
      this.payUnpaid(accountId);
      this.events.push({
        type: 'marginCallRaised',
        accountId,
        equity: toAmount(equity),
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
    else if (equity * 2n >= maintenance * 3n) this.warned.delete(accountId);
  }

  private liquidate(accountId: AccountId): void {
    if (!this.isBroken(this.standing(accountId))) return;
    this.payUnpaid(accountId);
    this.closeOutNumber += 1;
    const closeOut: CloseOut = {
      accountId,
      number: this.closeOutNumber,
      stage: 'orders',
      sliceAt: 0,
    };
    this.closeOuts.set(accountId, closeOut);
    this.endOrders(closeOut);
    this.goOn(closeOut);
  }

  private endOrders(closeOut: CloseOut): void {
    closeOut.stage = 'orders';
    const orders = this.orders
      .filter((order) => order.accountId === closeOut.accountId)
      .sort((left, right) => left.orderNumber - right.orderNumber);
    for (const order of orders) {
      if (!this.orders.includes(order)) continue;
      this.finish(order, ending('canceled', 'canceled', 'liquidation'));
    }
    if (orders.length > 0) this.report(closeOut, 'orders_canceled');
  }

  private goOn(closeOut: CloseOut): void {
    const { accountId } = closeOut;
    this.payUnpaid(accountId);
    if (this.isCarried(accountId)) return this.end(closeOut, 0n, 0n);
    if (this.isFinal(accountId)) {
      this.endOrders(closeOut);
      return this.closeAll(closeOut);
    }
    closeOut.stage = 'book';
    if (closeOut.sliceAt > this.now) return;
    closeOut.sliceAt = this.now + 1_000;
    this.sellSlice(closeOut);
    if (this.isCarried(accountId)) this.end(closeOut, 0n, 0n);
  }

  private closeAll(closeOut: CloseOut): void {
    closeOut.stage = 'final';
    const { accountId } = closeOut;
    const isBankrupt = this.standing(accountId).equity < 0n;
    const legs = this.shares(accountId).filter(({ market }) => {
      return isBankrupt || this.priceState(market) === 'fresh';
    });
    const closing = legs.map(({ market, equity }) => {
      const { quantity } = this.position(accountId, market.terms.marketId);
      return { market, equity, price: this.bankruptcyPrice(market, quantity, equity) };
    });
    const purse = { left: this.setAside(closeOut, closing) };
    const missing = 0n - closing.reduce((sum, { equity }) => sum + equity, 0n);
    if (missing - purse.left > gateDeficit) this.gateUntil = this.now + gateMs;
    let notional = 0n;
    this.closing = { accountId, markets: closing.map(({ market }) => market) };
    for (const leg of closing) {
      const held = this.needIn(accountId, leg.market).notional;
      this.closePosition(closeOut, leg, purse);
      notional += held - this.needIn(accountId, leg.market).notional;
    }
    this.closing = null;
    this.end(closeOut, notional, purse.left);
  }

  private end(closeOut: CloseOut, notional: bigint, unused: bigint): void {
    this.closeOuts.delete(closeOut.accountId);
    this.settleAccount(closeOut, notional, unused);
    this.report(closeOut, 'finished');
  }

  /** Money that has come in may carry what is left. */
  protected endIfCarried(accountId: AccountId): void {
    const closeOut = this.closeOuts.get(accountId);
    if (closeOut !== undefined && this.isCarried(accountId)) this.end(closeOut, 0n, 0n);
  }

  /** What the fund sets aside: a quarter of it at most, and no more than can be needed. */
  protected setAside(closeOut: CloseOut, legs: readonly Leg[]): bigint {
    const { accountId } = closeOut;
    const worst = legs.reduce((sum, { market, equity }) => {
      const { quantity } = this.position(accountId, market.terms.marketId);
      const { makerFeeBps, takerFeeBps } = market.terms;
      const notional = this.worth(market, market.markPrice ?? 0n, Math.abs(quantity), 'up');
      const need = (notional * BigInt(makerFeeBps + takerFeeBps)) / bpsOne - equity;
      return need > 0n ? sum + need : sum;
    }, 0n);
    const inForce = this.fundHighs.filter(({ until }) => until + drawdownMs > this.now);
    const high = inForce.reduce((most, { level }) => (level > most ? level : most), 0n);
    if (this.insuranceFund * 10n < high * 7n) return 0n;
    const reserved = least(this.insuranceFund / 4n, worst);
    if (reserved === 0n) return 0n;
    this.insuranceHeld = toAmount(this.insuranceHeld + reserved);
    this.changeFund(closeOut, { change: -reserved });
    return reserved;
  }

  /** A part of the largest position, for its bracket's quarter of a fee. */
  private sellSlice(closeOut: CloseOut): void {
    const { accountId } = closeOut;
    const freshFirst = (market: Market): number => (this.priceState(market) === 'fresh' ? 0 : 1);
    const [first] = this.shares(accountId).sort((a, b) => {
      const byMargin =
        this.needIn(accountId, b.market).maintenance - this.needIn(accountId, a.market).maintenance;
      return freshFirst(a.market) - freshFirst(b.market) || Number(byMargin);
    });
    if (first === undefined) return;
    const { market, equity } = first;
    const { quantity } = this.position(accountId, market.terms.marketId);
    const rate = this.rateOf(market, this.needIn(accountId, market).notional);
    const lots = this.sliceLots(accountId, market, rate);
    const price = this.bankruptcyPrice(market, quantity, equity);
    const order = this.openOrder(closeOut, market, price, Math.sign(quantity) * lots);
    this.sweep(market, order, this.bookLimit(market, order, price));
    const fee = this.sliceFee(market, order.filledQuantity, rate);
    this.payFund(closeOut, least(fee, this.standing(accountId).equity));
    if (lotsLeft(order) > 0) this.finish(order, ending('expired', 'expired', 'liquidation'));
  }

  protected closePosition(closeOut: CloseOut, leg: Leg, purse: { left: bigint }): void {
    const { market, price } = leg;
    const { quantity } = this.position(closeOut.accountId, market.terms.marketId);
    const order = this.openOrder(closeOut, market, price, quantity);
    this.sweep(market, order, this.bookLimit(market, order, price));
    this.closeByInsurance(closeOut, market, order, purse);
    if (lotsLeft(order) > 0) this.deleverage(closeOut, market, order, purse);
    if (lotsLeft(order) > 0) this.finish(order, ending('expired', 'expired', 'liquidation'));
  }

  private openOrder(closeOut: CloseOut, market: Market, price: number, held: number): Order {
    const order = this.forcedOrder(closeOut.accountId, market, price, held, 'liquidation');
    this.orders.push(order);
    this.tell(order, 'placed', 'liquidation');
    this.report(closeOut, 'closing', { market, price, lots: Math.abs(held) });
    return order;
  }

  private closeByInsurance(
    closeOut: CloseOut,
    market: Market,
    order: Order,
    purse: { left: bigint },
  ): void {
    const price = order.price as number;
    const [before, held] = [lotsLeft(order), purse.left];
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
      this.payLoss(closeOut, purse, loss * BigInt(order.filledQuantity - filled));
    }
    const told = { market, price, lots: before - lotsLeft(order), paid: held - purse.left };
    if (told.lots > 0) this.report(closeOut, 'insurance_used', told);
  }

  private payLoss(closeOut: CloseOut, purse: { left: bigint }, loss: bigint): void {
    const paid = least(loss, purse.left);
    if (paid <= 0n) return;
    this.noteFund(this.insuranceFund + purse.left);
    purse.left -= paid;
    this.insuranceHeld = toAmount(this.insuranceHeld - paid);
    this.wallet(closeOut.accountId).balance += paid;
    this.changeFund(closeOut, { change: 0n, paid });
  }

  private deleverage(
    closeOut: CloseOut,
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
    const fairest = this.fairest(market, value, isSell);
    const price = isSell
      ? Math.min(fairest, Math.max(value, bankruptcy - relief))
      : Math.max(fairest, Math.min(value, bankruptcy + relief), 1);
    const [before, held] = [lotsLeft(order), purse.left];
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
      this.payLoss(closeOut, purse, perLot * BigInt(taken));
    }
    for (const rival of rivals) {
      const { quantity } = this.position(rival.accountId, market.terms.marketId);
      this.takeFrom(market, order, rival.accountId, Math.abs(quantity), value);
    }
    const [lots, paid] = [before - lotsLeft(order), held - purse.left];
    const told = { market, price: bankruptcy, lots, paid };
    if (lots > 0) this.report(closeOut, 'deleveraged', told);
  }

  /** What was reserved goes back, the house makes whole what is missing, and the fee is taken. */
  protected settleAccount(closeOut: CloseOut, notional: bigint, unused: bigint): void {
    const { accountId } = closeOut;
    this.insuranceHeld = toAmount(this.insuranceHeld - unused);
    if (unused > 0n) this.changeFund(closeOut, { change: unused });
    const wallet = this.wallet(accountId);
    const missing = -wallet.balance;
    if (missing > 0n && this.heldMarkets(accountId).length === 0) {
      const fromFees = least(missing, this.futuresFees);
      this.futuresFees = toAmount(this.futuresFees - fromFees);
      const fromFund = least(missing - fromFees, this.insuranceFund);
      if (fromFund > 0n) this.noteFund(this.insuranceFund);
      this.badDebt = toAmount(this.badDebt - (missing - fromFees - fromFund));
      wallet.balance = 0n;
      this.changeFund(closeOut, { change: -fromFund, paid: missing });
    }
    this.payFee(closeOut, notional);
  }

  protected payFee(closeOut: CloseOut, notional: bigint): void {
    const { accountId } = closeOut;
    const { equity, maintenance } = this.standing(accountId);
    const { balance } = this.wallet(accountId);
    const most = maintenance === 0n ? balance : least(balance, equity - maintenance - 1n);
    this.payFund(closeOut, least((notional * feeBps) / bpsOne, most));
  }

  private payFund(closeOut: CloseOut, fee: bigint): void {
    if (fee <= 0n) return;
    this.wallet(closeOut.accountId).balance -= fee;
    this.changeFund(closeOut, { change: this.repayDebt(fee), paid: -fee });
  }

  /** Bad debt is repaid before the fund grows; what is left for the fund. */
  protected repayDebt(amount: bigint): bigint {
    const repaid = least(amount, 0n - this.badDebt);
    if (repaid > 0n) this.gateUntil = this.now + gateMs;
    this.badDebt = toAmount(this.badDebt + repaid);
    return amount - repaid;
  }

  private noteFund(level: bigint): void {
    const until = (Math.floor(this.now / minuteMs) + 1) * minuteMs;
    this.fundHighs.push({ until, level });
  }

  protected changeFund(
    closeOut: CloseOut | null,
    { change, paid = 0n }: { readonly change: bigint; readonly paid?: bigint },
  ): void {
    this.insuranceFund = toAmount(this.insuranceFund + change);
    this.events.push({
      type: 'insuranceFundChanged',
      accountId: closeOut?.accountId ?? null,
      number: closeOut?.number ?? null,
      change: toAmount(change),
      paid: toAmount(paid),
      balance: this.insuranceFund,
      held: this.insuranceHeld,
    });
  }

  private report(
    { accountId, number, stage }: CloseOut,
    step: LiquidationStep,
    {
      market = null,
      price = null,
      lots = null,
      paid = 0n,
    }: {
      readonly market?: Market | null;
      readonly price?: number | null;
      readonly lots?: number | null;
      readonly paid?: bigint;
    } = {},
  ): void {
    const standing = this.standing(accountId);
    this.events.push({
      type: 'liquidationProgressed',
      accountId,
      step,
      number,
      stage,
      marketId: market?.terms.marketId ?? null,
      equity: toAmount(standing.equity),
      maintenanceMargin: toAmount(standing.maintenance),
      bankruptcyPrice: price as Ticks | null,
      lots: lots as Lots | null,
      paid: toAmount(paid),
    });
  }
}
