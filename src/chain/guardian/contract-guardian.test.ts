import { readFileSync } from 'node:fs';
import {
  type Abi,
  type Hex,
  parseAbi,
  parseEther,
  parseTransaction,
  type TransactionSerializableEIP1559,
  toFunctionSignature,
} from 'viem';
import { generatePrivateKey } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { anvilSuite } from '../../../test/support/chain/anvil-suite.ts';
import { MemoryContractPauses } from '../../../test/support/chain/memory-contract-pauses.ts';
import { startTestChain, type TestChain } from '../../../test/support/chain/test-chain.ts';
import type { PausableContract } from '../../application/ports/contract-pauses.ts';
import { createLogger } from '../../observability/log.ts';
import type { ChainConnection } from '../chain-connection.ts';
import { minedReceipt } from '../development/mined-receipt.ts';
import { toHexAddress } from '../evm-values.ts';
import type { BroadcastResult, ChainNode } from '../node/chain-node.ts';
import type { ChainSigner } from '../signers/chain-signer.ts';
import { createLocalSigner } from '../signers/local-signer.ts';
import { ChainGuardian, guardedAbi } from './contract-guardian.ts';

const contracts = ['spotVault', 'rewardRouter', 'referralRebate'] as const;
const setGuardian = parseAbi(['function setGuardian(address account, bool isNamed)']);
const pollMs = 12_000;

test('guardian: the calls are those of all three contracts', () => {
  for (const name of ['SpotVault', 'RewardRouter', 'ReferralRebate']) {
    const abi = JSON.parse(readFileSync(`contracts/abi/${name}.json`, 'utf8')) as Abi;
    const known = abi.flatMap((part) =>
      part.type === 'function' ? toFunctionSignature(part) : [],
    );
    for (const part of guardedAbi) expect(known).toContain(toFunctionSignature(part));
  }
});

anvilSuite('guardian', () => {
  let chain: TestChain;
  let signer: ChainSigner;
  let pauses: MemoryContractPauses;
  let node: ChainNode;
  let now: number;
  let counted: Awaited<ReturnType<ChainNode['loadHead']>>;
  let guardian: ChainGuardian;
  let state: Hex;
  let sent: (Pick<TransactionSerializableEIP1559, 'nonce' | 'maxFeePerGas'> & {
    readonly result: BroadcastResult;
  })[];

  beforeAll(async () => {
    chain = await startTestChain();
    signer = createLocalSigner(generatePrivateKey());
    const address = toHexAddress(signer.address);
    await chain.client.setBalance({ address, value: parseEther('1') });
    const [council] = (await chain.client.getAddresses()) as [Hex];
    for (const contract of contracts) {
      const hash = await chain.client.writeContract({
        account: council,
        chain: null,
        address: toHexAddress(chain.contracts[contract]),
        abi: setGuardian,
        functionName: 'setGuardian',
        args: [address, true],
      });
      await minedReceipt(chain.client, hash);
    }
    state = await chain.client.snapshot();
  });
  beforeEach(async () => {
    await chain.client.revert({ id: state });
    state = await chain.client.snapshot();
    await chain.client.setAutomine(true);
    now = 0;
    pauses = new MemoryContractPauses();
    sent = [];
    const broadcast = async (bytes: Hex) => {
      const result = await chain.node.broadcast(bytes);
      sent.push({ ...parseTransaction(bytes as `0x02${string}`), result });
      return result;
    };
    node = { ...chain.node, broadcast };
    counted = await node.loadHead();
    guardian = guardianOf(signer);
  });
  afterAll(() => chain.close());

  function guardianOf(key: ChainSigner | null, feePerGasMax = 10n ** 12n): ChainGuardian {
    return new ChainGuardian({
      signer: key,
      connection: () => ({ ...chain, node }) as unknown as ChainConnection,
      pauses,
      ledger: { loadCountedBlocks: () => Promise.resolve([counted]) },
      feePerGasMax,
      now: () => now,
      log: createLogger('silent'),
    });
  }

  const isPaused = async (contract: PausableContract) =>
    chain.client.readContract({
      address: toHexAddress(chain.contracts[contract]),
      abi: guardedAbi,
      functionName: 'paused',
    });
  const states = () => pauses.all.map(({ state: each }) => each);

  test('guardian: all three contracts are paused at once, and done when a counted block shows it', async () => {
    expect(await guardian.canPause(contracts)).toBe(true);
    for (const contract of contracts) pauses.request(contract);
    await guardian.pauseRequested();
    expect(await Promise.all(contracts.map(isPaused))).toEqual([true, true, true]);
    await guardian.pauseRequested();
    expect(states()).toEqual(['sent', 'sent', 'sent']);
    counted = await node.loadHead();
    await guardian.pauseRequested();
    expect(states()).toEqual(['paused', 'paused', 'paused']);
  });

  test('guardian: a contract that others have paused needs no transaction', async () => {
    pauses.request('spotVault');
    await guardian.pauseRequested();
    pauses = new MemoryContractPauses();
    pauses.request('spotVault');
    counted = await node.loadHead();
    await guardianOf(signer).pauseRequested();
    expect(pauses.all).toMatchObject([{ state: 'paused', transaction: null }]);
  });

  test('guardian: what is not mined is sent again with a higher fee, under the same nonce, within the cap', async () => {
    await chain.client.setAutomine(false);
    pauses.request('spotVault');
    for (let count = 0; count < 3; count += 1) {
      await guardian.pauseRequested();
      // A turn that comes early sends nothing.
      await guardian.pauseRequested();
      now += pollMs;
    }
    expect(sent.map(({ nonce = 0 }) => nonce)).toEqual([0, 0, 0]);
    const [first = 0n, second = 0n, third = 0n] = sent.map(({ maxFeePerGas }) => maxFeePerGas);
    expect(second).toBeGreaterThan(first);
    expect(third).toBeGreaterThan(second);
    // A restart forgets the fee, not what has to be paused.
    guardian = guardianOf(signer);
    const { length } = sent;
    for (let count = 0; count < 5; count += 1) await guardian.pauseRequested();
    expect(sent.slice(length).map(({ result }) => result)).toEqual([
      'underpriced',
      'underpriced',
      'underpriced',
      'accepted',
    ]);
    expect(states()).toEqual(['sent']);
    await chain.client.mine({ blocks: 1 });
    expect(await isPaused('spotVault')).toBe(true);
  });

  test('guardian: no transaction costs more than the cap of a unit of gas', async () => {
    await chain.client.setAutomine(false);
    const { maxFeePerGas } = await node.loadFees();
    guardian = guardianOf(signer, maxFeePerGas);
    pauses.request('spotVault');
    await guardian.pauseRequested();
    now += pollMs;
    await guardian.pauseRequested();
    expect(sent.map((each) => each.maxFeePerGas)).toEqual([maxFeePerGas, maxFeePerGas]);
    await chain.client.mine({ blocks: 1 });
  });

  test('guardian: a chain that does not answer, or a key without coin, keeps the request open', async () => {
    pauses.request('rewardRouter');
    const address = toHexAddress(signer.address);
    await chain.client.setBalance({ address, value: 0n });
    await guardian.pauseRequested();
    expect(pauses.all).toMatchObject([{ state: 'requested', transaction: null }]);
    await chain.client.setBalance({ address, value: parseEther('1') });
    now += pollMs;
    await guardian.pauseRequested();
    expect(await isPaused('rewardRouter')).toBe(true);
  });

  test('guardian: without a key, or with one that the contracts do not name, nothing is paused', async () => {
    const stranger = createLocalSigner(generatePrivateKey());
    for (const key of [null, stranger]) {
      const other = guardianOf(key);
      expect(await other.canPause(['spotVault'])).toBe(false);
      pauses.request('spotVault');
      await other.pauseRequested();
    }
    expect(states()).toEqual(['requested', 'requested']);
    expect(await isPaused('spotVault')).toBe(false);
  });
});
