import { expect, test } from 'vitest';
import { historyWeight, historyWeightMax } from './history-query.ts';

// A page by cursor costs the same at any depth; one by offset reads all that it counts and skips.

test.each([
  [{ cursor: '' }, 5],
  [{ cursor: 'MTc2NzU3MTIwMDAwMDoxMDQy', offset: '1000000' }, 5],
  [{}, 20],
  [{ cursor: '', status: 'FILLED' }, 40],
  [{ status: 'FILLED' }, 40],
  [{ status: 'FILLED', offset: '30000' }, 50],
  [{ offset: '0' }, 20],
  [{ offset: '1' }, 21],
  [{ offset: '5000' }, 25],
  [{ offset: '1000000' }, historyWeightMax],
  [{ offset: '1000001' }, 20],
  [{ offset: '-5' }, 20],
  [{ offset: 'x' }, 20],
])('weight of %j: history %i', (query, weight) => {
  expect(historyWeight(query)).toBe(weight);
});
