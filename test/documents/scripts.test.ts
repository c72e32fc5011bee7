import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { projectRoot } from '../architecture/source-files.ts';

// Each program behind `npm run` says what it does.

const { scripts } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
  scripts: Readonly<Record<string, string>>;
};
/** The programs of this repository; what else is there calls tools that have their own help. */
const programs = Object.entries(scripts)
  .filter(([, command]) => /^(exec )?node /.test(command))
  .map(([name]) => name)
  .filter((name) => name !== 'prepare');

test.each(programs)('npm run %s -- --help says what it does, and does nothing', async (name) => {
  const { stdout } = await promisify(execFile)('npm', ['run', '--silent', name, '--', '--help'], {
    cwd: projectRoot,
  });
  expect(stdout).toMatch(/^(Usage: |npm run )/);
  expect(stdout.trim().split('\n').length).toBeGreaterThan(2);
});
