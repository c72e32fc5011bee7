import type { Brand } from '../../domain/brand.ts';
import type { TimestampMs } from '../../domain/identifiers.ts';

// Epochs are weeks that start on Monday 00:00 UTC, numbered from 1 (contract.md section 7).

/** A UTC day, counted from 1970-01-01. */
export type DayNumber = Brand<number, 'DayNumber'>;
/** From 1, ascending. Time before the first epoch has numbers of 0 and less and earns no points. */
export type EpochNumber = Brand<number, 'EpochNumber'>;

export const dayMs = 86_400_000;
const daysPerEpoch = 7;

/** The UTC day that contains the time. */
export function dayOf(time: TimestampMs): DayNumber {
  return Math.floor(time / dayMs) as DayNumber;
}

/** The UTC midnight at which the day starts. */
export function dayStart(day: DayNumber): TimestampMs {
  return (day * dayMs) as TimestampMs;
}

/** The epoch that contains the day; firstDay is the first day of epoch 1. */
export function epochOfDay(day: DayNumber, firstDay: DayNumber): EpochNumber {
  return (Math.floor((day - firstDay) / daysPerEpoch) + 1) as EpochNumber;
}

function epochFirstDay(epoch: EpochNumber, firstDay: DayNumber): DayNumber {
  return (firstDay + (epoch - 1) * daysPerEpoch) as DayNumber;
}

/** The start of the epoch; an epoch ends when the next one starts. */
export function epochStart(epoch: EpochNumber, firstDay: DayNumber): TimestampMs {
  return dayStart(epochFirstDay(epoch, firstDay));
}

/** The end of the epoch, exclusive: the start of the next one. */
export function epochEnd(epoch: EpochNumber, firstDay: DayNumber): TimestampMs {
  return epochStart((epoch + 1) as EpochNumber, firstDay);
}
