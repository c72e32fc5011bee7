import type { Hex } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anvilSuite } from '../../../test/support/chain/anvil-suite.ts';
import { MemorySettlementStore } from '../../../test/support/chain/memory-settlement-store.ts';
import { MemoryTransactionStore } from '../../../test/support/chain/memory-transaction-store.ts';
import { SettlingLedger } from '../../../test/support/chain/settling-ledger.ts';
import { startTestChain, type TestChain } from '../../../test/support/chain/test-chain.ts';
import type { Address } from '../../domain/identifiers.ts';
import { createLogger } from '../../observability/log.ts';
import { rewardRouterAbi } from '../abi/reward-router-abi.ts';
import { readContract } from '../contract-calls.ts';
import { minedReceipt } from '../development/mined-receipt.ts';
import { EventListener } from '../events/event-listener.ts';
import { toHexAddress } from '../evm-values.ts';
import { TransactionManager } from '../transactions/transaction-manager.ts';
import { type SettlementReport, SettlementRunner } from './settlement-runner.ts';

// Commission beyond the window of settlements: it is settled part by part, as the window refills.

anvilSuite('settlement window', () => {
  let chain: TestChain;
  let settlements: MemorySettlementStore;
  let transactions: MemoryTransactionStore;
  let round: () => Promise<SettlementReport>;

  beforeAll(async () => {
    chain = await startTestChain();
    settlements = new MemorySettlementStore();
    transactions = new MemoryTransactionStore();
    const { node, signer, contracts, chainId } = chain;
    const startBlock = Number(await chain.client.getBlockNumber({ cacheTime: 0 }));
    const shared = { node, log: createLogger('silent'), now: () => 1_000_000 };
    const listener = new EventListener({
      ...shared,
      contracts,
      confirmations: 0,
      ledger: new SettlingLedger(settlements),
      findStartBlock: async () => ({ number: startBlock, isFirst: false }),
    });
    const policy = { replaceAfterMs: 48_000, feeMultipleMax: 5n, feePerGasMax: 10n ** 12n };
    const manager = new TransactionManager({
      ...shared,
      signer,
      chainId,
      store: transactions,
      policy,
    });
    const runner = new SettlementRunner({
      ...shared,
      settlements,
      transactions,
      manager,
      rewardRouter: contracts.rewardRouter,
      operator: signer.address,
      itemsPerBatchMax: 8,
      attemptMsMax: 900_000,
    });
    round = async () => {
      const cursor = await listener.poll();
      await manager.tick(cursor);
      return runner.run(cursor);
    };
  });
  afterAll(() => chain.close());

  const accountOf = (seed: number): Address =>
    `0x${(0xacc000 + seed).toString(16).padStart(40, '0')}` as Address;

  const attempts = () => settlements.commissions.map((each) => each.attempts);
  const outcomes = () => transactions.transactions.map(({ result }) => result?.outcome);

  /** Each account's settled total on chain. */
  const settled = (...seeds: readonly number[]) =>
    Promise.all(
      seeds.map((seed) =>
        readContract(chain.node, {
          address: chain.contracts.rewardRouter,
          abi: rewardRouterAbi,
          functionName: 'settled',
          args: [toHexAddress(accountOf(seed))],
        }),
      ),
    );

  async function limitSettlements(most: bigint): Promise<void> {
    const [owner] = (await chain.client.getAddresses()) as [Hex];
    const hash = await chain.client.writeContract({
      account: owner,
      chain: null,
      address: toHexAddress(chain.contracts.rewardRouter),
      abi: rewardRouterAbi,
      functionName: 'setSettlementLimit',
      args: [most, 86_400],
      // What the window has used changes with the block's time, and with it the gas.
      gas: 200_000n,
    });
    expect((await minedReceipt(chain.client, hash)).status).toBe('success');
  }

  test('window: a batch beyond it is split, settled part by part, and uses up no attempt', async () => {
    await limitSettlements(80n);
    // More than the whole window for the first account, which holds up no other.
    settlements.earn(accountOf(1), 100n);
    for (const seed of [2, 3]) settlements.earn(accountOf(seed), 50n);
    await chain.client.setAutomine(false);
    const exceeded = { obstacle: 'SettlementWindowExceeded' };
    // What is under way may use up the rest, so nothing is sent beside it.
    expect(await round()).toEqual({ sentCount: 1, ...exceeded });
    expect(await round()).toEqual({ sentCount: 0, ...exceeded });
    await chain.client.setAutomine(true);
    await chain.client.mine({ blocks: 1 });
    expect(await round()).toEqual({ sentCount: 0, ...exceeded });
    expect((await settled(1, 2, 3)).sort()).toEqual([0n, 0n, 50n]);
    await chain.client.increaseTime({ seconds: 86_400 });
    await chain.client.mine({ blocks: 1 });
    while ((await settled(2, 3)).includes(0n)) await round();
    expect(await settled(1, 2, 3)).toEqual([0n, 50n, 50n]);
    // The owner's limit of zero stops settling without splitting anything.
    await limitSettlements(0n);
    settlements.earn(accountOf(4), 5n);
    settlements.earn(accountOf(5), 5n);
    expect(await round()).toEqual({ sentCount: 0, ...exceeded });
    await limitSettlements(10n ** 6n);
    while ((await settled(1, 4, 5)).includes(0n)) await round();
    while (outcomes().includes(undefined)) await round();
    expect(await settled(1, 2, 3, 4, 5)).toEqual([100n, 50n, 50n, 5n, 5n]);
    expect(attempts()).toEqual([0, 0, 0, 0, 0]);
    expect(new Set(outcomes())).toEqual(new Set(['succeeded']));
  });
});
