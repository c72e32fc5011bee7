import { describe, expect, it } from 'vitest';
import type { Fault, FaultKind } from './world/faults.ts';
import { type Outcome, simulate } from './world/simulate.ts';

// Rows of the table of faults that several processes survive, each as a plan that repeats it under
// load. Every run is judged by all oracles: nothing acknowledged is lost or doubled, no read is
// older than what was acknowledged before it, and all processes come back.

const someSeeds = [1, 2, 3, 4];
/** Seeds with the lease of the service. A shorter one expires while a question waits for NATS. */
const usualLease = [1, 4, 5, 6];
const firstMs = 300;
const roundMs = 12_000;
const rounds = 6;

interface Step {
  readonly afterMs: number;
  readonly kind: FaultKind;
  readonly durationMs: number;
  readonly machine?: number;
}

function faultsOf(steps: readonly Step[]): readonly Fault[] {
  return Array.from({ length: rounds }, (_, round) =>
    steps.map(({ afterMs, kind, durationMs, machine }) => ({
      atMs: firstMs + round * roundMs + afterMs,
      kind,
      machine: machine ?? 1 + (round % 3),
      durationMs,
      strength: 0.2 + 0.1 * round,
    })),
  ).flat();
}

/** Runs the steps with several seeds; the outcomes are sound. */
async function run(steps: readonly Step[], seeds = someSeeds): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const seed of seeds) {
    const plan = { seed, processes: 3, ticks: 24_000, faults: faultsOf(steps), kinds: [] };
    const outcome = await simulate({ ...plan, profile: 'cluster' });
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

const notesOf = (outcomes: readonly Outcome[]): string =>
  outcomes.flatMap(({ notes }) => notes).join('\n');

const isRestored = 'the shared log is given what it lacks';
const waits = 'the shared log may have lost its end: waiting for members';

describe('several processes under faults', () => {
  it('row 2: the owner is killed under load, again and again', async () => {
    await run([{ afterMs: 0, kind: 'kill-owner', durationMs: 500 }]);
  });

  it('row 3: a process is stopped for 3 s, 7 s and 20 s', async () => {
    await run([
      { afterMs: 0, kind: 'pause', durationMs: 3_000, machine: 1 },
      { afterMs: 4_000, kind: 'pause', durationMs: 7_000, machine: 2 },
      { afterMs: 12_000, kind: 'pause', durationMs: 20_000, machine: 3 },
    ]);
  });

  it('row 6: NATS restarts without its newest entries with all alive: restored, and no process ends', async () => {
    const tail = { afterMs: 0, kind: 'nats-tail' as const, durationMs: 300 };
    const outcomes = await run([tail], usualLease);
    expect(outcomes.flatMap(({ ends }) => ends)).toEqual([]);
    expect(notesOf(outcomes)).toContain(isRestored);
  });

  it('row 7: the same with the owner dead: a standby that holds all restores it and owns', async () => {
    const outcomes = await run([
      { afterMs: 0, kind: 'nats-tail', durationMs: 300 },
      { afterMs: 100, kind: 'kill-owner', durationMs: 4_000 },
    ]);
    expect(notesOf(outcomes)).toContain(isRestored);
  });

  it('row 8: the only holder is away: no epoch begins before it is back', async () => {
    const outcomes = await run([
      { afterMs: 0, kind: 'slow-network', durationMs: 200, machine: 1 },
      { afterMs: 0, kind: 'slow-network', durationMs: 200, machine: 2 },
      { afterMs: 0, kind: 'slow-network', durationMs: 200, machine: 3 },
      { afterMs: 150, kind: 'nats-tail', durationMs: 300 },
      { afterMs: 150, kind: 'kill-owner', durationMs: 9_000 },
    ]);
    expect(notesOf(outcomes)).toContain(waits);
  });

  it('row 10: a restarted owner may hold less than a standby that is cut off, without the database', async () => {
    const outcomes = await run([
      { afterMs: 0, kind: 'database-down', durationMs: 8_000 },
      { afterMs: 50, kind: 'partition', durationMs: 6_000 },
      { afterMs: 100, kind: 'nats-tail', durationMs: 200 },
      { afterMs: 100, kind: 'kill-owner', durationMs: 500 },
    ]);
    expect(notesOf(outcomes)).toContain(waits);
  });

  it('row 11: a former owner sleeps while the log loses its end and is filled again', async () => {
    const outcomes = await run([
      { afterMs: 0, kind: 'pause', durationMs: 9_000 },
      { afterMs: 100, kind: 'nats-tail', durationMs: 200 },
      { afterMs: 7_000, kind: 'nats-tail', durationMs: 200 },
      { afterMs: 8_900, kind: 'nats-tail', durationMs: 200 },
    ]);
    expect(notesOf(outcomes)).toContain(isRestored);
  });

  it('row 12: the log loses its end between roll call and epoch, and during its restore', async () => {
    const steps = [0, 600, 1_200, 1_800, 2_400].map((afterMs) => ({
      afterMs,
      kind: 'nats-tail' as const,
      durationMs: 100,
    }));
    const outcomes = await run([
      ...steps,
      { afterMs: 700, kind: 'kill-owner', durationMs: 1_000 },
      { afterMs: 2_500, kind: 'kill-owner', durationMs: 1_000 },
    ]);
    expect(notesOf(outcomes)).toContain(isRestored);
  });

  it('row 16: entries are stored, but the answers are lost', async () => {
    await run([
      { afterMs: 0, kind: 'answers-lost', durationMs: 4_000 },
      { afterMs: 2_000, kind: 'kill-owner', durationMs: 500 },
      { afterMs: 3_000, kind: 'nats-down', durationMs: 500 },
    ]);
  });

  it('row 17: the store of the log is full: orders are refused, and it continues once there is room', async () => {
    const full = { afterMs: 0, kind: 'nats-full' as const, durationMs: 3_000 };
    const outcomes = await run([full, { ...full, afterMs: 5_000 }], usualLease);
    const refused = outcomes.map((outcome) => outcome.refused);
    expect(Math.min(...refused)).toBeGreaterThan(0);
    expect(outcomes.flatMap(({ ends }) => ends)).toEqual([]);
  });

  it('row 21: clocks a day off, at the owner and at a candidate', async () => {
    await run([
      { afterMs: 0, kind: 'clock-step', durationMs: 6_000 },
      { afterMs: 2_000, kind: 'kill-owner', durationMs: 500 },
    ]);
  });

  it('row 22: messages from a process to NATS are lost, or those from NATS to it', async () => {
    await run([
      { afterMs: 0, kind: 'one-way', durationMs: 6_000, machine: 1 },
      { afterMs: 6_500, kind: 'one-way', durationMs: 5_000, machine: 2 },
    ]);
  });
});
