import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { error, invalid } from '../support/plain-replies.ts';
import { nextCode, ReferralCaller, startReferralService } from '../support/referral-service.ts';
import { anyText, expectOk, nextAddress, outcomeOf } from '../support/spot-fixtures.ts';
import type { SpotService } from '../support/spot-service.ts';

// Logs, paging, and who may call.

let service: SpotService;
let referral: ReferralCaller;

beforeAll(async () => {
  service = await startReferralService();
  referral = new ReferralCaller(service);
});
afterAll(() => service.close());

describe('GET /api/v1/referral/logs', () => {
  test('logs: create, bind, unbind, promote, sub_rate, newest first, on both sides', async () => {
    const agent = await referral.nextAgent();
    const trader = await referral.nextTrader(agent);
    const code = nextCode();
    await referral.createCode(trader, code);
    await referral.post(agent.address, 'affiliates', { wallet: trader, sub_rate: '0.01' });
    await referral.put(agent.address, `affiliates/${trader}`, { sub_rate: '0.02' });
    await referral.post(trader, 'unbind');
    const line = { id: expect.any(Number) as number, amount: null, created_at: anyText };
    const none = { code: null, reference: null };
    expect(await referral.logs(trader)).toEqual({
      items: [
        { ...line, ...none, type: 'unbind', counterparty: agent.address, code: agent.code },
        { ...line, ...none, type: 'sub_rate', counterparty: agent.address, reference: '0.02' },
        { ...line, ...none, type: 'promote', counterparty: agent.address, reference: '0.01' },
        { ...line, ...none, type: 'create', counterparty: null, code },
        { ...line, ...none, type: 'bind', counterparty: agent.address, code: agent.code },
      ],
      total: 5,
      page: 1,
      page_size: 20,
    });
    const ofAgent = await referral.logs(agent.address);
    expect(ofAgent.items.map(({ type }) => type)).toEqual([
      'unbind',
      'sub_rate',
      'promote',
      'bind',
      'create',
    ]);
  });

  test('logs: filtered by type, and paged', async () => {
    const agent = await referral.nextAgent();
    const traders = [
      await referral.nextTrader(agent),
      await referral.nextTrader(agent),
      await referral.nextTrader(agent),
    ];
    expect(await referral.logs(agent.address, { type: 'create' })).toMatchObject({ total: 1 });
    const page = await referral.logs(agent.address, { type: 'bind', page: '2', page_size: '2' });
    expect(page).toMatchObject({ total: 3, page: 2, page_size: 2 });
    expect(page.items.map(({ counterparty }) => counterparty)).toEqual([traders[0]]);
    const unknown = referral.get(agent.address, 'logs', { type: 'sell' });
    expect(await outcomeOf(unknown)).toEqual(invalid());
  });
});

describe('referral endpoints: who may call', () => {
  const calls = [
    ['POST', 'codes'],
    ['POST', 'bind'],
    ['POST', 'unbind'],
    ['GET', 'status'],
    ['GET', 'dashboard'],
    ['GET', 'logs'],
    ['GET', 'traders'],
    ['GET', 'affiliates'],
    ['POST', 'affiliates'],
    ['PUT', `affiliates/${nextAddress()}`],
  ] as const;

  test.each(calls)('referral: %s %s without a token is UNAUTHORIZED', async (method, path) => {
    const call = { method, path: `/api/v1/referral/${path}`, body: {} };
    expect(await outcomeOf(service.call(call))).toEqual(error(401, 'UNAUTHORIZED'));
    const forged = { ...call, headers: { authorization: 'Bearer x.y.z' } };
    expect(await outcomeOf(service.call(forged))).toEqual(error(401, 'UNAUTHORIZED'));
  });

  test('referral: an API key is not enough', async () => {
    const call = { path: '/api/v1/referral/status', as: nextAddress() };
    expect(await outcomeOf(service.callSigned(call))).toEqual(error(403, 'PERMISSION_DENIED'));
  });

  test('referral: a new account sees zeros and empty lists everywhere', async () => {
    const empty = { items: [], total: 0, page: 1, page_size: 20 };
    const stranger = nextAddress();
    for (const path of ['traders', 'affiliates', 'logs']) {
      expect(await expectOk(referral.get(stranger, path))).toEqual(empty);
    }
    expect(await expectOk(referral.get(stranger, 'dashboard'))).toEqual({
      total_commission: '0',
      spot_commission: '0',
      futures_commission: '0',
      spread_commission: '0',
      claimable: '0',
      pending_commission: '0',
      failed_commission: '0',
      claimed_commission: '0',
      direct_traders: 0,
      active_traders: 0,
      affiliates: 0,
      downline_total: 0,
      rebate_rate: null,
      tier_level: null,
      tier_name: null,
    });
  });

  test.each(['traders', 'affiliates', 'logs'])(
    'referral: malformed and out-of-range paging of %s is INVALID_PARAMETER',
    async (path) => {
      const stranger = nextAddress();
      for (const query of [
        { page: '0' },
        { page: '-1' },
        { page: 'x' },
        { page: '1.5' },
        { page_size: '0' },
        { page_size: '101' },
        { page_size: '' },
      ]) {
        expect(await outcomeOf(referral.get(stranger, path, query))).toEqual(invalid());
      }
      const far = referral.get(stranger, path, { page: '999999999999999', page_size: '100' });
      expect(await outcomeOf(far)).toMatchObject({ status: 200, body: { items: [] } });
    },
  );

  test('referral: an unreachable database is DB_ERROR', async () => {
    service.isDatabaseDown = true;
    try {
      const reply = outcomeOf(referral.get(nextAddress(), 'status'));
      expect(await reply).toEqual(error(500, 'DB_ERROR'));
    } finally {
      service.isDatabaseDown = false;
    }
  });
});
