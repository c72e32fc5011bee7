import type { TimestampMs } from '../../domain/identifiers.ts';
import {
  type DayNumber,
  dayOf,
  type EpochNumber,
  epochOfDay,
} from '../../programs/points/epochs.ts';
import type { PointsReader } from './points-ports.ts';

export interface PointsReadPorts {
  readonly pointsReader: PointsReader;
  readonly now: () => TimestampMs;
}

/** The current time, day and epoch of the program. */
export interface PointsMoment {
  readonly now: TimestampMs;
  readonly day: DayNumber;
  readonly firstDay: DayNumber;
  /** The active epoch; before the first epoch starts, the first. */
  readonly epoch: EpochNumber;
}

export async function loadPointsMoment({
  pointsReader,
  now,
}: PointsReadPorts): Promise<PointsMoment> {
  const firstDay = await pointsReader.loadFirstDay();
  const time = now();
  const day = dayOf(time);
  const epoch = Math.max(1, epochOfDay(day, firstDay)) as EpochNumber;
  return { now: time, day, firstDay, epoch };
}
