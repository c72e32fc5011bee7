import { assertNever } from './assert.ts';
import type { TimestampMs } from './identifiers.ts';

// Candles open on the UTC clock: up to 3d at whole multiples of their length since 1970, weeks on
// Monday, months on the first day.

export const klineIntervals = [
  '1m',
  '3m',
  '5m',
  '15m',
  '30m',
  '1h',
  '2h',
  '4h',
  '6h',
  '8h',
  '12h',
  '1d',
  '3d',
  '1w',
  '1M',
] as const;
/** The length of a candle, in Binance's spelling; `1M` is a calendar month. */
export type KlineInterval = (typeof klineIntervals)[number];

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const weekMs = 7 * dayMs;
// 1970-01-01 was a Thursday, so the first Monday is four days later.
const firstMondayMs = 4 * dayMs;

/** The open time of the candle that contains the moment. */
export function klineOpenTime(interval: KlineInterval, moment: number): TimestampMs {
  const length = fixedLengthMs(interval);
  if (length === null) return monthStartMs(monthIndex(moment)) as TimestampMs;
  const offset = interval === '1w' ? firstMondayMs : 0;
  return (Math.floor((moment - offset) / length) * length + offset) as TimestampMs;
}

/** The last millisecond of the candle that opened at openTime. */
export function klineCloseTime(interval: KlineInterval, openTime: number): TimestampMs {
  const length = fixedLengthMs(interval);
  const next = length === null ? monthStartMs(monthIndex(openTime) + 1) : openTime + length;
  return (next - 1) as TimestampMs;
}

function fixedLengthMs(interval: KlineInterval): number | null {
  switch (interval) {
    case '1m':
      return minuteMs;
    case '3m':
      return 3 * minuteMs;
    case '5m':
      return 5 * minuteMs;
    case '15m':
      return 15 * minuteMs;
    case '30m':
      return 30 * minuteMs;
    case '1h':
      return hourMs;
    case '2h':
      return 2 * hourMs;
    case '4h':
      return 4 * hourMs;
    case '6h':
      return 6 * hourMs;
    case '8h':
      return 8 * hourMs;
    case '12h':
      return 12 * hourMs;
    case '1d':
      return dayMs;
    case '3d':
      return 3 * dayMs;
    case '1w':
      return weekMs;
    case '1M':
      return null;
    default:
      return assertNever(interval);
  }
}

// The Gregorian calendar by arithmetic (Hinnant's civil_from_days). Years are counted from March,
// so that the leap day comes last, in eras of 400 years of 146,097 days.
const daysPerEra = 146_097;
const daysFromMarch0000To1970 = 719_468;

/** Months since January of year 0. */
function monthIndex(moment: number): number {
  const day = Math.floor(moment / dayMs) + daysFromMarch0000To1970;
  const era = Math.floor(day / daysPerEra);
  const dayOfEra = day - era * daysPerEra;
  const leapDays =
    Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096);
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365);
  const dayOfYear = dayOfEra - daysBeforeYear(yearOfEra);
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  return (era * 400 + yearOfEra) * 12 + monthFromMarch + 2;
}

function monthStartMs(index: number): number {
  const monthFromMarch = (index - 2) % 12;
  const year = Math.floor((index - 2) / 12);
  const era = Math.floor(year / 400);
  const dayOfYear = Math.floor((153 * monthFromMarch + 2) / 5);
  const day = era * daysPerEra + daysBeforeYear(year - era * 400) + dayOfYear;
  return (day - daysFromMarch0000To1970) * dayMs;
}

function daysBeforeYear(yearOfEra: number): number {
  return yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100);
}
