import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { inCopyWith } from './planted/plant.ts';
import { type RecoveryFault, recoveryFaults } from './planted/recovery-faults.ts';

const enoughMs = 300_000;

/** What the test prints in a copy of the exchange with the fault; null if it passes. */
function runTest(fault: RecoveryFault): Promise<string | null> {
  return inCopyWith(fault, async (folder) => {
    const program = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'unit', fault.testFile];
    const run = promisify(execFile)(process.execPath, [...program, '-t', fault.test], {
      cwd: folder,
      env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', NO_COLOR: '1' },
    });
    return run.then(
      () => null,
      (error: unknown) => (error as { readonly stdout: string }).stdout,
    );
  });
}

describe('faults of recovery that are planted into a copy of the exchange', () => {
  it.concurrent.each(recoveryFaults)(
    'planted: "$name" is found by its test',
    async (fault) => {
      const printed = await runTest(fault);
      expect(printed).toContain('1 failed');
      expect(printed).toContain(fault.test);
    },
    enoughMs,
  );
});
