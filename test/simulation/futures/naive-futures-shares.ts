import type { AccountId } from '../../../src/domain/identifiers.ts';
import { divideUp, type Need } from './naive-arithmetic.ts';
import { NaiveFuturesDeleveraging, type Standing } from './naive-futures-deleveraging.ts';
import { floorOf } from './naive-futures-prices.ts';
import type { Market, Order } from './naive-futures-types.ts';

const rateOne = 1_000_000_000n;
/** USDT that are closed whole. */
const smallNotional = 10_000n * 100_000_000n;

/** How much of an account is closed, and at which prices. */
export class NaiveFuturesShares extends NaiveFuturesDeleveraging {
  /** Equity of five quarters of the maintenance margin. */
  protected isCarried(accountId: AccountId): boolean {
    const { equity, maintenance } = this.standing(accountId);
    return equity * 4n >= maintenance * 5n;
  }

  protected isFinal(accountId: AccountId): boolean {
    const { equity, maintenance } = this.standing(accountId);
    if (equity < 0n) return true;
    const held = this.heldMarkets(accountId);
    const notional = held.reduce((sum, each) => sum + this.needIn(accountId, each).notional, 0n);
    const isDue = equity * 3n <= maintenance * 2n || notional <= smallNotional;
    return isDue && held.some((market) => this.priceState(market) === 'fresh');
  }

  protected isBroken({ equity, maintenance }: Standing): boolean {
    return maintenance > 0n && equity <= maintenance;
  }

  /** The part of the equity that stands behind each position. */
  protected shares(accountId: AccountId): { readonly market: Market; readonly equity: bigint }[] {
    const held = this.heldMarkets(accountId);
    const { equity, maintenance } = this.standing(accountId);
    const lost = held.map((market) => this.lostSinceSettled(accountId, market));
    const losses = lost.reduce((sum, loss) => sum + loss, 0n);
    const needs = held.map((market) => this.needIn(accountId, market));
    const notionals = needs.reduce((sum, { notional }) => sum + notional, 0n);
    const byMargin = (money: bigint, { maintenance: own, notional }: Need): bigint =>
      maintenance > 0n ? floorOf(money * own, maintenance) : floorOf(money * notional, notionals);
    return held.map((market, at) => {
      const [loss, need] = [lost[at] as bigint, needs[at] as Need];
      if (equity >= 0n) return { market, equity: byMargin(equity, need) };
      if (losses + equity >= 0n) return { market, equity: floorOf(equity * loss, losses) };
      return { market, equity: byMargin(equity + losses, need) - loss };
    });
  }

  /** With the funding of the hour that is being paid. */
  protected lostSinceSettled(accountId: AccountId, market: Market): bigint {
    const position = this.position(accountId, market.terms.marketId);
    const { settled, markPrice, hour } = market;
    if (settled === null || markPrice === null) return 0n;
    const priced =
      this.profitAt(market, settled, position) - this.profitAt(market, markPrice, position);
    const funding = market.isPaying ? this.fundingOf(market, position.quantity, hour) : 0n;
    const lost = priced - funding;
    return lost > 0n ? lost : 0n;
  }

  /** No further from the mark than the base maintenance rate. */
  protected bookLimit(market: Market, order: Order, price: number): number {
    const mark = market.markPrice ?? 0n;
    const band = (mark * market.terms.maintenanceMarginRate) / 1_000_000_000n;
    const [low, high] = this.ticksAround(market, mark - band, mark + band);
    return order.side === 'sell' ? Math.max(price, low) : Math.min(price, high);
  }

  /** How far the other side's price may be from the value: what stood before, and an hour. */
  protected fairest(market: Market, value: number, isSell: boolean): number {
    const { settled, terms } = market;
    if (settled === null) return isSell ? Number.POSITIVE_INFINITY : 1;
    const give = (settled * terms.maintenanceMarginRate) / rateOne;
    const [above] = this.ticksAround(market, settled + give, 0n);
    const [, below] = this.ticksAround(market, 0n, settled - give);
    return isSell ? Math.max(value, above) : Math.min(value, below);
  }

  /** The price at which closing the position uses up its part of the equity, and no more. */
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

  /** The bracket's maintenance rate; a slice costs a quarter of it. */
  protected rateOf({ terms }: Market, notional: bigint): bigint {
    const [rate = 0n] = terms.brackets
      .filter(({ notionalFloor }) => notionalFloor <= notional)
      .map(({ maintenanceMarginRate }) => maintenanceMarginRate)
      .reverse();
    return rate;
  }

  protected sliceFee(market: Market, lots: number, rate: bigint): bigint {
    const notional = this.worth(market, market.markPrice ?? 0n, lots, 'up');
    return divideUp(notional * rate, 4n * rateOne);
  }

  /** The fewest lots that suffice, tried one by one. */
  protected sliceLots(accountId: AccountId, market: Market, rate: bigint): number {
    const position = this.position(accountId, market.terms.marketId);
    const { quantity } = position;
    const lots = Math.abs(quantity);
    const { equity, maintenance } = this.standing(accountId);
    const before = this.needIn(accountId, market).maintenance;
    for (let sold = 1; sold <= lots; sold += 1) {
      position.quantity = quantity - Math.sign(quantity) * sold;
      const needed = maintenance - before + this.needIn(accountId, market).maintenance;
      position.quantity = quantity;
      if (4n * (equity - this.sliceFee(market, sold, rate)) < 5n * needed) continue;
      return Math.max(sold, Math.ceil(lots / 5));
    }
    return lots;
  }
}
