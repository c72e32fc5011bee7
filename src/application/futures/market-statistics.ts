import type { FuturesMarketId } from '../../domain/futures-market.ts';
import type { TimestampMs } from '../../domain/identifiers.ts';
import type { KlineInterval } from '../../domain/kline-interval.ts';

/** The premium is the distance of the mark price from the index, as a fraction of the index. */
export type PriceKind = 'mark' | 'index' | 'premium';

export interface PriceCandleFilter {
  readonly marketId: FuturesMarketId;
  readonly kind: PriceKind;
  readonly interval: KlineInterval;
  readonly startTime: number | null;
  readonly endTime: number | null;
  /** That many from the start time if given, otherwise the newest. */
  readonly limit: number;
}

/** A price over a period, as decimals; missing for periods in which it was not computed. */
export interface PriceCandle {
  readonly openTime: TimestampMs;
  readonly closeTime: TimestampMs;
  readonly open: string;
  readonly high: string;
  readonly low: string;
  readonly close: string;
  /** How many times the price was computed. */
  readonly sampleCount: number;
}

export interface PositionSampleFilter {
  readonly marketId: FuturesMarketId;
  /** Whole multiples of five minutes. */
  readonly periodMs: number;
  readonly startTime: number | null;
  readonly endTime: number | null;
  /** That many from the start time if given, otherwise the newest. */
  readonly limit: number;
}

/** Two parts as fractions of their sum, and the first over the second, to four decimals. */
export interface LongShort {
  readonly longs: string;
  readonly shorts: string;
  /** 0 if nobody is short. */
  readonly ratio: string;
}

/** The distribution of a market's positions at a time; only while there are positions. */
export interface PositionSample {
  readonly sampledAt: TimestampMs;
  /** All long positions together, in the base asset, and their value at the mark price in USDT. */
  readonly openInterest: string;
  readonly openInterestValue: string;
  readonly accounts: LongShort;
  /** For the fifth of those accounts that has the largest wallets. */
  readonly topAccounts: LongShort;
  readonly topPositions: LongShort;
}

/** Computed and sampled statistics, oldest first. */
export interface MarketStatistics {
  listPriceCandles(filter: PriceCandleFilter): Promise<readonly PriceCandle[]>;
  listPositionSamples(filter: PositionSampleFilter): Promise<readonly PositionSample[]>;
}
