import { chainSteps } from './chain-steps.ts';
import { claimSteps } from './claim-steps.ts';
import { headerOf, scanSteps } from './scan-steps.ts';
import { settleSteps } from './settle-steps.ts';
import { type Step, spend } from './step.ts';
import { transactionSteps } from './transaction-steps.ts';
import { cursorOf, type Scenario, type World } from './world.ts';

/** Every step that is possible: the service's own, the users', the chain's, and the accidents. */
export function possibleSteps(world: World, scenario: Scenario): readonly Step[] {
  return [
    ...settleSteps(world, scenario),
    ...transactionSteps(world, scenario),
    ...scanSteps(world, scenario),
    ...claimSteps(world, scenario),
    ...chainSteps(world, scenario),
    ...accidentSteps(world, scenario),
  ];
}

function accidentSteps(world: World, scenario: Scenario): readonly Step[] {
  const steps: Step[] = [];
  if (world.budget.crashes > 0 && (world.scan !== null || world.claimNonceRead !== null)) {
    const next = { ...spend(world, 'crashes'), scan: null, claimNonceRead: null };
    steps.push({ name: 'crash', world: next });
    if (scenario.planted.has('cursor_before_effects')) {
      const block = headerOf(world, cursorOf(world).number + 1);
      if (block !== null) {
        const counted = [...world.counted, { number: block.number, hash: block.hash }];
        steps.push({ name: 'crash after the cursor moved', world: { ...next, counted } });
      }
    }
  }
  if (world.budget.drops > 0 && world.pool.length > 0) {
    steps.push({ name: 'drop the pool', world: { ...spend(world, 'drops'), pool: [] } });
  }
  return steps;
}
