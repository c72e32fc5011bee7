import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findForge } from '../../contracts/mutation/find-forge.ts';
import { judgeAll, sample, type Verdict } from '../../contracts/mutation/judge-all.ts';
import { survivors } from '../../contracts/mutation/survivors.ts';
import { Workshop } from '../../contracts/mutation/workshop.ts';

// A sample of the faults that `npm run contracts:mutate` plants into the contracts, always the
// same ones; all of them take some minutes.

const sampleSize = 40;
const seed = 1;

const forge = findForge();
if (forge === null) {
  process.stdout.write('the mutants of the contracts are skipped: no forge for this platform\n');
}

describe.skipIf(forge === null)('mutants of the contracts', () => {
  let workshop: Workshop;
  let verdicts: readonly Verdict[];

  beforeAll(async () => {
    workshop = new Workshop(forge ?? '');
    verdicts = await judgeAll(workshop, sample(workshop.mutants, sampleSize, seed));
  }, 600_000);
  afterAll(() => workshop.close());

  test('contracts: the tests find all faults of a sample but those with a reason', () => {
    expect(verdicts).toHaveLength(sampleSize);
    const alive = verdicts.filter(({ finder }) => finder === null).map(({ mutant }) => mutant.key);
    expect(alive.filter((key) => !(key in survivors))).toEqual([]);
    expect(alive.length).toBeLessThanOrEqual(sampleSize * 0.05);
  });

  test('contracts: each fault has a unique name, and each reason belongs to a fault', () => {
    const keys = workshop.mutants.map(({ key }) => key);
    expect(keys.length).toBeGreaterThan(700);
    expect(new Set(keys).size).toBe(keys.length);
    expect(Object.keys(survivors).filter((key) => !keys.includes(key))).toEqual([]);
    expect(Object.keys(survivors).length / keys.length).toBeLessThan(0.05);
  });
});
