import { type AccountId } from '../../domain/identifiers.ts';
import { type DayFacts } from '../../programs/points/day-facts.ts';
import { type DayNumber, type EpochNumber } from '../../programs/points/epochs.ts';
import { type PointsByType } from '../../programs/points/points-types.ts';

/** What a batch adds to an account's day. */
export interface AccountDay {
  readonly accountId: AccountId;
  readonly day: DayNumber;
  readonly facts: DayFacts;
}

/** A change of points, of an account's day or epoch. */
export interface PointsChange {
  readonly accountId: AccountId;
  readonly points: PointsByType;
}

/** When points start to count, and the first epoch in which fees cap them. */
export interface PointsTerms {
  readonly firstDay: DayNumber;
  readonly cappedFrom: EpochNumber;
}
