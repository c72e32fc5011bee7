import type { Hex } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { anvilSuite } from '../../test/support/chain/anvil-suite.ts';
import { MemoryChainLedger } from '../../test/support/chain/memory-chain-ledger.ts';
import { MemoryContractStore } from '../../test/support/chain/memory-contract-store.ts';
import { MemoryRegisterQueue } from '../../test/support/chain/memory-register-queue.ts';
import { MemorySettlementStore } from '../../test/support/chain/memory-settlement-store.ts';
import { MemoryTransactionStore } from '../../test/support/chain/memory-transaction-store.ts';
import { startTestChain, type TestChain } from '../../test/support/chain/test-chain.ts';
import type { ChainHaltKind, SignerRole } from '../application/ports-chain-halts.ts';
import type { Address } from '../domain/identifiers.ts';
import { toMicroUsdt } from '../domain/micro-usdt.ts';
import { createLogger } from '../observability/log.ts';
import { type ChainService, createChainService } from './chain-service.ts';

// A halt of one role stops what that role signs and nothing else; a halt without a role stops all.

const account = '0x00000000000000000000000000000000000000a1' as Address;

anvilSuite('halted roles', () => {
  let chain: TestChain;
  let service: ChainService;
  let ledger: MemoryChainLedger;
  let settlements: MemorySettlementStore;
  let transactions: MemoryTransactionStore;
  let snapshot: Hex;

  beforeAll(async () => {
    chain = await startTestChain();
  });
  beforeEach(async () => {
    snapshot = await chain.client.snapshot();
    ledger = new MemoryChainLedger();
    settlements = new MemorySettlementStore();
    transactions = new MemoryTransactionStore();
    service = createChainService({
      rpcUrl: chain.proxy.url,
      developmentFolder: '',
      chainId: chain.chainId,
      contracts: chain.contracts,
      signers: { privateKey: chain.signerKey },
      assets: null,
      confirmations: 0,
      rewardDomainName: 'ReferralRewardRouter',
      vaultDomainName: 'SpotVault',
      pollIntervalMs: 3_600_000,
      ledger,
      books: ledger.books,
      halts: ledger.halts,
      contractStore: new MemoryContractStore(),
      settlements,
      transactions,
      register: new MemoryRegisterQueue(),
      patience: { timeoutMs: 60_000, failuresMax: 1_000, pauseMs: 0 },
      log: createLogger('silent'),
    });
    await service.pollEvents();
  });
  afterEach(async () => {
    await service.stop();
    await chain.client.setAutomine(true);
    await chain.client.revert({ id: snapshot });
  });
  afterAll(() => chain.close());

  const reasonOf = async (work: Promise<unknown>) =>
    work.then(
      () => null,
      (error: unknown) => (error as Error).message,
    );

  /** For each role, why it does not sign. */
  async function faults(): Promise<Record<SignerRole, string | null>> {
    settlements.earn(account, 5_000_000n);
    const amount = toMicroUsdt(10_000_000n);
    const terms = { account, nonce: 0, deadline: 1 };
    const release = { ...terms, token: chain.contracts.df, rawAmount: 1n };
    return {
      settler: await reasonOf(service.settleRewards()),
      reward: await reasonOf(service.rewardSigner.signRedemption({ ...terms, amount })),
      vault: await reasonOf(service.vaultSigner.signRelease(release)),
    };
  }

  const raise = (kind: ChainHaltKind, role: SignerRole | null) =>
    ledger.halts.raise({ kind, detail: 'a drill', role }, 'somebody');
  const halted = 'halted (manual): a drill';

  test.each([
    ['settler', { settler: `settlement waits: ${halted}`, reward: null, vault: null }],
    ['reward', { settler: null, reward: halted, vault: null }],
    ['vault', { settler: null, reward: null, vault: halted }],
    [null, { settler: `settlement waits: ${halted}`, reward: halted, vault: halted }],
  ] as const)('halts: one of the role %s stops what that role signs', async (role, expected) => {
    expect(await faults()).toEqual({ settler: null, reward: null, vault: null });
    await raise('manual', role);
    expect(await faults()).toEqual(expected);
    expect(service.status.openHalts).toBe(1);
    const [halt] = ledger.halts.open;
    await ledger.halts.clear(halt?.id ?? '');
    expect(await faults()).toEqual({ settler: null, reward: null, vault: null });
  });

  test('halts: while the settler is halted, what it has signed is sent, and no new version', async () => {
    await chain.client.setAutomine(false);
    settlements.earn(account, 5_000_000n);
    await service.settleRewards();
    const [first] = transactions.transactions;
    await chain.client.dropTransaction({ hash: first?.versions[0]?.hash ?? '0x' });
    await raise('signer_refused', 'settler');
    await transactions.requestCancel(first!);
    await service.pollEvents();
    expect(transactions.transactions[0]?.versions).toHaveLength(1);
    expect(await chain.node.isTransactionKnown(first?.versions[0]?.hash ?? '0x')).toBe(true);
  });

  test('halts: one of a kind may be open for each role', async () => {
    expect(await raise('wrong_signature', 'vault')).toBe(true);
    expect(await raise('wrong_signature', 'vault')).toBe(false);
    expect(await raise('wrong_signature', 'reward')).toBe(true);
    await service.pollEvents();
    expect(service.status.openHalts).toBe(2);
  });
});
