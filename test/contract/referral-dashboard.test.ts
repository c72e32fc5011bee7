import { afterAll, beforeAll, expect, test } from 'vitest';
import { ClaimService } from '../support/claims/claim-service.ts';
import { nextCode } from '../support/referral-service.ts';
import { expectOk, outcomeOf } from '../support/spot-fixtures.ts';

// The dashboard's sums, and the order of the lists, in the words of contract.md section 4.

let claims: ClaimService;

beforeAll(async () => {
  claims = await ClaimService.start();
});
afterAll(() => claims.close());

test('dashboard: claimable, pending, failed and claimed commission make the total', async () => {
  const earner = await claims.nextEarner(20_000_000n);
  await claims.settleAll();
  await expectOk(claims.referral.post(earner, 'claim'));
  await claims.redeem(earner, 20_000_000n);
  await claims.earn(earner, 4_000_000n);
  const { settlements } = claims.service.services.chain;
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    await settlements.planBatches(100);
    for (const { batchId } of await settlements.listOpenBatches()) {
      await settlements.countAttempt(batchId, 'InvalidAccount');
    }
  }
  await claims.earn(earner, 3_000_000n);
  await claims.settleAll();
  await claims.earn(earner, 2_000_000n);
  expect(await expectOk(claims.referral.get(earner, 'dashboard'))).toEqual({
    total_commission: '29',
    spot_commission: '29',
    futures_commission: '0',
    spread_commission: '0',
    claimable: '3',
    pending_commission: '2',
    failed_commission: '4',
    claimed_commission: '20',
    direct_traders: 1,
    active_traders: 0,
    affiliates: 0,
    downline_total: 1,
    rebate_rate: '0.1',
    tier_level: 0,
    tier_name: 'Starter',
  });
});

test('earnings by day: the sums of each UTC day, newest first, none of others', async () => {
  const dayMs = 86_400_000;
  const now = Date.now();
  const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);
  const { address: earner } = await claims.referral.nextAgent();
  await claims.earnAt(now - dayMs, earner, 1_000_000n);
  await claims.earnAt(now - dayMs, earner, 500_000n);
  await claims.earnAt(now - 3 * dayMs, earner, 7n);
  await claims.earnAt(now - dayMs, (await claims.referral.nextAgent()).address, 9_000_000n);
  const days = async (query: Record<string, string>) =>
    (await expectOk(claims.referral.get(earner, 'earnings', query))) as {
      items: readonly Readonly<Record<string, string>>[];
    };
  const yesterday = {
    day: dayOf(now - dayMs),
    spot_commission: '1.5',
    futures_commission: '0',
    spread_commission: '0',
    total_commission: '1.5',
  };
  expect(await days({ by: 'day', days: '3' })).toEqual({ items: [yesterday] });
  const earlier = { day: dayOf(now - 3 * dayMs), total_commission: '0.000007' };
  expect(await days({})).toMatchObject({ items: [yesterday, earlier] });
  const refused = await outcomeOf(claims.referral.get(earner, 'earnings', { days: '0' }));
  expect(refused).toMatchObject({ status: 400, body: { error: 'INVALID_PARAMETER' } });
});

test('lists: traders and affiliates by bound_at, newest first', async () => {
  const agent = await claims.referral.nextAgent();
  const bound = [
    await claims.referral.nextTrader(agent),
    await claims.referral.nextTrader(agent),
    await claims.referral.nextTrader(agent),
  ];
  const addresses = async (list: string) => {
    const body = await expectOk(claims.referral.get(agent.address, list));
    return (body as { items: { address: string }[] }).items.map(({ address }) => address);
  };
  expect(await addresses('traders')).toEqual([...bound].reverse());
  // Promoted in another order than they were bound.
  for (const wallet of [bound[1], bound[2], bound[0]]) {
    await claims.referral.createCode(wallet ?? agent.address, nextCode());
    const body = { wallet, sub_rate: '0.01' };
    await expectOk(claims.referral.post(agent.address, 'affiliates', body));
  }
  expect(await addresses('affiliates')).toEqual([...bound].reverse());
  expect(await addresses('traders')).toEqual([]);
});
