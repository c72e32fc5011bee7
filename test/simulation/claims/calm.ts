import { findViolation } from './invariants.ts';
import { possibleSteps } from './possible-steps.ts';
import type { Step } from './step.ts';
import { type Scenario, startWorld, type World } from './world.ts';

const stepsMax = 400;

/**
 * Lets a world continue without accidents, users or new orders, time passing, until nothing moves
 * any more. Null if everything has come to its end, else what has not.
 */
export function findUnfinished(world: World, scenario: Scenario): string | null {
  const calm: Scenario = { ...scenario, reorganizationDepthMax: 0, isStaleNodePossible: false };
  let at = withBlocks(world);
  for (let count = 0; count < stepsMax; count += 1) {
    const step = chooseStep(possibleSteps(at, calm));
    if (step === null) break;
    at = step.world;
    const rule = findViolation(at, calm);
    if (rule !== null) return rule;
  }
  return unfinished(at, scenario);
}

// Enough blocks for everything that waits, and enough time for every deadline.
function withBlocks(world: World): World {
  const { budget } = startWorld({ ...calmScenario, budget: calmBudget }, world.book);
  return { ...world, budget };
}

const calmBudget = {
  blocks: 12,
  reorganizations: 0,
  crashes: 0,
  claims: 0,
  retries: 0,
  foreignVouchers: 0,
  leaps: 2,
  earnings: 0,
  drops: 0,
  cancels: 0,
  replacements: 3,
};
const calmScenario: Scenario = {
  confirmations: 0,
  reorganizationDepthMax: 0,
  budget: calmBudget,
  earnings: [],
  isStaleNodePossible: false,
  planted: new Set(),
};

// The service works while it can; a block is made when it waits, with the operator's transaction
// if there is one; what users hold in their hands they keep.
function chooseStep(steps: readonly Step[]): Step | null {
  const isMining = ({ name }: Step): boolean => name.startsWith('mine');
  const work = steps.find((step) => !isMining(step));
  if (work !== undefined) return work;
  const blocks = steps.filter((step) => isMining(step) && !step.name.includes('redeem'));
  return blocks.find(({ name }) => /settle|cancel/.test(name)) ?? blocks.at(-1) ?? null;
}

function unfinished(world: World, { confirmations }: Scenario): string | null {
  const { book, batches, transactions, counted, chain } = world;
  const behind = chain.length - 1 - confirmations - (counted.at(-1)?.number ?? 0);
  if (behind > 0) return `${behind} blocks are not counted`;
  if (batches.some(({ isOpen }) => isOpen)) return 'a batch is open';
  if (transactions.some(({ isFinished }) => !isFinished)) return 'a transaction is open';
  if (book.earnings.some(({ syncStatus }) => syncStatus === 'pending')) {
    return 'commission is neither synced nor failed';
  }
  if (book.claims.some(({ status }) => status === 'processing')) return 'an order is processing';
  return null;
}
