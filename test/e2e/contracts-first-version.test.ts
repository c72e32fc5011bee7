import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Abi, encodeFunctionData, type Hex, parseAbi, zeroAddress } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkDeployment } from '../../contracts/deployment/check.ts';
import { contractAbi } from '../../contracts/deployment/deployment-abi.ts';
import { spotVaultAbi } from '../../src/chain/abi/spot-vault-abi.ts';
import { tokenAbi } from '../../src/chain/abi/token-abi.ts';
import { contractCode } from '../../src/chain/development/contract-code.ts';
import { minedReceipt } from '../../src/chain/development/mined-receipt.ts';
import { fromHexAddress } from '../../src/chain/evm-values.ts';
import { type DeploymentManifest, loadManifest } from '../../src/config/deployment-manifest.ts';
import { anvilSuite } from '../support/chain/anvil-suite.ts';
import { deployFirstVersion } from '../support/chain/deploy-first-version.ts';
import { KillingNode, twoNames } from '../support/chain/killing-node.ts';
import { MainNetwork, mainChainId } from '../support/chain/main-network.ts';
import { readNamedBlocks } from '../support/document-blocks.ts';

const unit = 1_000_000n;
const routerAbi = contractAbi('RewardRouter');
const vaultAbi = contractAbi('SpotVault');
const anyAbi: Abi = [...routerAbi, ...vaultAbi];
const ownerAbi = parseAbi(['function setTokenSupport(address token, bool supported)']);
const uint = (name: string) => ({ name, type: 'uint256' });
const rewardFields = [{ name: 'account', type: 'address' }, uint('value'), uint('nonce')];

// Commission: 5.005, 10 and 7 USDT earned, 9.005 redeemed. Deposits: 200 in two, 30 released.
anvilSuite('the migration from contracts of the first version', () => {
  let network: MainNetwork;
  let killer: KillingNode;
  let from: DeploymentManifest;
  let path: string;
  let after: DeploymentManifest;
  let df: Hex;
  const key = generatePrivateKey();
  const operator = privateKeyToAccount(key);

  beforeAll(async () => {
    network = await MainNetwork.start();
    killer = await KillingNode.start(network.anvil.rpcUrl, readNamedBlocks('docs/maintenance.md'));
    const { chain } = network;
    const hash = await chain.sendTransaction({
      account: network.owners[0]!,
      chain: null,
      data: contractCode('TestDF'),
    });
    df = (await minedReceipt(chain, hash)).contractAddress!;
    const tokens = { usdt: fromHexAddress(network.usdt), df: fromHexAddress(df) };
    const old = await deployFirstVersion(chain, tokens, fromHexAddress(operator.address));
    ({ manifest: from, path } = writeOld(old));
    await useContracts();
  });
  afterAll(async () => {
    await killer.stop();
    await network.stop();
  });

  const accountAt = (index: number) => network.owners[index]!;
  const routerOf = ({ contracts }: DeploymentManifest) => contracts.rewardRouter.address as Hex;
  const vaultOf = ({ contracts }: DeploymentManifest) => contracts.spotVault.address as Hex;

  /** The manifest of contracts whose only operator is one key, and whose owner another. */
  function writeOld(
    old: Readonly<Record<'rewardRouter' | 'referralRebate' | 'spotVault', string>>,
  ) {
    const config = JSON.parse(JSON.stringify(loadConfig())) as Record<string, unknown>;
    const contract = (address: string) => ({
      address,
      startBlock: 0,
      codeHash: null,
      predecessor: null,
    });
    const { rewardRouter, referralRebate, spotVault } = old;
    const one = operator.address;
    const roles = {
      owner: accountAt(0),
      council: accountAt(0),
      guardian: accountAt(0),
      settler: one,
      rewardSigner: one,
      vaultSigner: one,
      coldWallet: network.coldWallet,
    };
    const contracts = {
      rewardRouter: contract(rewardRouter),
      referralRebate: contract(referralRebate),
      spotVault: contract(spotVault),
    };
    const manifestPath = join(network.folder, 'first-version.json');
    writeFileSync(manifestPath, JSON.stringify({ ...config, roles, contracts }));
    const loaded = loadManifest(manifestPath);
    if (!('manifest' in loaded)) throw new Error(loaded.problems.join());
    return { manifest: loaded.manifest, path: manifestPath };
  }

  function loadConfig() {
    const { timelockSeconds, ...rest } = network.config();
    expect(timelockSeconds).toBe(172_800);
    return rest;
  }

  async function expectSuccess(sender: Hex, to: Hex, data: Hex): Promise<void> {
    expect(await network.by(sender, to, data)).toBe('success');
  }
  const send = (sender: Hex, to: Hex, abi: Abi, call: readonly [string, readonly unknown[]]) =>
    expectSuccess(sender, to, encodeFunctionData({ abi, functionName: call[0], args: call[1] }));
  const readNumber = (address: Hex, functionName: string, account: Hex) =>
    network.client.readContract({ address, abi: anyAbi, functionName, args: [account] });

  async function redeem(of: DeploymentManifest, account: Hex, amount: bigint) {
    const router = routerOf(of);
    const signer = of === from ? operator : network.rewardSigner.account;
    const nonce = await readNumber(router, 'nonces', account);
    const deadline = (await network.client.getBlock()).timestamp + 3_600n;
    const signature = await signer.signTypedData({
      domain: domainOf('ReferralRewardRouter', router),
      types: { RedeemReward: [...rewardFields, uint('deadline')] },
      primaryType: 'RedeemReward',
      message: { account, value: amount, nonce, deadline },
    });
    const args = [amount, deadline, signature];
    const data = encodeFunctionData({ abi: routerAbi, functionName: 'redeemReward', args });
    return network.by(account, router, data);
  }

  async function release(of: DeploymentManifest, account: Hex, amount: bigint) {
    const vault = vaultOf(of);
    const signer = of === from ? operator : network.vaultSigner.account;
    const nonce = (await readNumber(vault, 'releaseNonce', account)) as bigint;
    const deadline = (await network.client.getBlock()).timestamp + 3_600n;
    const [first, ...others] = rewardFields;
    const token = { name: 'token', type: 'address' };
    const signature = await signer.signTypedData({
      domain: domainOf('SpotVault', vault),
      types: { VaultRelease: [first!, token, ...others, uint('deadline')] },
      primaryType: 'VaultRelease',
      message: { account, token: network.usdt, value: amount, nonce, deadline },
    });
    const args = [network.usdt, amount, nonce, deadline, signature] as const;
    const data = encodeFunctionData({ abi: spotVaultAbi, functionName: 'release', args });
    return network.by(account, vault, data);
  }

  const domainOf = (name: string, verifyingContract: Hex) => ({
    name,
    version: '1',
    chainId: mainChainId,
    verifyingContract,
  });

  async function useContracts(): Promise<void> {
    const [router, vault] = [routerOf(from), vaultOf(from)];
    const mint = (to: Hex, amount: bigint) =>
      send(accountAt(9), network.usdt, tokenAbi, ['mint', [to, amount]]);
    await mint(router, 30n * unit);
    await network.fund(operator.address);
    await network.chain.impersonateAccount({ address: operator.address });
    const users = [accountAt(5), accountAt(6), accountAt(7)];
    const totals = [5_005_000n, 10n * unit, 7n * unit];
    await send(operator.address, router, routerAbi, ['batchSettleRewards', [users, totals]]);
    expect(await redeem(from, accountAt(5), 5_005_000n)).toBe('success');
    expect(await redeem(from, accountAt(6), 4n * unit)).toBe('success');
    const depositor = accountAt(8);
    await mint(depositor, 200n * unit);
    await mint(network.coldWallet, 100n * unit);
    await send(depositor, network.usdt, tokenAbi, ['approve', [vault, 200n * unit]]);
    await send(depositor, vault, vaultAbi, ['deposit', [network.usdt, 100n * unit]]);
    await send(depositor, vault, vaultAbi, ['deposit', [network.usdt, 100n * unit]]);
    expect(await release(from, depositor, 30n * unit)).toBe('success');
  }

  const environment = (deployer: string, to: string) => ({
    FROM: path,
    CONFIG: network.writeConfig(),
    TO: to,
    DEPLOYER_PRIVATE_KEY: deployer,
    SETTLER_SIGNER: `local:${network.settler.key}`,
    VAULT_SIGNER: `local:${key}`,
    CHAIN: twoNames(network.anvil.rpcUrl),
  });

  test('first version: contracts:check knows them, and names another operator', async () => {
    expect(await checkDeployment(network.client, { manifest: from, deployer: null })).toEqual([]);
    const roles = { ...from.roles!, settler: zeroAddress, rewardSigner: zeroAddress };
    const other = { ...from, roles };
    const found = await checkDeployment(network.client, { manifest: other, deployer: null });
    expect(found.map((text) => text.replace(/ is .*/, ''))).toEqual([
      'rewardRouter: operator',
      'referralRebate: operator',
    ]);
  });

  test('first version: a token that the configuration does not name is not left behind', async () => {
    const deployer = await network.newDeployer();
    const terms = environment(deployer.key, join(network.folder, 'dry.json'));
    const refused = await killer.run('first-version-dry-run', terms);
    expect(refused.output.toLowerCase()).toContain(`the old vault takes ${df}`);
    expect(refused.status).toBe(1);
    await send(accountAt(0), vaultOf(from), ownerAbi, ['setTokenSupport', [df, false]]);
    const { output, status } = await killer.run('first-version-dry-run', terms);
    expect({ status, output }).toMatchObject({ status: 0 });
    expect(output).toContain('next: deploy timelock, router and register');
    const { address } = deployer.account;
    expect(await network.client.getTransactionCount({ address })).toBe(0);
  });

  test('fault 9: killed at each transaction the migration from version 1 resumes, and pays nothing twice', async () => {
    const deployer = await network.newDeployer();
    const to = join(network.folder, 'second.json');
    const terms = environment(deployer.key, to);
    const dry = await killer.run('first-version-dry-run', terms);
    const PLAN = /^plan: (0x[0-9a-f]{64})$/m.exec(dry.output)?.[1] ?? '';
    const reasons: string[] = [];
    for (;;) {
      const run = { ...terms, CHAIN: killer.urls, PLAN };
      const { status, output } = await killer.run('first-version-confirm', run);
      expect(output).not.toContain(key.slice(2));
      if (status === null) continue;
      if (status === 0) break;
      expect({ status, output }).toMatchObject({ status: 3 });
      reasons.push(/^waits: (.*?):/m.exec(output)?.[1] ?? '');
      await doAsPeople(output);
      // A small amount must not prevent paused contracts from being replaced.
      if (reasons.at(-1) !== 'pause the old contracts') continue;
      for (const old of [vaultOf(from), routerOf(from)]) {
        await send(accountAt(9), network.usdt, tokenAbi, ['mint', [old, 1n]]);
      }
    }
    expect(reasons).toEqual([
      'propose what the timelock does',
      'wait until the timelock lets it be done',
      'take over router and register',
      'stop deposits into the old vault',
      'take the money out of the old vault',
      'move the surplus of the old router into the new one',
      'pause the old contracts',
      'give up the ownership of the old contracts',
      'take over the vault',
      'fund the new router',
      'fill the new vault',
    ]);
    // Nine transactions of the deployer and one settlement, each killed once.
    expect(killer.kills.size).toBe(10);
    const { address } = deployer.account;
    expect(await network.client.getTransactionCount({ address })).toBe(9);
    const loaded = loadManifest(to);
    if (!('manifest' in loaded)) throw new Error(loaded.problems.join());
    after = loaded.manifest;
    expect(await checkDeployment(network.client, { manifest: after, deployer: address })).toEqual(
      [],
    );
  });

  async function doAsPeople(output: string): Promise<void> {
    if (output.includes('the timelock waits until')) return network.passTimelock();
    for (const [, who = '', to, data] of output.matchAll(
      /^(.*) sends: to (0x\w+) data (0x\w+)$/gm,
    )) {
      const call = [to as Hex, data as Hex] as const;
      if (who === 'anybody') expect(await network.byAnybody(...call)).toBe('success');
      else if (who === 'the cold wallet') await expectSuccess(network.coldWallet, ...call);
      else if (who === 'the old owner') await expectSuccess(accountAt(0), ...call);
      else await network.byCouncil(...call);
    }
  }

  test('first version: totals, nonces and numbers continue, and only the unredeemed is paid', async () => {
    const [router, vault] = [routerOf(after), vaultOf(after)];
    const numbersOf = (account: Hex) =>
      Promise.all(
        ['settled', 'claimed', 'nonces'].map((name) => readNumber(router, name, account)),
      );
    expect(await numbersOf(accountAt(5))).toEqual([5_005_000n, 5_005_000n, 1n]);
    expect(await numbersOf(accountAt(6))).toEqual([10n * unit, 4n * unit, 1n]);
    expect(await numbersOf(accountAt(7))).toEqual([7n * unit, 0n, 0n]);
    expect(await readNumber(vault, 'depositCount', accountAt(8))).toBe(2n);
    expect(await readNumber(vault, 'releaseNonce', accountAt(8))).toBe(1n);
    // The cold wallet had 100 of its own and gave the router the 5.005 that it lacked.
    expect(await readNumber(vault, 'accounted', network.usdt)).toBe(264_995_000n);
    expect(await redeem(after, accountAt(5), 1n)).toBe('reverted');
    expect(await redeem(after, accountAt(6), 6n * unit)).toBe('success');
    expect(await redeem(after, accountAt(7), 7n * unit)).toBe('success');
    expect(await redeem(after, accountAt(7), 1n)).toBe('reverted');
    expect(await redeem(from, accountAt(7), 1n)).toBe('reverted');
    expect(await release(after, accountAt(8), 20n * unit)).toBe('success');
    expect(await release(from, accountAt(8), 20n * unit)).toBe('reverted');
  });
});
