import { type Hex, parseTransaction } from 'viem';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { anvilSuite } from '../../../test/support/chain/anvil-suite.ts';
import type { Fault } from '../../../test/support/chain/fault-proxy.ts';
import { MemoryTransactionStore } from '../../../test/support/chain/memory-transaction-store.ts';
import { startTestChain, type TestChain } from '../../../test/support/chain/test-chain.ts';
import type { BlockReference } from '../../application/ports/chain-ledger.ts';
import type { Address } from '../../domain/identifiers.ts';
import { toMicroUsdt } from '../../domain/micro-usdt.ts';
import { createLogger } from '../../observability/log.ts';
import { settlementCall } from '../settlement/settlement-call.ts';
import {
  type GasBudget,
  TransactionManager,
  type TransactionRequest,
} from './transaction-manager.ts';

anvilSuite('transaction-manager', () => {
  let chain: TestChain;
  let store: MemoryTransactionStore;
  let clock: number;

  beforeEach(async () => {
    chain = await startTestChain();
    store = new MemoryTransactionStore();
    clock = 1_000_000;
  });
  afterEach(() => chain.close());

  const account = '0x00000000000000000000000000000000000000a1' as Address;

  function newManager(budget: GasBudget | null = null): TransactionManager {
    return new TransactionManager({
      budget,
      node: chain.node,
      signer: chain.signer,
      chainId: chain.chainId,
      store,
      policy: { replaceAfterMs: 48_000, feeMultipleMax: 5n, feePerGasMax: 10n ** 12n },
      now: () => clock,
      log: createLogger('silent'),
    });
  }

  function request(reference: string, total = 5n): TransactionRequest {
    return {
      purpose: 'settlement',
      reference,
      to: chain.contracts.rewardRouter,
      data: settlementCall([{ account, total: toMicroUsdt(total) }]),
      gasLimit: 200_000n,
    };
  }

  async function head(): Promise<BlockReference> {
    const { number, hash } = await chain.node.loadHead();
    return { number, hash };
  }

  async function minedCount(): Promise<number> {
    return chain.client.getTransactionCount({ address: chain.signer.address as Hex });
  }

  // Blocks are made at once, but not before the answer to what they are made of.
  async function finished(manager: TransactionManager, index = 0): Promise<string | undefined> {
    let outcome: string | undefined;
    await expect
      .poll(
        async () => {
          await manager.tick(await head());
          outcome = store.transactions[index]?.result?.outcome;
          return outcome;
        },
        { interval: 5 },
      )
      .toBeDefined();
    return outcome;
  }

  function onBroadcast(fault: Fault): void {
    chain.proxy.setRule((method) => (method === 'eth_sendRawTransaction' ? fault : null));
  }

  function only() {
    const [transaction] = store.transactions;
    if (transaction === undefined) throw new Error('nothing was saved');
    return transaction;
  }

  test('manager: bytes are saved before they are sent', async () => {
    const order: string[] = [];
    store.onWrite = (what) => order.push(what);
    chain.proxy.setRule((method) => {
      if (method === 'eth_sendRawTransaction') order.push('broadcast');
      return null;
    });
    await newManager().submit(request('1'));
    expect(order).toEqual(['insert', 'markSent', 'broadcast', 'noteAnswer']);
  });

  test('manager: a transaction that cannot be saved is not sent', async () => {
    store.onWrite = () => {
      throw new Error('disk full');
    };
    await expect(newManager().submit(request('1'))).rejects.toThrow('disk full');
    expect(chain.proxy.takeCalls()).not.toContain('eth_sendRawTransaction');
    expect(await minedCount()).toBe(0);
  });

  test('manager: the same purpose and reference has one transaction, across restarts too', async () => {
    await newManager().submit(request('1'));
    const again = await newManager().submit(request('1', 99n));
    expect(again).toMatchObject({ kind: 'saved', transaction: { nonce: 0 } });
    expect(store.transactions).toHaveLength(1);
    expect(await finished(newManager())).toBe('succeeded');
    expect(await minedCount()).toBe(1);
  });

  test('manager: a mined transaction is finished as succeeded', async () => {
    const manager = newManager();
    await manager.submit(request('1'));
    await finished(manager);
    expect(only().result).toEqual({
      outcome: 'succeeded',
      hash: only().versions[0]?.hash,
      block: (await head()).number,
    });
  });

  test('manager: it is not finished until the block that holds it is counted', async () => {
    const before = await head();
    const manager = newManager();
    await manager.submit(request('1'));
    await manager.tick(before);
    expect(only().result).toBeNull();
    expect(only().versions).toHaveLength(1);
  });

  test('manager: a transaction that the contract reverts is finished as reverted', async () => {
    const manager = newManager();
    await manager.submit({ ...request('1'), data: '0x12345678' });
    expect(await finished(manager)).toBe('reverted');
  });

  test('manager: a lost answer leads to no second transaction', async () => {
    onBroadcast({ kind: 'lostAnswer' });
    const manager = newManager();
    await manager.submit(request('1'));
    expect(only().versions[0]).toMatchObject({ sentAt: clock, isTaken: false });
    chain.proxy.setRule(null);
    expect(await finished(manager)).toBe('succeeded');
    expect(await minedCount()).toBe(1);
  });

  test('manager: a transaction that the node never received is sent at the next tick, with the same bytes', async () => {
    onBroadcast({ kind: 'status', status: 503 });
    const manager = newManager();
    await manager.submit(request('1'));
    const bytes = only().versions[0]?.bytes;
    // One behind it would wait for it.
    expect(await manager.submit(request('2', 6n))).toEqual({ kind: 'earlierUnsent' });
    chain.proxy.setRule(null);
    expect(await minedCount()).toBe(0);
    expect(await finished(manager)).toBe('succeeded');
    expect(only().versions.map((version) => version.bytes)).toEqual([bytes]);
  });

  test('manager: a dropped transaction is sent again under its nonce', async () => {
    await chain.client.setAutomine(false);
    const manager = newManager();
    await manager.submit(request('1'));
    await chain.client.dropTransaction({ hash: only().versions[0]?.hash ?? '0x' });
    await manager.tick(await head());
    await chain.client.mine({ blocks: 1 });
    await manager.tick(await head());
    expect(only().result?.outcome).toBe('succeeded');
    expect(only().versions).toHaveLength(1);
    expect(await minedCount()).toBe(1);
  });

  test('manager: a stuck transaction is replaced under its nonce, and only one is mined', async () => {
    await chain.client.setAutomine(false);
    const manager = newManager();
    await manager.submit(request('1'));
    clock += 47_999;
    await manager.tick(await head());
    expect(only().versions).toHaveLength(1);
    clock += 1;
    await manager.tick(await head());
    expect(only().versions).toHaveLength(2);
    await chain.client.mine({ blocks: 1 });
    await manager.tick(await head());
    expect(only().result).toMatchObject({
      outcome: 'succeeded',
      hash: only().versions[1]?.hash,
    });
    expect(await minedCount()).toBe(1);
  });

  test('manager: a replaced version counts if it is the one that is mined', async () => {
    await chain.client.setAutomine(false);
    const manager = newManager();
    await manager.submit(request('1'));
    clock += 48_000;
    await manager.tick(await head());
    const [first, second] = only().versions;
    // Another node of the network never saw the replacement.
    await chain.client.dropTransaction({ hash: second?.hash ?? '0x' });
    await chain.client.sendRawTransaction({ serializedTransaction: first?.bytes ?? '0x' });
    await chain.client.mine({ blocks: 1 });
    await manager.tick(await head());
    expect(only().result).toMatchObject({ outcome: 'succeeded', hash: first?.hash });
  });

  test('manager: a cancel replaces the transaction', async () => {
    await chain.client.setAutomine(false);
    const manager = newManager();
    await manager.submit(request('1'));
    await store.requestCancel(request('1'));
    await manager.tick(await head());
    expect(only().versions.map(({ kind }) => kind)).toEqual(['call', 'cancel']);
    await chain.client.mine({ blocks: 1 });
    await manager.tick(await head());
    expect(only().result?.outcome).toBe('cancelled');
    expect(await minedCount()).toBe(1);
  });

  test('fault 14: a nonce spent elsewhere displaces the transaction, and the next one proceeds', async () => {
    await chain.client.setAutomine(false);
    const manager = newManager();
    await manager.submit(request('1'));
    await chain.client.dropTransaction({ hash: only().versions[0]?.hash ?? '0x' });
    const foreign = await chain.signer.signTransaction(chain.chainId, {
      nonce: 0,
      to: account,
      data: '0x',
      gasLimit: 21_000n,
      maxFeePerGas: 10n ** 10n,
      maxPriorityFeePerGas: 10n ** 9n,
    });
    await chain.client.sendRawTransaction({ serializedTransaction: foreign.bytes });
    await chain.client.mine({ blocks: 1 });
    await manager.tick(await head());
    expect(only().result).toMatchObject({ outcome: 'displaced', hash: null });
    // The next one continues after both.
    await chain.client.setAutomine(true);
    await manager.submit(request('2'));
    expect(store.transactions[1]?.nonce).toBe(1);
    expect(await finished(manager, 1)).toBe('succeeded');
    expect(await minedCount()).toBe(2);
  });

  test('fault 12: no version exceeds the budget of a transaction, nor all together that of a day', async () => {
    const { maxFeePerGas } = await chain.node.loadFees();
    const cost = 200_000n * maxFeePerGas;
    const dear = newManager({ perTransaction: cost / 4n, perDay: 100n * cost });
    expect(await dear.submit(request('1'))).toEqual({ kind: 'feesTooHigh' });
    // Four fifths of it are one settlement and a half.
    const manager = newManager({ perTransaction: 2n * cost, perDay: (cost * 15n) / 8n });
    expect((await manager.submit(request('1'))).kind).toBe('saved');
    expect(await manager.submit(request('2', 6n))).toEqual({ kind: 'budgetUsed' });
    expect(await manager.submit({ ...request('3'), purpose: 'mirror' })).toEqual({
      kind: 'budgetUsed',
    });
    expect(store.transactions).toHaveLength(1);
    await finished(manager);
    clock += 86_400_001;
    expect((await manager.submit(request('2', 6n))).kind).toBe('saved');
  });

  test('fault 14: a nonce gap after a database restore is filled, and nothing gets stuck', async () => {
    const manager = newManager();
    await chain.client.setAutomine(false);
    await manager.submit(request('1'));
    await manager.submit(request('2', 6n));
    // The copy knows nothing of the first, which left the pool.
    const first = store.transactions.shift();
    await chain.client.dropTransaction({ hash: first?.versions[0]?.hash ?? '0x' });
    await chain.client.setAutomine(true);
    expect(await finished(manager)).toBe('succeeded');
    expect(await finished(manager, 1)).toBe('succeeded');
    expect(store.transactions).toMatchObject([
      { purpose: 'settlement', nonce: 1 },
      { purpose: 'gap', nonce: 0, to: chain.signer.address, data: '0x' },
    ]);
    expect(await minedCount()).toBe(2);
  });

  test('manager: a key that was used elsewhere continues with the next free nonce', async () => {
    const foreign = await chain.signer.signTransaction(chain.chainId, {
      nonce: 0,
      to: account,
      data: '0x',
      gasLimit: 21_000n,
      maxFeePerGas: 10n ** 10n,
      maxPriorityFeePerGas: 10n ** 9n,
    });
    await chain.client.sendRawTransaction({ serializedTransaction: foreign.bytes });
    const manager = newManager();
    await manager.submit(request('1'));
    expect(only().nonce).toBe(1);
    expect(await finished(manager)).toBe('succeeded');
  });

  test('fault 10: a transaction that the node refuses for its fee is signed again below, and mined', async () => {
    let capWei = 0n;
    chain.proxy.setRule((method, [bytes]) => {
      if (method !== 'eth_sendRawTransaction') return null;
      const { maxFeePerGas = 0n, gas = 0n } = parseTransaction(bytes as Hex);
      if (capWei === 0n) capWei = (maxFeePerGas * gas) / 3n;
      if (maxFeePerGas * gas <= capWei) return null;
      const message = 'tx fee (1.23 ether) exceeds the configured cap (1.00 ether)';
      return { kind: 'refusal', code: -32_000, message };
    });
    const manager = newManager();
    await manager.submit(request('1'));
    expect(only().versions[0]).toMatchObject({ refusal: 'fee_cap', isTaken: false });
    expect(await finished(manager)).toBe('succeeded');
    // What comes after it follows.
    await manager.submit(request('2'));
    expect(await finished(manager, 1)).toBe('succeeded');
  });

  test('fault 11: a transaction that nodes refuse with an unknown message is cancelled under its nonce', async () => {
    let isRefusing = true;
    chain.proxy.setRule((method, [bytes]) => {
      if (method !== 'eth_sendRawTransaction' || !isRefusing) return null;
      if ((parseTransaction(bytes as Hex).data ?? '0x') === '0x') return null;
      return { kind: 'refusal', code: -32_000, message: 'not today' };
    });
    const manager = newManager();
    await manager.submit(request('1'));
    expect(await finished(manager)).toBe('cancelled');
    isRefusing = false;
    await manager.submit(request('2'));
    expect(await finished(manager, 1)).toBe('succeeded');
    expect(await minedCount()).toBe(2);
  });

  test('fault 12: while the fees of the chain are above the limit nothing is signed', async () => {
    await chain.client.setNextBlockBaseFeePerGas({ baseFeePerGas: 400_000n * 10n ** 9n });
    await chain.client.mine({ blocks: 1 });
    expect(await newManager().submit(request('1'))).toEqual({ kind: 'feesTooHigh' });
    expect(store.transactions).toEqual([]);
  });

  test('manager: nothing is signed that the operator account cannot pay for', async () => {
    await chain.client.setBalance({ address: chain.signer.address as Hex, value: 1n });
    expect(await newManager().submit(request('1'))).toMatchObject({
      kind: 'insufficientFunds',
      balance: 1n,
    });
    expect(store.transactions).toEqual([]);
  });

  test('manager: several transactions in flight keep their order and their nonces', async () => {
    await chain.client.setAutomine(false);
    const manager = newManager();
    await Promise.all(['1', '2', '3'].map((reference) => manager.submit(request(reference))));
    expect(store.transactions.map(({ nonce }) => nonce)).toEqual([0, 1, 2]);
    clock += 48_000;
    await manager.tick(await head());
    // Only the first one holds the others up.
    expect(store.transactions.map(({ versions }) => versions.length)).toEqual([2, 1, 1]);
    await chain.client.mine({ blocks: 1 });
    await manager.tick(await head());
    expect(store.transactions.map(({ result }) => result?.outcome)).toEqual([
      'succeeded',
      'succeeded',
      'succeeded',
    ]);
  });

  test('manager: at most 16 transactions are open', async () => {
    await chain.client.setAutomine(false);
    const manager = newManager();
    for (let each = 0; each < 16; each += 1) {
      expect(await manager.submit(request(String(each)))).toMatchObject({ kind: 'saved' });
    }
    expect(await manager.submit(request('16'))).toEqual({ kind: 'tooMany' });
    expect(store.transactions.length).toBe(16);
  });

  test('manager: a reorganized transaction is mined again under its nonce', async () => {
    const manager = newManager();
    await manager.submit(request('1'));
    expect(await finished(manager)).toBe('succeeded');
    const before = await head();
    await chain.client.request({ method: 'anvil_reorg', params: [1, []] } as never);
    store.reopenAfter(before.number - 1);
    expect(await finished(manager)).toBe('succeeded');
    expect(only().versions).toHaveLength(1);
    expect(await minedCount()).toBe(1);
  });
});
