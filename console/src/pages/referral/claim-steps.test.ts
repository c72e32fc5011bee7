import { expect, test } from 'vitest';
import { claimSteps } from './claim-steps.ts';

const sent = { isMined: false };

test.each([
  ['is sent next', null, 'Send from your wallet (58:40 left)'],
  ['waits for the chain once it is sent', sent, 'Seen on the chain'],
  ['waits for the service once it is on the chain', { isMined: true }, 'Success'],
] as const)('console: a claim in progress %s', (_, transaction, present) => {
  const steps = claimSteps(transaction, '58:40');
  expect(steps.filter(({ state }) => state === 'now')).toEqual([{ text: present, state: 'now' }]);
});
