import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeFunctionData, type Hex, keccak256, toHex, zeroHash } from 'viem';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { checkDeployment } from '../../contracts/deployment/check.ts';
import { contractAbi } from '../../contracts/deployment/deployment-abi.ts';
import type { DeploymentManifest } from '../../src/config/deployment-manifest.ts';
import { projectRoot } from '../architecture/source-files.ts';
import { anvilSuite } from '../support/chain/anvil-suite.ts';
import { type DocumentedCall, documentedCalls } from '../support/chain/documented-calls.ts';
import { MainNetwork, timelockSeconds } from '../support/chain/main-network.ts';

// The rotations of docs/maintenance.md on a main network: the calls of its blocks, and of its table
// of the roles that the timelock changes.

type Block = 'rotate-signers' | 'void-signer' | 'pause-router';
type Roles = NonNullable<DeploymentManifest['roles']>;
const document = readFileSync(join(projectRoot, 'docs/maintenance.md'), 'utf8');
const kinds = ['rewardRouter', 'referralRebate', 'spotVault'] as const;
const addressOf = (digits: string): Hex => `0x${digits.repeat(20)}`;

anvilSuite('the rotation of each role', () => {
  let network: MainNetwork;
  let manifest: DeploymentManifest;
  let roles: Roles;
  let state: Hex;

  beforeAll(async () => {
    network = await MainNetwork.start();
    ({ manifest } = await network.deploy());
    roles = manifest.roles!;
    state = await network.chain.snapshot();
  });
  beforeEach(async () => {
    await network.chain.revert({ id: state });
    state = await network.chain.snapshot();
  });
  afterAll(() => network.stop());

  const contractAt = (kind: (typeof kinds)[number]) => manifest.contracts[kind].address as Hex;
  const check = (changes: Partial<Roles>) =>
    checkDeployment(network.client, {
      manifest: { ...manifest, roles: { ...roles, ...changes } },
      deployer: null,
    });

  /** The calls that a block of the document makes with these variables. */
  const callsOf = (block: Block, variables: Readonly<Record<string, string>>) =>
    documentedCalls(block, {
      CHAIN_RPC_URL: network.anvil.rpcUrl,
      REWARD_ROUTER_ADDRESS: contractAt('rewardRouter'),
      REFERRAL_REBATE_ADDRESS: contractAt('referralRebate'),
      SPOT_VAULT_ADDRESS: contractAt('spotVault'),
      ...variables,
    });

  const encode = (name: string, functionName: string, args: readonly unknown[]) =>
    encodeFunctionData({ abi: contractAbi(name), functionName, args });

  test('rotation: the three signers, by the documented calls', async () => {
    const [rewardSigner, vaultSigner, settler] = ['a1', 'a2', 'a3'].map(addressOf) as [
      Hex,
      Hex,
      Hex,
    ];
    const calls = await callsOf('rotate-signers', {
      NEW_REWARD_SIGNER: rewardSigner,
      NEW_VAULT_SIGNER: vaultSigner,
      NEW_SETTLER: settler,
    });
    expect(calls.length).toBe(4);
    for (const { to, data } of calls) await network.byCouncil(to, data);
    expect(await check({ rewardSigner, vaultSigner, settler })).toEqual([]);
    const found = await check({});
    expect(found.map((text) => text.replace(/ is .*/, ''))).toEqual([
      'rewardRouter: operator',
      'referralRebate: operator',
      'spotVault: operator',
      'rewardRouter: settler',
    ]);
  });

  test('rotation: a stolen key is stopped by a guardian, and replaced by the council', async () => {
    const vault = contractAt('spotVault');
    const [voiding] = await callsOf('void-signer', { STOLEN_SIGNER: roles.vaultSigner });
    const [pausing] = await callsOf('pause-router', {});
    for (const { to, data } of [voiding!, pausing!]) {
      expect(await network.by(network.guardian, to, data)).toBe('success');
    }
    const isPaused = (address: Hex) =>
      network.client.readContract({
        address,
        abi: contractAbi('SpotVault'),
        functionName: 'paused',
      });
    expect(await Promise.all([vault, contractAt('rewardRouter')].map(isPaused))).toEqual([
      true,
      true,
    ]);
    const next = addressOf('a2');
    await network.byCouncil(vault, encode('SpotVault', 'setOperator', [next]));
    await network.byCouncil(vault, encode('SpotVault', 'unpause', []));
    await network.byCouncil(contractAt('rewardRouter'), encode('RewardRouter', 'unpause', []));
    expect(await check({ vaultSigner: next })).toEqual([]);
    // The stolen key is permanently void.
    const back = encode('SpotVault', 'setOperator', [roles.vaultSigner]);
    await expect(network.byCouncil(vault, back)).rejects.toThrow();
  });

  test('rotation: a guardian, by the council at once, on all three contracts', async () => {
    expect(document).toContain(
      '`setGuardian(new, true)` and `setGuardian(old, false)` on all three',
    );
    const next = network.owners[7]!;
    const set = (who: Hex, isGuardian: boolean) =>
      encode('SpotVault', 'setGuardian', [who, isGuardian]);
    for (const kind of kinds) await network.byCouncil(contractAt(kind), set(next, true));
    // With both, no manifest is wrong: the service restarts with the new one in between.
    const changed = { guardian: next.toLowerCase() };
    expect([await check({}), await check(changed)]).toEqual([[], []]);
    for (const kind of kinds)
      await network.byCouncil(contractAt(kind), set(network.guardian, false));
    expect(await check(changed)).toEqual([]);
    expect((await check({})).length).toBe(3);
  });

  test.each<['coldWallet' | 'council', string, string, readonly (typeof kinds)[number][]]>([
    ['coldWallet', 'setColdWallet', 'on router and vault', ['rewardRouter', 'spotVault']],
    ['council', 'setCouncil', 'on all three', kinds],
  ])('rotation: %s, by the timelock after its delay', async (role, setter, where, on) => {
    expect(document).toContain(`\`${setter}(address)\` ${where}`);
    const next = network.owners[7]!;
    const timelock = roles.owner as Hex;
    const rights = ['PROPOSER_ROLE', 'CANCELLER_ROLE'].map((name) => keccak256(toHex(name)));
    const set = encode('SpotVault', setter, [next]);
    const calls: readonly DocumentedCall[] = [
      ...on.map((kind) => ({ to: contractAt(kind), data: set })),
      ...rights.flatMap((right) => [
        { to: timelock, data: encode('Timelock', 'grantRole', [right, next]) },
        { to: timelock, data: encode('Timelock', 'revokeRole', [right, roles[role]]) },
      ]),
    ];
    const batch = [
      calls.map(({ to }) => to),
      calls.map(() => 0n),
      calls.map(({ data }) => data),
      zeroHash,
      zeroHash,
    ];
    const schedule = encode('Timelock', 'scheduleBatch', [...batch, BigInt(timelockSeconds)]);
    const execute = encode('Timelock', 'executeBatch', batch);
    await network.byCouncil(timelock, schedule);
    expect(await network.byAnybody(timelock, execute)).toBe('reverted');
    await network.passTimelock();
    expect(await network.byAnybody(timelock, execute)).toBe('success');
    expect(await check({ [role]: next.toLowerCase() })).toEqual([]);
  });
});
