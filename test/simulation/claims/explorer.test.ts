import { expect, test } from 'vitest';
import { findUnfinished } from './calm.ts';
import { type Exploration, explore } from './explore.ts';
import type { Budget, PlantedBug, Scenario } from './world.ts';

// Every state that these small worlds can reach, in every order of the service's steps, the users'
// and the chain's, with crashes, reorganizations, lagging nodes and lost transactions in between.
// invariants.ts has the rules C1 to C10 and what each is for.

const nothing: Budget = {
  blocks: 0,
  reorganizations: 0,
  crashes: 0,
  claims: 0,
  retries: 0,
  foreignVouchers: 0,
  leaps: 0,
  earnings: 0,
  drops: 0,
  cancels: 0,
  replacements: 0,
};
const quietChain = {
  confirmations: 0,
  reorganizationDepthMax: 0,
  isStaleNodePossible: false,
  planted: new Set<PlantedBug>(),
};
/** Reorganizations never reach counted blocks. */
const confirmedChain = { ...quietChain, confirmations: 1, reorganizationDepthMax: 1 };

const settled = (commission: bigint) => ({ commission, isSettled: true, attempts: 0 });
const unsettled = (commission: bigint, attempts = 0) => ({
  commission,
  isSettled: false,
  attempts,
});

const scenarios: Readonly<Record<string, Scenario>> = {
  'a settlement is replaced, cancelled, dropped and reorganized': {
    ...confirmedChain,
    earnings: [unsettled(1n, 2)],
    budget: { ...nothing, blocks: 4, reorganizations: 1, replacements: 1, cancels: 1, drops: 1 },
  },
  'commission arrives while a settlement is under way': {
    ...quietChain,
    earnings: [unsettled(1n, 2)],
    budget: { ...nothing, blocks: 3, replacements: 1, drops: 1, earnings: 1 },
  },
  'an order meets a foreign signature, its deadline, a retry and a crash': {
    ...quietChain,
    earnings: [settled(1n), settled(2n)],
    budget: {
      ...nothing,
      blocks: 3,
      claims: 1,
      retries: 1,
      foreignVouchers: 1,
      leaps: 1,
      crashes: 1,
    },
  },
  'a redemption is reorganized before it is counted': {
    ...confirmedChain,
    earnings: [settled(2n)],
    budget: { ...nothing, blocks: 4, reorganizations: 1, claims: 1, foreignVouchers: 1 },
  },
  'a node lags behind': {
    ...confirmedChain,
    isStaleNodePossible: true,
    earnings: [settled(1n)],
    budget: { ...nothing, blocks: 4, reorganizations: 1, claims: 1 },
  },
  'a claim races a settlement': {
    ...quietChain,
    earnings: [settled(1n), unsettled(1n)],
    budget: { ...nothing, blocks: 3, claims: 1, foreignVouchers: 1 },
  },
  'counted redemptions are reorganized': {
    ...quietChain,
    reorganizationDepthMax: 2,
    earnings: [settled(1n)],
    budget: { ...nothing, blocks: 4, reorganizations: 1, claims: 2, foreignVouchers: 1 },
  },
  'a counted settlement is reorganized': {
    ...quietChain,
    reorganizationDepthMax: 1,
    earnings: [unsettled(1n)],
    budget: { ...nothing, blocks: 4, reorganizations: 1, claims: 1 },
  },
};

const statesMax = 200_000;
const finalsTriedMax = 100;
const explorations = new Map<string, Exploration>();

function explorationOf(name: string): Exploration {
  const scenario = scenarios[name];
  if (scenario === undefined) throw new Error(`no scenario ${name}`);
  const exploration = explorations.get(name) ?? explore(scenario, statesMax);
  explorations.set(name, exploration);
  return exploration;
}

test.each(Object.entries(scenarios))(
  'claims: every rule holds in every state while %s',
  (name, scenario) => {
    const { violation, isComplete, states, finals } = explorationOf(name);
    expect(violation).toBeNull();
    expect(isComplete).toBe(true);
    expect(states).toBeGreaterThan(1_000);
    // From a state in which nothing happens any more on its own, calm brings everything to its end.
    const stride = Math.max(1, Math.floor(finals.length / finalsTriedMax));
    const tried = finals.filter((_final, index) => index % stride === 0);
    expect(tried.length).toBeGreaterThan(0);
    expect(tried.map((world) => findUnfinished(world, scenario)).filter(Boolean)).toEqual([]);
  },
);

test('claims: the search covers every kind of step', () => {
  const kinds = new Set(
    Object.keys(scenarios).flatMap((name) => [...explorationOf(name).stepCounts.keys()]),
  );
  for (const kind of [
    'plan batch',
    'save transaction',
    'send version #',
    'save call version',
    'save cancel version',
    'finish as succeeded',
    'finish as cancelled',
    'count attempt',
    'mine settle+redeem at #',
    'mine cancel at #',
    'lose # blocks',
    'drop the pool',
    'crash',
    'create claim',
    'retry claim-#',
    'claim refused',
    'sign # without an order',
    'header: roll back',
    'head (stale)',
    'events (stale): error',
    'events: count blocks',
  ]) {
    expect(kinds, kind).toContain(kind);
  }
});

const planted: readonly (readonly [readonly PlantedBug[], RegExp, Scenario])[] = [
  [
    ['retry_with_new_nonce', 'settlement_adds_up'],
    /C1/,
    {
      ...quietChain,
      earnings: [unsettled(1n)],
      budget: { ...nothing, blocks: 2, replacements: 1 },
    },
  ],
  [
    ['retry_with_new_nonce'],
    /C2/,
    {
      ...quietChain,
      earnings: [unsettled(1n, 2)],
      budget: { ...nothing, blocks: 2, replacements: 1 },
    },
  ],
  [
    ['settlement_not_cumulative'],
    /C2/,
    { ...quietChain, earnings: [unsettled(1n)], budget: { ...nothing, blocks: 2, earnings: 1 } },
  ],
  [
    ['expiry_by_server_clock'],
    /C10/,
    { ...quietChain, earnings: [settled(1n)], budget: { ...nothing, blocks: 2, claims: 1 } },
  ],
  [
    ['parents_not_checked'],
    /C\d/,
    {
      ...quietChain,
      reorganizationDepthMax: 1,
      earnings: [settled(1n)],
      budget: { ...nothing, blocks: 4, reorganizations: 1, foreignVouchers: 1 },
    },
  ],
  [
    ['claim_without_nonce_check'],
    /C9/,
    {
      ...quietChain,
      earnings: [settled(1n), settled(1n)],
      budget: { ...nothing, blocks: 2, claims: 1, foreignVouchers: 1 },
    },
  ],
  [
    ['cursor_before_effects'],
    /C[289]/,
    {
      ...quietChain,
      earnings: [settled(1n)],
      budget: { ...nothing, blocks: 2, crashes: 1, foreignVouchers: 1 },
    },
  ],
  [
    ['redemption_finishes_any_order'],
    /C\d|contradiction/,
    {
      ...quietChain,
      earnings: [settled(1n), settled(1n)],
      budget: { ...nothing, blocks: 2, claims: 1, foreignVouchers: 1 },
    },
  ],
];

test.each(planted)('claims: the planted bug %j is found', (bugs, rule, scenario) => {
  const sound = explore(scenario, statesMax);
  expect(sound.violation).toBeNull();
  const { violation } = explore({ ...scenario, planted: new Set(bugs) }, statesMax, rule);
  expect(violation?.path.length).toBeGreaterThan(1);
});
