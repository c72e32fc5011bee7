import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeFunctionData, type Hex } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkDeployment } from '../../contracts/deployment/check.ts';
import { contractAbi } from '../../contracts/deployment/deployment-abi.ts';
import { spotVaultAbi } from '../../src/chain/abi/spot-vault-abi.ts';
import { tokenAbi } from '../../src/chain/abi/token-abi.ts';
import { identifyContracts } from '../../src/chain/identify-contracts.ts';
import { createJsonRpc } from '../../src/chain/node/json-rpc.ts';
import { createJsonRpcNode } from '../../src/chain/node/json-rpc-node.ts';
import { type DeploymentManifest, loadManifest } from '../../src/config/deployment-manifest.ts';
import type { Address } from '../../src/domain/identifiers.ts';
import { toMicroUsdt } from '../../src/domain/micro-usdt.ts';
import { anvilSuite } from '../support/chain/anvil-suite.ts';
import { KillingNode, twoNames } from '../support/chain/killing-node.ts';
import { MainNetwork, mainChainId } from '../support/chain/main-network.ts';
import { MemoryContractStore } from '../support/chain/memory-contract-store.ts';
import { readNamedBlocks } from '../support/document-blocks.ts';

const unit = 1_000_000n;
const routerAbi = contractAbi('RewardRouter');
const vaultAbi = contractAbi('SpotVault');

anvilSuite('the migration to new contracts', () => {
  let network: MainNetwork;
  let manifest: DeploymentManifest;
  let path: string;
  let killer: KillingNode;
  let after: DeploymentManifest;

  beforeAll(async () => {
    network = await MainNetwork.start();
    ({ manifest, path } = await network.deploy());
    killer = await KillingNode.start(network.anvil.rpcUrl, readNamedBlocks('docs/maintenance.md'));
    await useContracts();
  });
  afterAll(async () => {
    await killer.stop();
    await network.stop();
  });

  const accountAt = (index: number) => network.owners[index]!;
  const routerOf = ({ contracts }: DeploymentManifest) => contracts.rewardRouter.address as Hex;
  const vaultOf = ({ contracts }: DeploymentManifest) => contracts.spotVault.address as Hex;

  async function expectSuccess(from: Hex, to: Hex, data: Hex): Promise<void> {
    expect(await network.by(from, to, data)).toBe('success');
  }

  function readNumber(address: Hex, functionName: string, account: Hex): Promise<unknown> {
    const abi = [...routerAbi, ...vaultAbi];
    return network.client.readContract({ address, abi, functionName, args: [account] });
  }

  async function redeem(of: DeploymentManifest, account: Hex, amount: bigint) {
    const router = routerOf(of);
    const nonce = (await readNumber(router, 'nonces', account)) as bigint;
    const deadline = (await network.client.getBlock()).timestamp + 3_600n;
    const signature = await network.rewardSigner.account.signTypedData({
      domain: {
        name: 'ReferralRewardRouter',
        version: '1',
        chainId: mainChainId,
        verifyingContract: router,
      },
      types: {
        RedeemReward: [
          { name: 'account', type: 'address' },
          { name: 'value', type: 'uint256' },
          { name: 'nonce', type: 'uint256' },
          { name: 'deadline', type: 'uint256' },
        ],
      },
      primaryType: 'RedeemReward',
      message: { account, value: amount, nonce, deadline },
    });
    const args = [amount, deadline, signature];
    const data = encodeFunctionData({ abi: routerAbi, functionName: 'redeemReward', args });
    return network.by(account, router, data);
  }

  async function release(of: DeploymentManifest, account: Hex, amount: bigint) {
    const vault = vaultOf(of);
    const nonce = (await readNumber(vault, 'releaseNonce', account)) as bigint;
    const deadline = (await network.client.getBlock()).timestamp + 3_600n;
    const signature = await network.vaultSigner.account.signTypedData({
      domain: {
        name: 'SpotVault',
        version: '1',
        chainId: mainChainId,
        verifyingContract: vault,
      },
      types: {
        VaultRelease: [
          { name: 'account', type: 'address' },
          { name: 'token', type: 'address' },
          { name: 'value', type: 'uint256' },
          { name: 'nonce', type: 'uint256' },
          { name: 'deadline', type: 'uint256' },
        ],
      },
      primaryType: 'VaultRelease',
      message: { account, token: network.usdt, value: amount, nonce, deadline },
    });
    const args = [network.usdt, amount, nonce, deadline, signature] as const;
    const data = encodeFunctionData({ abi: spotVaultAbi, functionName: 'release', args });
    return network.by(account, vault, data);
  }

  /**
   * Of 22.005 USDT commission 9.005 are redeemed and 2 of each of two accounts held back, for both
   * of which the limit has no room at once; 200 are deposited, 30 released.
   */
  async function useContracts(): Promise<void> {
    const [router, vault] = [routerOf(manifest), vaultOf(manifest)];
    const mint = (to: Hex, amount: bigint) =>
      expectSuccess(
        accountAt(9),
        network.usdt,
        encodeFunctionData({ abi: tokenAbi, functionName: 'mint', args: [to, amount] }),
      );
    await mint(router, 100n * unit);
    const settler = network.settler.account.address;
    await network.chain.impersonateAccount({ address: settler });
    const totals = [5_005_000n, 10n * unit, 7n * unit];
    const users = [accountAt(5), accountAt(6), accountAt(7)];
    const settle = { abi: routerAbi, functionName: 'batchSettleRewards', args: [users, totals] };
    await expectSuccess(settler, router, encodeFunctionData(settle));
    expect(await redeem(manifest, accountAt(5), 5_005_000n)).toBe('success');
    expect(await redeem(manifest, accountAt(6), 4n * unit)).toBe('success');
    for (const account of [accountAt(6), accountAt(7)]) {
      const hold = { abi: routerAbi, functionName: 'setHold', args: [account, 2n * unit] };
      await expectSuccess(network.guardian, router, encodeFunctionData(hold));
    }
    const lower = { abi: routerAbi, functionName: 'lowerSettlementLimit', args: [3n * unit] };
    await expectSuccess(network.guardian, router, encodeFunctionData(lower));
    const depositor = accountAt(8);
    await mint(depositor, 200n * unit);
    const approve = { abi: tokenAbi, functionName: 'approve', args: [vault, 200n * unit] };
    await expectSuccess(depositor, network.usdt, encodeFunctionData(approve as never));
    const deposit = { abi: vaultAbi, functionName: 'deposit', args: [network.usdt, 100n * unit] };
    await expectSuccess(depositor, vault, encodeFunctionData(deposit));
    await expectSuccess(depositor, vault, encodeFunctionData(deposit));
    expect(await release(manifest, depositor, 30n * unit)).toBe('success');
  }

  test('migrate: a dry run sends nothing, and only its hash executes it', async () => {
    const { key, account } = await network.newDeployer();
    const to = join(network.folder, 'dry.json');
    const terms = { FROM: path, TO: to, DEPLOYER_PRIVATE_KEY: key };
    const { output } = await killer.run('migrate-dry-run', {
      ...terms,
      CHAIN: twoNames(network.anvil.rpcUrl),
    });
    expect(output).toContain('deploy RewardRouter: 0x');
    expect(output).toContain('next: deploy the router');
    expect(output).toMatch(/^plan: 0x[0-9a-f]{64}$/m);
    const wrong = { ...terms, CHAIN: twoNames(network.anvil.rpcUrl), PLAN: `0x${'00'.repeat(32)}` };
    const refused = await killer.run('migrate-confirm', wrong);
    expect(refused.output).toContain('nothing was sent; --confirm 0x');
    expect(refused.status).toBe(1);
    expect(await network.client.getTransactionCount({ address: account.address })).toBe(0);
  });

  test('fault 9: killed at each transaction the migration resumes, and pays nothing twice', async () => {
    const { key, account } = await network.newDeployer();
    const to = join(network.folder, 'second.json');
    const terms = {
      FROM: path,
      TO: to,
      DEPLOYER_PRIVATE_KEY: key,
      SETTLER_SIGNER: `local:${network.settler.key}`,
      CHAIN: killer.urls,
    };
    const dry = await killer.run('migrate-dry-run', {
      ...terms,
      CHAIN: twoNames(network.anvil.rpcUrl),
    });
    const plan = /^plan: (0x[0-9a-f]{64})$/m.exec(dry.output)?.[1] ?? '';
    const reasons: string[] = [];
    for (;;) {
      const { status, output } = await killer.run('migrate-confirm', { ...terms, PLAN: plan });
      expect(output).not.toContain(key.slice(2));
      if (status === null) continue;
      if (status === 0) break;
      expect({ status, output }).toMatchObject({ status: 3 });
      reasons.push(/^waits: (.*?):/m.exec(output)?.[1] ?? '');
      await doAsPeople(output);
    }
    expect(reasons).toEqual([
      'propose what the timelock does',
      'wait until the timelock lets it be done',
      'pause the old contracts',
      'end the old contracts',
      'take the money out of the old vault',
      'take over the vault',
      'fill the new vault',
      'settle on the new router what was not redeemed',
      'take over what is held back',
    ]);
    // Router, its limit, its handing over, the same of the vault, and two settlements.
    const [before, then] = ['before', 'after'] as const;
    const kills = [before, then, before, then, before, then, before, then];
    expect([...killer.kills.values()]).toEqual(kills);
    expect(await network.client.getTransactionCount({ address: account.address })).toBe(6);
    expect(readFileSync(`${to}.pending.json`, 'utf8')).not.toContain(key.slice(2));
    const loaded = loadManifest(to);
    if (!('manifest' in loaded)) throw new Error(loaded.problems.join());
    after = loaded.manifest;
    expect(after.contracts.rewardRouter.predecessor).toBe(routerOf(manifest));
    expect(after.contracts.spotVault.predecessor).toBe(vaultOf(manifest));
    const terms2 = { manifest: after, deployer: account.address };
    expect(await checkDeployment(network.client, terms2)).toEqual([]);
  });

  /** The senders that the program names send what it prints for them. */
  async function doAsPeople(output: string): Promise<void> {
    if (output.includes('the timelock waits until')) return network.passTimelock();
    if (output.includes('has no room yet for')) return network.passTimelock();
    const lines = output.matchAll(/^(.*) sends: to (0x\w+) data (0x\w+)$/gm);
    for (const [, who = '', to, data] of lines) {
      const call = [to as Hex, data as Hex] as const;
      if (who === 'anybody') expect(await network.byAnybody(...call)).toBe('success');
      else if (who === 'the cold wallet') await expectSuccess(network.coldWallet, ...call);
      else if (who === 'a guardian or the council') await expectSuccess(network.guardian, ...call);
      else await network.byCouncil(...call);
    }
  }

  test('migrate: totals, nonces, numbers and holds continue, and only the unredeemed is paid', async () => {
    const [router, vault] = [routerOf(after), vaultOf(after)];
    const numbersOf = async (account: Hex) =>
      Promise.all(
        ['settled', 'claimed', 'nonces', 'held'].map((name) => readNumber(router, name, account)),
      );
    expect(await numbersOf(accountAt(5))).toEqual([5_005_000n, 5_005_000n, 1n, 0n]);
    expect(await numbersOf(accountAt(6))).toEqual([10n * unit, 4n * unit, 1n, 2n * unit]);
    expect(await numbersOf(accountAt(7))).toEqual([7n * unit, 0n, 0n, 2n * unit]);
    expect(await readNumber(vault, 'depositCount', accountAt(8))).toBe(2n);
    expect(await readNumber(vault, 'releaseNonce', accountAt(8))).toBe(1n);
    expect(await readNumber(vault, 'accounted', network.usdt)).toBe(170n * unit);
    expect(await redeem(after, accountAt(5), 1n)).toBe('reverted');
    expect(await redeem(after, accountAt(6), 4n * unit + 1n)).toBe('reverted');
    expect(await redeem(after, accountAt(6), 4n * unit)).toBe('success');
    expect(await redeem(after, accountAt(7), 5n * unit)).toBe('success');
    expect(await redeem(after, accountAt(7), 1n)).toBe('reverted');
    expect(await redeem(manifest, accountAt(7), 1n)).toBe('reverted');
    expect(await release(after, accountAt(8), 20n * unit)).toBe('success');
    expect(await release(manifest, accountAt(8), 20n * unit)).toBe('reverted');
  });

  test('migrate: the service continues with the new contracts and the same database', async () => {
    const set = ({ contracts }: DeploymentManifest) => ({
      rewardRouter: contracts.rewardRouter.address as Address,
      referralRebate: contracts.referralRebate.address as Address,
      spotVault: contracts.spotVault.address as Address,
    });
    const store = new MemoryContractStore();
    store.active = set(manifest);
    store.counted = [
      {
        account: accountAt(6).toLowerCase() as Address,
        settled: toMicroUsdt(10n * unit),
        claimed: toMicroUsdt(4n * unit),
        redemptions: 1,
        deposits: 0,
        releases: 0,
      },
    ];
    const rpc = createJsonRpc({
      url: network.anvil.rpcUrl,
      timeoutMs: 10_000,
      failuresMax: 3,
      pauseMs: 10,
    });
    const node = createJsonRpcNode(rpc);
    const contracts = set(after);
    expect(await identifyContracts({ node, chainId: mainChainId, contracts, store })).toBeNull();
    expect(store.active).toEqual(contracts);
  });
});
