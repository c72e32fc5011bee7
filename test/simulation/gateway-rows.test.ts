import { describe, expect, it } from 'vitest';
import { allMachines, notesOf, runSteps } from './run-steps.ts';
import { ownerMachine } from './world/faults.ts';

// Rows of the table of faults whose outcome a client of the gateways sees. Clients send the same
// signed bytes to several processes, at once and again after each fault.

const seeds = [1, 2, 3, 4];

describe('the gateways of several processes under faults', () => {
  it('row 24: the same signed order at two gateways, over takeovers and restarts of all, is one order with one id', async () => {
    const outcomes = await runSteps(
      [
        { afterMs: 0, kind: 'kill-owner', durationMs: 500 },
        { afterMs: 4_000, kind: 'stop', durationMs: 1_000, machine: ownerMachine },
        ...allMachines.map((machine) => ({
          afterMs: 7_000,
          kind: 'kill' as const,
          durationMs: 500,
          machine,
        })),
      ],
      seeds,
      'gateway',
    );
    expect(notesOf(outcomes)).toContain('fault: kill-owner');
    expect(Math.min(...outcomes.map(({ repeats }) => repeats))).toBeGreaterThan(5);
  });

  it('row 5: a list of orders shows what any process has acknowledged, while disks are slow and once NATS is back', async () => {
    await runSteps(
      [
        { afterMs: 0, kind: 'disk-slow', durationMs: 9_000, strength: 0.9 },
        { afterMs: 3_000, kind: 'nats-down', durationMs: 1_000 },
        { afterMs: 7_000, kind: 'nats-tail', durationMs: 500 },
      ],
      seeds,
      'gateway',
    );
  });
});
