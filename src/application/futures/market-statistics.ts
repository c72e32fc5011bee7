import type { FuturesMarketId } from '../../domain/futures-market.ts';
import type { TimestampMs } from '../../domain/identifiers.ts';
import type { KlineInterval } from '../../domain/kline-interval.ts';

/** The premium is what the mark price is above the index, as a part of it. */
export type PriceKind = 'mark' | 'index' | 'premium';

export interface PriceCandleFilter {
  readonly marketId: FuturesMarketId;
  readonly kind: PriceKind;
  readonly interval: KlineInterval;
  readonly startTime: number | null;
  readonly endTime: number | null;
  /** So many, from the start where one is given, else the newest. */
  readonly limit: number;
}

/** What a price was over a time, in decimals; there is none where it was not computed. */
export interface PriceCandle {
  readonly openTime: TimestampMs;
  readonly closeTime: TimestampMs;
  readonly open: string;
  readonly high: string;
  readonly low: string;
  readonly close: string;
  /** How often the price was computed. */
  readonly sampleCount: number;
}

export interface PositionSampleFilter {
  readonly marketId: FuturesMarketId;
  /** Whole multiples of five minutes. */
  readonly periodMs: number;
  readonly startTime: number | null;
  readonly endTime: number | null;
  /** So many, from the start where one is given, else the newest. */
  readonly limit: number;
}

/** Two parts as fractions of their sum, and the first over the second, to four decimals. */
export interface LongShort {
  readonly longs: string;
  readonly shorts: string;
  /** 0 where nobody is short. */
  readonly ratio: string;
}

/** How a market's positions were spread at a time; only where somebody held one. */
export interface PositionSample {
  readonly sampledAt: TimestampMs;
  /** What all long positions held, in the base asset, and its worth at the mark price in USDT. */
  readonly openInterest: string;
  readonly openInterestValue: string;
  readonly accounts: LongShort;
  /** Of the fifth of those accounts that has the largest wallets. */
  readonly topAccounts: LongShort;
  readonly topPositions: LongShort;
}

/** What was computed and sampled over time; oldest first. */
export interface MarketStatistics {
  listPriceCandles(filter: PriceCandleFilter): Promise<readonly PriceCandle[]>;
  listPositionSamples(filter: PositionSampleFilter): Promise<readonly PositionSample[]>;
}
