import { AssertionError } from '../../src/domain/assert.ts';
import { engineFactory } from '../../src/engine/engine.ts';
import { rulesVersionMin } from '../../src/engine/rules.ts';
import type { StateMachineFactory } from '../../src/engine/state-machine.ts';

/**
 * The machines of the previous version: the newest of its rules are the oldest of this one's, and
 * it cannot read states of this version.
 */
export const previousVersion: StateMachineFactory = {
  ...engineFactory,
  oldestRules: rulesVersionMin - 1,
  newestRules: rulesVersionMin,
  create: () => engineFactory.create(rulesVersionMin),
  restore: (state) => {
    if (engineFactory.isOfThisVersion(state))
      throw new AssertionError('a state of a later version');
    return engineFactory.restore(state);
  },
};
