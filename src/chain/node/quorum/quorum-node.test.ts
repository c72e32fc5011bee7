import { encodeFunctionData, type Hex, keccak256, toHex } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { anvilSuite } from '../../../../test/support/chain/anvil-suite.ts';
import {
  type FaultProxy,
  type Rule,
  startFaultProxy,
} from '../../../../test/support/chain/fault-proxy.ts';
import {
  newWallet,
  startTestChain,
  type TestChain,
} from '../../../../test/support/chain/test-chain.ts';
import { createLogger } from '../../../observability/log.ts';
import { systemTime } from '../../../system/system-time.ts';
import { spotVaultAbi } from '../../abi/spot-vault-abi.ts';
import { tokenAbi } from '../../abi/token-abi.ts';
import { minedReceipt } from '../../development/mined-receipt.ts';
import { filterOf, readEvents } from '../../events/registry.ts';
import { toHexAddress } from '../../evm-values.ts';
import { loadAccounted, loadReleaseNonce } from '../../reading/proven-views.ts';
import { ChainRevertedError } from '../chain-node.ts';
import { createJsonRpc } from '../json-rpc.ts';
import { createJsonRpcNode } from '../json-rpc-node.ts';
import { ChainDisagreementError } from './providers.ts';
import { QuorumNode } from './quorum-node.ts';

// Three providers of one chain, each behind a proxy that can lie.

anvilSuite('quorum', () => {
  let chain: TestChain;
  let proxies: FaultProxy[];
  let node: QuorumNode;
  let now: number;
  let deposit: { readonly number: number; readonly hash: Hex };

  beforeAll(async () => {
    chain = await startTestChain();
    proxies = await Promise.all([1, 2, 3].map(() => startFaultProxy(chain.rpcUrl)));
    deposit = await makeDeposit(25n);
  });
  beforeEach(() => {
    now = 0;
    node = open();
  });
  afterEach(() => {
    for (const proxy of proxies) proxy.setRule(null);
  });
  afterAll(async () => {
    await Promise.all(proxies.map((proxy) => proxy.close()));
    await chain.close();
  });

  function open(areProofsRequired = true): QuorumNode {
    return new QuorumNode({
      providers: proxies.map(({ url }, index) => {
        const retryPolicy = { timeoutMs: 60_000, failuresMax: 1_000, pauseMs: 0 };
        const rpc = createJsonRpc({ url, ...retryPolicy });
        return { name: `provider ${index}`, rpc, node: createJsonRpcNode(rpc) };
      }),
      quorum: 2,
      areProofsRequired,
      time: { ...systemTime, monotonicMs: () => now },
      log: createLogger('silent'),
    });
  }

  /** A deposit of that many units, after another transaction of the same block. */
  async function makeDeposit(amount: bigint) {
    const { df, spotVault } = chain.contracts;
    const [, user] = (await chain.client.getAddresses()) as [Hex, Hex];
    const send = async (to: Hex, data: Hex) => {
      const hash = await chain.client.sendTransaction({ account: user, to, data, chain: null });
      return minedReceipt(chain.client, hash);
    };
    const ofToken = (functionName: 'mint' | 'approve', holder: Hex) =>
      encodeFunctionData({ abi: tokenAbi, functionName, args: [holder, amount] });
    await send(toHexAddress(df), ofToken('mint', user));
    await send(toHexAddress(df), ofToken('approve', toHexAddress(spotVault)));
    const { blockNumber, blockHash } = await send(
      toHexAddress(spotVault),
      encodeFunctionData({
        abi: spotVaultAbi,
        functionName: 'deposit',
        args: [toHexAddress(df), amount],
      }),
    );
    return { number: Number(blockNumber), hash: blockHash };
  }

  async function depositsSeen(): Promise<readonly bigint[]> {
    const header = await node.findHeader(deposit.number);
    const logs = await node.loadLogs(header!, filterOf(chain.contracts));
    return readEvents(logs, chain.contracts).flatMap((event) =>
      event.type === 'vaultDeposited' ? [event.rawAmount] : [],
    );
  }

  const lie = (method: string, result: (truth: never) => unknown): Rule => {
    return (asked) =>
      asked === method ? { kind: 'lie', result: (truth) => result(truth as never) } : null;
  };

  test('fault 1: a provider that answers with a zero bloom hides nothing and is excluded', async () => {
    const zeroBloom = (block: object) => ({ ...block, logsBloom: `0x${'0'.repeat(512)}` });
    proxies[0]!.setRule(lie('eth_getBlockByNumber', zeroBloom));
    expect(await depositsSeen()).toEqual([25n]);
    await expect.poll(() => node.agreement.excludedCount).toBe(1);
    expect(node.agreement.fault).toBeNull();
    // It is asked again after ten minutes, and not at all after the third time.
    for (const offences of [2, 3]) {
      now += 10 * 60_000;
      expect(node.agreement.excludedCount).toBe(0);
      expect(await depositsSeen()).toEqual([25n]);
      await expect.poll(() => node.agreement.excludedCount).toBe(1);
      expect(offences).toBeGreaterThan(1);
    }
    now += 60 * 60_000;
    expect(node.agreement.excludedCount).toBe(1);
  });

  type Receipts = readonly { readonly logs: readonly object[] }[];
  test.each<[string, (receipts: Receipts) => unknown]>([
    ['missing logs', (receipts) => receipts.map((each) => ({ ...each, logs: [] }))],
    ['missing receipts', () => []],
    [
      'wrong amounts',
      (receipts) =>
        receipts.map((each) => ({
          ...each,
          logs: each.logs.map((log) => ({ ...log, data: toHex(1_000_000n, { size: 64 }) })),
        })),
    ],
    ['another status', (receipts) => receipts.map((each) => ({ ...each, status: '0x0' }))],
  ])('fault 1: receipts with %s do not give the root of the block', async (_, change) => {
    proxies[0]!.setRule(lie('eth_getBlockReceipts', change));
    expect(await depositsSeen()).toEqual([25n]);
    expect(node.agreement.excludedCount).toBe(1);
  });

  test('quorum: if no provider can prove the answer, none is excluded and the request is repeated', async () => {
    for (const proxy of proxies) proxy.setRule(lie('eth_getBlockReceipts', () => []));
    await expect(depositsSeen()).rejects.toThrow('no provider proves');
    expect(node.agreement.excludedCount).toBe(0);
    for (const proxy of proxies) proxy.setRule(null);
    expect(await depositsSeen()).toEqual([25n]);
  });

  test('quorum: a made-up balance changes nothing, since balances are proven by the state root', async () => {
    const connection = { node, contracts: chain.contracts, version: 2 } as const;
    const [, user] = (await chain.client.getAddresses()) as [Hex, Hex];
    const account = user.toLowerCase() as typeof chain.contracts.df;
    const asked = { token: chain.contracts.df, blockHash: deposit.hash };
    const truth = await loadAccounted(connection, asked);
    expect(truth).toBe(10n ** 9n * 10n ** 18n + 25n);
    type Proof = { readonly storageProof: readonly { readonly proof: readonly Hex[] }[] };
    proxies[0]!.setRule(
      lie('eth_getProof', (proof: Proof) => ({
        ...proof,
        storageProof: [{ ...proof.storageProof[0], value: '0x1', proof: ['0xc0'] }],
      })),
    );
    expect(await loadAccounted(connection, asked)).toBe(truth);
    expect(node.agreement.excludedCount).toBe(1);
    // A slot that was never written is proven to be empty.
    expect(await loadReleaseNonce(connection, { account, blockHash: deposit.hash })).toBe(0n);
  });

  test('quorum: if one provider answers a call differently, the others decide', async () => {
    const { df, spotVault } = chain.contracts;
    const data = encodeFunctionData({
      abi: tokenAbi,
      functionName: 'balanceOf',
      args: [toHexAddress(spotVault)],
    });
    const truth = await node.call({ to: df, data }, { blockHash: deposit.hash });
    proxies[1]!.setRule(lie('eth_call', () => toHex(7n, { size: 32 })));
    expect(await node.call({ to: df, data }, { blockHash: deposit.hash })).toBe(truth);
    proxies[2]!.setRule(lie('eth_call', () => toHex(8n, { size: 32 })));
    await expect(node.call({ to: df, data }, { blockHash: deposit.hash })).rejects.toThrow(
      ChainDisagreementError,
    );
  });

  test('fault 3: one lagging provider of three delays nothing', async () => {
    const head = await node.loadHead();
    proxies[0]!.setRule((method, [block]) =>
      method === 'eth_getBlockByNumber' && block === 'latest'
        ? { kind: 'lie', result: (truth) => ({ ...(truth as object), number: '0x1' }) }
        : null,
    );
    expect((await node.loadHead()).number).toBe(head.number);
    proxies[0]!.setRule(() => ({ kind: 'status', status: 502 }));
    expect((await node.loadHead()).number).toBe(head.number);
    expect(node.agreement.excludedCount).toBe(0);
  });

  test('fault 3: forks without a quorum count and sign nothing, and it resumes automatically', async () => {
    node = open(false);
    const fork = (seed: string) => (block: object) => ({ ...block, hash: keccak256(toHex(seed)) });
    proxies[0]!.setRule(lie('eth_getBlockByNumber', fork('one')));
    proxies[1]!.setRule(lie('eth_getBlockByNumber', fork('two')));
    await expect(node.findHeader(deposit.number)).rejects.toThrow('the providers disagree');
    expect(node.agreement.fault).toBeNull();
    now += 31_000;
    expect(node.agreement).toMatchObject({ disagreementSeconds: 31 });
    // The message says which provider gave which answer.
    expect(node.agreement.fault).toMatch(
      /provider 0 answered 0x.*provider 1 answered 0x.*provider 2 answered/,
    );
    proxies[1]!.setRule(null);
    expect((await node.findHeader(deposit.number))?.hash).toBe(deposit.hash);
    expect(node.agreement).toMatchObject({ disagreementSeconds: 0, fault: null });
  });

  test('fault 2: if nothing can be proven, a quorum must return the same logs', async () => {
    node = open(false);
    const zeroBloom = (block: object) => ({ ...block, logsBloom: `0x${'0'.repeat(512)}` });
    const none: Rule = (method) => {
      const isLogs = method === 'eth_getLogs' || method === 'eth_getBlockReceipts';
      if (isLogs) return { kind: 'lie', result: () => [] };
      return method === 'eth_getBlockByNumber'
        ? { kind: 'lie', result: (truth) => zeroBloom(truth as object) }
        : null;
    };
    proxies[0]!.setRule(none);
    expect(await depositsSeen()).toEqual([25n]);
    // All of the quorum together can hide a log; the books and the nonces show it.
    proxies[1]!.setRule(none);
    expect(await depositsSeen()).toEqual([]);
  });

  test('fault 4: too few providers that know `finalized` are an error', async () => {
    expect(await node.loadFinal('finalized')).toBeLessThanOrEqual((await node.loadHead()).number);
    for (const proxy of proxies.slice(1)) {
      proxy.setRule((method, [block]) =>
        method === 'eth_getBlockByNumber' && block === 'finalized'
          ? { kind: 'refusal', code: -32_602, message: 'unknown block tag' }
          : null,
      );
    }
    await expect(node.loadFinal('finalized')).rejects.toThrow('unknown block tag');
  });

  test('quorum: one acceptance is enough to broadcast', async () => {
    const { account, address } = await newWallet(chain);
    for (const proxy of proxies.slice(1)) {
      proxy.setRule(() => ({ kind: 'status', status: 502 }));
    }
    const bytes = await account.signTransaction({
      chainId: chain.chainId,
      nonce: 0,
      to: account.address,
      gas: 21_000n,
      maxFeePerGas: 10n ** 10n,
      maxPriorityFeePerGas: 1n,
    });
    expect(await node.broadcast(bytes)).toBe('accepted');
    for (const proxy of proxies) proxy.setRule(null);
    const head = await node.loadHead();
    expect(await node.loadTransactionCount(address, { blockHash: head.hash })).toBe(1);
    expect(await node.findReceipt(keccak256(bytes))).toMatchObject({ isSuccess: true });
  });

  test("quorum: a contract's revert is an answer on which the quorum agrees", async () => {
    const { spotVault } = chain.contracts;
    const data = encodeFunctionData({ abi: spotVaultAbi, functionName: 'pause' });
    proxies[0]!.setRule(lie('eth_call', () => '0x'));
    const refused = await node.call({ to: spotVault, data }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ChainRevertedError);
  });
});
