import { encodeFunctionData, type Hex } from 'viem';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { anvilSuite } from '../../../test/support/chain/anvil-suite.ts';
import { MemoryChainLedger } from '../../../test/support/chain/memory-chain-ledger.ts';
import { restoreChain } from '../../../test/support/chain/restore-chain.ts';
import {
  connectTo,
  startTestChain,
  type TestChain,
} from '../../../test/support/chain/test-chain.ts';
import type { Address } from '../../domain/identifiers.ts';
import { toMicroUsdt } from '../../domain/micro-usdt.ts';
import { createLogger } from '../../observability/log.ts';
import { rewardRouterAbi } from '../abi/reward-router-abi.ts';
import { spotVaultAbi } from '../abi/spot-vault-abi.ts';
import { tokenAbi } from '../abi/token-abi.ts';
import { minedReceipt } from '../development/mined-receipt.ts';
import { fromHexAddress, toHexAddress } from '../evm-values.ts';
import { ChainUnavailableError } from '../node/json-rpc.ts';
import { settlementCall } from '../settlement/settlement-call.ts';
import { EventListener, type EventListenerOptions } from './event-listener.ts';

anvilSuite('event-listener', () => {
  let chain: TestChain;
  let user: Address;
  let startBlock: number;
  let ledger: MemoryChainLedger;

  beforeAll(async () => {
    chain = await startTestChain();
    const [, second] = await chain.client.getAddresses();
    user = fromHexAddress(second ?? '0x');
    await chain.client.impersonateAccount({ address: toHexAddress(chain.signer.address) });
    startBlock = Number(await chain.client.getBlockNumber({ cacheTime: 0 }));
  });
  restoreChain(() => chain);
  beforeEach(async () => {
    ledger = new MemoryChainLedger();
  });
  afterAll(() => chain.close());

  function listen(changes: Partial<EventListenerOptions> = {}): EventListener {
    return new EventListener({
      node: chain.node,
      ledger,
      contracts: chain.contracts,
      confirmations: 0,
      findStartBlock: async () => ({ number: startBlock, isFirst: false }),
      log: createLogger('silent'),
      ...changes,
    });
  }

  async function send(from: Address, to: Address, data: Hex): Promise<void> {
    const hash = await chain.client.sendTransaction({
      account: toHexAddress(from),
      to: toHexAddress(to),
      data,
      chain: null,
    });
    await minedReceipt(chain.client, hash);
  }

  async function settle(total: bigint): Promise<void> {
    const data = settlementCall([{ account: user, total: toMicroUsdt(total) }]);
    await send(chain.signer.address, chain.contracts.rewardRouter, data);
  }

  async function redeem(amount: bigint, nonce: bigint): Promise<void> {
    const { timestamp } = await chain.client.getBlock();
    const deadline = timestamp + 3_600n;
    const { rewardRouter } = chain.contracts;
    const signature = await chain.signers.reward.signReward(
      { name: 'ReferralRewardRouter', chainId: chain.chainId, verifyingContract: rewardRouter },
      { account: user, value: amount, nonce, deadline },
    );
    const data = encodeFunctionData({
      abi: rewardRouterAbi,
      functionName: 'redeemReward',
      args: [amount, deadline, signature],
    });
    await send(user, rewardRouter, data);
  }

  async function deposit(amount: bigint): Promise<void> {
    const { df, spotVault } = chain.contracts;
    const call = (functionName: 'mint' | 'approve', holder: Address) =>
      encodeFunctionData({
        abi: tokenAbi,
        functionName,
        args: [toHexAddress(holder), amount],
      });
    await send(user, df, call('mint', user));
    await send(user, df, call('approve', spotVault));
    const data = encodeFunctionData({
      abi: spotVaultAbi,
      functionName: 'deposit',
      args: [toHexAddress(df), amount],
    });
    await send(user, spotVault, data);
  }

  async function headNumber(): Promise<number> {
    return Number(await chain.client.getBlockNumber({ cacheTime: 0 }));
  }

  test('listener: every event of our contracts is counted, in order, once', async () => {
    const listener = listen();
    await settle(20_000_000n);
    await redeem(7_000_000n, 0n);
    await deposit(5n);
    const cursor = await listener.poll();
    expect(cursor.number).toBe(await headNumber());
    expect(ledger.events).toMatchObject([
      { type: 'rewardSettled', account: user, settledTotal: 20_000_000n },
      { type: 'rewardRedeemed', account: user, amount: 7_000_000n, nonce: 0 },
      {
        type: 'vaultDeposited',
        account: user,
        token: chain.contracts.df,
        rawAmount: 5n,
        number: 0,
      },
    ]);
    await listener.poll();
    await listen().poll();
    expect(ledger.events).toHaveLength(3);
  });

  test('listener: events wait for their confirmations', async () => {
    const listener = listen({ confirmations: 2 });
    await settle(1n);
    await listener.poll();
    expect(ledger.events).toEqual([]);
    await chain.client.mine({ blocks: 2 });
    await listener.poll();
    expect(ledger.events).toHaveLength(1);
  });

  test("listener: nothing beyond the chain's safe block is counted", async () => {
    let safe = startBlock;
    const listener = listen({ secureHead: async () => safe });
    await settle(1n);
    await listener.poll();
    expect(ledger.events).toEqual([]);
    safe = await headNumber();
    await listener.poll();
    expect(ledger.events).toHaveLength(1);
  });

  test('fault 5: a reorganization before finality is rolled back, and the blocks that replace it count once', async () => {
    const listener = listen();
    await settle(5n);
    await chain.client.mine({ blocks: 1 });
    await listener.poll();
    expect(ledger.events).toHaveLength(1);
    await chain.client.request({ method: 'anvil_reorg', params: [2, []] } as never);
    await settle(9n);
    const cursor = await listener.poll();
    expect(ledger.rollBacks).toHaveLength(1);
    expect(ledger.events).toMatchObject([{ type: 'rewardSettled', settledTotal: 9n }]);
    expect(cursor.hash).toBe((await chain.client.getBlock()).hash);
    // Nothing was confirmed on this chain, so nothing is out of the ordinary.
    expect(ledger.halts.open).toEqual([]);
  });

  test.each([
    ['listener: a reorganization of confirmed blocks is reported', { confirmations: 1 }],
    [
      'fault 5: a final block that leaves the chain is reported, whatever the confirmations',
      { areBlocksFinal: true },
    ],
  ])('%s', async (_name, terms) => {
    const listener = listen(terms);
    await settle(5n);
    await chain.client.mine({ blocks: 1 });
    await listener.poll();
    await chain.client.request({ method: 'anvil_reorg', params: [2, []] } as never);
    await chain.client.mine({ blocks: 1 });
    await listener.poll();
    expect(ledger.events).toEqual([]);
    expect(ledger.halts.open).toMatchObject([{ kind: 'deep_reorganization' }]);
  });

  test('listener: a different chain is not counted at all', async () => {
    await ledger.startAfter({ number: startBlock, hash: `0x${'ab'.repeat(32)}` });
    const listener = listen();
    await settle(5n);
    await expect(listener.poll()).rejects.toThrow(/a different chain/);
    expect(listener.status.isLost).toBe(true);
    expect(ledger.events).toEqual([]);
  });

  test('listener: a lagging node delays events but loses none', async () => {
    const listener = listen();
    await settle(5n);
    const stale = await chain.client.getBlock({ blockTag: 'latest' });
    await settle(6n);
    await settle(7n);
    chain.proxy.setRule((method, [first]) =>
      method === 'eth_getBlockByNumber' && first === 'latest'
        ? {
            kind: 'lie',
            result: (truth) => ({ ...(truth as object), number: toHex(stale.number) }),
          }
        : null,
    );
    await listener.poll();
    expect(ledger.events).toHaveLength(1);
    chain.proxy.setRule(null);
    await listener.poll();
    expect(ledger.events).toMatchObject([
      { settledTotal: 5n },
      { settledTotal: 6n },
      { settledTotal: 7n },
    ]);
  });

  test('listener: empty logs of a lagging node are not believed', async () => {
    await settle(5n);
    chain.proxy.setRule((method) =>
      method === 'eth_getLogs' ? { kind: 'lie', result: () => [] } : null,
    );
    await listen().poll();
    expect(ledger.events).toHaveLength(1);
  });

  test('listener: a failing node ends the poll, and the next poll resumes from there', async () => {
    await settle(5n);
    await settle(6n);
    let budget = 4;
    chain.proxy.setRule(() => (budget-- > 0 ? null : { kind: 'cut' }));
    const listener = listen();
    await expect(listener.poll()).rejects.toThrow(ChainUnavailableError);
    chain.proxy.setRule(null);
    await listener.poll();
    expect(ledger.events).toMatchObject([{ settledTotal: 5n }, { settledTotal: 6n }]);
  });

  test('listener: however the node fails, every event is counted once', async () => {
    for (const total of [1n, 2n, 3n, 4n]) await settle(total);
    const kinds = ['cut', 'halfBody', 'garbage', 'lostAnswer', 'silence'] as const;
    let count = 0;
    chain.proxy.setRule(() => {
      count += 1;
      const kind = kinds[(count * 7) % kinds.length] ?? 'cut';
      return count % 3 === 0 && count < 60 ? { kind } : null;
    });
    const listener = listen({ node: connectTo(chain.proxy.url, 300) });
    await expect
      .poll(
        async () =>
          listener.poll().then(
            ({ number }) => number,
            () => -1,
          ),
        { interval: 1 },
      )
      .toBe(await headNumber());
    expect(ledger.events.map((event) => 'settledTotal' in event && event.settledTotal)).toEqual([
      1n,
      2n,
      3n,
      4n,
    ]);
  });

  test('listener: a failing database advances nothing', async () => {
    await settle(5n);
    ledger.onCount = () => {
      throw new Error('the database is down');
    };
    const listener = listen();
    await expect(listener.poll()).rejects.toThrow('the database is down');
    expect(ledger.blocks).toHaveLength(1);
    ledger.onCount = () => undefined;
    await listener.poll();
    expect(ledger.events).toHaveLength(1);
  });

  test('listener: concurrent polls share one', async () => {
    await settle(5n);
    const listener = listen();
    const [first, second] = await Promise.all([listener.poll(), listener.poll()]);
    expect(first).toEqual(second);
    expect(ledger.events).toHaveLength(1);
  });

  test('listener: events of the same name from another contract are ignored', async () => {
    const { rewardRouter, spotVault } = chain.contracts;
    const contracts = { ...chain.contracts, rewardRouter: spotVault, spotVault: rewardRouter };
    await settle(5n);
    await listen({ contracts }).poll();
    expect(ledger.events).toEqual([]);
  });
});

function toHex(value: bigint): Hex {
  return `0x${value.toString(16)}`;
}
