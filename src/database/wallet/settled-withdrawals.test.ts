import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { followWithdrawal } from '../../application/wallet/follow-withdrawal.ts';
import type { UnsettledWithdrawal } from '../../application/wallet/wallet-ports.ts';
import { toAmount } from '../../domain/amount.ts';
import type { AccountId, Address, Sequence } from '../../domain/identifiers.ts';
import { DatabaseWalletStore } from './wallet-store.ts';

const account = `0x${'a1'.repeat(20)}` as Address;

let test: TestDatabase;
beforeAll(async () => {
  test = await openTestDatabase();
});
afterAll(() => test.close());

/** A paid withdrawal that nobody has settled. */
async function addPaid(id: string, nonce: number): Promise<void> {
  await test.database.accounts.query((db) =>
    sql`INSERT INTO withdrawals (id, wallet, account, token, token_address, amount, raw_amount,
        chain_id, contract_address, nonce, deadline, signature, status, tx_hash, block_number,
        created_at, finished_at)
      VALUES (${id}::uuid, 'spot', ${account}, 'DF', ${account}, 2, 2, 1, ${account}, ${nonce}, 9, '0x',
        'completed', ${`0x${'b2'.repeat(32)}`}, 7, now(), now())`.execute(db),
  );
}

async function moveFunds(id: string, state: string): Promise<void> {
  await test.database.rewards.query((db) =>
    sql`INSERT INTO withdrawal_funds
        (withdrawal_id, user_address, token, amount, state, sequence, updated_at)
      VALUES (${id}, ${account}, 'DF', 2, ${state}, 1, now())
      ON CONFLICT (withdrawal_id) DO UPDATE SET state = excluded.state`.execute(db),
  );
}

async function markSettled(id: string): Promise<void> {
  await test.database.accounts.query((db) =>
    sql`UPDATE withdrawals SET is_settled = true WHERE id = ${id}::uuid`.execute(db),
  );
}

async function isSettled(id: string): Promise<boolean> {
  const { rows } = await test.database.accounts.query((db) =>
    sql<{ is: boolean }>`SELECT is_settled AS is FROM withdrawals WHERE id = ${id}::uuid`.execute(
      db,
    ),
  );
  return rows[0]!.is;
}

describe('settled withdrawals', () => {
  it.each<UnsettledWithdrawal['status']>([
    'pending',
    'review',
    'approved',
    'signed',
    'queued',
    'completed',
    'expired',
    'returned',
    'canceled',
    'refused',
    'abandoned',
  ])('withdrawal_agrees: %s agrees with the funds that need no command', async (status) => {
    const { rows } = await test.database.accounts.query((db) =>
      sql<{ agrees: boolean }>`SELECT withdrawal_agrees(${status}, funds) AS agrees
        FROM unnest(ARRAY['reserved', 'completed', 'released']) AS funds`.execute(db),
    );
    const needed = (['reserved', 'completed', 'released'] as const).map((funds) =>
      followWithdrawal(
        {
          id: randomUUID(),
          wallet: 'spot',
          account,
          token: 'DF',
          amount: toAmount(2n),
          status,
          funds,
          fundsSequence: 1 as Sequence,
          isReturn: false,
        },
        { accountId: 1 as AccountId, isInSpot: true },
      ),
    );
    expect(rows.map(({ agrees }) => agrees)).toEqual(needed.map((next) => next === 'settled'));
  });

  it('is_settled: is not taken while the money is elsewhere', async () => {
    const id = randomUUID();
    await addPaid(id, 1);
    await moveFunds(id, 'reserved');
    await markSettled(id);
    expect(await isSettled(id)).toBe(false);
    await moveFunds(id, 'completed');
    await markSettled(id);
    expect(await isSettled(id)).toBe(true);
  });

  it('is_settled: ends when a late command moves the money', async () => {
    const id = randomUUID();
    await addPaid(id, 2);
    await moveFunds(id, 'completed');
    await markSettled(id);
    await moveFunds(id, 'reserved');
    expect(await isSettled(id)).toBe(false);
  });

  it('is_settled: a move that comes with a mark is never overlooked', async () => {
    const ids = Array.from({ length: 100 }, () => randomUUID());
    for (const [at, id] of ids.entries()) {
      await addPaid(id, 10 + at);
      await moveFunds(id, 'completed');
      await Promise.all([markSettled(id), moveFunds(id, 'reserved')]);
    }
    expect(await Promise.all(ids.map(isSettled))).not.toContain(true);
  });

  it('beginStep: all get the same name, and another one once that is used up', async () => {
    const id = randomUUID();
    await addPaid(id, 3);
    await moveFunds(id, 'reserved');
    const step = { id, status: 'completed', fundsSequence: 1 as Sequence } as const;
    const [early, late] = [10_000, 20_000].map(
      (ms) => new DatabaseWalletStore(test.database.accounts, () => new Date(ms)),
    );
    expect(await early!.beginStep(step, 0)).toBe(10_000);
    expect(await late!.beginStep(step, 0)).toBe(10_000);
    expect(await early!.beginStep(step, 10_001)).toBe(10_001);
    expect(await late!.beginStep(step, 10_001)).toBe(10_001);
  });

  it('beginStep: no step begins if the funds, or the status, have changed', async () => {
    const id = randomUUID();
    await addPaid(id, 4);
    await moveFunds(id, 'reserved');
    const store = new DatabaseWalletStore(test.database.accounts, () => new Date(10_000));
    const step = { id, status: 'completed', fundsSequence: 1 as Sequence } as const;
    expect(await store.beginStep({ ...step, fundsSequence: 2 as Sequence }, 0)).toBeNull();
    expect(await store.beginStep({ ...step, status: 'signed' }, 0)).toBeNull();
    await moveFunds(id, 'completed');
    await markSettled(id);
    expect(await store.beginStep(step, 0)).toBeNull();
  });
});
