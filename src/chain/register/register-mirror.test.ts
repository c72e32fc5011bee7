import type { Hex } from 'viem';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { anvilSuite } from '../../../test/support/chain/anvil-suite.ts';
import { MemoryRegisterQueue } from '../../../test/support/chain/memory-register-queue.ts';
import { MemoryTransactionStore } from '../../../test/support/chain/memory-transaction-store.ts';
import { restoreChain } from '../../../test/support/chain/restore-chain.ts';
import { startTestChain, type TestChain } from '../../../test/support/chain/test-chain.ts';
import type { BlockReference } from '../../application/ports/chain-ledger.ts';
import type { Address } from '../../domain/identifiers.ts';
import { createLogger } from '../../observability/log.ts';
import { rewardRouterAbi } from '../abi/reward-router-abi.ts';
import type { ChainConnection } from '../chain-connection.ts';
import { ChainReader } from '../reading/on-chain-reader.ts';
import { TransactionManager } from '../transactions/transaction-manager.ts';
import { RegisterMirror } from './register-mirror.ts';

anvilSuite('register-mirror', () => {
  let chain: TestChain;
  let queue: MemoryRegisterQueue;
  let transactions: MemoryTransactionStore;
  let reader: ChainReader;

  beforeAll(async () => {
    chain = await startTestChain();
  });
  restoreChain(() => chain);
  beforeEach(async () => {
    queue = new MemoryRegisterQueue();
    transactions = new MemoryTransactionStore();
    const { node, contracts, signers } = chain;
    const connection = { node, contracts, signers, version: 2 } as unknown as ChainConnection;
    reader = new ChainReader({
      connection,
      signingFault: null,
      vaultFault: null,
      loadHaltFault: async () => null,
    });
  });
  afterAll(() => chain.close());

  const log = createLogger('silent');
  const agent = '0x00000000000000000000000000000000000000a1' as Address;
  const trader = '0x00000000000000000000000000000000000000b2' as Address;
  const nobody = '0x0000000000000000000000000000000000000000';

  /** The mirror and the transactions of a process that has just started. */
  function createMirror() {
    const { node, signer, chainId, contracts } = chain;
    const policy = { replaceAfterMs: 48_000, feeMultipleMax: 5n, feePerGasMax: 10n ** 12n };
    const manager = new TransactionManager({
      node,
      signer,
      chainId,
      log,
      policy,
      store: transactions,
      now: () => 1_000_000,
    });
    const mirror = new RegisterMirror({
      node,
      log,
      queue,
      transactions,
      manager,
      register: contracts.referralRebate,
      operator: signer.address,
      changesPerBatchMax: 3,
    });
    return { manager, mirror };
  }

  async function cursor(): Promise<BlockReference> {
    const { number, hash } = await chain.node.loadHead();
    return { number, hash };
  }

  /** Rounds of a service that is restarted for each of them. */
  async function mirrorAll(): Promise<void> {
    for (let round = 0; round < 12 && queue.length > 0; round += 1) {
      const { manager, mirror } = createMirror();
      await mirror.run(await cursor());
      await manager.tick(await cursor());
    }
  }

  test('mirror: codes, bindings and terms arrive in order, batch by batch', async () => {
    queue.add(
      { kind: 'code', code: 'SATOSHI_21', owner: agent },
      { kind: 'terms', account: agent, tierLevel: 2, rebateBps: 2_000 },
      { kind: 'binding', trader, code: 'SATOSHI_21' },
      { kind: 'binding', trader, code: null },
      { kind: 'binding', trader, code: 'SATOSHI_21' },
    );
    await mirrorAll();
    expect(queue.length).toBe(0);
    expect(await reader.loadTraderReferral(trader)).toEqual({
      code: 'SATOSHI_21',
      referrer: agent,
      totalRebateBps: 2_000,
      traderDiscountBps: 0,
      affiliateRewardBps: 2_000,
    });
    expect(await reader.loadUserRebate(trader)).toMatchObject({ code: 'SATOSHI_21' });
    expect(await reader.loadUserRebate(agent)).toMatchObject({ tierLevel: 2 });
  });

  test('mirror: an unbound account has no code and the zero address', async () => {
    queue.add(
      { kind: 'code', code: 'SATOSHI_21', owner: agent },
      { kind: 'binding', trader, code: 'SATOSHI_21' },
      { kind: 'binding', trader, code: null },
    );
    await mirrorAll();
    expect(await reader.loadUserRebate(trader)).toEqual({
      claimed: 0n,
      nonce: 0,
      code: '',
      tierLevel: 0,
      referrer: nobody,
    });
  });

  test('mirror: a change that the contract refuses is skipped, the others are applied', async () => {
    queue.add(
      { kind: 'code', code: 'SATOSHI_21', owner: agent },
      { kind: 'binding', trader, code: 'UNKNOWN_1' },
      { kind: 'terms', account: agent, tierLevel: 1, rebateBps: 1_500 },
    );
    await mirrorAll();
    expect(queue.length).toBe(0);
    expect(await reader.loadUserRebate(trader)).toMatchObject({ code: '' });
    expect(await reader.loadUserRebate(agent)).toMatchObject({ tierLevel: 1 });
  });

  test('mirror: a batch whose transaction is saved is not sent twice', async () => {
    queue.add({ kind: 'code', code: 'SATOSHI_21', owner: agent });
    const first = createMirror();
    chain.proxy.setRule((method) =>
      method === 'eth_sendRawTransaction' ? { kind: 'lostAnswer' } : null,
    );
    await first.mirror.run(await cursor()).catch(() => undefined);
    chain.proxy.setRule(null);
    await mirrorAll();
    expect(queue.length).toBe(0);
    expect(transactions.transactions).toHaveLength(1);
  });

  test('mirror: waits while the register is paused or has a different operator', async () => {
    const { client, contracts } = chain;
    const [owner] = await client.getAddresses();
    await client.writeContract({
      account: owner!,
      chain: null,
      address: contracts.referralRebate as Hex,
      abi: rewardRouterAbi,
      functionName: 'setOperator',
      args: [agent as Hex],
    });
    queue.add({ kind: 'code', code: 'SATOSHI_21', owner: agent });
    await mirrorAll();
    expect(queue.length).toBe(1);
    expect(transactions.transactions).toHaveLength(0);
    expect(await reader.loadOperatorStatus()).toEqual({
      operator: chain.signers.reward.address,
      isOperator: false,
      contract: contracts.referralRebate,
    });
  });
});
