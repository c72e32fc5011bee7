import { type Abi, createWalletClient, encodeFunctionData, type Hex, http, parseAbi } from 'viem';
import { generatePrivateKey } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { anvilSuite } from '../../test/support/chain/anvil-suite.ts';
import { deployFirstVersion } from '../../test/support/chain/deploy-first-version.ts';
import { MemoryChainLedger } from '../../test/support/chain/memory-chain-ledger.ts';
import { memoryChainOptions } from '../../test/support/chain/memory-chain-service.ts';
import { MemorySettlementStore } from '../../test/support/chain/memory-settlement-store.ts';
import { MemoryTransactionStore } from '../../test/support/chain/memory-transaction-store.ts';
import { restoreChain } from '../../test/support/chain/restore-chain.ts';
import { newWallet, startTestChain, type TestChain } from '../../test/support/chain/test-chain.ts';
import { ChainError, SigningError } from '../application/ports/chain.ts';
import type { Address } from '../domain/identifiers.ts';
import { toMicroUsdt } from '../domain/micro-usdt.ts';
import { rewardRouterAbi } from './abi/reward-router-abi.ts';
import { spotVaultAbi } from './abi/spot-vault-abi.ts';
import {
  type ChainService,
  type ChainServiceOptions,
  createChainService,
} from './chain-service.ts';
import { ensureRoles } from './development/ensure-roles.ts';
import { minedReceipt } from './development/mined-receipt.ts';
import { createSigners } from './signers/signer-settings.ts';

anvilSuite('chain-service', () => {
  let chain: TestChain;
  let service: ChainService | null = null;
  let ledger: MemoryChainLedger;
  let settlements: MemorySettlementStore;

  beforeAll(async () => {
    chain = await startTestChain();
  });
  restoreChain(() => chain);
  beforeEach(async () => {
    ledger = new MemoryChainLedger();
    settlements = new MemorySettlementStore();
  });
  afterEach(async () => {
    await service?.stop();
    service = null;
  });
  afterAll(() => chain.close());

  const account = '0x00000000000000000000000000000000000000a1' as Address;

  function create(change: Partial<ChainServiceOptions> = {}): ChainService {
    service = createChainService(optionsOf(change));
    return service;
  }

  function optionsOf(change: Partial<ChainServiceOptions>): ChainServiceOptions {
    return {
      rpcUrl: chain.proxy.url,
      developmentFolder: '',
      chainId: chain.chainId,
      contracts: chain.contracts,
      signers: { privateKey: chain.signerKey },
      ...memoryChainOptions(ledger),
      settlements,
      ...change,
    };
  }

  const polled = async (each: ChainService) => {
    await each.pollEvents().catch(() => undefined);
    return each.status;
  };
  const sign = (each: ChainService) => {
    const amount = toMicroUsdt(10_000_000n);
    return each.rewardSigner.signRedemption({ account, amount, nonce: 0, deadline: 1 });
  };

  async function setOperator(operator: Address): Promise<void> {
    const [owner] = await chain.client.getAddresses();
    await chain.client.writeContract({
      account: owner!,
      chain: null,
      address: chain.contracts.rewardRouter as Hex,
      abi: rewardRouterAbi,
      functionName: 'setOperator',
      args: [operator as Hex],
    });
  }

  test('chain: before the first check nothing is known, signed or read', async () => {
    const created = create();
    expect(created.status).toMatchObject({ state: 'starting', isSigning: false });
    expect(created.info).toMatchObject({ chainId: chain.chainId, rewardRouter: null, usdt: null });
    expect(created.rewardSigner.contractAddress).toBeNull();
    await expect(sign(created)).rejects.toThrow(SigningError);
    await expect(created.reader.loadClaimed(account)).rejects.toThrow(ChainError);
    await expect(created.rewardSigner.loadStanding(account)).rejects.toThrow(ChainError);
  });

  test('chain: after the first check the contracts are known and signing is on', async () => {
    const explorerUrl = 'https://explorer.example';
    const created = create({ explorerUrl });
    expect(await polled(created)).toMatchObject({ state: 'ready', reason: null, isSigning: true });
    const { rewardRouter, referralRebate, spotVault, usdt, df } = chain.contracts;
    expect(created.info).toEqual({
      chainId: chain.chainId,
      rewardRouter,
      referralRebate,
      spotVault,
      usdt,
      df,
      // A node of others is nobody's business.
      rpcUrl: null,
      explorerUrl,
    });
    expect(await sign(created)).toBe(await sign(created));
    const { nonce, blockSeconds } = await created.rewardSigner.loadStanding(account);
    expect(nonce).toBe(0);
    expect(blockSeconds).toBe((await chain.node.loadHead()).timestamp);
  });

  const contradictions: readonly [string, Partial<ChainServiceOptions>, RegExp][] = [
    ['another chain id', { chainId: 1 }, /chain id is 31337, but the settings say 1/],
    ['another domain', { rewardDomainName: 'Else' }, /domain's name .* the settings say Else/],
    ['no addresses', { contracts: null }, /addresses of the contracts are not set/],
  ];
  for (const [name, change, reason] of contradictions) {
    test(`chain: ${name} in the settings is reported and nothing is signed`, async () => {
      const created = create(change);
      const status = await polled(created);
      expect(status.state).toBe('unavailable');
      expect(status.reason).toMatch(reason);
      await expect(sign(created)).rejects.toThrow(SigningError);
      expect(ledger.blocks).toEqual([]);
    });
  }

  test('chain: a node that becomes unreachable and recovers', async () => {
    const created = create();
    await polled(created);
    chain.proxy.setRule(() => ({ kind: 'status', status: 502 }));
    expect(await polled(created)).toMatchObject({
      state: 'unavailable',
      reason: expect.stringContaining('HTTP status 502') as string,
    });
    await expect(created.reader.loadClaimed(account)).rejects.toThrow(ChainError);
    chain.proxy.setRule(null);
    expect(await polled(created)).toMatchObject({ state: 'ready', reason: null });
  });

  test('chain: signing is off while the contract has a different operator', async () => {
    const created = create();
    await setOperator(account);
    const status = await polled(created);
    expect(status).toMatchObject({ state: 'degraded', isSigning: false });
    expect(status.reason).toMatch(/operator is .*, not the signer/);
    await expect(sign(created)).rejects.toThrow(SigningError);
    await expect(created.rewardSigner.loadStanding(account)).rejects.toThrow(SigningError);
    expect(await created.reader.loadOperatorStatus()).toMatchObject({ isOperator: false });
    await setOperator(chain.signers.reward.address);
    expect(await polled(created)).toMatchObject({ state: 'ready', isSigning: true });
  });

  test('fault 19: a vault with a different operator stops withdrawals, a paused router only claims', async () => {
    const created = create();
    await polled(created);
    const [owner] = await chain.client.getAddresses();
    const abi: Abi = parseAbi(['function setOperator(address)', 'function pause()']);
    const send = async (to: Address, functionName: 'setOperator' | 'pause', args: unknown[]) => {
      const call = { address: to as Hex, abi, functionName, args };
      const sender = { account: owner ?? '0x', chain: null } as const;
      const hash = await chain.client.writeContract({ ...call, ...sender });
      await minedReceipt(chain.client, hash);
    };
    const release = { account, token: chain.contracts.df, rawAmount: 1n, nonce: 0, deadline: 1 };
    await send(chain.contracts.rewardRouter, 'pause', []);
    expect(await polled(created)).toMatchObject({ state: 'degraded', isSigning: false });
    await expect(sign(created)).rejects.toThrow('EnforcedPause');
    expect(created.vaultSigner.isSigning).toBe(true);
    await created.vaultSigner.signRelease(release);
    await send(chain.contracts.spotVault, 'setOperator', [account]);
    const status = await polled(created);
    expect(created.vaultSigner.isSigning).toBe(false);
    await expect(created.vaultSigner.signRelease(release)).rejects.toThrow("the vault's operator");
    expect(status).toMatchObject({ state: 'degraded', isSigning: false });
  });

  test('fault 13: a batch signed by a former key is void and is settled by the current key', async () => {
    await chain.client.setAutomine(false);
    const transactions = new MemoryTransactionStore();
    const created = create({ transactions });
    await polled(created);
    settlements.earn(account, 5_000_000n);
    await created.settleRewards();
    expect(transactions.transactions).toMatchObject([{ result: null }]);
    await created.stop();
    // It leaves the pool, and the contract gets another key.
    const [first] = transactions.transactions;
    await chain.client.dropTransaction({ hash: first?.versions[0]?.hash ?? '0x' });
    await chain.client.setAutomine(true);
    const key = generatePrivateKey();
    const { address } = createSigners({ privateKey: key }).byRole.settler;
    await chain.client.setBalance({ address: address as Hex, value: 10n ** 18n });
    const [council] = await chain.client.getAddresses();
    const hash = await chain.client.writeContract({
      account: council!,
      chain: null,
      address: chain.contracts.rewardRouter as Hex,
      abi: parseAbi(['function setSettler(address)']),
      functionName: 'setSettler',
      args: [address as Hex],
    });
    await minedReceipt(chain.client, hash);
    const rotated = create({ transactions, signers: { privateKey: key } });
    await polled(rotated);
    expect(transactions.transactions).toMatchObject([{ result: { outcome: 'void' } }]);
    await rotated.settleRewards().catch(() => undefined);
    await vi.waitFor(async () => {
      await rotated.settleRewards();
      const settled = ledger.events.filter(({ type }) => type === 'rewardSettled');
      expect(settled).toMatchObject([{ account }]);
    });
    expect(settlements.statusOf(account)).toEqual(['pending']);
  });

  test('chain: with contracts of the first version one key has every role', async () => {
    const { client, signers } = chain;
    const contracts = await deployFirstVersion(client, chain.contracts, signers.reward.address);
    const created = create({ contracts });
    expect(await polled(created)).toMatchObject({ state: 'ready', isSigning: true });
    const standing = await created.reader.loadOperatorStatus();
    expect(standing).toMatchObject({ operator: signers.reward.address, isOperator: true });
    const { settler, vault } = signers;
    const others = { reward: account, settler: settler.address, vault: vault.address };
    expect(await ensureRoles(client, contracts, others)).toBe(account);
    await created.pollEvents();
    expect(created.status.reason).toMatch(/operator is .*, not the signer/);
  });

  test('chain: a settlement that has to wait degrades it, with the reason', async () => {
    const created = create();
    await polled(created);
    settlements.earn(account, 5_000_000n);
    const { client, signer } = chain;
    await client.setBalance({ address: signer.address as Hex, value: 0n });
    await expect(created.settleRewards()).rejects.toThrow('settlement waits');
    expect(created.status).toMatchObject({ state: 'degraded', isSigning: true });
    expect(created.status.reason).toContain('settlement waits');
    await client.setBalance({ address: signer.address as Hex, value: 10n ** 18n });
    await created.settleRewards();
    expect(created.status.state).toBe('ready');
    // The node answers when it has taken the transaction, which may be before its block is made.
    await vi.waitFor(async () => {
      await created.pollEvents();
      const settled = ledger.events.filter(({ type }) => type === 'rewardSettled');
      expect(settled).toMatchObject([{ account }]);
    });
  });

  test('chain: a database that counted a different chain stops everything', async () => {
    ledger.blocks = [{ number: 1, hash: `0x${'ab'.repeat(32)}`, events: [] }];
    const created = create();
    const status = await polled(created);
    expect(status).toMatchObject({ state: 'unavailable', isSigning: false });
    expect(status.reason).toContain('is it a different chain?');
    expect(ledger.halts.open).toMatchObject([{ kind: 'lost_chain' }]);
  });

  test('chain: a process that does not count is not ready on a different chain either', async () => {
    ledger.blocks = [{ number: 1, hash: `0x${'ab'.repeat(32)}`, events: [] }];
    const created = create();
    created.start(Promise.resolve());
    const reason = 'the chain is not the one that was counted';
    await vi.waitFor(() => {
      expect(created.status).toMatchObject({ state: 'unavailable', isSigning: false, reason });
    });
  });

  test('chain: a process that does not count keeps up with the one that does', async () => {
    const created = create();
    let open = (): void => undefined;
    const tables = new Promise<void>((resolve) => {
      open = resolve;
    });
    created.start(tables);
    await vi.waitUntil(() => created.isConnected);
    expect(created.status).toMatchObject({ state: 'starting', isSigning: false });
    open();
    const counting = createChainService(optionsOf({}));
    await counting.pollEvents();
    const counted = counting.status.countedBlock;
    await vi.waitFor(() => {
      const status = { state: 'ready', isSigning: true, countedBlock: counted };
      expect(created.status).toMatchObject(status);
    });
    await setOperator(account);
    await vi.waitUntil(() => !created.status.isSigning);
    await counting.stop();
  });

  test('chain: a halt raised by another process turns signing off here too', async () => {
    const created = create();
    created.start(Promise.resolve());
    const counting = createChainService(optionsOf({}));
    await counting.pollEvents();
    await vi.waitUntil(() => created.status.isSigning);
    await ledger.halts.raise({ kind: 'manual', detail: 'a drill' }, 'operator');
    // Before the next check of the database as well.
    await expect(sign(created)).rejects.toThrow('halted (manual): a drill');
    await vi.waitUntil(() => !created.status.isSigning);
    expect(created.status).toMatchObject({ openHalts: 1, reason: 'halted (manual): a drill' });
    await counting.stop();
  });

  test('fault 5: a deep reorganization halts signing, and after a restart it is still off', async () => {
    const first = create({ confirmations: 1 });
    await chain.client.mine({ blocks: 3 });
    await polled(first);
    expect(first.status.isSigning).toBe(true);
    await chain.client.request({ method: 'anvil_reorg', params: [3, []] } as never);
    await chain.client.mine({ blocks: 1 });
    await polled(first);
    expect(ledger.rollBacks).toHaveLength(1);
    await first.stop();
    const second = create({ confirmations: 1 });
    const status = await polled(second);
    expect(status).toMatchObject({ isSigning: false, openHalts: 1 });
    expect(status.reason).toContain('halted (deep_reorganization)');
    await expect(sign(second)).rejects.toThrow(SigningError);
  });

  test('fault 2: a released withdrawal is not refunded because of a node with an empty bloom', async () => {
    const { client, contracts, signers } = chain;
    const { account: wallet, address } = await newWallet(chain);
    const created = create();
    await polled(created);
    const { timestamp } = await client.getBlock();
    const terms = { value: 5n, nonce: 0n, deadline: timestamp + 60n };
    const domain = { name: 'SpotVault', chainId: chain.chainId };
    const signature = await signers.vault.signRelease(
      { ...domain, verifyingContract: contracts.spotVault },
      { ...terms, account: address, token: contracts.df },
    );
    const data = encodeFunctionData({
      abi: spotVaultAbi,
      functionName: 'release',
      args: [contracts.df as Hex, terms.value, terms.nonce, terms.deadline, signature],
    });
    const to = contracts.spotVault as Hex;
    // The node gets the same block as everyone and hides what is in it.
    chain.proxy.setRule((method) =>
      method === 'eth_getBlockByNumber'
        ? {
            kind: 'lie',
            result: (truth) => ({ ...(truth as object), logsBloom: `0x${'00'.repeat(256)}` }),
          }
        : null,
    );
    const sender = createWalletClient({ account: wallet, transport: http(chain.rpcUrl) });
    await minedReceipt(client, await sender.sendTransaction({ chain: null, to, data }));
    await client.mine({ blocks: 1, interval: 120 });
    ledger.overdue = [{ contract: 'spotVault', account: address, nonce: 0 }];
    const status = await polled(created);
    expect(ledger.expired).toEqual([]);
    expect(ledger.halts.open).toMatchObject([{ kind: 'books_differ' }]);
    expect(status.isSigning).toBe(false);
  });

  test('chain: a node that hangs does not delay the stop', async () => {
    // Longer than this test may take.
    const retryPolicy = { timeoutMs: 600_000, failuresMax: 1_000, pauseMs: 0 };
    const created = create({ retryPolicy });
    created.start(Promise.resolve());
    await created.pollEvents();
    expect(created.status.state).toBe('ready');
    chain.proxy.takeCalls();
    chain.proxy.setRule(() => ({ kind: 'silence' }));
    const poll = expect(created.pollEvents()).rejects.toThrow();
    await vi.waitUntil(() => chain.proxy.takeCalls().length > 0);
    const refused = expect(created.reader.loadClaimed(account)).rejects.toThrow(ChainError);
    await created.stop();
    await Promise.all([refused, poll]);
    await expect(sign(created)).rejects.toThrow(SigningError);
  });
});
