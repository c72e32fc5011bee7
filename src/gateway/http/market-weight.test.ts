import { expect, test } from 'vitest';
import type { FuturesReadPorts } from '../../application/futures/futures-ports.ts';
import { listOpenOrders } from './derivatives/list-open-orders.ts';

test('open orders of perpetuals: all markets together weigh what 40 weigh', () => {
  const { weight, weighs } = listOpenOrders({} as FuturesReadPorts);
  expect(weight).toBe(40);
  expect([weighs?.({ symbol: 'BTCUSDT' }), weighs?.({})]).toEqual([1, 40]);
});
