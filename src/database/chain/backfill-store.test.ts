import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import type { EarlierRelease } from '../../application/ports/backfills.ts';
import type { HexText } from '../../application/ports/chain-ledger.ts';
import type { Address } from '../../domain/identifiers.ts';
import { DatabaseBackfillStore } from './backfill-store.ts';
import { DatabaseChainLedger } from './chain-ledger.ts';
import { vaultProgram } from './vault-program.ts';

const alice = '0x00000000000000000000000000000000000000a1' as Address;
const token = '0x00000000000000000000000000000000000000df' as Address;
const now = new Date('2026-01-05T12:00:00Z');
const hashOf = (seed: number): HexText => `0x${seed.toString(16).padStart(64, '0')}`;

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

function release(nonce: number, rawAmount = 5n): EarlierRelease {
  const transactionHash = hashOf(800 + nonce);
  return {
    type: 'vaultReleased',
    account: alice,
    token,
    rawAmount,
    nonce,
    transactionHash,
    logIndex: 0,
  };
}

test('backfill: another deposit under the same number is a contradiction, the same one is not', async () => {
  const pool = database.database.accounts;
  const store = new DatabaseBackfillStore(pool, () => now);
  const deposit = (number: number) => ({ ...release(0), type: 'vaultDeposited', number }) as const;
  await pool.query((db) =>
    sql`INSERT INTO spot_deposits
        (account, number, token_address, raw_amount, tx_hash, block_number, seen_at)
      VALUES (${alice}, 3, ${token}, 5, ${hashOf(1)}, 1, ${now})`.execute(db),
  );
  const other = '0x00000000000000000000000000000000000000e0' as Address;
  const asked = [deposit(3), deposit(4), { ...deposit(3), rawAmount: 6n }];
  const answers = await Promise.all(
    [...asked, { ...deposit(3), token: other }].map((each) => store.contradicts(each)),
  );
  expect(answers).toEqual([false, false, true, true]);
});

const statuses = ['completed', 'queued', 'signed', 'expired'] as const;

test('backfill: a withdrawal that the vault paid is known if the database signed it, or keeps its event', async () => {
  const pool = database.database.accounts;
  for (const [nonce, status] of statuses.entries()) {
    await pool.query((db) =>
      sql`INSERT INTO withdrawals (id, wallet, account, token, token_address, amount, raw_amount,
          chain_id, contract_address, nonce, deadline, signature, status, is_settled, created_at,
          finished_at, tx_hash, block_number)
        VALUES (gen_random_uuid(), 'spot', ${alice}, 'DF', ${token}, 1, 5, 31337, ${token}, ${nonce},
          1, '0x01', ${status}, false, ${now},
          ${['queued', 'signed'].includes(status) ? null : now},
          ${status === 'completed' ? hashOf(1) : null}, ${status === 'completed' ? 1 : null})`.execute(
        db,
      ),
    );
  }
  const ledger = new DatabaseChainLedger({ pool, programs: [vaultProgram], now: () => now });
  await ledger.startAfter({ number: 0, hash: hashOf(0) });
  const waiting = release(9);
  const block = { number: 1, hash: hashOf(1), seconds: 1, events: [waiting] };
  expect(await ledger.countBlocks([block])).toMatchObject([{ error: 'release_not_signed' }]);

  const store = new DatabaseBackfillStore(pool, () => now);
  const known = await Promise.all(
    statuses.map(async (status, nonce) => [status, await store.hasRelease(release(nonce))]),
  );
  expect(Object.fromEntries(known)).toEqual({
    completed: true,
    queued: true,
    signed: true,
    expired: false,
  });
  expect(await store.hasRelease(release(0, 6n))).toBe(false);
  expect(await store.hasRelease(release(7))).toBe(false);
  expect(await store.hasRelease(waiting)).toBe(true);
});
