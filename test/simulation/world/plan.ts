import type { PlannedProfile } from './create-activity.ts';
import type { FaultKind } from './fault-kinds.ts';
import type { Fault } from './faults.ts';
import type { Violation } from './history.ts';

/** Everything that a run depends on. */
export interface Plan {
  readonly seed: number;
  readonly profile: PlannedProfile;
  readonly processes: number;
  /** How many clients of the engine there are; absent: as many as the seed draws. */
  readonly clients?: number;
  /** Events before the faults stop. */
  readonly ticks: number;
  /** Null: those that the seed draws. */
  readonly faults: readonly Fault[] | null;
  /** Of those that the seed draws; null: some of all. */
  readonly kinds: readonly FaultKind[] | null;
}

export interface Outcome {
  readonly violation: Violation | null;
  /** Of all that happened: equal for two runs that are the same. */
  readonly hash: number;
  readonly ticks: number;
  readonly virtualMs: number;
  readonly commands: number;
  readonly acknowledged: number;
  readonly refused: number;
  readonly unknown: number;
  readonly reads: number;
  /** Signed requests that were sent again. */
  readonly repeats: number;
  /** Times that a process ended without being stopped. */
  readonly ends: readonly string[];
  readonly faults: readonly Fault[];
  readonly notes: readonly string[];
}
