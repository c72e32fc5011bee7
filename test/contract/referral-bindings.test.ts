import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Address } from '../../src/domain/identifiers.ts';
import { error, invalid, ok } from '../support/plain-replies.ts';
import { nextCode, ReferralCaller, startReferralService } from '../support/referral-service.ts';
import { anyText, expectOk, nextAddress, outcomeOf, textLike } from '../support/spot-fixtures.ts';
import type { SpotService } from '../support/spot-service.ts';

// Codes and bindings, in the words of contract.md section 4.

let service: SpotService;
let referral: ReferralCaller;

beforeAll(async () => {
  service = await startReferralService();
  referral = new ReferralCaller(service);
});
afterAll(() => service.close());

describe('POST /api/v1/referral/codes', () => {
  test('codes: the requested code is returned and makes an active tier-1 agent at the Starter rate', async () => {
    const address = nextAddress();
    const created = await outcomeOf(referral.post(address, 'codes', { code: 'SATOSHI_21' }));
    expect(created).toEqual({ status: 200, body: { ok: true, code: 'SATOSHI_21' } });
    expect(await referral.status(address)).toMatchObject({
      code: 'SATOSHI_21',
      agent_tier: 1,
      agent_status: 'active',
      tier_level: 0,
      tier_name: 'Starter',
      rebate_rate: '0.1',
    });
  });

  test.each([[{}], [{ code: null }], [undefined]])(
    'codes: if omitted, one is generated (%j)',
    async (body) => {
      const call = { method: 'POST', path: '/api/v1/referral/codes', as: nextAddress() } as const;
      const reply = await expectOk(service.call(body === undefined ? call : { ...call, body }));
      expect(reply).toEqual({ ok: true, code: textLike(/^[A-Z0-9_]{4,20}$/) });
    },
  );

  test.each(['ABC', 'ABCDEFGHIJ01234567890', 'abcd', 'AB CD', 'ABÇD', ''])(
    'codes: %j is INVALID_CODE',
    async (code) => {
      const reply = outcomeOf(referral.post(nextAddress(), 'codes', { code }));
      expect(await reply).toEqual(error(400, 'INVALID_CODE'));
    },
  );

  test('codes: one of 4 and one of 20 letters are codes', async () => {
    for (const code of ['A_9Z', 'ABCDEFGHIJ0123456789']) {
      const reply = outcomeOf(referral.post(nextAddress(), 'codes', { code }));
      expect(await reply).toEqual({ status: 200, body: { ok: true, code } });
    }
  });

  test('codes: a code of another account is CODE_TAKEN, a second one CODE_ALREADY_CREATED', async () => {
    const { address, code } = await referral.nextAgent();
    const taken = error(409, 'CODE_TAKEN');
    expect(await outcomeOf(referral.post(nextAddress(), 'codes', { code }))).toEqual(taken);
    expect(await outcomeOf(referral.post(address, 'codes', { code }))).toEqual(taken);
    const second = outcomeOf(referral.post(address, 'codes', { code: nextCode() }));
    expect(await second).toEqual(error(409, 'CODE_ALREADY_CREATED'));
    const generated = outcomeOf(referral.post(address, 'codes', {}));
    expect(await generated).toEqual(error(409, 'CODE_ALREADY_CREATED'));
  });

  test('codes: the same code requested by many at once goes to one of them', async () => {
    const code = nextCode();
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => outcomeOf(referral.post(nextAddress(), 'codes', { code }))),
    );
    const statuses = replies.map((reply) => reply.status).sort();
    expect(statuses).toEqual([200, ...Array.from({ length: 7 }, () => 409)]);
  });

  test.each([
    [{ code: 7 }, 'code: must be string,null'],
    [{ code: 'ABCD', more: 1 }, 'more: unknown field'],
  ])('codes: %j is malformed', async (body, detail) => {
    expect(await outcomeOf(referral.post(nextAddress(), 'codes', body))).toEqual(invalid(detail));
  });
});

describe('POST /api/v1/referral/bind', () => {
  test('bind: binds to the owner of the code', async () => {
    const agent = await referral.nextAgent();
    const trader = nextAddress();
    expect(await outcomeOf(referral.post(trader, 'bind', { code: agent.code }))).toEqual({
      status: 200,
      body: { ok: true, referrer: agent.address },
    });
    expect(await referral.status(trader)).toEqual({
      address: trader,
      code: null,
      referrer: agent.address,
      referrer_code: agent.code,
      bound_at: textLike(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      is_bound: true,
      is_affiliate: false,
      sub_rate: null,
      agent_tier: null,
      agent_status: null,
      tier_level: null,
      tier_name: null,
      rebate_rate: null,
      referred_users: 0,
    });
    expect(await referral.status(agent.address)).toMatchObject({
      referred_users: 1,
      is_bound: false,
    });
  });

  test('bind: CODE_NOT_FOUND, SELF_REFERRAL, ALREADY_BOUND, REFERRAL_CYCLE', async () => {
    const agent = await referral.nextAgent();
    const bind = (as: Address, code: string) => outcomeOf(referral.post(as, 'bind', { code }));
    expect(await bind(nextAddress(), 'NOBODYS')).toEqual(error(404, 'CODE_NOT_FOUND'));
    const lowercase = agent.code.toLowerCase();
    expect(await bind(nextAddress(), lowercase)).toEqual(error(404, 'CODE_NOT_FOUND'));
    expect(await bind(agent.address, agent.code)).toEqual(error(400, 'SELF_REFERRAL'));
    const trader = await referral.nextTrader(agent);
    const other = await referral.nextAgent();
    expect(await bind(trader, agent.code)).toEqual(error(409, 'ALREADY_BOUND'));
    expect(await bind(trader, other.code)).toEqual(error(409, 'ALREADY_BOUND'));
    await referral.createCode(trader, nextCode());
    const { code } = (await referral.status(trader)) as { code: string };
    expect(await bind(agent.address, code)).toEqual(error(400, 'REFERRAL_CYCLE'));
  });

  test('bind: a cycle over three steps is refused too; one that was undone is not a cycle', async () => {
    const [first, second, third] = [
      await referral.nextAgent(),
      await referral.nextAgent(),
      await referral.nextAgent(),
    ];
    await referral.bind(second.address, first.code);
    await referral.bind(third.address, second.code);
    const close = () => outcomeOf(referral.post(first.address, 'bind', { code: third.code }));
    expect(await close()).toEqual(error(400, 'REFERRAL_CYCLE'));
    await expectOk(referral.post(second.address, 'unbind'));
    expect((await close()).status).toBe(200);
  });

  test('bind: two agents who bind to each other at once do not make a cycle', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [left, right] = [await referral.nextAgent(), await referral.nextAgent()];
      const replies = await Promise.all([
        outcomeOf(referral.post(left.address, 'bind', { code: right.code })),
        outcomeOf(referral.post(right.address, 'bind', { code: left.code })),
      ]);
      expect(replies.map((reply) => reply.status).sort()).toEqual([200, 400]);
    }
  });

  test('bind: concurrent requests bind once', async () => {
    const agent = await referral.nextAgent();
    const trader = nextAddress();
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => referral.post(trader, 'bind', { code: agent.code })),
    );
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1);
    expect((await referral.logs(trader, { type: 'bind' })).total).toBe(1);
  });

  test.each([
    [{}, 'code: required'],
    [{ code: 5 }, anyText],
    [{ code: null }, anyText],
  ])('bind: %j is malformed', async (body, detail) => {
    expect(await outcomeOf(referral.post(nextAddress(), 'bind', body))).toEqual(invalid(detail));
  });
});

describe('POST /api/v1/referral/unbind', () => {
  test('unbind: ends the binding; NOT_BOUND without one', async () => {
    const trader = await referral.nextTrader(await referral.nextAgent());
    expect(await outcomeOf(referral.post(trader, 'unbind'))).toEqual(ok);
    expect(await referral.status(trader)).toMatchObject({
      referrer: null,
      is_bound: false,
      bound_at: null,
    });
    expect(await outcomeOf(referral.post(trader, 'unbind'))).toEqual(error(409, 'NOT_BOUND'));
  });

  test('unbind: accepts an empty body or none, and nothing else', async () => {
    const path = '/api/v1/referral/unbind';
    const as = nextAddress();
    const bare = service.call({ method: 'POST', path, as });
    expect(await outcomeOf(bare)).toEqual(error(409, 'NOT_BOUND'));
    expect(await outcomeOf(referral.post(as, 'unbind', { x: 1 }))).toEqual(invalid());
  });

  test('unbind: afterwards the account can be bound to another referrer', async () => {
    const trader = await referral.nextTrader(await referral.nextAgent());
    await expectOk(referral.post(trader, 'unbind'));
    const next = await referral.nextAgent();
    await referral.bind(trader, next.code);
    expect(await referral.status(trader)).toMatchObject({ referrer: next.address });
  });
});
