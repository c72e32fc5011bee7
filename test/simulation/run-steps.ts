import { expect } from 'vitest';
import type { FaultKind } from './world/fault-kinds.ts';
import type { Fault } from './world/faults.ts';
import { type Outcome, type PlannedProfile, simulate } from './world/simulate.ts';

export const someSeeds = [1, 2, 3, 4];
/** Seeds with the lease of the service. A shorter one expires while a question waits for NATS. */
export const usualLease = [1, 4, 5, 6];
const firstMs = 300;
const roundMs = 12_000;
const rounds = 6;

/** One fault of a round. */
export interface Step {
  readonly afterMs: number;
  readonly kind: FaultKind;
  readonly durationMs: number;
  readonly machine?: number;
  readonly strength?: number;
}

function faultsOf(steps: readonly Step[]): readonly Fault[] {
  return Array.from({ length: rounds }, (_, round) =>
    steps.map(({ afterMs, kind, durationMs, machine, strength }) => ({
      atMs: firstMs + round * roundMs + afterMs,
      kind,
      machine: machine ?? 1 + (round % 3),
      durationMs,
      strength: strength ?? 0.2 + 0.1 * round,
    })),
  ).flat();
}

/** Repeats the steps under load with several seeds; the outcomes are sound. */
export async function runSteps(
  steps: readonly Step[],
  seeds = someSeeds,
  profile: PlannedProfile = 'cluster',
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const seed of seeds) {
    const plan = { seed, processes: 3, ticks: 24_000, faults: faultsOf(steps), kinds: [] };
    const outcome = await simulate({ ...plan, profile });
    const { violation, notes } = outcome;
    const found = violation === null ? '' : `${violation.oracle}: ${violation.message}`;
    expect(found, `seed ${seed}\n${notes.slice(-40).join('\n')}`).toBe('');
    expect(outcome.acknowledged).toBeGreaterThan(20);
    outcomes.push(outcome);
  }
  // The slowest clients see every step; the events of the fastest are over sooner.
  const injected = outcomes.map(({ faults }) => faults.length);
  expect(Math.min(...injected)).toBeGreaterThan(0);
  expect(Math.max(...injected)).toBeGreaterThanOrEqual(steps.length);
  return outcomes;
}

export const notesOf = (outcomes: readonly Outcome[]): string =>
  outcomes.flatMap(({ notes }) => notes).join('\n');

export const allMachines = [1, 2, 3];
