import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import type { Verdict } from './judge.ts';
import type { Mutant } from './mutant.ts';
import { mutants } from './mutants.ts';
import { runMutant } from './run-mutant.ts';

// Checks that never fail prove nothing. Each mutant is the engine itself with one fault planted in
// its source; worked examples, the payers of adversaries, the rules and the twin must find it, and
// found-by.md names the check of each.

/** Mutants that no check finds, and why: another check covers what they remove. */
const unfound: Readonly<Record<string, string>> = {
  'an account that is being closed takes money out':
    'in the book stage nothing is free under 5/4 of the maintenance margin, and in the others the ' +
    'gate is shut',
  'the fund pays out more than it promised': 'lots are counted by what is left of the promise',
};

/** For a mutant that does not end, on a busy machine. */
const timeoutMs = 240_000;

/** Which check has found which mutant first; UPDATE_MUTANTS=1 writes it again. */
const tableUrl = new URL('./found-by.md', import.meta.url);
const heading = '| mutant | found by | check |\n|---|---|---|\n';

function readTable(): ReadonlyMap<string, string> {
  const rows = readFileSync(tableUrl, 'utf8').split('\n').slice(2);
  return new Map(
    rows.flatMap((row) => {
      const [, name, finder, check] = row.split('|').map((cell) => cell.trim());
      return name === undefined ? [] : [[name, `${finder}: ${check}`]];
    }),
  );
}

const isUpdating = process.env['UPDATE_MUTANTS'] === '1';
const table = isUpdating ? new Map<string, string>() : readTable();
const found = new Map<string, Verdict>();

afterAll(() => {
  const counts = new Map<string, number>();
  for (const { finder } of found.values()) counts.set(finder, (counts.get(finder) ?? 0) + 1);
  console.log(`mutants found: ${[...counts].map(([name, count]) => `${count} by ${name}`).join()}`);
  if (!isUpdating) return;
  const rows = mutants.flatMap(({ name }) => {
    const verdict = found.get(name);
    return verdict === undefined ? [] : [`| ${name} | ${verdict.finder} | ${verdict.check} |\n`];
  });
  writeFileSync(tableUrl, heading + rows.join(''));
});

describe('mutants of the engine', () => {
  it('mutants: at least 60 faults with unique names', () => {
    expect(mutants.length - Object.keys(unfound).length).toBeGreaterThanOrEqual(60);
    expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length);
    const names = mutants.map(({ name }) => name);
    expect(Object.keys(unfound).filter((name) => !names.includes(name))).toEqual([]);
    for (const [name, reason] of Object.entries(unfound))
      console.log(`not found: ${name}: ${reason}`);
  });

  it('mutants: the replaced text occurs in its file exactly once', () => {
    const misplaced = mutants.filter(({ file, from }) => {
      const text = readFileSync(new URL(`../../src/engine/${file}`, import.meta.url), 'utf8');
      return text.split(from).length !== 2;
    });
    expect(misplaced.map(({ name }) => name)).toEqual([]);
  });

  it('mutants: the unmutated engine passes', async () => {
    expect(await runMutant(null)).toBeNull();
  });

  const planted = mutants.filter(({ name }) => !(name in unfound));
  it.concurrent.each(planted.map((mutant): [string, Mutant] => [mutant.name, mutant]))(
    'mutants: %s',
    async (name, mutant) => {
      const verdict = await runMutant(mutant);
      if (verdict === null) throw new Error('nobody finds it');
      found.set(name, verdict);
      if (!isUpdating) expect(`${verdict.finder}: ${verdict.check}`).toBe(table.get(name));
    },
    timeoutMs,
  );
});
