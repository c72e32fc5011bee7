import { expect, it } from 'vitest';
import { type Plan, simulate } from './world/simulate.ts';

// Plans that the simulator has shrunk from a failure.

const plans: readonly (readonly [string, Plan])[] = [
  [
    'an epoch that restored the log is never open, and the next one is: requests in flight may be in what was restored',
    {
      seed: 9,
      profile: 'cluster',
      processes: 3,
      ticks: 3_000,
      faults: [
        { atMs: 90, kind: 'pause', machine: 2, durationMs: 4_728, strength: 0.4157068782951683 },
        { atMs: 503, kind: 'nats-tail', machine: 1, durationMs: 230, strength: 0.7247640378773212 },
        { atMs: 3_553, kind: 'nats-tail', machine: 3, durationMs: 80, strength: 0.83771945605986 },
        { atMs: 3_692, kind: 'nats-tail', machine: 3, durationMs: 468, strength: 0.80791975022294 },
        { atMs: 4_268, kind: 'kill', machine: 3, durationMs: 125, strength: 0.53966720774769 },
      ],
      kinds: ['nats-tail', 'pause', 'partition', 'kill'],
    },
  ],
];

it.each(plans)('simulated: %s', async (_name, plan) => {
  const { violation, notes } = await simulate(plan);
  const found = violation === null ? '' : `${violation.oracle}: ${violation.message}`;
  expect(found, notes.slice(-40).join('\n')).toBe('');
});
