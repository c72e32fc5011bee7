import type { Hex } from 'viem';
import { encodeFunctionData, getAbiItem, toEventSelector } from 'viem';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { anvilSuite } from '../../../test/support/chain/anvil-suite.ts';
import type { Fault } from '../../../test/support/chain/fault-proxy.ts';
import {
  connectTo,
  startTestChain,
  type TestChain,
} from '../../../test/support/chain/test-chain.ts';
import type { Address } from '../../domain/identifiers.ts';
import { rewardRouterAbi } from '../abi/reward-router-abi.ts';
import { minedReceipt } from '../development/mined-receipt.ts';
import { ChainRevertedError } from './chain-node.ts';
import { ChainRpcError, ChainUnavailableError, createJsonRpc } from './json-rpc.ts';

anvilSuite('json-rpc-node', () => {
  let chain: TestChain;

  beforeAll(async () => {
    chain = await startTestChain();
  });
  afterEach(() => chain.proxy.setRule(null));
  afterAll(() => chain.close());

  const account = '0x00000000000000000000000000000000000000a1' as Address;
  const settledTopic = toEventSelector(getAbiItem({ abi: rewardRouterAbi, name: 'RewardSettled' }));

  async function settle(total: bigint): Promise<void> {
    const operator = chain.signer.address as Hex;
    await chain.client.impersonateAccount({ address: operator });
    const hash = await chain.client.writeContract({
      account: operator,
      chain: null,
      address: chain.contracts.rewardRouter as Hex,
      abi: rewardRouterAbi,
      functionName: 'batchSettleRewards',
      args: [[account as Hex], [total]],
    });
    await minedReceipt(chain.client, hash);
  }

  function filter() {
    return { addresses: [chain.contracts.rewardRouter], firstTopics: [settledTopic] };
  }

  test('node: heads are linked by their hashes and ordered in time', async () => {
    await chain.client.mine({ blocks: 1 });
    const head = await chain.node.loadHead();
    const parent = await chain.node.findHeader(head.number - 1);
    expect(head.parentHash).toBe(parent?.hash);
    expect(head.timestamp).toBeGreaterThanOrEqual(parent?.timestamp ?? Infinity);
    expect(await chain.node.findHeader(head.number + 10)).toBeNull();
    expect(await chain.node.loadChainId()).toBe(chain.chainId);
  });

  test('node: a block has its own logs and no others', async () => {
    await settle(5n);
    const head = await chain.node.loadHead();
    const logs = await chain.node.loadLogs(head, filter());
    expect(logs).toHaveLength(1);
    expect(logs[0]).toMatchObject({
      address: chain.contracts.rewardRouter,
      blockHash: head.hash,
      topics: [settledTopic, `0x${account.slice(2).padStart(64, '0')}`],
    });
    await chain.client.mine({ blocks: 1 });
    chain.proxy.takeCalls();
    expect(await chain.node.loadLogs(await chain.node.loadHead(), filter())).toEqual([]);
    // The bloom filter of an empty block matches nothing, so no node is asked.
    expect(chain.proxy.takeCalls()).toEqual(['eth_getBlockByNumber']);
  });

  test('node: logs of a block that the node does not know are an error, not an empty list', async () => {
    await settle(6n);
    const head = await chain.node.loadHead();
    const hash: Hex = `0x${'ab'.repeat(32)}`;
    const unknown = { ...head, hash };
    await expect(chain.node.loadLogs(unknown, filter())).rejects.toThrow(ChainRpcError);
  });

  test('node: logs that a stale node leaves out are found in the receipts', async () => {
    await settle(7n);
    const head = await chain.node.loadHead();
    chain.proxy.setRule((method) =>
      method === 'eth_getLogs' ? { kind: 'lie', result: () => [] } : null,
    );
    expect(await chain.node.loadLogs(head, filter())).toHaveLength(1);
  });

  test('node: logs of another block are refused', async () => {
    await settle(8n);
    const head = await chain.node.loadHead();
    chain.proxy.setRule((method) =>
      method === 'eth_getLogs'
        ? {
            kind: 'lie',
            result: (truth) =>
              (truth as object[]).map((log) => ({ ...log, blockHash: `0x${'00'.repeat(32)}` })),
          }
        : null,
    );
    await expect(chain.node.loadLogs(head, filter())).rejects.toThrow(/were not requested/);
  });

  const faults: readonly Fault[] = [
    { kind: 'status', status: 500 },
    { kind: 'status', status: 429 },
    { kind: 'silence' },
    { kind: 'halfBody' },
    { kind: 'cut' },
    { kind: 'garbage' },
    { kind: 'lostAnswer' },
    { kind: 'lie', result: () => null },
    { kind: 'lie', result: () => '0x' },
    { kind: 'lie', result: () => 5 },
    { kind: 'lie', result: () => '0x00ff' },
    { kind: 'refusal', code: -32_000, message: 'header not found' },
  ];

  test.each(faults)('node: %j becomes ChainUnavailableError in time', async (fault) => {
    chain.proxy.setRule(() => fault);
    const node = connectTo(chain.proxy.url, 300);
    const failure = await node.loadBalance(account).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ChainUnavailableError);
    expect(String(failure)).not.toContain(chain.proxy.url);
  });

  test("node: a refused call carries the contract's own error", async () => {
    const call = {
      from: account,
      to: chain.contracts.rewardRouter,
      data: encodeFunctionData({
        abi: rewardRouterAbi,
        functionName: 'batchSettleRewards',
        args: [[], []],
      }),
    };
    const caught = (error: unknown) => error;
    for (const attempt of [
      chain.node.call(call).catch(caught),
      chain.node.estimateGas(call).catch(caught),
    ]) {
      const failure = await attempt;
      expect(failure).toBeInstanceOf(ChainRevertedError);
      expect((failure as ChainRevertedError).data).toMatch(/^0x[0-9a-f]{8}0{24}0{38}a1$/);
    }
  });

  test('node: a broadcast distinguishes accepted, known and refused', async () => {
    const draft = {
      nonce: 0,
      to: chain.signer.address,
      data: '0x' as Hex,
      gasLimit: 21_000n,
      maxFeePerGas: 3_000_000_000n,
      maxPriorityFeePerGas: 1_000_000_000n,
    };
    await chain.client.setAutomine(false);
    const nonce = await chain.node.loadTransactionCount(chain.signer.address, 'pending');
    const { bytes, hash } = await chain.signer.signTransaction(chain.chainId, { ...draft, nonce });
    expect(await chain.node.broadcast(bytes)).toBe('accepted');
    expect(await chain.node.broadcast(bytes)).toBe('known');
    expect(await chain.node.isTransactionKnown(hash)).toBe(true);
    expect(await chain.node.findReceipt(hash)).toBeNull();
    const cheap = { ...draft, nonce, maxFeePerGas: 2_999_999_999n };
    const replacement = await chain.signer.signTransaction(chain.chainId, cheap);
    expect(await chain.node.broadcast(replacement.bytes)).toBe('underpriced');
    await chain.client.mine({ blocks: 1 });
    await chain.client.setAutomine(true);
    expect(await chain.node.broadcast(replacement.bytes)).toBe('nonce_too_low');
    const receipt = await chain.node.findReceipt(hash);
    expect(receipt).toMatchObject({ transactionHash: hash, isSuccess: true });
    expect(
      await chain.node.loadTransactionCount(chain.signer.address, {
        blockHash: receipt?.blockHash ?? '0x',
      }),
    ).toBe(nonce + 1);
    const poor = await chain.signer.signTransaction(chain.chainId, {
      ...draft,
      nonce: nonce + 1,
      maxFeePerGas: 10n ** 18n,
    });
    expect(await chain.node.broadcast(poor.bytes)).toBe('insufficient_funds');
  });

  test.each([
    ['nonce too high', 'nonce_gap'],
    ['Transaction nonce is too distant from current sender nonce', 'nonce_gap'],
    ['gapped-nonce tx from delegated accounts', 'nonce_gap'],
    ['exceeds block gas limit', 'gas_limit'],
    ['transaction gas limit too high (cap: 16777216, tx: 20000000)', 'gas_limit'],
    ['intrinsic gas too low', 'gas_limit'],
    ['tx fee (1.20 ether) exceeds the configured cap (1.00 ether)', 'fee_cap'],
    ['replacement transaction underpriced', 'underpriced'],
    ['not today', 'unknown'],
  ])('node: the refusal "%s" is %s', async (message, refusal) => {
    chain.proxy.setRule(() => ({ kind: 'refusal', code: -32_000, message }));
    expect(await chain.node.broadcast('0x02')).toBe(refusal);
  });

  test('node: after many failures calls fail at once, and they recover on their own', async () => {
    let isDown = true;
    chain.proxy.setRule(() => (isDown ? { kind: 'status', status: 502 } : null));
    const url = chain.proxy.url;
    const rpc = createJsonRpc({ url, timeoutMs: 10_000, failuresMax: 3, pauseMs: 50 });
    const attempt = async () =>
      rpc.call('eth_chainId', []).catch((error: unknown) => String(error));
    chain.proxy.takeCalls();
    for (let count = 0; count < 3; count += 1) expect(await attempt()).toMatch(/502/);
    expect(await attempt()).toMatch(/has not answered recently/);
    expect(chain.proxy.takeCalls()).toHaveLength(3);
    isDown = false;
    await expect.poll(attempt, { interval: 10 }).toBe('0x7a69');
  });

  test('node: an unreachable node is unavailable', async () => {
    const gone = connectTo('http://127.0.0.1:9');
    await expect(gone.loadHead()).rejects.toThrow(ChainUnavailableError);
  });
});
