import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { engineProfile } from '../world/engine-profile.ts';
import { type Profile, simulate } from '../world/simulate.ts';

// Judges one mutant: fails where the simulator finds it, or else the unit tests of its folder do.
// The programs have no part in the simulated engine; claims have their own explorer.

const commands = 1_200;
const roundActions = 400;
/** Profiles, seeds and events for what is not in the engine. */
const worlds: readonly (readonly [Profile, number, number])[] = [
  ['alone', 6, 4_000],
  ['cluster', 3, 5_000],
];
const [place = 'src/engine'] = process.argv.slice(2);
const aroundEngine = ['src/journal', 'src/sequencer', 'src/cluster'];
const claims = 'src/programs/claims';

const folder = statSync(place).isDirectory() ? place : dirname(place);
if (aroundEngine.some((each) => place.startsWith(each))) await simulateWorlds();
else if (!place.startsWith('src/programs')) simulateEngine();
runUnitTests(folder === claims ? [folder, 'test/simulation/claims'] : [folder]);

function simulateEngine(): void {
  const { violation } = engineProfile(1, commands, roundActions);
  if (violation !== null) throw violation;
}

async function simulateWorlds(): Promise<void> {
  for (const [profile, seeds, ticks] of worlds) {
    for (let seed = 1; seed <= seeds; seed += 1) {
      const drawn = { seed, profile, processes: 3, ticks, faults: null, kinds: null };
      const { violation } = await simulate(drawn);
      if (violation !== null) throw violation;
    }
  }
}

function runUnitTests(folders: readonly string[]): void {
  const vitest = fileURLToPath(new URL('../vitest.mjs', import.meta.resolve('vitest')));
  const options = ['run', '--project', 'unit', '--bail', '1', ...folders];
  const { status } = spawnSync(process.execPath, [vitest, ...options], { stdio: 'ignore' });
  process.exitCode = status ?? 1;
}
