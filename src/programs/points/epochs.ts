import type { Brand } from '../../domain/brand.ts';
import type { TimestampMs } from '../../domain/identifiers.ts';

// Epochs are weeks from a Monday 00:00 UTC, numbered from 1 (contract.md section 7).

/** A UTC day, counted from 1970-01-01. */
export type DayNumber = Brand<number, 'DayNumber'>;
/** Rising from 1; what lies before the first epoch has 0 or less and earns nothing. */
export type EpochNumber = Brand<number, 'EpochNumber'>;

export const dayMs = 86_400_000;
const daysPerEpoch = 7;

export function dayOf(time: TimestampMs): DayNumber {
  return Math.floor(time / dayMs) as DayNumber;
}

export function dayStart(day: DayNumber): TimestampMs {
  return (day * dayMs) as TimestampMs;
}

/** The epoch that a day belongs to, given the first day of the first one. */
export function epochOfDay(day: DayNumber, firstDay: DayNumber): EpochNumber {
  return (Math.floor((day - firstDay) / daysPerEpoch) + 1) as EpochNumber;
}

function epochFirstDay(epoch: EpochNumber, firstDay: DayNumber): DayNumber {
  return (firstDay + (epoch - 1) * daysPerEpoch) as DayNumber;
}

/** When the epoch begins; it ends when the next one does. */
export function epochStart(epoch: EpochNumber, firstDay: DayNumber): TimestampMs {
  return dayStart(epochFirstDay(epoch, firstDay));
}

export function epochEnd(epoch: EpochNumber, firstDay: DayNumber): TimestampMs {
  return epochStart((epoch + 1) as EpochNumber, firstDay);
}
