import { type Step, spend } from './step.ts';
import {
  contractAt,
  execute,
  headOf,
  isRedeemable,
  leapSeconds,
  type ModelBlock,
  type ModelTransaction,
  type Scenario,
  type World,
} from './world.ts';

// The chain makes blocks of whatever it was given, and loses some of them again.

export function chainSteps(world: World, scenario: Scenario): readonly Step[] {
  const steps: Step[] = [];
  if (world.budget.blocks > 0) {
    steps.push(...mineSteps(spend(world, 'blocks'), scenario, 1));
    if (world.budget.leaps > 0) {
      steps.push(...mineSteps(spend(spend(world, 'blocks'), 'leaps'), scenario, leapSeconds));
    }
  }
  const depthMax = Math.min(scenario.reorganizationDepthMax, world.chain.length - 1);
  for (let depth = 1; depth <= depthMax && world.budget.reorganizations > 0; depth += 1) {
    const chain = world.chain.slice(0, -depth);
    const next = { ...spend(world, 'reorganizations'), chain };
    steps.push({ name: `lose ${depth} blocks`, world: next });
  }
  return steps;
}

function mineSteps(world: World, scenario: Scenario, seconds: number): readonly Step[] {
  const time = headOf(world).time + seconds;
  const before = contractAt(world, scenario, world.chain.length - 1);
  const choices: (readonly ModelTransaction[])[] = [[]];
  for (const entry of operatorChoices(world, before.operatorNonce)) choices.push([entry]);
  const steps: Step[] = [];
  for (const choice of choices) {
    const settled = choice.reduce((state, entry) => execute(state, entry, world, scenario), before);
    steps.push(mine(world, { time, transactions: choice }));
    world.vouchers.forEach((voucher, index) => {
      if (!isRedeemable(settled, voucher, time)) return;
      const redeem: ModelTransaction = { kind: 'redeem', voucher: index };
      steps.push(mine(world, { time, transactions: [...choice, redeem] }));
    });
  }
  return steps;
}

// Any version that was ever sent may turn up, also one that was replaced.
function operatorChoices(world: World, operatorNonce: number): readonly ModelTransaction[] {
  const transaction = world.transactions.find(({ nonce }) => nonce === operatorNonce);
  const isPooled = world.pool.some(({ nonce }) => nonce === operatorNonce);
  if (transaction === undefined || !isPooled) return [];
  const amount = world.batches[transaction.batch]?.amount ?? 0n;
  return transaction.versions.flatMap(({ kind, isSent }, version): readonly ModelTransaction[] => {
    if (!isSent) return [];
    const { nonce } = transaction;
    return kind === 'cancel'
      ? [{ kind: 'cancel', nonce, version }]
      : [{ kind: 'settle', nonce, version, amount }];
  });
}

function mine(world: World, { time, transactions }: Omit<ModelBlock, 'id'>): Step {
  const block: ModelBlock = { id: world.blocksMade, time, transactions };
  const names = transactions.map(({ kind }) => kind).join('+');
  return {
    name: `mine ${names === '' ? 'nothing' : names} at ${time}`,
    world: { ...world, chain: [...world.chain, block], blocksMade: world.blocksMade + 1 },
  };
}
