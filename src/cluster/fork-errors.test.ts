import { describe, expect, it } from 'vitest';
import { errorOfFork, ForkedError, type ForkParts } from './fork-errors.ts';
import type { PlacedEntry } from './log-entry.ts';
import { LogUnreachableError } from './log-unreachable-error.ts';

/** A log of three entries with a command each, of which the journal agrees with the first ones. */
function partsOf(own: number, agreed: number): ForkParts {
  const entries = [1, 2, 3].map(
    (position) =>
      ({ position, epoch: 1, lastSequence: position, group: new Uint8Array() }) as PlacedEntry,
  );
  const parts = {
    log: {
      load: async (position: number) => entries[position - 1] ?? null,
      loadBeginning: async () => 1,
      loadEnd: async () => 3,
    },
    chain: {
      newest: { sequence: own },
      agrees: async ({ position }: PlacedEntry) => position <= agreed,
    },
    member: { epochAt: () => 1 },
  };
  return parts as unknown as ForkParts;
}

describe('errorOfFork', () => {
  it('a journal with commands that the log does not hold has another history', async () => {
    expect(await errorOfFork(partsOf(3, 1), 2)).toBeInstanceOf(ForkedError);
  });

  it('an entry beyond a journal that is completely in the log is read again, and ends no process', async () => {
    const error = await errorOfFork(partsOf(2, 2), 3);
    expect(error).toBeInstanceOf(LogUnreachableError);
    expect(error.message).toBe('entry 3 of the shared log does not continue it');
  });
});
