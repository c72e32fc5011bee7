import type { Mutant } from './plant.ts';
import type { Workshop } from './workshop.ts';

/** The kind of test that finds a mutant; null: none. */
export type Finder = 'unit tests' | 'fuzzing' | null;

export interface Verdict {
  readonly mutant: Mutant;
  readonly finder: Finder;
}

/**
 * Judges the mutants by tests of single functions, and those that these do not find by fuzz tests
 * and invariants.
 * @throws Error if the compiler refuses, or a test fails without a mutant
 */
export async function judgeAll(
  workshop: Workshop,
  mutants: readonly Mutant[],
): Promise<readonly Verdict[]> {
  const found = await workshop.findByUnitTests(mutants);
  if (await workshop.isFoundByFuzzing(0)) throw new Error('fuzzing fails without a mutant');
  const verdicts: Verdict[] = [];
  for (const mutant of mutants) {
    if (found.has(mutant)) verdicts.push({ mutant, finder: 'unit tests' });
    else {
      const isFound = await workshop.isFoundByFuzzing(mutant.id);
      verdicts.push({ mutant, finder: isFound ? 'fuzzing' : null });
    }
  }
  return verdicts;
}

/** A sample of this size, the same for the same seed. */
export function sample(mutants: readonly Mutant[], count: number, seed: number): readonly Mutant[] {
  let state = seed >>> 0;
  const next = () => {
    // mulberry32
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return mutants
    .map((mutant) => ({ mutant, place: next() }))
    .sort((a, b) => a.place - b.place)
    .slice(0, count)
    .map(({ mutant }) => mutant)
    .sort((a, b) => a.id - b.id);
}
