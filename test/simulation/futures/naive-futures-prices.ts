import { toAmount } from '../../../src/domain/amount.ts';
import type { FuturesMarketId, FuturesPrices, Rate } from '../../../src/domain/futures-market.ts';
import type { SignedLots } from '../../../src/domain/futures-position.ts';
import type { AccountId, TimestampMs } from '../../../src/domain/identifiers.ts';
import type { Ticks } from '../../../src/domain/spot-market.ts';
import { NaiveFutures } from './naive-futures.ts';
import type { Market, Order } from './naive-futures-types.ts';

// Index price, mark price and funding by the formulas of docs/futures.md, from whole lists of
// samples instead of running sums.

const rateOne = 10n ** 9n;
const lotWorthOne = 10n ** 18n;
const hourMs = 3_600_000;
const sampleEveryMs = 1_000;
const averagedSamples = 30;
const samplesLeast = 1_800;
const interest = 100_000n;
const damping = 500_000n;
const confirmBps = 200n;
const confirmAfterMs = 1_000;
const confirmWithinMs = 60_000;

/** Prices that move by pushes, by the book and by time; and what positions pay each hour. */
export class NaiveFuturesPrices extends NaiveFutures {
  /** Markets whose prices the running command has moved. */
  protected moved = new Set<Market>();

  protected override trade(market: Market, maker: Order, taker: Order, quantity: number): void {
    if (market.markPrice === null) {
      const price = this.priceIn(market, maker);
      Object.assign(market, { lastPrice: maker.price, indexPrice: price, markPrice: price });
      market.indexPriceAt = this.now;
      this.tellPrices(market, price);
    }
    super.trade(market, maker, taker, quantity);
    if (maker.origin === 'user') this.moved.add(market);
  }

  override getFuturesPrices(marketId: FuturesMarketId): FuturesPrices {
    const market = this.market(marketId);
    const { markPrice, indexPrice, indexPriceAt, isIndexStale, lastPrice } = market;
    return {
      priceState: this.priceState(market),
      delistingAt: null,
      indexPrice: indexPrice === null ? null : toAmount(indexPrice),
      indexPriceAt: indexPriceAt as TimestampMs | null,
      isIndexStale,
      markPrice: markPrice === null ? null : toAmount(markPrice),
      lastPrice: lastPrice === null ? null : toAmount(this.priceOf(market, lastPrice)),
      fundingRate: this.estimateRate(market),
      lastFundingRate: market.lastRate as Rate,
      nextFundingTime: market.nextFundingTime as TimestampMs,
    };
  }

  protected pushIndexPrice(market: Market, price: bigint): void {
    const { indexPrice: indexBefore } = market;
    if (this.isPriceTaken(market, price)) {
      market.held = null;
      market.indexPrice = price;
      market.indexPriceAt = this.now;
    } else {
      const { marketId } = market.terms;
      this.events.push({ type: 'indexPriceHeld', marketId, indexPrice: toAmount(price) });
    }
    this.refreshPrices(market, indexBefore);
  }

  /** A push far from the index holds once a second one, 1 to 60 s later, has said the same. */
  protected isPriceTaken(market: Market, price: bigint): boolean {
    const { indexPrice, held, terms } = market;
    const jump = BigInt(terms.indexJumpBps);
    if (indexPrice === null || jump === 0n || isNear(price, indexPrice, jump)) return true;
    const isSame = held !== null && isNear(price, held.price, confirmBps);
    const heldMs = this.now - (held?.at ?? 0);
    if (isSame && heldMs < confirmAfterMs) return false;
    if (isSame && heldMs <= confirmWithinMs) return true;
    market.held = { price, at: this.now };
    return false;
  }

  protected refreshPrices(market: Market, indexBefore = market.indexPrice): void {
    const mid = this.middle(market);
    if (market.terms.indexPriceSource === 'book') {
      const { lastPrice } = market;
      const last = lastPrice === null ? null : this.priceOf(market, lastPrice);
      market.indexPrice = mid ?? last ?? market.indexPrice;
      if (market.indexPrice !== null) market.indexPriceAt = this.now;
    }
    const { indexPrice, markPrice, isIndexStale } = market;
    if (indexPrice === null) return;
    const state = this.priceState(market);
    const isFrozen = state === 'stale' || state === 'held';
    if (!isFrozen && this.now - market.sampledAt >= sampleEveryMs) {
      market.sampledAt = this.now;
      market.basis.push(mid === null ? 0n : mid - indexPrice);
      market.premiums.push(this.premium(market, indexPrice));
    }
    market.isIndexStale = state === 'stale';
    if (!isFrozen) market.markPrice = this.markOf(market, indexPrice, indexBefore);
    if (market.markPrice === markPrice && market.isIndexStale === isIndexStale) return;
    this.tellPrices(market, indexPrice);
  }

  private tellPrices(market: Market, indexPrice: bigint): void {
    this.moved.add(market);
    market.judged ??= market.markPrice;
    this.events.push({
      type: 'markPriceChanged',
      marketId: market.terms.marketId,
      indexPrice: toAmount(indexPrice),
      markPrice: toAmount(market.markPrice ?? 0n),
      isIndexStale: market.isIndexStale,
      fundingRate: this.estimateRate(market),
      nextFundingTime: market.nextFundingTime as TimestampMs,
    });
  }

  /** The middle one of three prices, and never nothing. */
  protected markOf(market: Market, index: bigint, indexBefore: bigint | null): bigint {
    const leftMs = BigInt(Math.min(hourMs, Math.max(0, market.nextFundingTime - this.now)));
    const byFunding = (index * market.lastRate * leftMs) / (rateOne * BigInt(hourMs));
    const byBasis = average(market.basis.slice(-averagedSamples));
    const last = market.lastPrice === null ? index : this.priceOf(market, market.lastPrice);
    const sorted = [index + byFunding, index + byBasis, last].sort((a, b) => (a < b ? -1 : 1));
    const band = (index * 2n) / 100n;
    const median = sorted[1] ?? 0n;
    const next = this.stepped(market, index, median, indexBefore);
    const mark = bounded(next, index - band, index + band);
    return mark > 0n ? mark : 1n;
  }

  /** The mark moves with the index, and on its own by a quarter of the base rate at a time. */
  private stepped(market: Market, index: bigint, aim: bigint, indexBefore: bigint | null): bigint {
    if (market.markPrice === null || indexBefore === null) return aim;
    const moved = (market.markPrice * index) / indexBefore;
    const rate = this.isSettling(market) ? 0n : market.terms.maintenanceMarginRate;
    const step = (index * rate) / (4n * rateOne);
    return bounded(aim, moved - step, moved + step);
  }

  private middle(market: Market): bigint | null {
    const [bid] = market.buy;
    const [ask] = market.sell;
    if (bid === undefined || ask === undefined) return null;
    return (this.priceIn(market, bid) + this.priceIn(market, ask)) / 2n;
  }

  private premium(market: Market, index: bigint): bigint {
    const [bid] = market.buy;
    const [ask] = market.sell;
    const above = bid === undefined ? 0n : this.priceIn(market, bid) - index;
    const below = ask === undefined ? 0n : index - this.priceIn(market, ask);
    return (((above > 0n ? above : 0n) - (below > 0n ? below : 0n)) * rateOne) / index;
  }

  private priceIn(market: Market, { price }: Order): bigint {
    return this.priceOf(market, price as Ticks);
  }

  /** What the hour will charge, as far as its samples can still suffice. */
  protected estimateRate(market: Market): Rate {
    const secondsLeft = Math.floor(Math.max(0, market.nextFundingTime - this.now) / 1_000);
    return this.hourlyRate(market, market.premiums.length + secondsLeft + 1);
  }

  /** Nothing for an hour with too few samples. */
  private hourlyRate({ premiums, terms }: Market, samples: number): Rate {
    if (samples < samplesLeast) return 0n as Rate;
    const premium = average(premiums);
    const eightHours = premium + between(interest - premium, damping);
    return between(eightHours / 8n, (terms.maintenanceMarginRate * 3n) / 4n) as Rate;
  }

  protected openHours(): void {
    for (const market of this.markets) this.openHour(market);
  }

  /** At a full hour every position owes its quantity x mark price x rate. */
  protected openHour(market: Market): void {
    if (this.now < market.nextFundingTime || market.isPaying) return;
    if (market.terms.status === 'delisted') return;
    const rate = this.hourlyRate(market, market.premiums.length);
    const fundingTime = this.now - (this.now % hourMs);
    market.nextFundingTime = fundingTime + hourMs;
    market.premiums = [];
    const { markPrice } = market;
    if (markPrice === null) return;
    market.lastRate = rate;
    market.isPaying = true;
    market.hour = markPrice * rate;
    for (let id = 1; id <= this.accountCount; id += 1) {
      const { quantity } = this.position(id as AccountId, market.terms.marketId);
      const amount = this.fundingOf(market, quantity, markPrice * rate);
      if (quantity === 0 || rate === 0n) continue;
      market.unpaid.push({ accountId: id, fundingTime, amount });
    }
  }

  protected payAll(): void {
    for (const market of this.markets) {
      for (const { accountId } of [...market.unpaid]) {
        this.payUnpaid(accountId as AccountId, market);
      }
      market.isPaying = false;
    }
  }

  protected override payUnpaid(accountId: AccountId, only?: Market): void {
    for (const market of only === undefined ? this.markets : [only]) {
      const { marketId } = market.terms;
      const due = market.unpaid.find((each) => each.accountId === accountId);
      if (due === undefined) continue;
      market.unpaid = market.unpaid.filter((each) => each !== due);
      this.wallet(accountId).balance += due.amount;
      market.funding -= due.amount;
      const { quantity } = this.position(accountId, marketId);
      this.events.push({
        type: 'fundingPaid',
        accountId,
        marketId,
        fundingTime: due.fundingTime as TimestampMs,
        amount: toAmount(due.amount),
        positionQuantity: quantity as SignedLots,
      });
    }
  }

  /** What the position receives, below zero if it pays; rounded down either way. */
  protected fundingOf({ terms }: Market, quantity: number, markTimesRate: bigint): bigint {
    return floorOf(BigInt(-quantity) * terms.lotSize * markTimesRate, lotWorthOne * rateOne);
  }
}

export function floorOf(dividend: bigint, divisor: bigint): bigint {
  const down = dividend / divisor;
  return down * divisor > dividend ? down - 1n : down;
}

function isNear(price: bigint, other: bigint, bps: bigint): boolean {
  const distance = price > other ? price - other : other - price;
  return distance * 10_000n <= other * bps;
}

function bounded(value: bigint, least: bigint, most: bigint): bigint {
  if (value < least) return least;
  return value > most ? most : value;
}

function average(values: readonly bigint[]): bigint {
  if (values.length === 0) return 0n;
  return values.reduce((sum, value) => sum + value, 0n) / BigInt(values.length);
}

function between(value: bigint, limit: bigint): bigint {
  if (value > limit) return limit;
  return value < -limit ? -limit : value;
}
