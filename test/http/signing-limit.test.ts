import { afterEach, expect, test } from 'vitest';
import { type ClaimRoutePorts, claimRoutes } from '../../src/gateway/http/referral/claim-routes.ts';
import { testAddress } from '../support/manual-exchange.ts';
import { createTestServer, type TestServer } from '../support/test-server.ts';

// Whatever makes the service sign is limited for each account, since each signature costs a call
// of the node and is worth money.

let server: TestServer;
afterEach(() => server.close());

// None of these calls gets as far as the use cases.
const unusedPorts = {} as ClaimRoutePorts;

test('signing limit: all calls of an account that create signatures share one limit', async () => {
  server = await createTestServer({
    limits: { signingsPerMinute: 2 },
    extraRoutes: [claimRoutes(unusedPorts)],
  });
  const call = async (seed: number, path: string, method: 'GET' | 'POST' = 'POST') => {
    const headers = await server.bearer(testAddress(seed));
    const url = `/api/v1/referral/${path}`;
    const payload = method === 'POST' ? { payload: { amount: '0' } } : {};
    const reply = await server.inject({ method, url, headers, ...payload });
    return [reply.statusCode, reply.json<unknown>(), 'retry-after' in reply.headers];
  };
  const signature = 'on-chain/claim-signature';
  const invalidAmount = [400, { error: 'INVALID_AMOUNT' }, false];
  const limited = [429, { error: 'RATE_LIMITED' }, true];
  expect(await call(1, signature)).toEqual(invalidAmount);
  expect(await call(1, signature)).toEqual(invalidAmount);
  expect(await call(1, signature)).toEqual(limited);
  expect(await call(1, 'claims/CLM-20260105-K7M2QX9TRA/signature', 'GET')).toEqual(limited);
  expect(await call(2, signature)).toEqual(invalidAmount);
  server.time += 60_000;
  expect(await call(1, signature)).toEqual(invalidAmount);
});
