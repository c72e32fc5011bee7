import { decimalsPerAmount, toAmount } from '../../../domain/amount.ts';
import { decimalOne } from '../../../domain/decimal.ts';
import { bpsPerWhole } from '../../../domain/fee.ts';
import {
  type FuturesMarket,
  type FuturesPrices,
  type PriceState,
  type Rate,
} from '../../../domain/futures-market.ts';
import type { TimestampMs } from '../../../domain/identifiers.ts';
import { valueDown, valueUp } from '../../../domain/margin.ts';
import { ceilDivide } from '../../../domain/rounding.ts';
import {
  type LevelListener,
  OrderBook,
  priceMax,
  priceMin,
  type TradeListener,
} from '../../book/order-book.ts';
import type { Rules } from '../../rules.ts';
import { int64, smallMax } from '../../storage/int64.ts';
import type { OrderRecords } from '../../storage/order-records.ts';
import type { PositionSide, Ranking } from '../liquidation/ranking.ts';
import { WatchHeap } from '../liquidation/watch-heap.ts';
import { LotWorth } from '../margin/lot-worth.ts';
import type { LiveOrder } from '../orders/live-order.ts';
import { IndexSamples } from '../pricing/index-samples.ts';
import { isOutside, type MarkRange } from '../pricing/mark-range.ts';
import type { ReportedMarket } from '../reported-risk.ts';
import { Triggers } from '../triggers/triggers.ts';
import type { Delisting, PlannedDelisting } from './delisting.ts';
import { TouchedLevels } from './touched-levels.ts';

export const hourMs = 3_600_000;

/** The funding of an hour that is being paid account by account. */
export interface FundingSweep {
  readonly fundingTime: TimestampMs;
  readonly rate: Rate;
  /** In 10^-8 USDT for one whole base asset. */
  readonly markPrice: bigint;
  /** The account to continue with. */
  nextAccountId: number;
  /** Whether its rate and mark price have been reported. */
  isReported: boolean;
}

/** An index price waiting for its confirmation: in 10^-8 USDT, at a time in milliseconds. */
export interface HeldPush {
  readonly price: bigint;
  readonly at: number;
}

/** Settles the trades of a market's book. */
export interface MarketSettlement extends TradeListener, LevelListener {
  /** The arriving order being matched; null otherwise. */
  taker: LiveOrder | null;
  readonly state: PricedState;
}

/** What depends on the prices of all markets. */
interface PricedState {
  readonly rules: Rules;
  readonly orders: { readonly records: OrderRecords };
  hasUnsettled: boolean;
  readonly calmPrices: { forget(): void };
}

/** A perpetual's book, prices and funding. Prices are USDT (10^-8) for one whole base asset. */
export class FuturesMarketState {
  terms: FuturesMarket;
  readonly book: OrderBook;
  readonly settlement: MarketSettlement;
  /** The market's counter cell in the ledger; -1 before money first moves. */
  clearingCell = -1;
  /** The number of the book's last level change. */
  lastUpdateId = 0;
  /** The id of its newest trade; 0 before the first. */
  lastTradeId = 0;
  /** The levels that the running command has changed. */
  readonly touchedLevels = new TouchedLevels();
  readonly triggers = new Triggers();
  /** Null before the first. */
  indexPrice: bigint | null = null;
  private indexAt = 0;
  /** The value in the last mark price event. */
  isIndexStale = false;
  /** What was last reported of its price state and settlement. */
  reported: ReportedMarket = { priceState: 'unpriced', phase: null };
  private held: HeldPush | null = null;
  /** Increases with each change of the mark price: margins of another version are out of date. */
  markVersion = 0;
  /** The mark price in whole ticks, rounded down and up. */
  markTicksBelow = 0;
  markTicksAbove = 0;
  private readonly tickLotNumber: number;
  private mark: bigint | null = null;
  /** The price band in ticks, outside of which no trade is made. */
  bandLow = priceMin;
  bandHigh = priceMax;
  /** The valuation price at the last moment when the market was not settling. */
  settledPrice: bigint | null = null;
  /** The number of close-outs outside their book stage that still have to close a position here. */
  closeOutCount = 0;
  /**
   * Whether the mark price is further from the range at which all accounts were judged than their
   * margins cover.
   */
  isUnjudged = false;
  private judgedMarks: MarkRange | null = null;
  /** The range of mark prices during the scan in progress. */
  scanned: MarkRange | null = null;
  /** The value of one lot at the mark price. */
  readonly lotWorth: LotWorth;
  /** In ticks; 0 before the first trade. */
  lastPrice = 0;
  openInterest = 0;
  /** The sum of all positions, which is zero between any two commands. */
  netLots = 0;
  readonly indexSamples = new IndexSamples();
  /** Null if none is planned. */
  plannedDelisting: PlannedDelisting | null = null;
  /** What is left to do of a delisting; null if nothing is. */
  delisting: Delisting | null = null;
  /** The maximum lots that all longs together can have at the mark price. */
  openInterestMax = Number.POSITIVE_INFINITY;
  /** The lots that need no regard to other markets, at that mark price and number of markets. */
  unshared = { markVersion: -1, marketCount: 0, lots: 0 };
  /** Differences between the book's mid price and the index, oldest first. */
  basisSamples: bigint[] = [];
  premiumSum = 0n;
  premiumCount = 0;
  sampledAt = 0;
  lastFundingRate = 0n as Rate;
  nextFundingTime: TimestampMs;
  /** The sum of mark price x rate over all fundings so far, in 10^-17 USDT per base asset. */
  fundingIndex = 0n;
  sweep: FundingSweep | null = null;
  /** The marks at which accounts with a position here have to be judged again. */
  readonly watches = {
    longs: new WatchHeap(),
    shorts: new WatchHeap(),
    longShift: 0,
    shortShift: 0,
  };
  /** The order in which positions would be deleveraged, for sides that a liquidation needs. */
  readonly rankings = new Map<PositionSide, Ranking>();

  constructor(terms: FuturesMarket, settlement: MarketSettlement) {
    this.terms = uniformTerms(terms);
    this.lotWorth = new LotWorth(terms.lotSize);
    this.settlement = settlement;
    this.tickLotNumber = Number(terms.tickLotAmount);
    this.book = new OrderBook(settlement, settlement, settlement.state.orders.records);
    this.nextFundingTime = nextFullHour(terms.createdAt);
  }

  get markPrice(): bigint | null {
    return this.mark;
  }

  set markPrice(price: bigint | null) {
    this.mark = price;
    this.lotWorth.setPrice(price ?? 0n);
    this.markVersion += 1;
    this.settlement.state.hasUnsettled = true;
    this.settlement.state.calmPrices.forget();
    this.isUnjudged = isOutside(this.mark, this.judgedMarks, this.terms);
    this.markTicksBelow = price === null ? 0 : this.ticksBelow(price);
    this.markTicksAbove = price === null ? 0 : this.ticksAbove(price);
    const width = ((price ?? 0n) * BigInt(this.terms.tradeBandBps)) / bpsPerWhole;
    this.bandLow = price === null ? priceMin : Math.max(priceMin, this.ticksAbove(price - width));
    this.bandHigh = price === null ? priceMax : Math.max(priceMin, this.ticksBelow(price + width));
    this.openInterestMax = this.lotsWorth(price ?? 0n, this.terms.maxOpenInterest);
  }

  get indexPriceAt(): number {
    return this.indexAt;
  }

  set indexPriceAt(moment: number) {
    this.indexAt = moment;
    this.settlement.state.calmPrices.forget();
  }

  /** A push that was too far from the index, until another one confirms or discards it. */
  get heldPush(): HeldPush | null {
    return this.held;
  }

  set heldPush(push: HeldPush | null) {
    this.held = push;
    this.settlement.state.calmPrices.forget();
  }

  /** The range of mark prices during the last complete scan of all accounts. */
  get judged(): MarkRange | null {
    return this.judgedMarks;
  }

  set judged(marks: MarkRange | null) {
    this.judgedMarks = marks;
    this.settlement.state.calmPrices.forget();
    this.isUnjudged = isOutside(this.mark, marks, this.terms);
  }

  /** The exact quote amount of a quantity at a price in ticks. */
  quote(price: number, quantity: number): bigint {
    const product = price * quantity * this.tickLotNumber;
    if (product < smallMax) return int64(product);
    return BigInt(price) * BigInt(quantity) * this.terms.tickLotAmount;
  }

  /** The value of a quantity at a price for one whole base asset, rounded down. */
  valueAt(price: bigint, quantity: number): bigint {
    if (price === this.mark) return this.lotWorth.down(quantity);
    return valueDown(int64(quantity) * this.terms.lotSize, price);
  }

  /** The same, rounded up. */
  costAt(price: bigint, quantity: number): bigint {
    if (price === this.mark) return this.lotWorth.up(quantity);
    return valueUp(int64(quantity) * this.terms.lotSize, price);
  }

  /** The whole lots that the money is worth at the mark price. */
  lotsAtMark(money: bigint): number {
    return this.lotsWorth(this.mark ?? 0n, money);
  }

  private lotsWorth(price: bigint, money: bigint): number {
    if (price === 0n) return Number.POSITIVE_INFINITY;
    return Number((money * decimalOne) / (this.terms.lotSize * price));
  }

  /** The price of whole ticks, in 10^-8 USDT. */
  priceOf(ticks: number): bigint {
    return (BigInt(ticks) * this.terms.tickSize) / decimalsPerAmount;
  }

  /** A price in whole ticks, rounded down. */
  ticksBelow(price: bigint): number {
    return Number((price * decimalsPerAmount) / this.terms.tickSize);
  }

  /** A price, in 10^-8 USDT, in whole ticks, rounded up. */
  ticksAbove(price: bigint): number {
    return Number(ceilDivide(price * decimalsPerAmount, this.terms.tickSize));
  }

  /** The market's prices with the funding rate and price state that are computed elsewhere. */
  describePrices(fundingRate: Rate, priceState: PriceState): FuturesPrices {
    const amount = (price: bigint | null) => (price === null ? null : toAmount(price));
    return {
      indexPrice: amount(this.indexPrice),
      indexPriceAt: this.indexPrice === null ? null : (this.indexPriceAt as TimestampMs),
      isIndexStale: this.isIndexStale,
      priceState,
      markPrice: amount(this.markPrice),
      lastPrice: this.lastPrice === 0 ? null : toAmount(this.priceOf(this.lastPrice)),
      fundingRate,
      lastFundingRate: this.lastFundingRate,
      nextFundingTime: this.nextFundingTime,
      delistingAt: this.plannedDelisting?.at ?? null,
    };
  }
}

/**
 * A copy whose properties are always created in the same order at the same place. Objects created
 * by spreading may each get a separate shape, and the compiler then discards its code with every
 * new market.
 */
export function uniformTerms(terms: FuturesMarket): FuturesMarket {
  return {
    symbol: terms.symbol,
    baseAsset: terms.baseAsset,
    tickSize: terms.tickSize,
    lotSize: terms.lotSize,
    minNotional: terms.minNotional,
    maxNotional: terms.maxNotional,
    maxLeverage: terms.maxLeverage,
    maintenanceMarginRate: terms.maintenanceMarginRate,
    makerFeeBps: terms.makerFeeBps,
    takerFeeBps: terms.takerFeeBps,
    indexPriceSource: terms.indexPriceSource,
    indexJumpBps: terms.indexJumpBps,
    tradeBandBps: terms.tradeBandBps,
    maxOpenInterest: terms.maxOpenInterest,
    marketId: terms.marketId,
    status: terms.status,
    brackets: terms.brackets,
    tickLotAmount: terms.tickLotAmount,
    createdAt: terms.createdAt,
  };
}

/** The first full UTC hour after the moment. */
export function nextFullHour(moment: number): TimestampMs {
  return ((Math.floor(moment / hourMs) + 1) * hourMs) as TimestampMs;
}
