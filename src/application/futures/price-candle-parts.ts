import {
  type KlineInterval,
  klineCloseTime,
  klineIntervals,
  klineOpenTime,
} from '../../domain/kline-interval.ts';

// Candles of computed prices are stored in three lengths; all others are made of these.

type StoredLength = '1m' | '1h' | '1d';

/** The length of the stored candles that a candle is made of. */
export function storedLengthOf(interval: KlineInterval): StoredLength {
  const place = klineIntervals.indexOf(interval);
  if (place >= klineIntervals.indexOf('1d')) return '1d';
  return place >= klineIntervals.indexOf('1h') ? '1h' : '1m';
}

/** The maximum number of stored candles in one candle of the interval. */
export function partsOfCandle(interval: KlineInterval): number {
  const lengthOf = (each: KlineInterval): number =>
    klineCloseTime(each, 0) + 1 - klineOpenTime(each, 0);
  // A month has up to 31 days, as January 1970 has.
  return Math.round(lengthOf(interval) / lengthOf(storedLengthOf(interval)));
}
