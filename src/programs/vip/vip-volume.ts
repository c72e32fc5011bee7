import type { TimestampMs } from '../../domain/identifiers.ts';

// Rolling volumes count whole UTC hours: the running one and those before it, so that a volume is
// a sum of few rows, and falls at full hours only. Both sides of a trade count its whole notional.

const hourMs = 3_600_000;
const hoursPerDay = 24;

/** The days that decide the tier, and the longer span that fee-info shows beside them. */
export const vipVolumeDays = 14;
export const shownVolumeDays = 30;

export function volumeHour(moment: TimestampMs): TimestampMs {
  return (moment - (moment % hourMs)) as TimestampMs;
}

/** The first hour that counts towards a volume of so many days at the moment. */
export function volumeWindowStart(moment: TimestampMs, days: number): TimestampMs {
  return (volumeHour(moment) - (days * hoursPerDay - 1) * hourMs) as TimestampMs;
}

/** When a rolling volume can fall next. */
export function nextVolumeHour(moment: TimestampMs): TimestampMs {
  return (volumeHour(moment) + hourMs) as TimestampMs;
}
