import type { TimestampMs } from '../../domain/identifiers.ts';

// Rolling volumes count whole UTC hours, the current one included, so that a volume is a sum of few
// rows and only falls at full hours. Both sides of a trade count its whole notional.

const hourMs = 3_600_000;
const hoursPerDay = 24;

/** The days whose volume decides the tier, and the longer window that fee-info also shows. */
export const vipVolumeDays = 14;
export const shownVolumeDays = 30;

/** The start of the UTC hour that contains the moment. */
export function volumeHour(moment: TimestampMs): TimestampMs {
  return (moment - (moment % hourMs)) as TimestampMs;
}

/** The first hour of the rolling volume of that many days at the moment. */
export function volumeWindowStart(moment: TimestampMs, days: number): TimestampMs {
  return (volumeHour(moment) - (days * hoursPerDay - 1) * hourMs) as TimestampMs;
}

/** The next moment at which a rolling volume can fall. */
export function nextVolumeHour(moment: TimestampMs): TimestampMs {
  return (volumeHour(moment) + hourMs) as TimestampMs;
}
