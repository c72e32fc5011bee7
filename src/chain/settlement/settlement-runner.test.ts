import { type Hex, parseAbi } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { anvilSuite } from '../../../test/support/chain/anvil-suite.ts';
import type { MemorySettlementStore } from '../../../test/support/chain/memory-settlement-store.ts';
import type { MemoryTransactionStore } from '../../../test/support/chain/memory-transaction-store.ts';
import { restoreChain } from '../../../test/support/chain/restore-chain.ts';
import { earnerOf, SettlingChain } from '../../../test/support/chain/settling-chain.ts';
import { startTestChain, type TestChain } from '../../../test/support/chain/test-chain.ts';
import type { Address } from '../../domain/identifiers.ts';
import { rewardRouterAbi } from '../abi/reward-router-abi.ts';
import { tokenAbi } from '../abi/token-abi.ts';
import { readContract } from '../contract-calls.ts';
import { minedReceipt } from '../development/mined-receipt.ts';
import { toHexAddress } from '../evm-values.ts';

anvilSuite('settlement-runner', () => {
  let chain: TestChain;
  let settling: SettlingChain;
  let settlements: MemorySettlementStore;
  let transactions: MemoryTransactionStore;

  const alice = earnerOf(1);
  const bob = earnerOf(2);

  beforeAll(async () => {
    chain = await startTestChain();
  });
  restoreChain(() => chain);
  beforeEach(async () => {
    settling = await SettlingChain.start(chain);
    ({ settlements, transactions } = settling);
  });
  afterEach(async () => {
    await chain.client.setAutomine(true);
    // What is still in the pool would be mined during the next test.
    await chain.client.mine({ blocks: 1 });
  });
  afterAll(() => chain.close());

  const catchUp = () => settling.catchUp();
  const run = () => settling.run();

  async function mineAll(): Promise<void> {
    await chain.client.mine({ blocks: 1 });
    await catchUp();
  }

  async function settledOf(account: Address): Promise<bigint> {
    return readContract(chain.node, {
      address: chain.contracts.rewardRouter,
      abi: rewardRouterAbi,
      functionName: 'settled',
      args: [toHexAddress(account)],
    });
  }

  async function asOwner(functionName: 'pause' | 'unpause'): Promise<void> {
    const [owner] = await chain.client.getAddresses();
    const hash = await chain.client.writeContract({
      account: owner ?? '0x',
      chain: null,
      address: toHexAddress(chain.contracts.rewardRouter),
      abi: rewardRouterAbi,
      functionName,
    });
    await minedReceipt(chain.client, hash);
  }

  test('settlement: what was earned is settled in one batch, as totals', async () => {
    await chain.client.setAutomine(false);
    settlements.earn(alice, 5n);
    settlements.earn(bob, 7n);
    settlements.earn(alice, 1n);
    expect(await run()).toEqual({ sentCount: 1, obstacle: null });
    expect(settlements.statusOf(alice)).toEqual(['pending', 'pending']);
    await mineAll();
    expect(settlements.statusOf(alice)).toEqual(['synced', 'synced']);
    expect(await settledOf(alice)).toBe(6n);
    expect(await settledOf(bob)).toBe(7n);

    settlements.earn(alice, 10n);
    await run();
    await mineAll();
    expect(await settledOf(alice)).toBe(16n);
    expect(transactions.transactions).toHaveLength(2);
  });

  test('settlement: while a batch is in flight its accounts are in no other', async () => {
    await chain.client.setAutomine(false);
    settlements.earn(alice, 5n);
    await run();
    settlements.earn(alice, 3n);
    settlements.earn(bob, 1n);
    await run();
    expect(transactions.transactions).toHaveLength(2);
    await mineAll();
    expect(await settledOf(alice)).toBe(5n);
    expect(settlements.statusOf(alice)).toEqual(['synced', 'pending']);
    await run();
    await mineAll();
    expect(await settledOf(alice)).toBe(8n);
    expect(await settledOf(bob)).toBe(1n);
  });

  test('settlement: one account that the contract refuses blocks no other', async () => {
    await chain.client.setAutomine(false);
    // The contract takes no settlement for itself.
    const bad = chain.contracts.rewardRouter;
    const good = Array.from({ length: 7 }, (_, index) => earnerOf(10 + index));
    for (const account of [...good.slice(0, 3), bad, ...good.slice(3)])
      settlements.earn(account, 2n);
    await run();
    await mineAll();
    for (const account of good) expect(settlements.statusOf(account)).toEqual(['synced']);
    expect(settlements.statusOf(bad)).toEqual(['pending 1']);
    await run();
    expect(settlements.statusOf(bad)).toEqual(['pending 2']);
    await run();
    expect(settlements.statusOf(bad)).toEqual(['failed 3 InvalidAccount']);
    await run();
    expect(settlements.batches).toEqual([]);
  });

  test('settlement: a paused contract, a different operator or an empty pool uses no attempt', async () => {
    settlements.earn(alice, 5n);
    await asOwner('pause');
    for (let count = 0; count < 4; count += 1) {
      expect(await run()).toEqual({ sentCount: 0, obstacle: 'EnforcedPause' });
    }
    expect(settlements.statusOf(alice)).toEqual(['pending']);
    await asOwner('unpause');
    settlements.earn(bob, 10n ** 16n);
    expect((await run()).obstacle).toBe('PoolUnderfunded');
    expect(settlements.statusOf(bob)).toEqual(['pending']);
    expect(settlements.commissions.every(({ attempts }) => attempts === 0)).toBe(true);
  });

  test('fault 12: without coin for gas nothing is signed, it is settled later, and no attempt is used', async () => {
    settlements.earn(alice, 5n);
    const address = toHexAddress(chain.signer.address);
    await chain.client.setBalance({ address, value: 1_000n });
    const { obstacle } = await run();
    expect(obstacle).not.toBeNull();
    expect(settlements.statusOf(alice)).toEqual(['pending']);
    expect(transactions.transactions).toEqual([]);
    await chain.client.setBalance({ address, value: 10n ** 20n });
    expect((await run()).obstacle).toBeNull();
    expect(transactions.transactions).toHaveLength(1);
    expect(settlements.commissions.every(({ attempts }) => attempts === 0)).toBe(true);
  });

  test('fault 15: a revert without data three times: an obstacle, no failed rows', async () => {
    settlements.earn(alice, 5n);
    chain.proxy.setRule((method) =>
      method === 'eth_estimateGas'
        ? { kind: 'refusal', code: 3, message: 'execution reverted' }
        : null,
    );
    for (let count = 0; count < 3; count += 1) {
      expect((await run()).obstacle).not.toBeNull();
    }
    expect(settlements.statusOf(alice)).toEqual(['pending']);
    expect(settlements.commissions.every(({ attempts }) => attempts === 0)).toBe(true);
    chain.proxy.setRule(null);
    expect(await run()).toEqual({ sentCount: 1, obstacle: null });
  });

  test('settlement: a node that is down uses no attempt, and everything is settled afterwards', async () => {
    settlements.earn(alice, 5n);
    await run();
    settlements.earn(bob, 5n);
    chain.proxy.setRule((method) =>
      method === 'eth_estimateGas' ? { kind: 'status', status: 500 } : null,
    );
    expect((await run()).obstacle).toMatch(/500/);
    chain.proxy.setRule(null);
    await run();
    await expect
      .poll(async () => {
        await catchUp();
        return settlements.statusOf(bob);
      })
      .toEqual(['synced']);
    expect(settlements.commissions.every(({ attempts }) => attempts === 0)).toBe(true);
  });

  test('settlement: a batch that is not mined in time is cancelled, and counts as an attempt', async () => {
    await chain.client.setAutomine(false);
    settlements.earn(alice, 5n);
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await run();
      settling.now += 900_000;
      await run();
      // The cancel is on its way, and nothing is decided while it is not mined.
      expect(settlements.batches).toHaveLength(1);
      await catchUp();
      const open = transactions.transactions.at(-1);
      expect(open?.versions.at(-1)?.kind).toBe('cancel');
      await mineAll();
      await run();
      const status = attempt < 3 ? 'pending' : 'failed';
      expect(settlements.statusOf(alice)[0]).toMatch(new RegExp(`^${status} ${attempt}`));
    }
    expect(await settledOf(alice)).toBe(0n);
  });

  test('settlement: an attempt that is mined after all has not failed', async () => {
    await chain.client.setAutomine(false);
    settlements.earn(alice, 5n);
    await run();
    const [first] = transactions.transactions[0]?.versions ?? [];
    settling.now += 900_000;
    await run();
    await catchUp();
    // The cancel never reached the miner; the first version did.
    const cancel = transactions.transactions[0]?.versions.at(-1);
    await chain.client.dropTransaction({ hash: cancel?.hash ?? '0x' });
    await chain.client.sendRawTransaction({ serializedTransaction: first?.bytes ?? '0x' });
    await mineAll();
    await run();
    expect(settlements.statusOf(alice)).toEqual(['synced']);
    expect(await settledOf(alice)).toBe(5n);
  });

  test('settlement: a transaction that reverts is split, and only its cause loses an attempt', async () => {
    await chain.client.setAutomine(false);
    const accounts = [alice, bob, earnerOf(3)];
    for (const account of accounts) settlements.earn(account, 5n);
    await run();
    // Between the estimate and the block the pool runs dry.
    const router = toHexAddress(chain.contracts.rewardRouter);
    await asOwnerWithdraw(10n ** 15n);
    await mineAll();
    expect(transactions.transactions[0]?.result?.outcome).toBe('reverted');
    const { obstacle } = await run();
    expect(obstacle).toBe('PoolUnderfunded');
    expect(settlements.batches.map(({ items }) => items.length)).toEqual([2, 1]);
    expect(settlements.statusOf(alice)).toEqual(['pending']);
    await refill(router);
    await run();
    await mineAll();
    for (const account of accounts) expect(settlements.statusOf(account)).toEqual(['synced']);
  });

  // Mined before what waits in the pool, as the owner pays more for it.
  async function asOwnerWithdraw(amount: bigint): Promise<void> {
    const [owner] = await chain.client.getAddresses();
    await chain.client.writeContract({
      account: owner ?? '0x',
      chain: null,
      address: toHexAddress(chain.contracts.rewardRouter),
      abi: parseAbi(['function withdrawSurplus(address to, uint256 amount)']),
      functionName: 'withdrawSurplus',
      args: [owner ?? '0x', amount],
      maxFeePerGas: 10n ** 11n,
      maxPriorityFeePerGas: 10n ** 11n,
      gas: 200_000n,
    });
  }

  async function refill(router: Hex): Promise<void> {
    const [owner] = await chain.client.getAddresses();
    await chain.client.writeContract({
      account: owner ?? '0x',
      chain: null,
      address: toHexAddress(chain.contracts.usdt),
      abi: tokenAbi,
      functionName: 'mint',
      args: [router, 10n ** 15n],
    });
    await chain.client.mine({ blocks: 1 });
  }

  test('settlement: after a crash at any write it resumes where it stopped', async () => {
    await chain.client.setAutomine(false);
    for (const what of ['insert', 'markSent', 'finish'] as const) {
      settlements.earn(alice, 5n);
      transactions.onWrite = (write) => {
        if (write === what) throw new Error('killed');
      };
      await run().catch(() => undefined);
      await chain.client.mine({ blocks: 1 });
      await catchUp().catch(() => undefined);
      transactions.onWrite = () => undefined;
      for (let count = 0; count < 3; count += 1) {
        await run();
        await mineAll();
      }
    }
    expect(settlements.statusOf(alice)).toEqual(['synced', 'synced', 'synced']);
    expect(await settledOf(alice)).toBe(15n);
    expect(transactions.transactions).toHaveLength(3);
  });
});
