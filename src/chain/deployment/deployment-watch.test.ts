import { encodeFunctionData, type Hex, parseAbi } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { anvilSuite } from '../../../test/support/chain/anvil-suite.ts';
import { type FaultProxy, startFaultProxy } from '../../../test/support/chain/fault-proxy.ts';
import { MainNetwork, mainChainId } from '../../../test/support/chain/main-network.ts';
import { MemoryChainLedger } from '../../../test/support/chain/memory-chain-ledger.ts';
import { memoryChainOptions } from '../../../test/support/chain/memory-chain-service.ts';
import { MemorySettlementStore } from '../../../test/support/chain/memory-settlement-store.ts';
import type { BackfillStore } from '../../application/ports/backfills.ts';
import type { DeploymentManifest } from '../../config/deployment-manifest.ts';
import type { Address } from '../../domain/identifiers.ts';
import { toMicroUsdt } from '../../domain/micro-usdt.ts';
import {
  type ChainService,
  type ChainServiceOptions,
  createChainService,
} from '../chain-service.ts';

const account = '0x00000000000000000000000000000000000000a1' as Address;
const stranger = `0x${'99'.repeat(20)}`;
const kinds = ['rewardRouter', 'referralRebate', 'spotVault'] as const;
const councilAbi = parseAbi(['function setGuardian(address,bool)', 'function setSettler(address)']);

anvilSuite('deployment watch', () => {
  let network: MainNetwork;
  let manifest: DeploymentManifest;
  let proxy: FaultProxy;
  let state: Hex;
  let service: ChainService | null = null;
  let ledger: MemoryChainLedger;
  let settlements: MemorySettlementStore;

  beforeAll(async () => {
    network = await MainNetwork.start();
    ({ manifest } = await network.deploy());
    await network.chain.mine({ blocks: 70 });
    proxy = await startFaultProxy(network.anvil.rpcUrl);
    state = await network.chain.snapshot();
  });
  beforeEach(async () => {
    proxy.setRule(null);
    await network.chain.revert({ id: state });
    state = await network.chain.snapshot();
    ledger = new MemoryChainLedger();
    settlements = new MemorySettlementStore();
  });
  afterEach(async () => {
    await service?.stop();
    service = null;
  });
  afterAll(async () => {
    await proxy.close();
    await network.stop();
  });

  function create(
    deployment: DeploymentManifest,
    change: Partial<ChainServiceOptions> = {},
  ): ChainService {
    const { rewardRouter, referralRebate, spotVault } = manifest.contracts;
    service = createChainService({
      rpcUrl: proxy.url,
      developmentFolder: null,
      chainId: mainChainId,
      contracts: {
        rewardRouter: rewardRouter.address as Address,
        referralRebate: referralRebate.address as Address,
        spotVault: spotVault.address as Address,
      },
      signers: {
        settler: `local:${network.settler.key}`,
        reward: `local:${network.rewardSigner.key}`,
        vault: `local:${network.vaultSigner.key}`,
        token: null,
      },
      deployment,
      startBlock: 1,
      ...memoryChainOptions(ledger),
      settlements,
      ...change,
    });
    return service;
  }

  const polled = async (each: ChainService) => {
    await each.pollEvents().catch(() => undefined);
    return each.status;
  };
  const signClaim = ({ rewardSigner }: ChainService) =>
    rewardSigner.signRedemption({ account, amount: toMicroUsdt(1n), nonce: 0, deadline: 1 });
  const signRelease = ({ vaultSigner }: ChainService) =>
    vaultSigner.signRelease({
      account,
      token: network.usdt.toLowerCase() as Address,
      rawAmount: 1n,
      nonce: 0,
      deadline: 1,
    });
  const differencesOf = ({ deploymentDifferences }: ChainService) =>
    deploymentDifferences.filter(([, count]) => count > 0);
  /** The node goes away and comes back, which is a new connection to it. */
  async function reconnect(each: ChainService): Promise<void> {
    proxy.setRule(() => ({ kind: 'status', status: 502 }));
    expect((await polled(each)).state).toBe('unavailable');
    proxy.setRule(null);
    await polled(each);
  }
  function withContract(
    kind: (typeof kinds)[number],
    change: Partial<DeploymentManifest['contracts']['spotVault']>,
  ): DeploymentManifest {
    const changed = { ...manifest.contracts[kind], ...change };
    return { ...manifest, contracts: { ...manifest.contracts, [kind]: changed } };
  }
  const withRole = (role: keyof NonNullable<DeploymentManifest['roles']>) => ({
    ...manifest,
    roles: { ...manifest.roles!, [role]: stranger },
  });

  test('deployment watch: signs for both contracts while everything matches the manifest', async () => {
    const created = create(manifest);
    await expect(signClaim(created)).rejects.toThrow('not connected');
    expect(await polled(created)).toMatchObject({ state: 'ready', isSigning: true });
    await signClaim(created);
    await signRelease(created);
    expect(created.deploymentDifferences.length).toBe(6);
    expect(differencesOf(created)).toEqual([]);
  });

  test("deployment watch: the vault's earlier blocks are read from its own first block on", async () => {
    const begun: number[] = [];
    const backfills: BackfillStore = {
      findThrough: async () => 9,
      begin: async (from) => {
        begun.push(from);
        return null;
      },
      contradicts: async () => false,
      hasRelease: async () => true,
      add: async () => undefined,
    };
    await polled(create(withContract('spotVault', { startBlock: 7 }), { backfills }));
    expect(begun).toEqual([7]);
  });

  test('deployment watch: a different code hash of the vault stops withdrawals; claims continue', async () => {
    const created = create(withContract('spotVault', { codeHash: `0x${'ab'.repeat(32)}` }));
    expect(await polled(created)).toMatchObject({ state: 'degraded', isSigning: false });
    await expect(signRelease(created)).rejects.toThrow('spotVault: codeHash differs');
    await signClaim(created);
    expect(differencesOf(created)).toEqual([['spotVault', 1]]);
  });

  test('deployment watch: a different predecessor of the router stops claims and settlement', async () => {
    const created = create(withContract('rewardRouter', { predecessor: stranger }));
    await polled(created);
    await expect(signClaim(created)).rejects.toThrow('rewardRouter: predecessor is 0x');
    await signRelease(created);
    settlements.earn(account, 5_000_000n);
    await expect(created.settleRewards()).rejects.toThrow(
      'settlement waits: differs from the manifest: rewardRouter: predecessor',
    );
    expect(created.status.reason).toContain('settlement waits');
    expect(differencesOf(created)).toEqual([['rewardRouter', 1]]);
  });

  test.each([
    ['owner', [kinds[0], kinds[1], kinds[2], 'timelock']],
    ['council', [...kinds, 'timelock']],
    ['guardian', kinds],
    ['settler', ['rewardRouter', 'referralRebate']],
    ['rewardSigner', ['rewardRouter']],
    ['vaultSigner', ['spotVault']],
    ['coldWallet', ['rewardRouter', 'spotVault', 'timelock']],
  ] as const)("deployment watch: a different %s from the manifest's", async (role, parts) => {
    const created = create(withRole(role));
    expect((await polled(created)).isSigning).toBe(false);
    expect(differencesOf(created).map(([part]) => part)).toEqual(parts);
    // At a start the settings may be wrong: correcting them is enough.
    expect(created.status.openHalts).toBe(0);
  });

  test("deployment watch: a different limit from the manifest's stops withdrawals", async () => {
    const [usdt] = manifest.assets;
    const limit = { ...usdt!.limit!, W: '250001' };
    const created = create({ ...manifest, assets: [{ ...usdt!, limit }] });
    await polled(created);
    await expect(signRelease(created)).rejects.toThrow('spotVault: windowMax of USDT');
    await signClaim(created);
  });

  test('deployment watch: a role that changes while the service runs halts all signing', async () => {
    const created = create(manifest);
    await polled(created);
    const to = manifest.contracts.spotVault.address as Hex;
    const data = (isGuardian: boolean) =>
      encodeFunctionData({
        abi: councilAbi,
        functionName: 'setGuardian',
        args: [network.guardian, isGuardian],
      });
    await network.byCouncil(to, data(false));
    await reconnect(created);
    await expect(signRelease(created)).rejects.toThrow('halted (role_changed)');
    await expect(signClaim(created)).rejects.toThrow('halted (role_changed)');
    expect(differencesOf(created)).toEqual([['spotVault', 1]]);
    // Changed back, it differs in nothing, but people have to say that they have seen it.
    await network.byCouncil(to, data(true));
    expect(await polled(created)).toMatchObject({ isSigning: false, openHalts: 1 });
    expect(differencesOf(created)).toEqual([]);
    const [halt] = await ledger.halts.listOpen();
    await ledger.halts.clear(halt!.id);
    expect(await polled(created)).toMatchObject({ isSigning: true });
  });

  test('deployment watch: a service that starts later finds the same difference', async () => {
    const to = manifest.contracts.rewardRouter.address as Hex;
    const args = [stranger as Hex] as const;
    const data = encodeFunctionData({ abi: councilAbi, functionName: 'setSettler', args });
    await network.byCouncil(to, data);
    const created = create(manifest);
    await polled(created);
    await expect(signClaim(created)).rejects.toThrow('rewardRouter: settler is 0x9999');
    await signRelease(created);
  });

  test('deployment watch: providers without proofs of old blocks keep signing off', async () => {
    const other = await startFaultProxy(network.anvil.rpcUrl);
    const providers = { urls: [proxy.url, other.url], quorum: 2, areProofsRequired: true };
    const created = create(manifest, { providers });
    expect(await polled(created)).toMatchObject({ isSigning: true });
    for (const each of [proxy, other]) {
      each.setRule((method) =>
        method === 'eth_getProof' ? { kind: 'status', status: 502 } : null,
      );
    }
    await created.stop();
    const restarted = create(manifest, { providers });
    await polled(restarted);
    expect(differencesOf(restarted)).toEqual([['node', expect.any(Number)]]);
    await expect(signRelease(restarted)).rejects.toThrow('the node returns no proofs for block');
    await other.close();
  });

  test('deployment watch: a key of the service that is not the one in the manifest', async () => {
    const signers = {
      settler: `local:${network.settler.key}`,
      reward: `local:${network.rewardSigner.key}`,
      vault: `local:${`0x${'77'.repeat(32)}`}`,
      token: null,
    };
    const created = create(manifest, { signers });
    await polled(created);
    await expect(signRelease(created)).rejects.toThrow('the vault signer of this service is 0x');
  });
});
