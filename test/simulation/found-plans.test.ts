import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type Plan, simulate } from './world/simulate.ts';

// Plans that the simulator has shrunk from a failure, written by --plan-out.

const folder = new URL('./plans/', import.meta.url);
const plans = readdirSync(folder).map((name): readonly [string, Plan] => [
  name,
  JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Plan,
]);

it.each(plans)('simulated: the plan of %s no longer breaks a rule', async (_name, plan) => {
  const { violation, notes } = await simulate(plan);
  const found = violation === null ? '' : `${violation.oracle}: ${violation.message}`;
  expect(found, notes.slice(-40).join('\n')).toBe('');
});
