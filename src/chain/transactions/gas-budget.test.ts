import type { Hex } from 'viem';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { anvilSuite } from '../../../test/support/chain/anvil-suite.ts';
import { MemoryTransactionStore } from '../../../test/support/chain/memory-transaction-store.ts';
import { startTestChain, type TestChain } from '../../../test/support/chain/test-chain.ts';
import { createLogger } from '../../observability/log.ts';
import { TransactionManager } from './transaction-manager.ts';

anvilSuite('gas budget', () => {
  let chain: TestChain;
  let manager: TransactionManager;
  let store: MemoryTransactionStore;
  let clock: number;
  const gasLimit = 100_000n;
  const feePerGasMax = 10n ** 10n;
  /** The maximum that one of these transactions can cost. */
  const most = gasLimit * feePerGasMax;

  beforeAll(async () => {
    chain = await startTestChain();
  });
  beforeEach(() => {
    clock = 1_000_000;
    store = new MemoryTransactionStore();
    manager = new TransactionManager({
      node: chain.node,
      signer: chain.signer,
      chainId: chain.chainId,
      store,
      policy: { replaceAfterMs: 48_000, feeMultipleMax: 5n, feePerGasMax },
      budget: { perTransaction: most, perDay: 10n * most },
      now: () => clock,
      log: createLogger('silent'),
    });
  });
  afterAll(() => chain.close());

  async function submit(purpose: 'settlement' | 'mirror', reference: number): Promise<string> {
    const to = chain.signer.address;
    const request = { purpose, reference: `${reference}`, to, data: '0x' as Hex, gasLimit };
    const { kind } = await manager.submit(request);
    const head = await chain.node.loadHead();
    await manager.tick({ number: head.number, hash: head.hash });
    return kind;
  }

  /** How many are signed until the budget of the day is used up. */
  async function spendAll(purpose: 'settlement' | 'mirror', from: number): Promise<number> {
    for (let count = 0; ; count += 1) {
      const kind = await submit(purpose, from + count);
      if (kind === 'budgetUsed') return count;
      expect(kind).toBe('saved');
    }
  }

  test('fault 32: writes of the register use up a fifth of the day, and settlements have the rest', async () => {
    const spentBy = (purpose: 'settlement' | 'mirror') => store.loadSpent(purpose, 0);
    await spendAll('mirror', 0);
    expect(await spentBy('mirror')).toBeGreaterThan(most / 2n);
    expect(await spentBy('mirror')).toBeLessThanOrEqual(2n * most);
    await spendAll('settlement', 0);
    expect(await spentBy('settlement')).toBeGreaterThan(7n * most);
    expect(await spentBy('settlement')).toBeLessThanOrEqual(8n * most);
    expect(await submit('mirror', 900)).toBe('budgetUsed');
    clock += 86_400_001;
    expect(await submit('mirror', 900)).toBe('saved');
  });

  test('fault 14: while the fees of the chain are above the limit a gap is not filled either', async () => {
    const { client, node, signer } = chain;
    const tick = async () => {
      const { number, hash } = await node.loadHead();
      await manager.tick({ number, hash });
    };
    const baseFee = async (baseFeePerGas: bigint) => {
      await client.setNextBlockBaseFeePerGas({ baseFeePerGas });
      await client.mine({ blocks: 1 });
    };
    const countAt = (block: 'latest' | 'pending') =>
      node.loadTransactionCount(signer.address, block);
    // What was sent before may still be on its way into a block.
    await vi.waitUntil(async () => (await countAt('latest')) === (await countAt('pending')));
    const nonce = await countAt('latest');
    await client.setAutomine(false);
    await submit('settlement', 1_000);
    await submit('settlement', 1_001);
    const first = store.transactions.shift();
    await client.dropTransaction({ hash: first?.versions[0]?.hash ?? '0x' });
    await baseFee(20n * feePerGasMax);
    await tick();
    expect(store.transactions).toMatchObject([{ purpose: 'settlement', nonce: nonce + 1 }]);
    await baseFee(feePerGasMax / 20n);
    await tick();
    expect(store.transactions).toMatchObject([
      { purpose: 'settlement', nonce: nonce + 1 },
      { purpose: 'gap', nonce },
    ]);
    await client.setAutomine(true);
  });
});
