import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DatabaseRegisterQueue } from '../../src/database/claims/register-queue.ts';
import { DatabaseSettlementStore } from '../../src/database/claims/settlement-store.ts';
import { queueRegisterChange } from '../../src/database/referral/change-records.ts';
import type { Address } from '../../src/domain/identifiers.ts';
import { toMicroUsdt } from '../../src/domain/micro-usdt.ts';
import { ClaimService } from '../support/claims/claim-service.ts';
import { addEarnings } from '../support/claims/earning-rows.ts';
import { expectOk, nextAddress } from '../support/spot-fixtures.ts';

// What others can make the exchange write on chain, and what the register shows of a referrer.

const day = 86_400_000;

let claims: ClaimService;
let now: number;
let queue: DatabaseRegisterQueue;

beforeAll(async () => {
  claims = await ClaimService.start();
  now = Date.parse('2026-01-05T12:00:00Z');
  queue = new DatabaseRegisterQueue({
    pool: claims.service.database.rewards,
    restMs: day,
    now: () => new Date(now),
  });
});
afterAll(() => claims.close());

/** Sends all that may be sent now, as the mirror does; the changes of one account. */
async function mirror(of: Address) {
  const sent = [];
  for (;;) {
    const batch = await queue.openBatch(100);
    if (batch === null) return sent;
    for (const change of batch.changes) {
      const [address] = [change].map((each) =>
        each.kind === 'code' ? each.owner : each.kind === 'binding' ? each.trader : each.account,
      );
      if (address === of) sent.push(change);
    }
    await queue.finishBatch(batch.batchId);
  }
}

async function openAccount(): Promise<Address> {
  const address = nextAddress();
  await claims.referral.status(address);
  return address;
}

/** What that many further binds and unbinds queue, without their requests. */
async function toggleInStore(trader: Address, code: string, toggles: number): Promise<void> {
  const perTransaction = 200;
  for (let done = 0; done < toggles; done += perTransaction) {
    await claims.service.database.rewards.query((db) =>
      db.transaction().execute(async (transaction) => {
        for (let count = 0; count < perTransaction; count += 1) {
          const bound = count % 2 === 0 ? code : null;
          await queueRegisterChange(transaction, { kind: 'binding', address: trader, code: bound });
        }
      }),
    );
  }
}

test('fault 32: 10,000 bind toggles are one register write of the account a day', async () => {
  const { referral } = claims;
  const agent = await referral.nextAgent();
  const trader = await openAccount();
  const toggle = async () => {
    await referral.bind(trader, agent.code);
    await expectOk(referral.post(trader, 'unbind'));
  };
  for (let count = 0; count < 100; count += 1) await toggle();
  await toggleInStore(trader, agent.code, 9_800);
  await referral.bind(trader, agent.code);
  expect(await mirror(trader)).toEqual([{ kind: 'binding', trader, code: agent.code }]);
  await expectOk(referral.post(trader, 'unbind'));
  await referral.bind(trader, agent.code);
  await expectOk(referral.post(trader, 'unbind'));
  // A state that waits, until the account has rested.
  expect(await mirror(trader)).toEqual([]);
  now += day + 1;
  expect(await mirror(trader)).toEqual([{ kind: 'binding', trader, code: null }]);
  // What the register already shows needs no write.
  await toggle();
  now += day + 1;
  expect(await mirror(trader)).toEqual([]);
});

test('fault 32: dust waits, and is settled once its account can claim with it', async () => {
  const store = new DatabaseSettlementStore(claims.service.database.rewards, {
    settleMin: toMicroUsdt(1_000_000n),
    minimumClaim: toMicroUsdt(10_000_000n),
  });
  const planned = async () => {
    await store.planBatches(100);
    const batches = await store.listOpenBatches();
    return batches.flatMap(({ items }) => items.map(({ account }) => account));
  };
  const dusty = await claims.nextEarner(999_999n);
  const worthy = await claims.nextEarner(1_000_000n);
  expect(await planned()).toEqual([worthy]);
  await claims.settleAll();
  // Dust on what is settled already, up to what can be claimed at once.
  const nearly = await claims.nextEarner(9_500_000n);
  expect(await planned()).toEqual([nearly]);
  for (const { batchId } of await store.listOpenBatches()) await store.closeBatch(batchId);
  await claims.settleAll();
  await claims.earn(nearly, 400_000n);
  expect(await planned()).toEqual([]);
  await claims.earn(nearly, 100_000n);
  expect(await planned()).toEqual([nearly]);
  expect(dusty).not.toBe(nearly);
});

test('fault 32: dust of 10,000 accounts makes no batch', async () => {
  const pool = claims.service.database.rewards;
  const store = new DatabaseSettlementStore(pool, {
    settleMin: toMicroUsdt(1_000_000n),
    minimumClaim: toMicroUsdt(10_000_000n),
  });
  const first = 5_000_000;
  const count = 10_000;
  await pool.query((db) =>
    sql`INSERT INTO accounts (account_id, address, created_at)
      SELECT id, '0x' || lpad(to_hex(id), 40, 'd'), now()
      FROM generate_series(${first - 1}::bigint, ${first + count - 1}::bigint) AS id`.execute(db),
  );
  const earnEach = (commission: bigint) =>
    addEarnings(
      pool,
      Array.from({ length: count }, (_, index) => ({
        beneficiary: first + index,
        trader: first - 1,
        commission: toMicroUsdt(commission),
      })),
    );
  const accountsOf = async () =>
    (await store.listOpenBatches()).reduce((sum, { items }) => sum + items.length, 0);
  await earnEach(999_999n);
  const before = await accountsOf();
  await store.planBatches(200);
  expect(await accountsOf()).toBe(before);
  // With a millionth of a USDT more each of them is settled.
  await earnEach(1n);
  await store.planBatches(200);
  expect(await accountsOf()).toBe(before + count);
  for (const { batchId } of await store.listOpenBatches()) await store.closeBatch(batchId);
});

test('register: affiliate_reward_bps is the rate that counts: sub_rate, own, suspended', async () => {
  const { referral } = claims;
  const parent = await referral.nextAgent();
  await referral.setAgent(parent.address, { tier_level: 4 });
  const affiliate = await referral.nextTrader(parent);
  await referral.createCode(affiliate, `AFF${String(now).slice(-6)}`);
  now += day + 1;
  await mirror(affiliate);
  const rateOf = async () => {
    now += day + 1;
    const changes = await mirror(affiliate);
    return changes.map((change) => (change.kind === 'terms' ? change.rebateBps : change.kind));
  };
  const body = { wallet: affiliate, sub_rate: '0.12' };
  await expectOk(referral.post(parent.address, 'affiliates', body));
  expect(await rateOf()).toEqual([1_200]);
  // What an administrator changes of its own terms counts only without a sub_rate.
  await referral.setAgent(affiliate, { tier_level: 2 });
  expect(await rateOf()).toEqual([1_200]);
  await referral.setAgent(affiliate, { status: 'suspended' });
  expect(await rateOf()).toEqual([0]);
  await referral.setAgent(affiliate, { status: 'active' });
  expect(await rateOf()).toEqual([1_200]);
  await expectOk(referral.post(affiliate, 'unbind'));
  const afterwards = await rateOf();
  expect(afterwards).toContain(2_000);
  expect(afterwards).toHaveLength(2);
});

test('set_market_maker: the change and its audit row are one transaction', async () => {
  const { service } = claims;
  const { address: account } = await claims.referral.nextAgent();
  await service.database.rewards.query((db) =>
    sql`ALTER TABLE admin_audit ADD CONSTRAINT no_market_makers
        CHECK (action <> 'set_market_maker') NOT VALID`.execute(db),
  );
  await expect(service.services.users.setMarketMaker(account, true)).rejects.toThrow();
  const { rows } = await service.query((db) =>
    sql<{ is_market_maker: boolean }>`
      SELECT is_market_maker FROM accounts WHERE address = ${account}`.execute(db),
  );
  expect(rows).toEqual([{ is_market_maker: false }]);
});
