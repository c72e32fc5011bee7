import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Address } from '../../src/domain/identifiers.ts';
import { error, invalid, ok } from '../support/plain-replies.ts';
import { nextCode, ReferralCaller, startReferralService } from '../support/referral-service.ts';
import { expectOk, nextAddress, nextUser, outcomeOf } from '../support/spot-fixtures.ts';
import type { SpotService } from '../support/spot-service.ts';

// Affiliates and agents, in the words of interface.md and contract.md section 4.

let service: SpotService;
let referral: ReferralCaller;

beforeAll(async () => {
  service = await startReferralService();
  referral = new ReferralCaller(service);
});
afterAll(() => service.close());

describe('POST /api/v1/referral/affiliates', () => {
  const promote = (as: Address, wallet: unknown, subRate: unknown) =>
    outcomeOf(referral.post(as, 'affiliates', { wallet, sub_rate: subRate }));

  test('affiliates: the errors come in the order of the table', async () => {
    const agent = await referral.nextAgent();
    const { address } = agent;
    const stranger = '0x00000000000000000000000000000000000000ff';
    expect(await promote(address, address, '0.2')).toEqual(error(400, 'SELF_ASSIGNMENT'));
    expect(await promote(address, stranger, '0.2')).toEqual(error(400, 'SUB_RATE_EXCEEDS_OWN'));
    expect(await promote(address, stranger, '-0.01')).toEqual(error(400, 'SUB_RATE_EXCEEDS_OWN'));
    expect(await promote(address, stranger, '0.1')).toEqual(error(400, 'USER_NOT_FOUND'));
    const target = await nextUser(service, { USDT: '1' });
    expect(await promote(address, target, '0.1')).toEqual(error(400, 'TARGET_NOT_AGENT'));
    await referral.createCode(target, nextCode());
    await referral.setAgent(target, { status: 'suspended' });
    expect(await promote(address, target, '0.1')).toEqual(error(400, 'TARGET_NOT_AGENT'));
    await referral.setAgent(target, { status: 'active' });
    expect(await promote(address, target, '0.1')).toEqual(error(400, 'TARGET_NOT_DIRECT_TRADER'));
    await referral.bind(target, agent.code);
    expect(await promote(address, target, '0.1')).toEqual(ok);
    expect(await promote(address, target, '0.1')).toEqual(error(400, 'ALREADY_AFFILIATE'));
  });

  test('affiliates: the address is accepted in any letter case', async () => {
    const agent = await referral.nextAgent();
    const trader = await referral.nextTrader(agent);
    await referral.createCode(trader, nextCode());
    const shouting = `0x${trader.slice(2).toUpperCase()}`;
    expect(await promote(agent.address, shouting, '0')).toEqual(ok);
    const shouted = `0x${agent.address.slice(2).toUpperCase()}`;
    expect(await promote(agent.address, shouted, '0')).toEqual(error(400, 'SELF_ASSIGNMENT'));
  });

  test('affiliates: malformed fields are reported before the table', async () => {
    const { address } = await referral.nextAgent();
    expect(await promote(address, '0x12', '0.1')).toEqual(invalid());
    expect(await promote(address, address, '1e-2')).toEqual(
      invalid('sub_rate: not a plain decimal number'),
    );
    expect(await promote(address, address, null)).toEqual(invalid());
    expect(await outcomeOf(referral.post(address, 'affiliates', { wallet: address }))).toEqual(
      invalid('sub_rate: required'),
    );
    expect(await outcomeOf(referral.post(address, 'affiliates', { sub_rate: '0' }))).toEqual(
      invalid('wallet: required'),
    );
    expect(await outcomeOf(referral.put(address, `affiliates/${address}`, {}))).toEqual(
      invalid('sub_rate: required'),
    );
  });

  test('affiliates: promotion turns a direct trader into an affiliate with its rates', async () => {
    const agent = await referral.nextAgent();
    const [affiliate, trader] = [
      await referral.nextTrader(agent),
      await referral.nextTrader(agent),
    ];
    const code = nextCode();
    await referral.createCode(affiliate, code);
    expect(await promote(agent.address, affiliate, 0.04)).toEqual(ok);
    await referral.bind(nextAddress(), code);
    expect(await referral.status(affiliate)).toMatchObject({
      is_affiliate: true,
      sub_rate: '0.04',
      rebate_rate: '0.04',
    });
    expect(await expectOk(referral.get(agent.address, 'affiliates'))).toEqual({
      items: [
        {
          address: affiliate,
          sub_rate: '0.04',
          spread_rate: '0.06',
          direct_traders_count: 1,
          team_volume: '0',
          spot_spread_commission: '0',
          futures_spread_commission: '0',
          total_spread_commission: '0',
          status: 'active',
        },
      ],
      total: 1,
      page: 1,
      page_size: 20,
    });
    const traders = (await expectOk(referral.get(agent.address, 'traders'))) as {
      items: { address: string }[];
      total: number;
    };
    expect(traders.total).toBe(1);
    expect(traders.items.map((item) => item.address)).toEqual([trader]);
    expect(await expectOk(referral.get(agent.address, 'dashboard'))).toMatchObject({
      direct_traders: 1,
      active_traders: 0,
      affiliates: 1,
      downline_total: 3,
    });
  });

  test("affiliates: an affiliate's own rate, and so the most it can pass down, is its sub_rate", async () => {
    const agent = await referral.nextAgent();
    const [affiliate, trader] = [await referral.nextTrader(agent), nextAddress()];
    const [code, traderCode] = [nextCode(), nextCode()];
    await referral.createCode(affiliate, code);
    await referral.createCode(trader, traderCode);
    await referral.bind(trader, code);
    await promote(agent.address, affiliate, '0.04');
    expect(await promote(affiliate, trader, '0.05')).toEqual(error(400, 'SUB_RATE_EXCEEDS_OWN'));
    expect(await promote(affiliate, trader, '0.04')).toEqual(ok);
  });

  test('affiliates: unbinding ends the affiliate status', async () => {
    const agent = await referral.nextAgent();
    const affiliate = await referral.nextTrader(agent);
    await referral.createCode(affiliate, nextCode());
    await promote(agent.address, affiliate, '0.04');
    await expectOk(referral.post(affiliate, 'unbind'));
    expect(await referral.status(affiliate)).toMatchObject({
      is_affiliate: false,
      rebate_rate: '0.1',
    });
    const { total } = (await expectOk(referral.get(agent.address, 'affiliates'))) as {
      total: number;
    };
    expect(total).toBe(0);
  });
});

describe('PUT /api/v1/referral/affiliates/:wallet', () => {
  const change = (as: Address, wallet: string, subRate: unknown) =>
    outcomeOf(referral.put(as, `affiliates/${wallet}`, { sub_rate: subRate }));

  test('sub_rate: changes; SUB_RATE_EXCEEDS_OWN before AFFILIATE_NOT_FOUND', async () => {
    const agent = await referral.nextAgent();
    const trader = await referral.nextTrader(agent);
    await referral.createCode(trader, nextCode());
    expect(await change(agent.address, trader, '0.11')).toEqual(error(400, 'SUB_RATE_EXCEEDS_OWN'));
    expect(await change(agent.address, trader, '-1')).toEqual(error(400, 'SUB_RATE_EXCEEDS_OWN'));
    expect(await change(agent.address, trader, '0.05')).toEqual(error(404, 'AFFILIATE_NOT_FOUND'));
    await expectOk(
      referral.post(agent.address, 'affiliates', { wallet: trader, sub_rate: '0.01' }),
    );
    expect(await change(agent.address, trader.toUpperCase().replace('0X', '0x'), '0.05')).toEqual(
      ok,
    );
    expect(await referral.status(trader)).toMatchObject({ sub_rate: '0.05' });
    const stranger = await referral.nextAgent();
    const ofStranger = await change(stranger.address, trader, '0.05');
    expect(ofStranger).toEqual(error(404, 'AFFILIATE_NOT_FOUND'));
    expect(await change(agent.address, trader, 'x')).toEqual(invalid());
    expect(await change(agent.address, '0xyz', '0.05')).toEqual(invalid());
  });
});

describe('PUT /api/v1/admin/referral/agents/:wallet', () => {
  test('agents: a tier sets its rate, a rate keeps its tier', async () => {
    const { address } = await referral.nextAgent();
    expect(await outcomeOf(referral.setAgent(address, { tier_level: 2 }))).toEqual(ok);
    expect(await referral.status(address)).toMatchObject({
      tier_level: 2,
      tier_name: 'Gold',
      rebate_rate: '0.2',
    });
    await expectOk(referral.setAgent(address, { rebate_rate: '0.33' }));
    expect(await referral.status(address)).toMatchObject({
      tier_name: 'Gold',
      rebate_rate: '0.33',
    });
    await expectOk(referral.setAgent(address, { tier_level: 4, rebate_rate: '0.5' }));
    expect(await referral.status(address)).toMatchObject({
      tier_name: 'Diamond',
      rebate_rate: '0.5',
    });
    await expectOk(referral.setAgent(address, { status: 'suspended' }));
    expect(await referral.status(address)).toMatchObject({
      agent_status: 'suspended',
      rebate_rate: '0.5',
    });
  });

  test('agents: terms given in advance stay when the code is created', async () => {
    const address = await nextUser(service, { USDT: '1' });
    await expectOk(referral.setAgent(address, { tier_level: 3 }));
    expect(await referral.status(address)).toMatchObject({
      agent_tier: null,
      tier_name: 'Platinum',
    });
    await referral.createCode(address, nextCode());
    expect(await referral.status(address)).toMatchObject({ agent_tier: 1, tier_name: 'Platinum' });
  });

  test('agents: an address that never signed in is USER_NOT_FOUND', async () => {
    const reply = referral.setAgent(nextAddress(), { tier_level: 1 });
    expect(await outcomeOf(reply)).toEqual(error(404, 'USER_NOT_FOUND'));
  });

  test.each([
    [{ tier_level: 5 }],
    [{ tier_level: -1 }],
    [{ tier_level: '1' }],
    [{ rebate_rate: '1.01' }],
    [{ rebate_rate: '-0.1' }],
    [{ rebate_rate: 'x' }],
    [{ status: 'gone' }],
    [{}],
    [{ tier: 1 }],
  ])('agents: %j is malformed', async (body) => {
    const { address } = await referral.nextAgent();
    expect(await outcomeOf(referral.setAgent(address, body))).toEqual(invalid());
  });

  test('agents: accepts the administrator key and nothing else; the write is audited', async () => {
    const { address } = await referral.nextAgent();
    const path = `/api/v1/admin/referral/agents/${address}`;
    const body = { tier_level: 1 };
    const asUser = service.call({ method: 'PUT', path, as: address, body });
    expect(await outcomeOf(asUser)).toEqual(error(401, 'UNAUTHORIZED'));
    await expectOk(referral.setAgent(address, body));
    const rows = await service.query((db) =>
      db
        .selectFrom('admin_audit')
        .select(['action', 'detail', 'admin_actor'])
        .where('action', '=', 'set_referral_agent')
        .orderBy('id', 'desc')
        .limit(1)
        .execute(),
    );
    expect(rows).toEqual([
      {
        action: 'set_referral_agent',
        detail: { address, tier_level: 1, rebate_rate: '0.15', status: 'active' },
        admin_actor: 'admin_api_key',
      },
    ]);
  });
});
