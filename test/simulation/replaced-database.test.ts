import { expect, it } from 'vitest';
import type { FaultKind } from './world/fault-kinds.ts';
import { simulate } from './world/simulate.ts';

const kinds: readonly FaultKind[] = ['database-empty', 'kill', 'older-tables', 'database-down'];
const faults = Array.from({ length: 16 }, (_, round) => ({
  atMs: 300 + 700 * round,
  kind: kinds[round % kinds.length]!,
  machine: 1 + (round % 3),
  durationMs: 900,
  strength: 0.5,
}));

it.each(['alone', 'cluster'] as const)(
  'simulation: an empty or older database in place of the present one is written again, with %s',
  async (profile) => {
    for (const seed of [1, 2]) {
      const plan = { seed, profile, processes: 3, clients: 3, ticks: 20_000, faults, kinds: [] };
      const { violation, notes, ...outcome } = await simulate(plan);
      const found = violation === null ? '' : `${violation.oracle}: ${violation.message}`;
      expect(found, `seed ${seed}\n${notes.slice(-30).join('\n')}`).toBe('');
      expect(outcome.faults.length).toBeGreaterThanOrEqual(kinds.length);
      expect(notes.join('\n')).toContain('the database is migrated');
    }
  },
);
