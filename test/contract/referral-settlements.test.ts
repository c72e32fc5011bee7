import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Address } from '../../src/domain/identifiers.ts';
import { ClaimService } from '../support/claims/claim-service.ts';
import { error, invalid } from '../support/plain-replies.ts';
import { expectSumsToMatch } from '../support/referral-sums.ts';
import { expectOk, nextAddress, outcomeOf } from '../support/spot-fixtures.ts';

// What an operator can do about settlements that failed three times.

let claims: ClaimService;

beforeAll(async () => {
  claims = await ClaimService.start();
});
afterAll(() => claims.close());

const path = '/api/v1/admin/referral/settlements';
const retry = (address: unknown) =>
  outcomeOf(
    claims.service.call({
      method: 'POST',
      path: `${path}/retry`,
      isAdmin: true,
      body: { address },
    }),
  );
const dashboard = (as: Address) => expectOk(claims.referral.get(as, 'dashboard'));

/** Three attempts at everything that waits fail. */
async function failSettlements(): Promise<void> {
  const { settlements } = claims.service.services.chain;
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    await settlements.planBatches(100);
    for (const { batchId } of await settlements.listOpenBatches()) {
      await settlements.countAttempt(batchId, `InvalidAccount ${attempt}`);
    }
  }
}

describe('failed settlements', () => {
  test('failed: listed with what is missing and why, and shown in the dashboard', async () => {
    const earner = await claims.nextEarner(10_000_000n, 2_500_000n);
    await failSettlements();
    const page = await expectOk(claims.service.call({ path: `${path}/failed`, isAdmin: true }));
    expect(page).toEqual({
      items: [{ address: earner, commission: '12.5', earnings: 2, error: 'InvalidAccount 3' }],
      total: 1,
      page: 1,
      page_size: 20,
    });
    expect(await dashboard(earner)).toMatchObject({ failed_commission: '12.5', claimable: '0' });
    expect(await retry(earner)).toMatchObject({ status: 200 });
  });

  test('retry: it is pending again, is settled, and can be claimed', async () => {
    const earner = await claims.nextEarner(12_000_000n);
    await failSettlements();
    await claims.earn(earner, 3_000_000n);
    const shouted = `0x${earner.slice(2).toUpperCase()}`;
    expect(await retry(shouted)).toEqual({
      status: 200,
      body: { ok: true, address: earner, commission: '12' },
    });
    expect(await dashboard(earner)).toMatchObject({
      failed_commission: '0',
      pending_commission: '15',
    });
    await claims.settleAll();
    expect(await dashboard(earner)).toMatchObject({ claimable: '15', pending_commission: '0' });
    await expectSumsToMatch(claims.service.database.rewards);
    const { rows } = await claims.service.query((db) =>
      sql`SELECT detail->>'commission' AS commission FROM admin_audit
          WHERE action = 'retry_settlement' AND detail->>'address' = ${earner}`.execute(db),
    );
    expect(rows).toEqual([{ commission: '12' }]);
  });

  test('retry: waits while other commission of the account is being settled', async () => {
    const earner = await claims.nextEarner(12_000_000n);
    await failSettlements();
    await claims.earn(earner, 3_000_000n);
    await claims.service.services.chain.settlements.planBatches(100);
    expect(await retry(earner)).toEqual(error(409, 'SETTLEMENT_UNDER_WAY'));
    await claims.settleAll();
    expect(await dashboard(earner)).toMatchObject({ claimable: '3', failed_commission: '12' });
    expect(await retry(earner)).toMatchObject({ status: 200 });
  });

  test('retry: an earlier settlement that a reorganization reopens does not cover it', async () => {
    const earner = await claims.nextEarner(12_000_000n);
    await failSettlements();
    await claims.earn(earner, 3_000_000n);
    const before = claims.block;
    await claims.settleAll();
    const [settled] = await settledTotals(earner);
    expect(settled).toBe('3');
    expect(await retry(earner)).toMatchObject({ status: 200 });
    await claims.rollBackTo(before);
    // The old batch is mined again: its total does not include what was retried.
    const place = claims.nextPlace();
    const old = { type: 'rewardSettled', account: earner, ...place } as const;
    await claims.count([{ ...old, settledTotal: 3_000_000n as never }]);
    expect(await dashboard(earner)).toMatchObject({
      claimable: '3',
      pending_commission: '12',
      failed_commission: '0',
    });
    await claims.settleAll();
    expect(await dashboard(earner)).toMatchObject({ claimable: '15' });
    await expectSumsToMatch(claims.service.database.rewards);
  });

  test('retry: its errors', async () => {
    expect(await retry(nextAddress())).toEqual(error(404, 'USER_NOT_FOUND'));
    const earner = await claims.nextEarner(12_000_000n);
    expect(await retry(earner)).toEqual(error(409, 'SETTLEMENT_NOT_FAILED'));
    expect(await retry('0x12')).toEqual(invalid());
    const call = { method: 'POST', path: `${path}/retry`, body: { address: earner } } as const;
    expect(await outcomeOf(claims.service.call(call))).toEqual(error(401, 'UNAUTHORIZED'));
    const list = claims.service.call({ path: `${path}/failed` });
    expect(await outcomeOf(list)).toEqual(error(401, 'UNAUTHORIZED'));
  });

  async function settledTotals(earner: Address): Promise<readonly string[]> {
    const { rows } = await claims.service.query((db) =>
      sql<{ total: string }>`
        SELECT total FROM settlement_items JOIN accounts USING (account_id)
        WHERE address = ${earner} AND settled_block IS NOT NULL`.execute(db),
    );
    return rows.map(({ total }) => total);
  }
});
