import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { encodeFunctionData, type Hex, type PublicClient, zeroHash } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkDeployment } from '../../contracts/deployment/check.ts';
import { contractAbi, guardedAbi, timelockAbi } from '../../contracts/deployment/deployment-abi.ts';
import { writeManifest } from '../../contracts/deployment/finish.ts';
import { loadDeploymentConfig, planDeployment } from '../../contracts/deployment/plan.ts';
import { readPending, runPlan } from '../../contracts/deployment/run-plan.ts';
import { spotVaultAbi } from '../../src/chain/abi/spot-vault-abi.ts';
import { loadManifest } from '../../src/config/deployment-manifest.ts';
import { projectRoot } from '../architecture/source-files.ts';
import { anvilSuite } from '../support/chain/anvil-suite.ts';
import { startFaultProxy } from '../support/chain/fault-proxy.ts';
import { KillingNode, twoNames } from '../support/chain/killing-node.ts';
import { MainNetwork, mainChainId, timelockSeconds } from '../support/chain/main-network.ts';
import { readNamedBlocks } from '../support/document-blocks.ts';

const run = promisify(execFile);
const chainId = mainChainId;

anvilSuite('the deployment of the contracts', () => {
  let network: MainNetwork;
  let client: PublicClient;
  let folder: string;

  beforeAll(async () => {
    network = await MainNetwork.start();
    ({ client, folder } = network);
  });
  afterAll(() => network.stop());

  test('fault 9: killed before and after each step it resumes, without a second contract', async () => {
    const config = loadDeploymentConfig(network.writeConfig());
    const { account } = await network.newDeployer();
    const plan = planDeployment(config, account.address, 0);
    const pendingPath = join(folder, 'killed.pending.json');
    let kills = 0;
    for (let step = 0; step < plan.steps.length; step += 1) {
      for (const moment of ['before', 'after'] as const) {
        const dying = dyingAtSend(client, moment);
        await runPlan(dying, account, plan, pendingPath).catch((error: unknown) => {
          expect(String(error)).toContain('the process dies');
          kills += 1;
        });
      }
    }
    expect(kills).toBe(2 * plan.steps.length);
    const receipts = await runPlan(client, account, plan, pendingPath);
    expect(receipts.map(({ status }) => status)).toEqual(plan.steps.map(() => 'success'));
    const count = await client.getTransactionCount({ address: account.address });
    expect(count).toBe(plan.steps.length);
    expect(readPending(pendingPath)?.sent).toHaveLength(plan.steps.length);

    const path = join(folder, 'killed.json');
    const deployer = account.address;
    const manifest = await writeManifest(client, config, { plan, receipts, path });
    expect(loadManifest(path)).toEqual({ manifest });
    expect(await checkDeployment(client, { manifest, deployer })).toEqual(
      ['rewardRouter', 'referralRebate', 'spotVault'].map(
        (kind) => `${kind}: owner is ${deployer}, not ${plan.timelock.toLowerCase()}`,
      ),
    );
    await network.accept(config, plan);
    expect(await checkDeployment(client, { manifest, deployer })).toEqual([]);
    const terms = { NODE: network.anvil.rpcUrl, MANIFEST: path, DEPLOYER: deployer };
    const { stdout } = await runBlock('deploy-check', terms);
    expect(stdout).toBe('all as the manifest says\n');
    // The deployer has no rights left.
    const data = encodeFunctionData({
      abi: guardedAbi,
      functionName: 'transferOwnership',
      args: [deployer],
    });
    for (const to of Object.values(plan.contracts)) {
      await expect(client.call({ account: deployer, to, data })).rejects.toThrow();
    }
  });

  test('fault 9: the program killed at each transaction resumes where it was, and deploys once', async () => {
    const killer = await KillingNode.start(
      network.anvil.rpcUrl,
      readNamedBlocks('docs/maintenance.md'),
    );
    try {
      const { key, account } = await network.newDeployer();
      const config = network.writeConfig();
      const own = join(folder, 'killed-program');
      const terms = { CONFIG: config, FOLDER: own, DEPLOYER_PRIVATE_KEY: key };
      const NODE = twoNames(network.anvil.rpcUrl);
      const dry = await killer.run('deploy-dry-run', { ...terms, NODE });
      const plan = /^plan: (0x[0-9a-f]{64})$/m.exec(dry.output)?.[1] ?? '';
      const steps = planDeployment(loadDeploymentConfig(config), account.address, 0).steps.length;
      const runs: (number | null)[] = [];
      do {
        const { status, output } = await killer.run('deploy-confirm', {
          ...terms,
          NODE: killer.urls,
          PLAN: plan,
        });
        expect(output).not.toContain(key.slice(2));
        runs.push(status);
      } while (runs.at(-1) === null);
      // Each transaction killed it once, before or after the node had it, by turns.
      expect(runs).toEqual([...Array.from({ length: steps }, () => null), 0]);
      expect(killer.kills.size).toBe(steps);
      expect(await client.getTransactionCount({ address: account.address })).toBe(steps);
      const loaded = loadManifest(join(own, `${chainId}.json`));
      if (!('manifest' in loaded)) throw new Error(loaded.problems.join());
      const deployed = { manifest: loaded.manifest, deployer: account.address };
      expect(await checkDeployment(client, deployed)).toHaveLength(3);
    } finally {
      await killer.stop();
    }
  });

  test('check: names code, roles and limits that are not those of the manifest', async () => {
    const loaded = loadManifest(join(folder, 'killed.json'));
    if (!('manifest' in loaded)) throw new Error(loaded.problems.join());
    const { manifest } = loaded;
    const [asset] = manifest.assets;
    const ask = (changed: typeof manifest) =>
      checkDeployment(client, { manifest: changed, deployer: null });
    const { contracts, roles } = manifest;
    const codeHash = `0x${'11'.repeat(32)}`;
    expect(
      await ask({
        ...manifest,
        contracts: { ...contracts, spotVault: { ...contracts.spotVault, codeHash } },
      }),
    ).toEqual(['spotVault: codeHash differs']);
    const other = { ...contracts.spotVault, codeHash: null, address: network.usdt.toLowerCase() };
    expect(await ask({ ...manifest, contracts: { ...contracts, spotVault: other } })).toEqual([
      'spotVault: not the code of this build',
    ]);
    const nobody = `0x${'99'.repeat(20)}`;
    const wrong = await ask({
      ...manifest,
      roles: { ...roles!, settler: nobody, guardian: nobody },
    });
    expect(wrong).toContain(
      `rewardRouter: settler is ${network.settler.account.address}, not ${nobody}`,
    );
    expect(wrong).toContain(`spotVault: ${nobody} is no guardian`);
    const limit = { ...asset!.limit!, I: '24999' };
    expect(await ask({ ...manifest, assets: [{ ...asset!, limit }] })).toEqual([
      'spotVault: instantMax of USDT is 25000000000, not 24999000000',
    ]);
    expect(await ask({ ...manifest, chainId: 1 })).toEqual([`the node serves chain ${chainId}`]);
  });

  test('rotation: the council changes hot keys at once, the timelock the cold wallet after its delay', async () => {
    const loaded = loadManifest(join(folder, 'killed.json'));
    if (!('manifest' in loaded)) throw new Error(loaded.problems.join());
    const { manifest } = loaded;
    const addressesOf = Object.values(manifest.contracts).map(({ address }) => address as Hex);
    const [router, register, vault] = addressesOf as [Hex, Hex, Hex];
    const fresh = (seed: string) => `0x${seed.repeat(20)}`;
    const [guardian, settler, coldWallet] = [fresh('a1'), fresh('a2'), fresh('a3')];
    const encode = (functionName: string, args: readonly unknown[]) =>
      encodeFunctionData({ abi: contractAbi('RewardRouter'), functionName, args });
    const byCouncil = (to: Hex, data: Hex) => network.byCouncil(to, data);
    for (const contract of [router, register, vault]) {
      await byCouncil(contract, encode('setGuardian', [guardian, true]));
      await byCouncil(contract, encode('setGuardian', [manifest.roles!.guardian, false]));
    }
    await byCouncil(router, encode('setSettler', [settler]));
    await byCouncil(register, encode('setOperator', [settler]));
    const timelock = manifest.roles!.owner as Hex;
    const setCold = encode('setColdWallet', [coldWallet]);
    await expect(byCouncil(vault, setCold)).rejects.toThrow();
    const batch = [[router, vault], [0n, 0n], [setCold, setCold], zeroHash, zeroHash] as const;
    const schedule = {
      functionName: 'scheduleBatch',
      args: [...batch, BigInt(timelockSeconds)],
    } as const;
    await byCouncil(timelock, encodeFunctionData({ abi: timelockAbi, ...schedule }));
    await network.passTimelock();
    const data = encodeFunctionData({
      abi: timelockAbi,
      functionName: 'executeBatch',
      args: batch,
    });
    expect(await network.byAnybody(timelock, data)).toBe('success');

    const former = manifest.roles!.guardian as Hex;
    expect(await checkDeployment(client, { manifest, deployer: null })).toContain(
      `rewardRouter: ${former} is no guardian`,
    );
    const roles = { ...manifest.roles!, guardian, settler, coldWallet };
    // The former guardian is checked like the deployer: neither may keep any right.
    const now = await checkDeployment(client, {
      manifest: { ...manifest, roles },
      deployer: former,
    });
    expect(now).toEqual([
      `timelock: ${coldWallet} cannot propose`,
      `timelock: ${coldWallet} cannot cancel`,
    ]);
  });

  test('deploy: a dry run sends nothing, and only its hash executes it', async () => {
    const { key, account } = await network.newDeployer();
    const config = network.writeConfig();
    const own = join(folder, 'cli');
    const deploy = (block: string, plan = '', node = twoNames(network.anvil.rpcUrl)) =>
      runBlock(block, {
        NODE: node,
        CONFIG: config,
        FOLDER: own,
        PLAN: plan,
        DEPLOYER_PRIVATE_KEY: key,
      });
    const { stdout } = await deploy('deploy-dry-run');
    const hash = /^plan: (0x[0-9a-f]{64})$/m.exec(stdout)?.[1] ?? '';
    expect(stdout).toContain('deploy SpotVault: ');
    expect(stdout).toContain(`  constructor [["${network.usdt.toLowerCase()}"],{`);
    expect(stdout).toMatch(/^gas \d{7}: deploy SpotVault$/m);
    expect(stdout).toMatch(/^all steps: gas \d{8}, at most 0\.\d+ at the present fees$/m);
    // Each step's gas is shown, also that of calls to contracts that are not there yet.
    const { steps } = planDeployment(loadDeploymentConfig(config), account.address, 0);
    expect(stdout.match(/^gas \d+: /gm)).toHaveLength(steps.length);
    await expect(deploy('deploy-dry-run', '', network.anvil.rpcUrl)).rejects.toThrow(
      `chain ${chainId} is a main network: --rpc needs several nodes, as URL,URL`,
    );
    // On that node's chain the deployer has sent transactions already.
    const other = await startFaultProxy(network.anvil.rpcUrl);
    other.setRule((method) => {
      if (method === 'eth_getAccountInfo') return { kind: 'refusal', code: -32_601, message: '' };
      return method === 'eth_getTransactionCount' ? { kind: 'lie', result: () => '0x7' } : null;
    });
    const split = `${other.url.replace('127.0.0.1', 'localhost')},${network.anvil.rpcUrl}`;
    await expect(deploy('deploy-dry-run', '', split)).rejects.toThrow(
      'the chain refuses the step: deploy Timelock',
    );
    await other.close();
    expect(await client.getTransactionCount({ address: account.address })).toBe(0);
    await expect(deploy('deploy-confirm', `0x${'00'.repeat(32)}`)).rejects.toThrow(
      'nothing was sent',
    );
    expect(existsSync(join(own, `${chainId}.pending.json`))).toBe(false);
    const done = await deploy('deploy-confirm', hash);
    expect(done.stdout).toContain('the council sends, at once: to 0x');
    expect(done.stdout + done.stderr).not.toContain(key.slice(2));
    expect(readFileSync(join(own, `${chainId}.pending.json`), 'utf8')).not.toContain(key.slice(2));
    // Again it changes nothing.
    await deploy('deploy-confirm', hash);
    const loaded = loadManifest(join(own, `${chainId}.json`));
    if (!('manifest' in loaded)) throw new Error(loaded.problems.join());
    const limits = await client.readContract({
      abi: spotVaultAbi,
      functionName: 'limits',
      args: [network.usdt],
      address: loaded.manifest.contracts.spotVault.address as Hex,
    });
    expect(limits).toMatchObject({ instantMax: 25_000_000_000n, period: 86_400, delay: 86_400 });
  });

  test('deploy: a main network without limits, or with a short timelock, is refused', () => {
    const written = JSON.parse(readFileSync(network.writeConfig(), 'utf8')) as { assets: [object] };
    const [asset] = written.assets;
    const unlimited = network.writeConfig({ assets: [{ ...asset, limit: undefined }] });
    expect(() => loadDeploymentConfig(unlimited)).toThrow('limit and R are required');
    const hasty = network.writeConfig({ timelockSeconds: 3_600 });
    expect(() => loadDeploymentConfig(hasty)).toThrow('at least 172800 on a main network');
    const { roles } = network.config();
    for (const role of ['rewardSigner', 'settler', 'guardian', 'council', 'coldWallet']) {
      const joined = { ...roles, [role]: roles.vaultSigner };
      const config = network.writeConfig({ roles: joined });
      expect(() => loadDeploymentConfig(config)).toThrow('one address has two of them');
    }
  });
});

/** A block of the document as a reader would run it. */
function runBlock(name: string, variables: Readonly<Record<string, string>>) {
  const block = readNamedBlocks('docs/maintenance.md').get(name) ?? 'exit 1';
  const env = { ...process.env, ...variables };
  return run('bash', ['-c', block], { cwd: projectRoot, env });
}

/** A node that is asked by a process that dies at its first new transaction. */
function dyingAtSend(client: PublicClient, moment: 'before' | 'after'): PublicClient {
  let isDead = false;
  return new Proxy(client, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return async (...given: unknown[]) => {
        if (isDead) throw new DeathError('the process is dead');
        const isLast = name === 'sendRawTransaction';
        isDead = isLast;
        if (isLast && moment === 'before') throw new DeathError('the process dies');
        const answer: unknown = await Reflect.apply(value, target, given);
        if (isLast) throw new DeathError('the process dies');
        return answer;
      };
    },
  });
}

class DeathError extends Error {
  override readonly name = 'DeathError';
}
