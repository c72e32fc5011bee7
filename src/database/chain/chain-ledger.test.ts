import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import type {
  ChainEvent,
  CountedBlock,
  HexText,
  VaultDepositedEvent,
  VaultReleasedEvent,
} from '../../application/ports/chain-ledger.ts';
import { AssertionError } from '../../domain/assert.ts';
import type { Address } from '../../domain/identifiers.ts';
import { toMicroUsdt } from '../../domain/micro-usdt.ts';
import { DatabaseChainLedger } from './chain-ledger.ts';
import type { EventProgram } from './event-program.ts';
import { DatabaseHaltStore } from './halt-store.ts';
import { vaultProgram } from './vault-program.ts';

const alice = '0x00000000000000000000000000000000000000a1' as Address;
const bob = '0x00000000000000000000000000000000000000b1' as Address;
const token = '0x00000000000000000000000000000000000000df' as Address;
const now = new Date('2026-01-05T12:00:00Z');

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterEach(async () => {
  await database.database.accounts.query((db) =>
    sql`TRUNCATE vault_queue, vault_moves, chain_halts, chain_blocks, chain_parked_events, spot_deposits, withdrawals CASCADE`.execute(
      db,
    ),
  );
});
afterAll(() => database.close());

function ledgerOf(...programs: readonly EventProgram[]): DatabaseChainLedger {
  const all = programs.length === 0 ? [vaultProgram] : programs;
  return new DatabaseChainLedger({
    pool: database.database.accounts,
    programs: all,
    now: () => now,
  });
}

function hashOf(seed: number): HexText {
  return `0x${seed.toString(16).padStart(64, '0')}`;
}

function block(
  number: number,
  events: readonly ChainEvent[] = [],
  changes: Partial<CountedBlock> = {},
): CountedBlock {
  return { number, hash: hashOf(number), seconds: 1_000 + number, events, ...changes };
}

function deposit(number: number, changes: Partial<VaultDepositedEvent> = {}): VaultDepositedEvent {
  return {
    type: 'vaultDeposited',
    account: alice,
    token,
    rawAmount: 10n ** 18n,
    number,
    transactionHash: hashOf(900 + number),
    logIndex: number,
    ...changes,
  };
}

function release(nonce: number, changes: Partial<VaultReleasedEvent> = {}): VaultReleasedEvent {
  return {
    type: 'vaultReleased',
    account: alice,
    token,
    rawAmount: 5n,
    nonce,
    transactionHash: hashOf(800 + nonce),
    logIndex: 0,
    ...changes,
  };
}

async function sign(nonce: number, deadline: number, account = alice): Promise<string> {
  const id = `00000000-0000-4000-8000-00000000000${nonce}`;
  await database.database.accounts.query((db) =>
    db
      .insertInto('withdrawals')
      .values({
        id,
        account,
        token: 'DF',
        token_address: token,
        amount: '0.000000000000000005',
        raw_amount: '5',
        wallet: 'spot',
        chain_id: 31_337,
        contract_address: token,
        nonce,
        deadline,
        signature: '0x01',
        status: 'signed',
        tx_hash: null,
        block_number: null,
        created_at: now,
        finished_at: null,
      })
      .execute(),
  );
  return id;
}

async function withdrawals() {
  return database.database.accounts.query((db) =>
    db
      .selectFrom('withdrawals')
      .select(['nonce', 'status', 'tx_hash', 'finished_at'])
      .orderBy('nonce')
      .execute(),
  );
}

async function deposits() {
  return database.database.accounts.query((db) =>
    db
      .selectFrom('spot_deposits')
      .select(['account', 'number', 'raw_amount', 'block_number'])
      .orderBy('account')
      .orderBy('number')
      .execute(),
  );
}

test('ledger: counting begins after the start block and continues without gaps', async () => {
  const ledger = ledgerOf();
  expect(await ledger.loadCountedBlocks()).toEqual([]);
  await expect(ledger.countBlocks([block(5)])).rejects.toThrow(/start block/);
  await ledger.startAfter({ number: 4, hash: hashOf(4) });
  await expect(ledger.startAfter({ number: 4, hash: hashOf(4) })).rejects.toThrow(/already/);
  await expect(ledger.countBlocks([block(6)])).rejects.toThrow(/one after the other/);
  await ledger.countBlocks([block(5), block(6)]);
  await expect(ledger.countBlocks([block(6)])).rejects.toThrow(/one after the other/);
  expect(await ledger.loadCountedBlocks()).toEqual([
    { number: 4, hash: hashOf(4) },
    { number: 5, hash: hashOf(5) },
    { number: 6, hash: hashOf(6) },
  ]);
});

test('ledger: old blocks are deleted except for a window', async () => {
  const ledger = ledgerOf();
  await ledger.startAfter({ number: 0, hash: hashOf(0) });
  await ledger.countBlocks(Array.from({ length: 600 }, (_, index) => block(index + 1)));
  const counted = await ledger.loadCountedBlocks();
  expect(counted[0]?.number).toBe(89);
  expect(counted).toHaveLength(512);
});

test('ledger: a failure in the middle rolls back the whole step', async () => {
  const failing: EventProgram = {
    ...vaultProgram,
    apply: async () => {
      throw new Error('the connection broke');
    },
  };
  await ledgerOf().startAfter({ number: 0, hash: hashOf(0) });
  await expect(ledgerOf(failing).countBlocks([block(1, [deposit(0)])])).rejects.toThrow(/broke/);
  expect(await deposits()).toEqual([]);
  expect(await ledgerOf().loadCountedBlocks()).toHaveLength(1);
});

test('ledger: a contradictory event is parked, with the later ones of its account', async () => {
  const ledger = ledgerOf();
  await ledger.startAfter({ number: 0, hash: hashOf(0) });
  const parked = await ledger.countBlocks([
    block(1, [release(0), deposit(0, { logIndex: 1 })]),
    block(2, [deposit(1), deposit(0, { account: bob, logIndex: 5 })]),
  ]);
  expect(parked.map(({ event, error }) => [event.type, event.account, error])).toEqual([
    ['vaultReleased', alice, 'release_not_signed'],
    ['vaultDeposited', alice, 'waits for an earlier event of the account'],
    ['vaultDeposited', alice, 'waits for an earlier event of the account'],
  ]);
  expect(await ledger.countParkedEvents()).toBe(3);
  expect(await deposits()).toMatchObject([{ account: bob }]);
  expect((await ledger.loadCountedBlocks()).at(-1)?.number).toBe(2);
});

test('ledger: parked events are retried in order, and count once they can', async () => {
  const ledger = ledgerOf();
  await ledger.startAfter({ number: 0, hash: hashOf(0) });
  await ledger.countBlocks([block(1, [release(0), deposit(0, { logIndex: 1 })])]);
  await ledger.countBlocks([block(2)]);
  expect(await ledger.countParkedEvents()).toBe(2);
  await sign(0, 10_000);
  await ledger.countBlocks([block(3)]);
  expect(await ledger.countParkedEvents()).toBe(0);
  expect(await withdrawals()).toMatchObject([{ status: 'completed', tx_hash: hashOf(800) }]);
  expect(await deposits()).toMatchObject([{ number: '0', raw_amount: String(10n ** 18n) }]);
});

test('ledger: an assertion or a constraint parks the event, any other error stops the step', async () => {
  const throwing = (failure: Error): EventProgram => ({
    ...vaultProgram,
    apply: async () => {
      throw failure;
    },
  });
  await ledgerOf().startAfter({ number: 0, hash: hashOf(0) });
  const poisoned = ledgerOf(throwing(new AssertionError('rows do not add up')));
  expect(await poisoned.countBlocks([block(1, [deposit(0)])])).toMatchObject([
    { error: 'rows do not add up' },
  ]);
  const broken = ledgerOf(throwing(new Error('out of memory')));
  await expect(broken.countBlocks([block(2, [deposit(0, { account: bob })])])).rejects.toThrow(
    /out of memory/,
  );
});

test('ledger: a parked event leaves no trace', async () => {
  const halfway: EventProgram = {
    ...vaultProgram,
    apply: async (transaction, event, moment) => {
      await vaultProgram.apply(transaction, event, moment);
      return 'no';
    },
  };
  await ledgerOf().startAfter({ number: 0, hash: hashOf(0) });
  await ledgerOf(halfway).countBlocks([block(1, [deposit(0)])]);
  expect(await deposits()).toEqual([]);
});

test('ledger: the same deposit in another block is the same deposit', async () => {
  const ledger = ledgerOf();
  await ledger.startAfter({ number: 0, hash: hashOf(0) });
  await ledger.countBlocks([block(1, [deposit(0)])]);
  await database.database.accounts.query((db) =>
    db
      .updateTable('spot_deposits')
      .set({ token: 'DF', amount: '1', handed_over_at: now, credited_at: now })
      .execute(),
  );
  await ledger.rollBackTo({ number: 0, hash: hashOf(0) });
  // It is credited already, so it stays; the chain puts it into another block.
  expect(await deposits()).toMatchObject([{ number: '0', block_number: null }]);
  await ledger.countBlocks([
    block(1, [], { hash: hashOf(71) }),
    block(2, [deposit(0)], { hash: hashOf(72) }),
  ]);
  expect(await deposits()).toMatchObject([{ number: '0', block_number: '2' }]);
});

test('ledger: a different deposit with a known number is a contradiction', async () => {
  const ledger = ledgerOf();
  await ledger.startAfter({ number: 0, hash: hashOf(0) });
  await ledger.countBlocks([block(1, [deposit(0)])]);
  const changed = deposit(0, { rawAmount: 7n });
  expect(await ledger.countBlocks([block(2, [changed])])).toMatchObject([
    { error: 'deposit_changed' },
  ]);
});

test('ledger: a release completes the signed withdrawal, and a rollback opens it again', async () => {
  const ledger = ledgerOf();
  await ledger.startAfter({ number: 0, hash: hashOf(0) });
  await sign(0, 10_000);
  await ledger.countBlocks([block(1), block(2, [release(0)])]);
  expect(await withdrawals()).toEqual([
    { nonce: '0', status: 'completed', tx_hash: hashOf(800), finished_at: now },
  ]);
  await ledger.rollBackTo({ number: 1, hash: hashOf(1) });
  expect(await withdrawals()).toEqual([
    { nonce: '0', status: 'signed', tx_hash: null, finished_at: null },
  ]);
});

const unused = [{ contract: 'spotVault', account: alice, nonce: 0 }] as const;

test("ledger: a withdrawal expires by the chain's clock, one second after its deadline", async () => {
  const ledger = ledgerOf();
  await ledger.startAfter({ number: 0, hash: hashOf(0) });
  await sign(0, 5_000);
  await ledger.countBlocks([block(1, [], { seconds: 5_000 })]);
  expect(await ledger.listOverdue()).toEqual([]);
  await ledger.expire(block(1), unused);
  expect(await withdrawals()).toMatchObject([{ status: 'signed' }]);
  await ledger.countBlocks([block(2, [], { seconds: 5_001 })]);
  expect(await ledger.listOverdue()).toEqual(unused);
  expect(await ledger.expire(block(2), unused)).toEqual([]);
  expect(await withdrawals()).toMatchObject([{ status: 'expired', finished_at: now }]);
});

test('fault 2: past the deadline nothing expires whose nonce the vault has used', async () => {
  const ledger = ledgerOf();
  await ledger.startAfter({ number: 0, hash: hashOf(0) });
  await sign(0, 5_000);
  await ledger.countBlocks([block(1, [], { seconds: 9_000 })]);
  const used = [{ ...unused[0], nonce: 1 }];
  expect(await ledger.expire(block(1), used)).toEqual(unused);
  expect(await withdrawals()).toMatchObject([{ status: 'signed' }]);
  // Nothing has been proven, or it was proven at a block that is no longer the last one.
  expect(await ledger.expire(block(1), [])).toEqual([]);
  expect(await ledger.expire(block(7), unused)).toEqual([]);
  expect(await withdrawals()).toMatchObject([{ status: 'signed' }]);
});

test('ledger: a release that waits for a person keeps its withdrawal from expiring', async () => {
  const ledger = ledgerOf();
  await ledger.startAfter({ number: 0, hash: hashOf(0) });
  await sign(0, 5_000);
  const changed = release(0, { rawAmount: 6n });
  await ledger.countBlocks([block(1, [changed], { seconds: 9_000 })]);
  expect(await ledger.countParkedEvents()).toBe(1);
  expect(await ledger.expire(block(1), [{ ...unused[0], nonce: 1 }])).toEqual([]);
  expect(await withdrawals()).toMatchObject([{ status: 'signed' }]);
});

test('fault 28: a waiting event of the vault delays none of the router', async () => {
  const applied: string[] = [];
  const router: EventProgram = {
    ...vaultProgram,
    contract: 'rewardRouter',
    eventTypes: ['rewardRedeemed'],
    apply: async (_, event) => {
      applied.push(event.type);
      return null;
    },
    listOverdue: async () => [],
  };
  const ledger = ledgerOf(vaultProgram, router);
  await ledger.startAfter({ number: 0, hash: hashOf(0) });
  const redeemed = {
    type: 'rewardRedeemed' as const,
    account: alice,
    amount: toMicroUsdt(5n),
    nonce: 0,
    transactionHash: hashOf(700),
    logIndex: 1,
  } as const;
  const parked = await ledger.countBlocks([block(1, [release(0), redeemed])]);
  expect(parked.map(({ event }) => event.type)).toEqual(['vaultReleased']);
  expect(applied).toEqual(['rewardRedeemed']);
});

test('halts: a kind is open once, survives the process that raised it, and is cleared by name', async () => {
  const halts = new DatabaseHaltStore(database.database.accounts, () => now);
  const halt = { kind: 'deep_reorganization', detail: 'blocks 5 to 6' } as const;
  const ledger = ledgerOf();
  await ledger.startAfter({ number: 0, hash: hashOf(0) });
  await ledger.countBlocks([block(1)]);
  await ledger.rollBackTo({ number: 0, hash: hashOf(0) }, halt);
  expect(await halts.raise(halt, 'somebody')).toBe(false);
  const [open] = await halts.listOpen();
  expect(open).toMatchObject({ ...halt, raisedBy: 'service', raisedAt: now });
  expect(await halts.clear(open!.id, 'alice and bob', 'looked at it')).toBe(true);
  expect(await halts.clear(open!.id, 'alice and bob', 'again')).toBe(false);
  expect(await halts.listOpen()).toEqual([]);
  expect(await halts.raise(halt, 'somebody')).toBe(true);
});

test('ledger: a release in the last second counts although it is seen with later blocks', async () => {
  const ledger = ledgerOf();
  await ledger.startAfter({ number: 0, hash: hashOf(0) });
  await sign(0, 5_000);
  await ledger.countBlocks([
    block(1, [release(0)], { seconds: 5_000 }),
    block(2, [], { seconds: 9_000 }),
  ]);
  expect(await withdrawals()).toMatchObject([{ status: 'completed' }]);
});

test('ledger: a rollback goes to counted blocks only and takes parked events back', async () => {
  const ledger = ledgerOf();
  await ledger.startAfter({ number: 0, hash: hashOf(0) });
  await ledger.countBlocks([block(1), block(2, [release(0)]), block(3, [deposit(4)])]);
  expect(await ledger.countParkedEvents()).toBe(2);
  await expect(ledger.rollBackTo({ number: 2, hash: hashOf(99) })).rejects.toThrow(/counted block/);
  await ledger.rollBackTo({ number: 1, hash: hashOf(1) });
  expect(await ledger.countParkedEvents()).toBe(0);
  expect((await ledger.loadCountedBlocks()).map(({ number }) => number)).toEqual([0, 1]);
});

test('ledger: one of two processes that count the same block at once is refused', async () => {
  const [first, second] = [ledgerOf(), ledgerOf()];
  await first.startAfter({ number: 0, hash: hashOf(0) });
  const outcomes = await Promise.allSettled([
    first.countBlocks([block(1, [deposit(0)])]),
    second.countBlocks([block(1, [deposit(0)])]),
  ]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(await deposits()).toHaveLength(1);
});
