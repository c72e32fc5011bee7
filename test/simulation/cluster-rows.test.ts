import { describe, expect, it } from 'vitest';
import {
  allMachines as all,
  notesOf,
  runSteps as run,
  someSeeds,
  usualLease,
} from './run-steps.ts';
import { ownerMachine, standbyMachine } from './world/faults.ts';
import { simulate } from './world/simulate.ts';

// Rows of the table of faults that several processes survive, each as a plan that repeats it under
// load. Every run is judged by all oracles: nothing acknowledged is lost or duplicated, no read is
// older than what was acknowledged before it, and all processes come back.

const isRestored = 'the shared log is given what it lacks';
const isUnfit = 'this process is unfit to own the exchange';
const handsOver = 'another process is fit to own the exchange and takes over';
const waits = 'the shared log may have lost its end: waiting for members';

describe('several processes under faults', () => {
  it('row 1: the owner is stopped in an orderly way, again and again: no process fails', async () => {
    const stop = { kind: 'stop' as const, machine: ownerMachine, durationMs: 1_000 };
    const outcomes = await run([
      { afterMs: 0, ...stop },
      { afterMs: 4_000, ...stop },
    ]);
    expect(outcomes.flatMap(({ ends }) => ends)).toEqual([]);
  });

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

  it('row 4: a standby is killed, and all are at once: all are ready again', async () => {
    await run([
      { afterMs: 0, kind: 'kill', durationMs: 500, machine: standbyMachine },
      ...all.map((machine) => ({
        afterMs: 1_000,
        kind: 'kill' as const,
        durationMs: 500,
        machine,
      })),
      ...all.map((machine) => ({
        afterMs: 2_200,
        kind: 'power' as const,
        durationMs: 500,
        machine,
      })),
    ]);
  });

  it('row 5: NATS is away for 1 s, 10 s and 60 s: it continues afterwards', async () => {
    const outcomes = await run([
      { afterMs: 0, kind: 'nats-down', durationMs: 1_000 },
      { afterMs: 2_000, kind: 'nats-down', durationMs: 9_000 },
      { afterMs: 11_500, kind: 'nats-down', durationMs: 60_000 },
    ]);
    expect(Math.min(...outcomes.map(({ refused }) => refused))).toBeGreaterThan(0);
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
      { afterMs: 0, kind: 'slow-network', durationMs: 600, machine: 1 },
      { afterMs: 0, kind: 'slow-network', durationMs: 600, machine: 2 },
      { afterMs: 0, kind: 'slow-network', durationMs: 600, machine: 3 },
      { afterMs: 400, kind: 'nats-tail', durationMs: 300 },
      { afterMs: 420, kind: 'kill-owner', durationMs: 9_000 },
    ]);
    expect(notesOf(outcomes)).toContain(waits);
  });

  it('row 9: a longer journal of an older epoch, never acknowledged, loses the roll call, and its tail is set aside', async () => {
    const slow = { kind: 'slow-network' as const, durationMs: 200 };
    const outcomes = await run([
      ...all.map((machine) => ({ afterMs: 0, ...slow, machine })),
      { afterMs: 150, kind: 'nats-tail', durationMs: 300 },
      { afterMs: 150, kind: 'kill-owner', durationMs: 9_000 },
    ]);
    expect(outcomes.flatMap(({ ends }) => ends).join()).toContain('TailSetAsideError');
    expect(notesOf(outcomes)).toContain('the end of the journal is set aside');
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

  it('row 11: a former owner is paused while the log loses its end and is filled again', async () => {
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

  it('row 14: a replica of the log is late: what it lacks does not count as absent, and nothing is appended twice', async () => {
    const late = { kind: 'late-replica' as const, durationMs: 3_000, strength: 0.5 };
    const outcomes = await run([
      { afterMs: 0, ...late, machine: standbyMachine },
      { afterMs: 1_000, kind: 'kill-owner', durationMs: 500 },
      ...all.map((machine) => ({ afterMs: 4_500, ...late, durationMs: 1_500, machine })),
      { afterMs: 5_000, kind: 'stop', durationMs: 500, machine: ownerMachine },
    ]);
    expect(notesOf(outcomes)).toContain('fault: late-replica');
  });

  it('row 15: a replica of the log has other contents: they are refused by their chain, and no process ends', async () => {
    const damaged = { kind: 'damaged-replica' as const, durationMs: 2_000, strength: 0.5 };
    const outcomes = await run([
      { afterMs: 0, ...damaged, machine: standbyMachine },
      { afterMs: 2_500, ...damaged, durationMs: 800, machine: standbyMachine },
      { afterMs: 2_600, kind: 'kill-owner', durationMs: 500 },
    ]);
    expect(outcomes.flatMap(({ ends }) => ends)).toEqual([]);
    expect(notesOf(outcomes)).toMatch(/entry \d+ is damaged/);
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

  it('row 13: the log is gone: its entries are put back from the journals', async () => {
    const outcomes = await run(
      [{ afterMs: 0, kind: 'nats-tail', durationMs: 300, strength: 1 }],
      usualLease,
    );
    expect(notesOf(outcomes)).toContain(isRestored);
  });

  it("row 18: the owner's disk is full: it hands over; with all disks full orders are refused", async () => {
    const full = { kind: 'disk-full' as const, durationMs: 1_500 };
    const outcomes = await run([
      { afterMs: 0, ...full, machine: ownerMachine },
      ...all.map((machine) => ({ afterMs: 1_700, ...full, durationMs: 1_000, machine })),
    ]);
    const notes = notesOf(outcomes);
    expect(notes).toContain(isUnfit);
    expect(notes).toContain(handsOver);
  });

  it('row 19: the disk of a standby is full, or fails: it does not count as a copy, and comes back', async () => {
    await run([
      { afterMs: 0, kind: 'disk-full', durationMs: 1_500, machine: standbyMachine },
      {
        afterMs: 1_600,
        kind: 'disk-error',
        durationMs: 1_000,
        machine: standbyMachine,
        strength: 1,
      },
    ]);
  });

  it("row 20: the owner's disk fails, or takes seconds for a write: it ends, or hands over", async () => {
    const outcomes = await run([
      { afterMs: 0, kind: 'disk-error', durationMs: 1_000, machine: ownerMachine, strength: 5 },
      {
        afterMs: 5_000,
        kind: 'disk-slow',
        durationMs: 6_000,
        machine: ownerMachine,
        strength: 1.4,
      },
    ]);
    expect(outcomes.flatMap(({ ends }) => ends).join()).toContain('EIO');
    expect(notesOf(outcomes)).toContain(handsOver);
  });

  it('row 21: an owner whose clock is wrong hands over, and takes nothing over', async () => {
    const outcomes = await run(
      [{ afterMs: 0, kind: 'clock-step', durationMs: 8_000, machine: ownerMachine, strength: 0.9 }],
      usualLease,
    );
    const notes = notesOf(outcomes);
    expect(notes).toContain(isUnfit);
    expect(notes).toContain(handsOver);
  });

  it('row 23: a process is cut off from NATS: it answers nothing, and shows nothing stale', async () => {
    const cut = { kind: 'partition' as const, durationMs: 5_000 };
    const outcomes = await run([
      { afterMs: 0, ...cut, machine: standbyMachine },
      { afterMs: 6_000, ...cut, machine: ownerMachine },
    ]);
    expect(Math.min(...outcomes.map(({ refused }) => refused))).toBeGreaterThan(0);
  });

  it('row 23: NATS restarts while the owner is cut off and takes it for gone: it shows nothing stale', async () => {
    const outcomes = await run(
      [
        { afterMs: 0, kind: 'partition', durationMs: 4_500, machine: ownerMachine },
        { afterMs: 300, kind: 'nats-down', durationMs: 20 },
      ],
      usualLease,
    );
    expect(notesOf(outcomes)).toContain('fault: partition at 0');
  });

  it('row 25: requests are lost, duplicated and late by an epoch: each is executed once or refused', async () => {
    await run([
      { afterMs: 0, kind: 'requests', durationMs: 6_000, strength: 0.8 },
      { afterMs: 2_000, kind: 'kill-owner', durationMs: 500 },
      { afterMs: 2_000, kind: 'slow-network', durationMs: 4_000, machine: standbyMachine },
    ]);
  });

  it('row 26: a machine with an empty folder joins a trimmed log, with a snapshot from the shared store', async () => {
    const empty = { kind: 'empty-folder' as const, durationMs: 200, machine: 3, strength: 0 };
    const faults = [5_000, 7_500].map((atMs) => ({ ...empty, atMs }));
    const plan = { processes: 3, profile: 'cluster' as const, clients: 2, kinds: [], faults };
    for (const seed of [1, 2]) {
      const outcome = await simulate({ ...plan, seed, ticks: 80_000 });
      expect(outcome.violation?.message ?? '').toBe('');
      const notes = outcome.notes.join('\n');
      expect(notes).toMatch(/the log begins with entry \d+/);
      expect(notes).toContain('a journal begins after a snapshot');
    }
  });

  it('row 27: snapshots are damaged when all processes are killed: older ones are used', async () => {
    await run([
      ...all.map((machine) => ({
        afterMs: 0,
        kind: 'snapshot-bit' as const,
        durationMs: 1,
        machine,
      })),
      ...all.map((machine) => ({ afterMs: 10, kind: 'kill' as const, durationMs: 500, machine })),
    ]);
  });

  it('row 28: processes are replaced one by one by a version with new rules, with the database far behind', async () => {
    const outcomes = await run(
      [{ afterMs: 0, kind: 'database-down', durationMs: 9_000 }],
      someSeeds,
      'upgrade',
    );
    expect(notesOf(outcomes)).toContain('is switched to the program new');
    expect(outcomes.flatMap(({ ends }) => ends)).toEqual([]);
  });

  it('row 30: a balancer learns that a process is ready exactly when a read and a write succeed', async () => {
    const outcomes = await run(
      [
        { afterMs: 0, kind: 'kill-owner', durationMs: 500 },
        { afterMs: 2_000, kind: 'partition', durationMs: 3_000, machine: standbyMachine },
        { afterMs: 6_000, kind: 'nats-tail', durationMs: 1_500 },
        { afterMs: 9_000, kind: 'pause', durationMs: 2_000, machine: ownerMachine },
      ],
      usualLease.slice(0, 2),
      'balancer',
    );
    expect(notesOf(outcomes)).toContain('fault: partition');
  });

  it('row 29: all are killed while the database is far behind: it catches up', async () => {
    await run([
      { afterMs: 0, kind: 'database-down', durationMs: 3_000 },
      ...all.map((machine) => ({
        afterMs: 2_500,
        kind: 'kill' as const,
        durationMs: 500,
        machine,
      })),
    ]);
  });
});
