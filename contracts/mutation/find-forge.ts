import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The program that runs the Solidity tests; null if the registry has none for the platform. */
export function findForge(): string | null {
  const require = createRequire(import.meta.url);
  try {
    const manifest = require.resolve('@foundry-rs/forge-linux-amd64/package.json');
    return join(dirname(manifest), 'bin', 'forge');
  } catch {
    const onPath = spawnSync('forge', ['--version']);
    return onPath.status === 0 ? 'forge' : null;
  }
}
