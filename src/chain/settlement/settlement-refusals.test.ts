import { type Hex, parseTransaction } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { anvilSuite } from '../../../test/support/chain/anvil-suite.ts';
import { MemorySettlementStore } from '../../../test/support/chain/memory-settlement-store.ts';
import { MemoryTransactionStore } from '../../../test/support/chain/memory-transaction-store.ts';
import { SettlingLedger } from '../../../test/support/chain/settling-ledger.ts';
import { startTestChain, type TestChain } from '../../../test/support/chain/test-chain.ts';
import type { Address } from '../../domain/identifiers.ts';
import { createLogger } from '../../observability/log.ts';
import { EventListener } from '../events/event-listener.ts';
import { toHexAddress } from '../evm-values.ts';
import { TransactionManager } from '../transactions/transaction-manager.ts';
import { SettlementRunner } from './settlement-runner.ts';

// What becomes of a batch whose transaction no node accepts, or whose nonce something else spends:
// it is planned again, smaller if its gas was refused, and uses up no attempt.

anvilSuite('settlement refusals', () => {
  let chain: TestChain;
  let snapshot: Hex;
  let settlements: MemorySettlementStore;
  let transactions: MemoryTransactionStore;
  let round: () => Promise<void>;

  beforeAll(async () => {
    chain = await startTestChain();
  });
  beforeEach(async () => {
    snapshot = await chain.client.snapshot();
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
      await runner.run(cursor);
    };
  });
  afterEach(async () => {
    chain.proxy.setRule(null);
    await chain.client.setAutomine(true);
    // What is still in the pool would be mined into the next test.
    await chain.client.mine({ blocks: 1 });
    await chain.client.revert({ id: snapshot });
  });
  afterAll(() => chain.close());

  const accountOf = (seed: number): Address =>
    `0x${(0xacc000 + seed).toString(16).padStart(40, '0')}` as Address;

  /** Refuses calls that the rule names; a cancel, which has no data, is accepted. */
  function refuse(message: string, isRefused: (dataLength: number) => boolean): void {
    chain.proxy.setRule((method, [bytes]) => {
      if (method !== 'eth_sendRawTransaction') return null;
      const data = parseTransaction(bytes as Hex).data ?? '0x';
      if (data === '0x' || !isRefused(data.length)) return null;
      return { kind: 'refusal', code: -32_000, message };
    });
  }

  const attempts = () => settlements.commissions.map((each) => each.attempts);
  const outcomes = () => transactions.transactions.map(({ result }) => result?.outcome);

  test('fault 11: a batch that nodes refuse for an unknown reason for a month is planned again each time', async () => {
    settlements.earn(accountOf(1), 5n);
    refuse('not today', () => true);
    while (outcomes().filter((outcome) => outcome === 'cancelled').length < 5) await round();
    expect(attempts()).toEqual([0]);
    chain.proxy.setRule(null);
    while (!outcomes().includes('succeeded')) await round();
    expect(attempts()).toEqual([0]);
  });

  test('refusals: a batch whose gas a node refuses is cancelled under its nonce and split', async () => {
    for (let seed = 1; seed <= 4; seed += 1) settlements.earn(accountOf(seed), 5n);
    // Two accounts fit: four bytes of selector, two offsets, two lengths, two words for each.
    const largest = 2 + 2 * (4 + 32 * (4 + 2 * 2));
    refuse('transaction gas limit too high', (length) => length > largest);
    while (outcomes().filter((outcome) => outcome === 'succeeded').length < 2) await round();
    expect(outcomes()).toEqual(['cancelled', 'succeeded', 'succeeded']);
    expect(attempts()).toEqual([0, 0, 0, 0]);
  });

  test('fault 14: a batch whose nonce the key spends elsewhere is displaced and planned again', async () => {
    await chain.client.setAutomine(false);
    settlements.earn(accountOf(1), 5n);
    await round();
    const [hash] = transactions.transactions[0]?.versions.map((each) => each.hash) ?? [];
    await chain.client.dropTransaction({ hash: hash ?? '0x' });
    await chain.client.setAutomine(true);
    const sender = toHexAddress(chain.signer.address);
    await chain.client.impersonateAccount({ address: sender });
    const sent = { account: sender, to: sender, value: 0n, chain: null } as const;
    await chain.client.sendTransaction(sent);
    while (!outcomes().includes('succeeded')) await round();
    expect(outcomes()).toEqual(['displaced', 'succeeded']);
    expect(attempts()).toEqual([0]);
  });
});
