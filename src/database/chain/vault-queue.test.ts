import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import type { ChainEvent, HexText, VaultEvent } from '../../application/ports/chain-ledger.ts';
import type { Address } from '../../domain/identifiers.ts';
import { DatabaseChainBooks } from './chain-books.ts';
import { DatabaseChainLedger } from './chain-ledger.ts';
import { DatabaseContractStore } from './contract-store.ts';
import { vaultProgram } from './vault-program.ts';

const alice = '0x00000000000000000000000000000000000000a1' as Address;
const thief = '0x00000000000000000000000000000000000000e1' as Address;
const token = '0x00000000000000000000000000000000000000df' as Address;
const vault = '0x00000000000000000000000000000000000000fa' as Address;
const signer = '0x0000000000000000000000000000000000000051' as Address;
const otherSigner = '0x0000000000000000000000000000000000000052' as Address;
const now = new Date('2026-01-05T12:00:00Z');

let database: TestDatabase;
let ledger: DatabaseChainLedger;
let books: DatabaseChainBooks;
let head: number;

beforeAll(async () => {
  database = await openTestDatabase();
  const contracts = new DatabaseContractStore(database.database.accounts, () => now);
  await contracts.adopt({ rewardRouter: alice, referralRebate: thief, spotVault: vault }, 31_337);
});
beforeEach(async () => {
  const pool = database.database.accounts;
  ledger = new DatabaseChainLedger({ pool, programs: [vaultProgram], now: () => now });
  books = new DatabaseChainBooks(pool);
  await ledger.startAfter({ number: 0, hash: hashOf(0) }, true);
  head = 0;
});
afterEach(async () => {
  await database.database.accounts.query((db) =>
    sql`TRUNCATE vault_queue, vault_moves, chain_halts, chain_blocks, chain_parked_events,
      spot_deposits, withdrawals CASCADE`.execute(db),
  );
});
afterAll(() => database.close());

function hashOf(seed: number): HexText {
  return `0x${seed.toString(16).padStart(64, '0')}`;
}

async function mine(...events: readonly ChainEvent[]): Promise<void> {
  head += 1;
  await ledger.countBlocks([{ number: head, hash: hashOf(head), seconds: 1_000 + head, events }]);
}

async function fork(to: number): Promise<void> {
  await ledger.rollBackTo({ number: to, hash: hashOf(to) });
  head = to;
}

const place = { transactionHash: hashOf(77), logIndex: 0 };

function queued(queueId: number, nonce: number, account = alice): VaultEvent {
  const terms = { account, token, rawAmount: 5n, nonce, queueId, payableAt: 90_000 };
  return { ...place, type: 'vaultReleaseQueued', ...terms };
}

function paid(queueId: number): VaultEvent {
  return { ...place, type: 'vaultQueuedPaid', account: alice, token, rawAmount: 5n, queueId };
}

function cancelled(queueId: number): VaultEvent {
  const nobody = `0x${'0'.repeat(40)}` as Address;
  return { ...place, type: 'vaultQueuedEnded', account: nobody, queueId };
}

function voided(account: Address): VaultEvent {
  return { ...place, type: 'vaultSignerVoided', account };
}

function moved(rawAmount: bigint): VaultEvent {
  return { ...place, type: 'vaultMoved', account: alice, token, rawAmount };
}

async function sign(nonce: number, by: Address = signer): Promise<void> {
  await database.database.accounts.query((db) =>
    db
      .insertInto('withdrawals')
      .values({
        id: `00000000-0000-4000-8000-00000000000${nonce}`,
        account: alice,
        token: 'DF',
        token_address: token,
        wallet: 'spot',
        amount: '5',
        raw_amount: '5',
        chain_id: 31_337,
        contract_address: vault,
        nonce,
        deadline: 1_000,
        signature: '0x01',
        signer: by,
        status: 'signed',
        tx_hash: null,
        block_number: null,
        created_at: now,
        finished_at: null,
      })
      .execute(),
  );
}

async function statuses(): Promise<readonly string[]> {
  const rows = await database.database.accounts.query((db) =>
    db.selectFrom('withdrawals').select(['status']).orderBy('nonce').execute(),
  );
  return rows.map(({ status }) => status);
}

const loadBooks = () => books.load({ number: head, hash: hashOf(head) }, [alice]);

test('queue: a release beyond the limits waits, is never overdue, and is paid once', async () => {
  await sign(0);
  await mine(queued(1, 0));
  expect(await statuses()).toEqual(['queued']);
  // Its deadline has passed and its nonce is spent: nothing is missing.
  expect(await ledger.listOverdue()).toEqual([]);
  await mine(paid(1));
  expect(await statuses()).toEqual(['completed']);
  expect(await ledger.countParkedEvents()).toBe(0);
});

test('queue: a release that people cancel, or that a retired vault held, is refunded', async () => {
  await sign(0);
  await sign(1);
  await mine(queued(1, 0), queued(2, 1));
  await mine(cancelled(1));
  expect(await statuses()).toEqual(['returned', 'queued']);
  await mine({ ...place, type: 'vaultRetired', account: vault });
  expect(await statuses()).toEqual(['returned', 'returned']);
});

test('queue: voiding a signer voids its own releases only', async () => {
  await sign(0, otherSigner);
  await sign(1);
  await mine(queued(1, 0), queued(2, 1));
  await mine(voided(signer));
  expect(await statuses()).toEqual(['queued', 'returned']);
});

test("fault 21: a thief's queued releases wait for an operator and delay no others", async () => {
  await sign(0);
  await mine(queued(1, 0, thief), queued(2, 0));
  expect(await ledger.countParkedEvents()).toBe(1);
  await mine(cancelled(1));
  // The end of the stolen release waits behind it; that of an honest one is counted.
  expect(await ledger.countParkedEvents()).toBe(2);
  await mine(cancelled(2));
  expect(await statuses()).toEqual(['returned']);
});

test('fault 21: a log that ends several releases of a waiting account parks each of them', async () => {
  await sign(0);
  await sign(1);
  await mine(queued(1, 0), queued(2, 1));
  // An event of the account waits for a person.
  await mine({ ...place, type: 'vaultReleased', account: alice, token, rawAmount: 9n, nonce: 7 });
  await mine(voided(signer));
  expect(await ledger.countParkedEvents()).toBe(3);
  expect(await statuses()).toEqual(['queued', 'queued']);
});

test('fault 22: SignerVoided in a block that is rolled back: rows are queued again', async () => {
  await sign(0);
  await mine(queued(1, 0));
  await mine(voided(signer));
  expect(await statuses()).toEqual(['returned']);
  await fork(1);
  expect(await statuses()).toEqual(['queued']);
  await mine(paid(1));
  expect(await statuses()).toEqual(['completed']);
  await fork(1);
  expect(await statuses()).toEqual(['queued']);
  await fork(0);
  expect(await statuses()).toEqual(['signed']);
  await mine(queued(4, 0));
  expect(await statuses()).toEqual(['queued']);
});

test('books: deposits, refills, payments and sweeps, including parked ones, are counted from the rows themselves', async () => {
  await sign(0);
  await mine(
    { ...place, type: 'vaultDeposited', account: alice, token, rawAmount: 30n, number: 0 },
    moved(100n),
    queued(1, 0),
  );
  const before = { account: alice, deposits: 1, releases: 1, redemptions: 0 };
  expect(await loadBooks()).toEqual({
    tokens: [{ token, rawAmount: 130n }],
    accounts: [before],
    needOpening: false,
  });
  await mine(paid(1), moved(-20n));
  // Nobody signed this one, but the vault has paid it.
  await mine({ ...place, type: 'vaultReleased', account: thief, token, rawAmount: 7n, nonce: 0 });
  const after = await loadBooks();
  expect(after?.tokens).toEqual([{ token, rawAmount: 98n }]);
  await fork(1);
  expect((await loadBooks())?.tokens).toEqual([{ token, rawAmount: 130n }]);
  expect(await books.load({ number: 9, hash: hashOf(9) }, [])).toBeNull();
});

test('books: accounts with new rows are checked, whichever process wrote them', async () => {
  await loadBooks();
  await database.database.accounts.query((db) =>
    db
      .insertInto('spot_deposits')
      .values({
        account: thief,
        number: 0,
        token_address: token,
        raw_amount: '1000',
        tx_hash: hashOf(5),
        block_number: 0,
        seen_at: now,
      })
      .execute(),
  );
  const forged = await books.load({ number: head, hash: hashOf(head) }, []);
  const ofThief = { account: thief, deposits: 1, releases: 0, redemptions: 0 };
  expect(forged?.accounts).toContainEqual(ofThief);
  expect(forged?.tokens).toEqual([{ token, rawAmount: 1_000n }]);
});

test('books: old rows are kept as one sum, and are summed again on request', async () => {
  books = new DatabaseChainBooks(database.database.accounts, { settledDepth: 1 });
  const sumOf = async (mustRecount?: boolean) => {
    const block = { number: head, hash: hashOf(head) };
    return (await books.load(block, [], mustRecount))?.tokens.map(({ rawAmount }) => rawAmount);
  };
  const deposit = (number: number, rawAmount: bigint) =>
    mine({ ...place, type: 'vaultDeposited', account: alice, token, rawAmount, number });
  await deposit(0, 10n);
  await deposit(1, 200n);
  expect(await sumOf()).toEqual([210n]);
  // Block 1 is kept, block 2 is not.
  await database.database.accounts.query((db) =>
    sql`UPDATE spot_deposits SET raw_amount = raw_amount + 1`.execute(db),
  );
  expect(await sumOf()).toEqual([211n]);
  await deposit(2, 3_000n);
  expect(await sumOf()).toEqual([3_211n]);
  expect(await sumOf(true)).toEqual([3_212n]);
  await fork(0);
  await deposit(0, 5n);
  expect(await sumOf(true)).toEqual([5n]);
});

test("fault 27: a release mined in the deadline's last second is completed, never expired", async () => {
  await sign(0);
  const release: ChainEvent = {
    ...place,
    type: 'vaultReleased',
    account: alice,
    token,
    rawAmount: 5n,
    nonce: 0,
  };
  const last = { number: 2, hash: hashOf(2), seconds: 2_000, events: [] };
  await ledger.countBlocks([
    { number: 1, hash: hashOf(1), seconds: 1_000, events: [release] },
    last,
  ]);
  const spent = { contract: 'spotVault', account: alice, nonce: 1 } as const;
  expect(await ledger.expire(last, [spent])).toEqual([]);
  expect(await statuses()).toEqual(['completed']);
});

test("queue: a replaced vault's events end its own entries, and stay out of the successor's books", async () => {
  const pool = database.database.accounts;
  const contracts = new DatabaseContractStore(pool, () => now);
  await sign(0);
  await mine(queued(1, 0), moved(100n));
  const successor = '0x00000000000000000000000000000000000000fb' as Address;
  await contracts.succeed('spotVault', successor, 31_337);
  expect(await contracts.listDraining()).toEqual([{ kind: 'spotVault', address: vault }]);
  const formerContract = vault;
  await mine(queued(1, 0, thief), moved(30n), { ...moved(-4n), formerContract });
  expect((await loadBooks())?.tokens).toEqual([{ token, rawAmount: 30n }]);
  expect(await statuses()).toEqual(['queued']);
  // What nobody here signed waits, in the books of its own vault.
  const stolen = { account: thief, token, rawAmount: 7n, nonce: 1, formerContract };
  await mine({ ...place, type: 'vaultReleased', ...stolen });
  expect((await loadBooks())?.tokens).toEqual([{ token, rawAmount: 30n }]);
  await mine({ ...place, type: 'vaultRetired', account: vault, formerContract });
  expect(await statuses()).toEqual(['returned']);
  const { rows } = await pool.query((db) =>
    sql<{ state: string }>`SELECT state FROM vault_queue ORDER BY contract_id`.execute(db),
  );
  expect(rows).toEqual([{ state: 'ended' }, { state: 'queued' }]);
  await contracts.retire({ kind: 'spotVault', address: vault });
  expect(await contracts.listDraining()).toEqual([]);
});
