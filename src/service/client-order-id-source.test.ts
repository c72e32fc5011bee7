import { expect, test } from 'vitest';
import { makeClientOrderIdSource } from './client-order-id-source.ts';

const countPerMillisecond = 600;

test('client order ids: each is 22 hex digits and unique, even within one millisecond', () => {
  const draw = makeClientOrderIdSource(() => 1_795_292_817_967);
  const ids = Array.from({ length: countPerMillisecond }, draw);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{22}$/);
  expect(new Set(ids).size).toBe(countPerMillisecond);
});

test('client order ids: they increase with time', () => {
  let now = 0xff_ffff_fffe;
  const draw = makeClientOrderIdSource(() => (now += 1));
  const ids = Array.from({ length: 4 }, draw);
  expect(ids).toEqual([...ids].sort());
});
