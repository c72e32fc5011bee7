import { examples } from '../../mutants/examples.ts';
import { runAlone, schemes } from '../adversaries/run-all.ts';
import { engineProfile } from '../world/engine-profile.ts';

// Ends with an error if the simulator finds the mutant in the engine. Situations come first, as
// they are quick.

const commands = 1_200;
const roundActions = 400;

for (const { run } of examples) run();
for (const scheme of Object.values(schemes)) runAlone(scheme);
const { violation } = engineProfile(1, commands, roundActions);
if (violation !== null) throw violation;
