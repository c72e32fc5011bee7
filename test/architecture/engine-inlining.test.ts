import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { projectRoot } from './source-files.ts';

test('this version of Node knows the setting of V8 that the engine is run with', () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', './tools/engine-inlining.mjs', '--eval', 'console.log("ran")'],
    { cwd: projectRoot, encoding: 'utf8' },
  );
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: 'ran\n', stderr: '' });
});
