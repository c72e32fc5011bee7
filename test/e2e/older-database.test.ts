import { Migrator, sql } from 'kysely';
import type { Hex } from 'viem';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { spotVaultAbi } from '../../src/chain/abi/spot-vault-abi.ts';
import { tokenAbi } from '../../src/chain/abi/token-abi.ts';
import { type ChainService, createChainService } from '../../src/chain/chain-service.ts';
import { minedReceipt } from '../../src/chain/development/mined-receipt.ts';
import { chainStores, noMinimums } from '../../src/database/chain-stores.ts';
import { migrateDatabase } from '../../src/database/migrate-database.ts';
import { migrations } from '../../src/database/migrations/registry.ts';
import { DatabaseWalletStore } from '../../src/database/wallet/wallet-store.ts';
import { createLogger } from '../../src/observability/log.ts';
import { anvilSuite } from '../support/chain/anvil-suite.ts';
import { startTestChain, type TestChain } from '../support/chain/test-chain.ts';
import { openEmptyTestDatabase, type TestDatabase } from '../support/database.ts';

// A database of a program that named no contracts in its rows and began to count at the router's
// block, with a vault that is older: its migration, and the deposits that it never saw.

const lastOfOlder = '0013-chain-halts';
const formerVault = `0x${'dead'.repeat(10)}`;
const emptyBlocks = 150;

anvilSuite('a database of an older program', () => {
  let chain: TestChain;
  let opened: TestDatabase;
  let users: readonly [Hex, Hex];
  let firstBlock: number;
  const services: ChainService[] = [];

  beforeEach(async () => {
    chain = await startTestChain();
    const [, alice, bob] = (await chain.client.getAddresses()) as [Hex, Hex, Hex];
    users = [alice, bob];
    firstBlock = Number(await chain.client.getBlockNumber());
    opened = await openEmptyTestDatabase();
  });
  afterEach(async () => {
    await Promise.all(services.splice(0).map((service) => service.stop()));
    await opened.close();
    await chain.close();
  });

  async function send(user: Hex, address: string, call: object) {
    const request = { account: user, chain: null, address: address as Hex, ...call };
    const hash = await chain.client.writeContract(request as never);
    expect((await minedReceipt(chain.client, hash)).status).toBe('success');
    return hash;
  }

  async function deposit(user: Hex, amount: bigint): Promise<Hex> {
    const { df, spotVault } = chain.contracts;
    await send(user, df, { abi: tokenAbi, functionName: 'mint', args: [user, amount] });
    await send(user, df, { abi: tokenAbi, functionName: 'approve', args: [spotVault, amount] });
    return send(user, spotVault, {
      abi: spotVaultAbi,
      functionName: 'deposit',
      args: [df, amount],
    });
  }

  const run = (statement: ReturnType<typeof sql>) =>
    opened.database.rewards.query((db) => statement.execute(db));

  /** What the older program wrote: from a block after the first deposits on. */
  async function fillOlderDatabase(): Promise<void> {
    const [alice] = users;
    const migrator = new Migrator({
      db: opened.database.rewards.db,
      provider: { getMigrations: () => Promise.resolve({ ...migrations }) },
    });
    expect((await migrator.migrateTo(lastOfOlder)).error).toBeUndefined();
    const start = await chain.client.getBlock();
    const hash = await deposit(alice, 7n);
    const last = await chain.client.getBlock();
    for (const { number, hash: of } of [start, last]) {
      await run(sql`INSERT INTO chain_blocks (number, hash, seconds)
        VALUES (${number}, ${of}, 1)`);
    }
    await run(sql`INSERT INTO spot_deposits
      (account, number, token_address, raw_amount, tx_hash, block_number, seen_at)
      VALUES (${alice.toLowerCase()}, 1, ${chain.contracts.df}, 7, ${hash}, ${last.number}, now())`);
    await run(sql`INSERT INTO withdrawals (id, wallet, account, token, token_address, amount,
        raw_amount, chain_id, contract_address, status, is_settled, created_at, finished_at)
      VALUES (gen_random_uuid(), 'spot', ${alice.toLowerCase()}, 'DF', ${chain.contracts.df}, 1, 1,
        ${chain.chainId}, ${formerVault}, 'canceled', true, now(), now())`);
    await run(sql`INSERT INTO withdrawals (id, wallet, account, token, token_address, amount,
        raw_amount, chain_id, contract_address, nonce, deadline, signature, status, is_settled,
        created_at)
      VALUES (gen_random_uuid(), 'spot', ${alice.toLowerCase()}, 'DF', ${chain.contracts.df}, 1, 1,
        ${chain.chainId}, ${chain.contracts.spotVault}, 0, 9000000000, '0xabcd', 'signed', true,
        now())`);
  }

  function createService(isBackfilled = true, startBlock: number | null = null): ChainService {
    const { backfills, ...stores } = chainStores(opened.database, noMinimums);
    const service = createChainService({
      ...stores,
      ...(isBackfilled ? { backfills } : {}),
      rpcUrl: chain.proxy.url,
      startBlock,
      developmentFolder: null,
      chainId: chain.chainId,
      contracts: chain.contracts,
      signers: { privateKey: chain.signerKey },
      assets: null,
      confirmations: 0,
      rewardDomainName: 'ReferralRewardRouter',
      vaultDomainName: 'SpotVault',
      pollIntervalMs: 3_600_000,
      retryPolicy: { timeoutMs: 60_000, failuresMax: 1_000, pauseMs: 0 },
      log: createLogger('silent'),
    });
    services.push(service);
    return service;
  }

  const listWaiting = async () => {
    const store = new DatabaseWalletStore(opened.database.rewards, () => new Date());
    const waiting = await store.listWaitingDeposits();
    return waiting
      .map(
        ({ account, number, rawAmount }) =>
          `${users.map(lower).indexOf(account)} ${number} ${rawAmount}`,
      )
      .sort();
  };
  const lower = (address: string) => address.toLowerCase();
  const clearHalts = () =>
    run(sql`UPDATE chain_halts SET cleared_at = now(), cleared_by = 'two people', reason = 'read'
      WHERE cleared_at IS NULL`);
  const openHalts = async () => chainStores(opened.database, noMinimums).halts.listOpen();

  test('older database: its rows get their contracts, and deposits before its first block are credited', async () => {
    const [alice, bob] = users;
    await deposit(alice, 5n);
    await chain.client.mine({ blocks: emptyBlocks });
    await deposit(bob, 9n);
    await fillOlderDatabase();
    await migrateDatabase(opened.database);

    // The node fails in the middle: what is read stays read, and nothing is credited or signed.
    let asked = 0;
    chain.proxy.setRule((method, [tag]) => {
      if (method !== 'eth_getBlockByNumber' || tag === 'latest') return null;
      asked += 1;
      return asked > emptyBlocks ? { kind: 'refusal', code: -32_000, message: 'pruned' } : null;
    });
    const first = createService();
    await expect(first.pollEvents()).rejects.toThrow('pruned');
    expect(first.status.isSigning).toBe(false);
    expect(await listWaiting()).toEqual([]);
    const { rows } = (await run(sql`SELECT from_block, next_block, done_at FROM backfills`)) as {
      rows: { from_block: string; next_block: string; done_at: Date | null }[];
    };
    const [half] = rows;
    expect(Number(half?.from_block)).toBeLessThanOrEqual(firstBlock);
    expect(Number(half?.next_block)).toBeGreaterThan(firstBlock);
    expect(half?.done_at).toBeNull();

    const headers: number[] = [];
    chain.proxy.setRule((method, [tag]) => {
      if (method === 'eth_getBlockByNumber' && tag !== 'latest') headers.push(Number(tag));
      return null;
    });
    const second = createService();
    await second.pollEvents();
    chain.proxy.setRule(null);
    expect(Math.min(...headers)).toBe(Number(half?.next_block));
    expect(await listWaiting()).toEqual(['0 0 5', '0 1 7', '1 0 9']);
    expect(await openHalts()).toEqual([]);
    expect(second.status).toMatchObject({ isSigning: true, reason: null });

    const named = await run(sql`
      SELECT contracts.address, contracts.state, count(*)::integer FROM (
        SELECT contract_id FROM spot_deposits UNION ALL SELECT contract_id FROM withdrawals
      ) AS counted JOIN contracts ON contracts.id = contract_id
      GROUP BY address, state ORDER BY state`);
    expect(named.rows).toEqual([
      { address: chain.contracts.spotVault, state: 'active', count: 4 },
      { address: formerVault, state: 'retired', count: 1 },
    ]);
    // What was signed is still good.
    const signed = await run(sql`SELECT signature FROM withdrawals WHERE status = 'signed'`);
    expect(signed.rows).toEqual([{ signature: '0xabcd' }]);
  });

  test('older database: if the books were opened before, they still agree afterwards', async () => {
    const [alice, bob] = users;
    await deposit(alice, 5n);
    await deposit(bob, 9n);
    await fillOlderDatabase();
    await migrateDatabase(opened.database);
    await createService(false).pollEvents();
    expect(await listWaiting()).toEqual(['0 1 7']);
    for (let count = 0; count < 2; count += 1) {
      const service = createService();
      await service.pollEvents();
      expect(await listWaiting()).toEqual(['0 0 5', '0 1 7', '1 0 9']);
      expect(service.bookDifferences.filter(([, amount]) => amount !== 0)).toEqual([]);
      expect(await openHalts()).toEqual([]);
    }
  });

  test('database: if the manifest names an earlier block, the blocks since then are read first', async () => {
    const [alice, bob] = users;
    await deposit(alice, 5n);
    await migrateDatabase(opened.database);
    const named = Number(await chain.client.getBlockNumber({ cacheTime: 0 })) + 1;
    await deposit(bob, 9n);
    // The vault has more than the counted blocks have brought it.
    await createService(true, named).pollEvents();
    expect(await openHalts()).toMatchObject([{ kind: 'books_differ' }]);
    await clearHalts();
    // A second start has read all from the named block on.
    await createService(true, named)
      .pollEvents()
      .catch(() => undefined);
    await clearHalts();
    expect(await listWaiting()).toEqual(['1 0 9']);
    for (let count = 0; count < 2; count += 1) {
      const service = createService(true, 1);
      await service.pollEvents();
      expect(await listWaiting()).toEqual(['0 0 5', '1 0 9']);
      expect(service.bookDifferences.filter(([, amount]) => amount !== 0)).toEqual([]);
      expect(await openHalts()).toEqual([]);
    }
  });
});
