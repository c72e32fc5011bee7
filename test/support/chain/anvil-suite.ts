import { spawnSync } from 'node:child_process';
import { describe } from 'vitest';
import { findAnvil } from '../../../src/chain/development/anvil-process.ts';

const hasAnvil = spawnSync(findAnvil(), ['--version']).status === 0;

/** Tests that need a chain; skipped, with the reason printed, if no anvil can be had. */
export function anvilSuite(name: string, define: () => void): void {
  if (!hasAnvil) {
    process.stdout.write(`tests of ${name} are skipped: no anvil for this platform\n`);
  }
  describe.skipIf(!hasAnvil)(name, define);
}
