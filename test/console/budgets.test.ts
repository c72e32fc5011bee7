import { beforeAll, expect, test } from 'vitest';
import { buildConsole } from '../support/browser.ts';
import { measureSizes } from '../support/console-sizes.ts';

// What the built console weighs; it needs no browser.

beforeAll(buildConsole);

test('console: the first load, the chart, each page and all of it are within their budgets', () => {
  const sizes = measureSizes();
  expect(sizes.map(({ value }) => value > 0)).toEqual(sizes.map(() => true));
  expect(sizes.filter(({ value, budget }) => value > budget)).toEqual([]);
  expect(sizes.map(({ budget }) => budget)).toEqual([45, 12, 65, 25, 220]);
});
