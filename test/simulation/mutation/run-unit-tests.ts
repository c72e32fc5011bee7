import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isAroundEngine, listFiles } from './places.ts';

// Fails if the unit tests of its folder find the mutant, which Stryker names in the environment.
// Claims have their own explorer.

const claims = 'src/programs/claims';
const [place = 'src/engine'] = process.argv.slice(2);
const { __STRYKER_ACTIVE_MUTANT__: mutant } = process.env;
if (mutant !== undefined) process.exitCode = runUnitTests(testsOf(fileOf(mutant)));

/** The file with the mutant, by the switch that Stryker has put there. */
function fileOf(mutant: string): string {
  const activated = new RegExp(`stryMutAct_\\w+\\("${mutant}"\\)`);
  const file = listFiles(place).find((path) => activated.test(readFileSync(path, 'utf8')));
  if (file === undefined) throw new Error(`no file of ${place} has the mutant ${mutant}`);
  return file;
}

/**
 * Around the engine, where tests start processes and servers, only those that have the file's name,
 * or import it, or have the name of a file that imports it.
 */
function testsOf(file: string): readonly string[] {
  const folder = dirname(file);
  if (folder === claims) return [folder, 'test/simulation/claims'];
  const tests = readdirSync(folder)
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join(folder, name));
  if (!isAroundEngine(place)) return tests;
  const imported = `/${basename(file)}'`;
  const imports = (path: string): boolean =>
    existsSync(path) && readFileSync(path, 'utf8').includes(imported);
  const subjectOf = (test: string): string => test.replace(/\.test\.ts$/, '.ts');
  return tests.filter((test) => {
    const subject = subjectOf(test);
    return subject === file || imports(test) || imports(subject);
  });
}

function runUnitTests(tests: readonly string[]): number {
  if (tests.length === 0) return 0;
  const vitest = fileURLToPath(new URL('../vitest.mjs', import.meta.resolve('vitest')));
  const options = ['run', '--project', 'unit', '--maxWorkers', '1', '--bail', '1', ...tests];
  return spawnSync(process.execPath, [vitest, ...options], { stdio: 'ignore' }).status ?? 1;
}
