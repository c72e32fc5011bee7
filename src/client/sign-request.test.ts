import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { signRequest } from './sign-request.ts';

const keys = { apiKey: 'key', apiSecret: 'secret' };

test('signRequest: signs the query string as sent', () => {
  const request = { method: 'GET', path: '/api/v1/spot/trades', query: { symbol: 'A/B' } } as const;
  const payload = 'symbol=A%2FB&timestamp=1700000000000';
  const signature = createHmac('sha256', 'secret').update(payload).digest('hex');
  expect(signRequest(keys, request, 1_700_000_000_000)).toEqual({
    method: 'GET',
    target: `/api/v1/spot/trades?${payload}&signature=${signature}`,
    headers: { 'x-mbx-apikey': 'key' },
  });
});

test('signRequest: the body follows the query string in what is signed', () => {
  const body = { symbol: 'BTCUSDT' };
  const signed = signRequest(keys, { method: 'POST', path: '/o', body }, 5);
  const payload = 'timestamp=5{"symbol":"BTCUSDT"}';
  const signature = createHmac('sha256', 'secret').update(payload).digest('hex');
  expect(signed.target).toBe(`/o?timestamp=5&signature=${signature}`);
  expect(signed.body).toBe('{"symbol":"BTCUSDT"}');
});
