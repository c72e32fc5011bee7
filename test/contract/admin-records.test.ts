import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  startTestService,
  type TestService,
  testServiceAdminKey,
} from '../support/test-service.ts';

// What an administrator reads: accounts, agents, and what was administered.

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const headers = { 'x-api-key': testServiceAdminKey, 'content-type': 'application/json' };

async function ask(method: string, path: string, body?: object) {
  const reply = await fetch(`${service.url}/api/v1/admin/${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
}

interface Listed {
  readonly items: readonly Record<string, unknown>[];
  readonly total: number;
}

const list = async (path: string) => (await ask('GET', path)).body as unknown as Listed;

const addressOf = (digit: string) => `0x${digit.repeat(40)}`;

/** Opens an account by crediting it; resolves once the database shows it. */
async function openAccount(address: string): Promise<void> {
  const credit = { user_address: address, token: 'USDT', amount: '12.5' };
  expect((await ask('POST', 'spot/balances/credit', credit)).status).toBe(200);
  await expect.poll(async () => (await list(`users?q=${address}`)).total).toBe(1);
}

describe('access', () => {
  test.each(['users', `users/${addressOf('a')}`, 'referral/agents', 'audit'])(
    'admin records: GET %s accepts the administrator key and nothing else',
    async (path) => {
      const reply = await fetch(`${service.url}/api/v1/admin/${path}`);
      expect([reply.status, await reply.json()]).toEqual([401, { error: 'UNAUTHORIZED' }]);
    },
  );
});

describe('accounts', () => {
  test('admin records: an account is found by a part of its address, with its terms', async () => {
    const address = addressOf('b');
    await openAccount(address);
    await ask('PUT', `users/${address}`, { is_market_maker: true, vip_override: 3 });
    const expected = {
      address,
      username: null,
      is_market_maker: true,
      vip_tier: 3,
      vip_override: 3,
      agent: null,
      referrer: null,
      created_at: expect.stringMatching(/Z$/) as string,
    };
    const found = await list(`users?q=${'B'.repeat(12)}`);
    expect(found).toEqual({ items: [expected], total: 1, page: 1, page_size: 20 });
    expect((await ask('GET', `users/${address.toUpperCase().replace('X', 'x')}`)).body).toEqual({
      ...expected,
      balances: [
        { market: 'futures', token: 'USDT', available: '0', locked: '0' },
        { market: 'spot', token: 'USDT', available: '12.5', locked: '0' },
      ],
    });
  });

  test('admin records: a search treats wildcards as letters, and can find nothing', async () => {
    await openAccount(addressOf('c'));
    expect((await list('users?q=%25')).total).toBe(0);
    expect((await list('users?q=_')).total).toBe(0);
    expect((await list('users')).total).toBeGreaterThan(0);
    const missing = await ask('GET', `users/${addressOf('9')}`);
    expect(missing).toEqual({ status: 404, body: { error: 'USER_NOT_FOUND' } });
    expect((await ask('GET', 'users/nobody')).status).toBe(400);
  });
});

test('admin records: agents are listed with their terms', async () => {
  const address = addressOf('d');
  await openAccount(address);
  const terms = { tier_level: 2, rebate_rate: '0.30', status: 'suspended' };
  expect((await ask('PUT', `referral/agents/${address}`, terms)).status).toBe(200);
  const { items, total } = await list('referral/agents');
  expect(total).toBe(1);
  expect(items).toEqual([
    {
      address,
      code: null,
      tier_level: 2,
      rebate_rate: '0.3',
      status: 'suspended',
      direct_traders: 0,
      created_at: expect.stringMatching(/Z$/) as string,
    },
  ]);
  const user = (await ask('GET', `users/${address}`)).body;
  expect(user['agent']).toEqual({
    code: null,
    tier_level: 2,
    rebate_rate: '0.3',
    status: 'suspended',
  });
});

test('admin records: every write is listed, newest first, by page and by action', async () => {
  const address = addressOf('e');
  await openAccount(address);
  for (const maker of [true, false])
    await ask('PUT', `users/${address}`, { is_market_maker: maker });
  await ask('PUT', 'withdrawals/pause', { paused: true });
  const { items } = await list('audit?page_size=3');
  expect(items.map(({ action }) => action)).toEqual([
    'pause_withdrawals',
    'set_market_maker',
    'set_market_maker',
  ]);
  const makers = await list('audit?action=set_market_maker');
  expect(makers.items[0]).toMatchObject({
    actor: 'admin_api_key',
    sequence: null,
    detail: { address, is_market_maker: false },
  });
  const credits = await list('audit?action=credit_balance');
  const newest = credits.items[0]?.['detail'];
  expect(newest).toMatchObject({ address, token: 'USDT', amount: '12.5' });
  expect((await list('audit?page=2&page_size=1')).items).toEqual(items.slice(1, 2));
  expect((await list('audit?action=nothing')).total).toBe(0);
  expect((await ask('GET', 'audit?action=No;')).status).toBe(400);
});
