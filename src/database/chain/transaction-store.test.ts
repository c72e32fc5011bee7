import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import type { HexText, OperatorTransaction } from '../../application/ports/chain-ledger.ts';
import { DatabaseError } from '../../application/ports/database.ts';
import type { Address } from '../../domain/identifiers.ts';
import { DatabaseChainLedger } from './chain-ledger.ts';
import { DatabaseTransactionStore } from './transaction-store.ts';

const sender = '0x00000000000000000000000000000000000000a1' as Address;
const to = '0x00000000000000000000000000000000000000b1' as Address;

let database: TestDatabase;
let store: DatabaseTransactionStore;
beforeAll(async () => {
  database = await openTestDatabase();
  store = new DatabaseTransactionStore(database.database.accounts);
});
afterEach(async () => {
  await database.database.accounts.query((db) =>
    sql`TRUNCATE chain_blocks, chain_transactions CASCADE`.execute(db),
  );
});
afterAll(() => database.close());

function hashOf(seed: number): HexText {
  return `0x${seed.toString(16).padStart(64, '0')}`;
}

function transaction(nonce: number, reference = `${nonce}`): OperatorTransaction {
  return {
    purpose: 'settlement',
    reference,
    sender,
    nonce,
    to,
    data: '0xabcdef',
    gasLimit: 200_000n,
    isCancelRequested: false,
    versions: [
      {
        hash: hashOf(nonce + 1),
        bytes: '0x02f8',
        maxFeePerGas: 10n ** 20n,
        maxPriorityFeePerGas: 1n,
        kind: 'call',
        sentAt: null,
        refusal: null,
        refusalCount: 0,
        isTaken: false,
      },
    ],
    result: null,
  };
}

test('transactionStore: what is saved comes back as it was', async () => {
  const saved = transaction(0);
  await store.insert(saved);
  expect(await store.find(saved)).toEqual(saved);
  expect(await store.find({ purpose: 'mirror', reference: '0' })).toBeNull();
});

test('transactionStore: a nonce is assigned once, and so is a purpose', async () => {
  await store.insert(transaction(0));
  await expect(store.insert(transaction(0, 'other'))).rejects.toThrow(DatabaseError);
  await expect(store.insert(transaction(1, '0'))).rejects.toThrow(DatabaseError);
  expect(await store.loadNextNonce(sender)).toBe(1);
  expect(await store.loadNextNonce(to)).toBe(0);
});

test('transactionStore: versions keep their order, and the first time of sending stays', async () => {
  const saved = transaction(0);
  await store.insert(saved);
  await store.addVersion(saved, {
    ...(saved.versions[0] as OperatorTransaction['versions'][0]),
    hash: hashOf(77),
    kind: 'cancel',
  });
  await store.markSent(hashOf(77), 1_700_000_000_123);
  await store.markSent(hashOf(77), 1_800_000_000_000);
  const found = await store.find(saved);
  expect(found?.versions.map(({ hash, kind, sentAt }) => [hash, kind, sentAt])).toEqual([
    [hashOf(1), 'call', null],
    [hashOf(77), 'cancel', 1_700_000_000_123],
  ]);
});

test('transactionStore: a finished transaction is no longer open, and takes its nonce along', async () => {
  for (const nonce of [0, 1]) await store.insert(transaction(nonce));
  await store.requestCancel(transaction(1));
  await store.finish(transaction(0), { outcome: 'succeeded', hash: hashOf(1), block: 12 });
  expect(await store.listOpen(sender)).toMatchObject([{ nonce: 1, isCancelRequested: true }]);
  expect((await store.find(transaction(0)))?.result).toEqual({
    outcome: 'succeeded',
    hash: hashOf(1),
    block: 12,
  });
  expect(await store.loadNextNonce(sender)).toBe(2);
});

test('transactionStore: rolling back blocks reopens the transactions finished in them', async () => {
  const ledger = new DatabaseChainLedger({
    pool: database.database.accounts,
    programs: [],
    now: () => new Date(),
  });
  await ledger.startAfter({ number: 0, hash: hashOf(100) });
  const blocks = [1, 2].map((number) => ({
    number,
    hash: hashOf(100 + number),
    seconds: number,
    events: [],
  }));
  await ledger.countBlocks(blocks);
  for (const nonce of [0, 1]) await store.insert(transaction(nonce));
  await store.finish(transaction(0), { outcome: 'succeeded', hash: hashOf(1), block: 1 });
  await store.finish(transaction(1), { outcome: 'displaced', hash: null, block: 2 });
  await ledger.rollBackTo({ number: 1, hash: hashOf(101) });
  expect(await store.listOpen(sender)).toMatchObject([{ nonce: 1, result: null }]);
  expect((await store.find(transaction(0)))?.result?.outcome).toBe('succeeded');
});
