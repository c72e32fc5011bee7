import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  startTestService,
  type TestService,
  testServiceAdminKey,
} from '../support/test-service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ MIN_CLAIM_USDT: '3', SPOT_WITHDRAW_TOKENS: 'DF:2,USDT:5' });
});
afterAll(() => service.close());

async function get(path: string): Promise<unknown> {
  return (await fetch(service.url + path)).json();
}

async function pause(method: 'GET' | 'PUT', body?: object): Promise<unknown> {
  const reply = await fetch(`${service.url}/api/v1/admin/withdrawals/pause`, {
    method,
    headers: {
      'x-api-key': testServiceAdminKey,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return reply.json();
}

test('site: reports what the settings of the exchange allow', async () => {
  expect(await get('/api/v1/site')).toMatchObject({
    success: true,
    data: {
      is_testnet: true,
      is_spot_trading_enabled: true,
      chain_id: 31_337,
      is_development_chain: true,
      min_claim_usdt: '3',
      settle_interval_ms: 300_000,
      are_withdrawals_paused: false,
      withdraw_tokens: [
        { token: 'DF', minimum: '2' },
        { token: 'USDT', minimum: '5' },
      ],
    },
  });
});

test('site: the pause of withdrawals is visible to the administrator and to pages', async () => {
  expect(await pause('GET')).toEqual({ paused: false });
  await pause('PUT', { paused: true });
  expect(await pause('GET')).toEqual({ paused: true });
  expect(await get('/api/v1/site')).toMatchObject({ data: { are_withdrawals_paused: true } });
  await pause('PUT', { paused: false });
});

async function askNode(method: string, params: readonly unknown[]) {
  const reply = await fetch(`${service.url}/api/v1/chain/rpc`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ method, params }),
  });
  return { status: reply.status, body: await reply.json() };
}

test("chain: a page's permitted requests reach the development chain", async () => {
  await expect
    .poll(async () => (await get('/api/v1/chain/info')) as { rpc_url: string | null })
    .toMatchObject({ rpc_url: expect.any(String) as string });
  expect(await askNode('eth_chainId', [])).toEqual({ status: 200, body: { result: '0x7a69' } });
  const mining = await askNode('anvil_mine', []);
  expect([mining.status, mining.body]).toMatchObject([400, { error: 'INVALID_PARAMETER' }]);
  const malformed = await askNode('eth_getBalance', ['not an address']);
  expect([malformed.status, malformed.body]).toMatchObject([400, { error: 'INVALID_PARAMETER' }]);
});
