import { spawnSync } from 'node:child_process';
import { engineProfile } from '../world/engine-profile.ts';

// Judges one mutant: fails where the simulator finds it, or else the unit tests of its folder do.

const commands = 1_200;
const roundActions = 400;
const [folder = 'src/engine'] = process.argv.slice(2);

engineProfile(1, commands, () => undefined, roundActions);
const vitest = [
  'node_modules/vitest/vitest.mjs',
  'run',
  '--project',
  'unit',
  '--bail',
  '1',
  folder,
];
const { status } = spawnSync(process.execPath, vitest, { stdio: 'ignore' });
process.exitCode = status ?? 1;
