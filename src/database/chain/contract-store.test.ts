import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import type { Address } from '../../domain/identifiers.ts';
import { DatabaseRegisterQueue } from '../claims/register-queue.ts';
import { DatabaseContractStore } from './contract-store.ts';

const addressOf = (seed: number) => `0x${seed.toString(16).padStart(40, '0')}` as Address;
const [referrer, trader, former] = [addressOf(0xa1), addressOf(0xa2), addressOf(0xa3)];
const [router, register, vault, nextRegister] = [1, 2, 3, 4].map((each) => addressOf(0xc0 + each));
const now = new Date('2026-01-05T12:00:00Z');
const chainId = 31_337;

let opened: TestDatabase;

beforeAll(async () => {
  opened = await openTestDatabase();
});
afterAll(() => opened.close());

test('contract store: a new register receives everything, although the previous one has it', async () => {
  const pool = opened.database.accounts;
  const store = new DatabaseContractStore(pool, () => now);
  const contracts = { rewardRouter: router!, referralRebate: register!, spotVault: vault! };
  await store.adopt(contracts, chainId);
  const statements = [
    sql`INSERT INTO accounts (account_id, address, created_at)
      VALUES (1, ${referrer}, ${now}), (2, ${trader}, ${now}), (3, ${former}, ${now})`,
    sql`INSERT INTO referral_agents
      (account_id, code, tier_level, rebate_rate, status, created_at)
      VALUES (1, 'ALICE', 2, 0.2, 'active', ${now}), (3, 'FORMER', 0, 0.1, 'suspended', ${now})`,
    sql`INSERT INTO referral_bindings
      (trader_id, trader_address, referrer_id, code, bound_at, from_position)
      VALUES (2, ${trader}, 1, 'ALICE', ${now}, 0)`,
    sql`INSERT INTO register_shown (kind, address, code, shown_at)
      VALUES ('code', ${referrer}, 'ALICE', ${now}), ('binding', ${trader}, 'ALICE', ${now})`,
  ];
  for (const statement of statements) await pool.query((db) => statement.execute(db));
  const queue = new DatabaseRegisterQueue({ pool, restMs: 86_400_000, now: () => now });
  expect(await queue.openBatch(50)).toBeNull();

  await store.succeed('referralRebate', nextRegister!, chainId);
  const batch = await queue.openBatch(50);
  expect(batch?.changes).toEqual([
    { kind: 'code', code: 'ALICE', owner: referrer },
    { kind: 'code', code: 'FORMER', owner: former },
    { kind: 'terms', account: referrer, tierLevel: 2, rebateBps: 2_000 },
    { kind: 'terms', account: former, tierLevel: 0, rebateBps: 0 },
    { kind: 'binding', trader, code: 'ALICE' },
  ]);
  expect(await store.loadActive()).toMatchObject({ referralRebate: nextRegister });
  expect(await store.loadChainId()).toBe(chainId);
});
