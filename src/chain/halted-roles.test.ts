import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { anvilSuite } from '../../test/support/chain/anvil-suite.ts';
import { MemoryChainStores } from '../../test/support/chain/memory-chain-service.ts';
import { restoreChain } from '../../test/support/chain/restore-chain.ts';
import { startTestChain, type TestChain } from '../../test/support/chain/test-chain.ts';
import type { ChainHaltKind, SignerRole } from '../application/ports/chain-halts.ts';
import type { Address } from '../domain/identifiers.ts';
import { toMicroUsdt } from '../domain/micro-usdt.ts';
import type { ChainService } from './chain-service.ts';

// A halt of one role stops what that role signs and nothing else; a halt without a role stops all.

const account = '0x00000000000000000000000000000000000000a1' as Address;

anvilSuite('halted roles', () => {
  let chain: TestChain;
  let service: ChainService;
  let stores: MemoryChainStores;

  beforeAll(async () => {
    chain = await startTestChain();
  });
  restoreChain(() => chain);
  beforeEach(async () => {
    stores = new MemoryChainStores();
    service = stores.createService(chain);
    await service.pollEvents();
  });
  afterEach(async () => {
    await service.stop();
    await chain.client.setAutomine(true);
  });
  afterAll(() => chain.close());

  const reasonOf = async (work: Promise<unknown>) =>
    work.then(
      () => null,
      (error: unknown) => (error as Error).message,
    );

  /** For each role, why it does not sign. */
  async function faults(): Promise<Record<SignerRole, string | null>> {
    stores.settlements.earn(account, 5_000_000n);
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
    stores.ledger.halts.raise({ kind, detail: 'a drill', role }, 'somebody');
  const halted = 'halted (manual): a drill';

  test.each([
    ['settler', { settler: `settlement waits: ${halted}`, reward: null, vault: null }],
    ['reward', { settler: null, reward: halted, vault: null }],
    ['vault', { settler: null, reward: null, vault: halted }],
    [null, { settler: `settlement waits: ${halted}`, reward: halted, vault: halted }],
  ] as const)('halts: a halt of the role %s stops what that role signs', async (role, expected) => {
    expect(await faults()).toEqual({ settler: null, reward: null, vault: null });
    await raise('manual', role);
    expect(await faults()).toEqual(expected);
    expect(service.status.openHalts).toBe(1);
    const [halt] = stores.ledger.halts.open;
    await stores.ledger.halts.clear(halt?.id ?? '');
    expect(await faults()).toEqual({ settler: null, reward: null, vault: null });
  });

  test('halts: while the settler is halted, what it has signed is sent, and no new version', async () => {
    await chain.client.setAutomine(false);
    stores.settlements.earn(account, 5_000_000n);
    await service.settleRewards();
    const [first] = stores.transactions.transactions;
    await chain.client.dropTransaction({ hash: first?.versions[0]?.hash ?? '0x' });
    await raise('signer_refused', 'settler');
    await stores.transactions.requestCancel(first!);
    await service.pollEvents();
    expect(stores.transactions.transactions[0]?.versions).toHaveLength(1);
    expect(await chain.node.isTransactionKnown(first?.versions[0]?.hash ?? '0x')).toBe(true);
  });

  test('halts: each role can have one open halt of a kind', async () => {
    expect(await raise('wrong_signature', 'vault')).toBe(true);
    expect(await raise('wrong_signature', 'vault')).toBe(false);
    expect(await raise('wrong_signature', 'reward')).toBe(true);
    await service.pollEvents();
    expect(service.status.openHalts).toBe(2);
  });
});
