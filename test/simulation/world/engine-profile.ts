import fc from 'fast-check';
import { action, prologue } from '../actions.ts';
import { futuresAction, stressAction } from '../futures/futures-actions.ts';
import { FuturesSimulation } from '../futures/futures-simulation.ts';
import { Simulation } from '../simulation.ts';

const roundActionsMax = 2_500;
const unit = 100_000_000n;

/**
 * The engine alone, against its plain twins, with every rule audited: spot, perpetuals and
 * liquidations by turns. The commands that were applied. @throws Error at the first difference
 */
export function engineProfile(
  seed: number,
  commands: number,
  print: (line: string) => void,
  roundActions = roundActionsMax,
): number {
  let done = 0;
  for (let round = 0; done < commands; round += 1) {
    const numRuns = Math.min(roundActions, commands - done);
    const options = { numRuns, seed: (seed * 10_007 + round) | 0 };
    if (round % 3 === 0) {
      const simulation = new Simulation({ auditEvery: 64 });
      simulation.run([...prologue, ...fc.sample(action, options)]);
      done += simulation.commands.length;
      continue;
    }
    const isStress = round % 3 === 2;
    const funds = (isStress ? 10n : 200n) * unit;
    const simulation = new FuturesSimulation({ auditEvery: 64, funds });
    simulation.run(fc.sample(isStress ? stressAction : futuresAction, options));
    done += simulation.commands.length;
  }
  print(`seed ${seed} engine: sound, ${done} commands as the twins`);
  return done;
}
