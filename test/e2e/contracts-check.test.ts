import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeFunctionData, type Hex, keccak256, type PublicClient, toHex, zeroHash } from 'viem';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  compileStandard,
  contractsFolder,
  standardInput,
} from '../../contracts/compile-contracts.ts';
import { checkDeployment } from '../../contracts/deployment/check.ts';
import { contractAbi, guardedAbi } from '../../contracts/deployment/deployment-abi.ts';
import { buildCode } from '../../src/chain/deployment/build-code.ts';
import type { DeploymentManifest } from '../../src/config/deployment-manifest.ts';
import { anvilSuite } from '../support/chain/anvil-suite.ts';
import { MainNetwork, timelockSeconds } from '../support/chain/main-network.ts';

const stranger: Hex = `0x${'99'.repeat(20)}`;
const kinds = ['rewardRouter', 'referralRebate', 'spotVault'] as const;

anvilSuite('contracts:check', () => {
  let network: MainNetwork;
  let manifest: DeploymentManifest;
  let client: PublicClient;
  let state: Hex;

  beforeAll(async () => {
    network = await MainNetwork.start();
    ({ client } = network);
    ({ manifest } = await network.deploy());
    await network.chain.mine({ blocks: 70 });
    const owner = manifest.roles!.owner as Hex;
    await network.chain.impersonateAccount({ address: owner });
    await network.fund(owner);
    state = await network.chain.snapshot();
  });
  beforeEach(async () => {
    await network.chain.revert({ id: state });
    state = await network.chain.snapshot();
  });
  afterAll(() => network.stop());

  const check = (deployer: Hex | null = null, asked = client) =>
    checkDeployment(asked, { manifest, deployer });
  const addressOf = (kind: (typeof kinds)[number]) => manifest.contracts[kind].address as Hex;

  /** The timelock itself does what only it can do. */
  async function byOwner(to: Hex, data: Hex): Promise<void> {
    expect(await network.by(manifest.roles!.owner as Hex, to, data)).toBe('success');
  }

  const call = (functionName: string, args: readonly unknown[], name = 'SpotVault') =>
    encodeFunctionData({ abi: contractAbi(name), functionName, args });

  test('check: finds nothing in a deployment that was taken over', async () => {
    expect(await check(network.owners[8])).toEqual([]);
  });

  test.each(kinds)('check: %s with another byte of code, or with none', async (kind) => {
    const address = addressOf(kind);
    const code = (await client.getCode({ address }))!;
    const last = code.endsWith('00') ? '01' : '00';
    await network.chain.setCode({ address, bytecode: `${code.slice(0, -2)}${last}` as Hex });
    expect(await check()).toEqual([`${kind}: codeHash differs`]);
    const entry = { ...manifest.contracts[kind], codeHash: null };
    const unhashed = { ...manifest, contracts: { ...manifest.contracts, [kind]: entry } };
    expect(await checkDeployment(client, { manifest: unhashed, deployer: null })).toEqual([
      `${kind}: not the code of this build`,
    ]);
    await network.chain.setCode({ address, bytecode: '0x' });
    expect(await check()).toEqual([`${kind}: no contract at ${address}`]);
  });

  test.each(kinds)(
    'check: a different operator, council, guardian or owner of %s',
    async (kind) => {
      const to = addressOf(kind);
      await byOwner(to, call('setCouncil', [stranger]));
      expect(await check()).toEqual([
        expect.stringMatching(new RegExp(`^${kind}: council is ${stranger}, not 0x`, 'i')),
      ]);
      await network.chain.revert({ id: state });
      state = await network.chain.snapshot();
      const [next, guardian] = [network.owners[7]!, network.guardian];
      await network.byCouncil(to, call('setOperator', [next]));
      await network.byCouncil(to, call('setGuardian', [guardian, false]));
      expect(await check()).toEqual([
        expect.stringMatching(new RegExp(`^${kind}: operator is ${next}, not 0x`)),
        `${kind}: ${guardian.toLowerCase()} is no guardian`,
      ]);
    },
  );

  test.each(kinds)('check: %s has a pending owner, and then a different owner', async (kind) => {
    const [to, next] = [addressOf(kind), network.owners[7]!];
    await byOwner(to, call('transferOwnership', [next]));
    expect(await check()).toEqual([`${kind}: ${next.toLowerCase()} can take it over`]);
    const data = encodeFunctionData({ abi: guardedAbi, functionName: 'acceptOwnership' });
    expect(await network.by(next, to, data)).toBe('success');
    expect(await check()).toEqual([
      expect.stringMatching(new RegExp(`^${kind}: owner is ${next}, not 0x`)),
    ]);
  });

  test('check: a different settler, and a different cold wallet of router and vault', async () => {
    const router = addressOf('rewardRouter');
    await network.byCouncil(router, call('setSettler', [stranger], 'RewardRouter'));
    await byOwner(router, call('setColdWallet', [network.owners[7]]));
    await byOwner(addressOf('spotVault'), call('setColdWallet', [network.owners[7]]));
    const found = await check();
    expect(found.map((text) => text.replace(/ is .*/, ''))).toEqual([
      'rewardRouter: settler',
      'rewardRouter: coldWallet',
      'spotVault: coldWallet',
    ]);
  });

  test('check: a deployer that is still a guardian or has a role of the timelock', async () => {
    const [deployer, owner] = [network.owners[8]!, manifest.roles!.owner as Hex];
    await network.byCouncil(addressOf('spotVault'), call('setGuardian', [deployer, true]));
    expect(await check(deployer)).toEqual([`spotVault: ${deployer} is a guardian`]);
    for (const role of [
      keccak256(toHex('PROPOSER_ROLE')),
      keccak256(toHex('CANCELLER_ROLE')),
      zeroHash,
    ]) {
      await byOwner(owner, call('grantRole', [role, deployer], 'Timelock'));
    }
    expect(await check(deployer)).toEqual([
      `spotVault: ${deployer} is a guardian`,
      'timelock: the deployer has a role',
      'timelock: the deployer has a role',
      'timelock: the deployer has a role',
    ]);
  });

  test('check: a timelock with too short a delay, closed to some, or a different contract', async () => {
    const owner = manifest.roles!.owner as Hex;
    await byOwner(owner, call('updateDelay', [3_600n], 'Timelock'));
    const { council, coldWallet } = manifest.roles!;
    const revoke = (role: string, account: string) =>
      byOwner(owner, call('revokeRole', [keccak256(toHex(role)), account], 'Timelock'));
    await revoke('PROPOSER_ROLE', council);
    await revoke('CANCELLER_ROLE', coldWallet);
    await revoke('EXECUTOR_ROLE', `0x${'00'.repeat(20)}`);
    expect(await check()).toEqual([
      'timelock: execution is not open to everyone',
      'timelock: the delay is only 3600 s',
      `timelock: ${council} cannot propose`,
      `timelock: ${coldWallet} cannot cancel`,
    ]);
    const { runtime } = buildCode('SpotVault');
    await network.chain.setCode({ address: owner, bytecode: runtime });
    expect(await check()).toEqual(['timelock: not the code of this build']);
    await network.chain.setCode({ address: owner, bytecode: '0x' });
    expect(await check()).toEqual(['the owner is not a timelock']);
  });

  test('check: each limit of a token, a token that the vault does not accept, other decimals', async () => {
    const limits = {
      instantMax: 1n,
      windowMax: 2n,
      floor: 3n,
      highMark: 4n,
      period: 5,
      delay: 6,
    };
    await byOwner(addressOf('spotVault'), call('setLimit', [network.usdt, limits]));
    const found = await check();
    expect(found.map((text) => text.replace(/, not .*/, '')).sort()).toEqual([
      'spotVault: delay of USDT is 6',
      'spotVault: floor of USDT is 3',
      'spotVault: highMark of USDT is 4',
      'spotVault: instantMax of USDT is 1',
      'spotVault: period of USDT is 5',
      'spotVault: windowMax of USDT is 2',
    ]);
    await byOwner(addressOf('spotVault'), call('setTokenSupport', [network.usdt, false]));
    expect(await check()).toEqual(['spotVault: does not accept USDT']);
    const code = (await client.getCode({ address: network.usdt }))!;
    const other = buildCode('TestDF').runtime;
    expect(code).not.toBe(other);
    await network.chain.setCode({ address: network.usdt, bytecode: other });
    expect(await check()).toContain('USDT: has 18 decimals, not 6');
  });

  test('fault 34: the cold wallet has the timelock name another council, whose old keys do nothing', async () => {
    const roles = manifest.roles!;
    const [timelock, next] = [roles.owner as Hex, network.owners[7]!];
    const rights = ['PROPOSER_ROLE', 'CANCELLER_ROLE'].map((name) => keccak256(toHex(name)));
    const calls = [
      ...kinds.map((kind) => ({ to: addressOf(kind), data: call('setCouncil', [next]) })),
      ...rights.flatMap((right) => [
        { to: timelock, data: call('grantRole', [right, next], 'Timelock') },
        { to: timelock, data: call('revokeRole', [right, roles.council], 'Timelock') },
      ]),
    ];
    const batch = [
      calls.map(({ to }) => to),
      calls.map(() => 0n),
      calls.map(({ data }) => data),
      zeroHash,
      zeroHash,
    ];
    const schedule = call('scheduleBatch', [...batch, BigInt(timelockSeconds)], 'Timelock');
    const execute = call('executeBatch', batch, 'Timelock');
    expect(await network.by(network.coldWallet, timelock, schedule)).toBe('success');
    expect(await network.byAnybody(timelock, execute)).toBe('reverted');
    await network.passTimelock();
    expect(await network.byAnybody(timelock, execute)).toBe('success');
    const after = { ...manifest, roles: { ...roles, council: next.toLowerCase() } };
    expect(
      await checkDeployment(client, { manifest: after, deployer: roles.council as Hex }),
    ).toEqual([]);
    const pause = call('pause', []);
    expect(await network.by(next, addressOf('spotVault'), pause)).toBe('success');
    await expect(network.byCouncil(addressOf('rewardRouter'), pause)).rejects.toThrow();
  });

  test('check: settlements without a limit', async () => {
    const most = 2n ** 128n - 1n;
    const data = call('setSettlementLimit', [most, 86_400], 'RewardRouter');
    await byOwner(addressOf('rewardRouter'), data);
    expect(await check()).toEqual(['rewardRouter: settlements have no limit']);
    const limit = (max: bigint, seconds: number) =>
      byOwner(
        addressOf('rewardRouter'),
        call('setSettlementLimit', [max, seconds], 'RewardRouter'),
      );
    await limit(100_000_000_001n, 86_399);
    expect(await check()).toEqual([
      'rewardRouter: settlementMax is 100000000001, above 100000000000',
      'rewardRouter: settlementPeriod is 86399, below 86400',
    ]);
    await limit(99_000_000_000n, 86_400);
    expect(await check()).toEqual([]);
  });

  test("check: a retired contract, or one whose successor or predecessor is not the manifest's", async () => {
    const vault = addressOf('spotVault');
    await byOwner(vault, call('pause', []));
    await byOwner(vault, call('retire', []));
    expect(await check()).toEqual(['spotVault: retired']);
    const entry = { ...manifest.contracts.rewardRouter, predecessor: stranger };
    const contracts = { ...manifest.contracts, rewardRouter: entry };
    const other = { ...manifest, contracts };
    expect(await checkDeployment(client, { manifest: other, deployer: null })).toContain(
      `rewardRouter: predecessor is 0x${'00'.repeat(20)}, not ${stranger}`,
    );
  });

  test('check: a register with a different router', async () => {
    const slots = JSON.parse(
      readFileSync(join(contractsFolder, 'storage', 'ReferralRebate.json'), 'utf8'),
    ) as Record<string, number>;
    // The address lies above the byte of `retired`, in one slot with it.
    await network.chain.setStorageAt({
      address: addressOf('referralRebate'),
      index: slots['rewardRouter']!,
      value: `0x${'00'.repeat(11)}${stranger.slice(2)}00`,
    });
    expect(await check()).toEqual([
      `referralRebate: rewardRouter is ${stranger}, not ${addressOf('rewardRouter')}`,
    ]);
  });

  test('check: a node without proofs of the final block, or of one an hour older', async () => {
    const final = (await client.getBlock({ blockTag: 'finalized' })).number;
    const without = (isMissing: (block: bigint) => boolean) =>
      new Proxy(client, {
        get: (target, name) => {
          const value: unknown = Reflect.get(target, name);
          if (name !== 'getProof') return value;
          return async (proof: { readonly blockNumber: bigint }) => {
            if (isMissing(proof.blockNumber)) throw new Error('no state of this block');
            return Reflect.apply(value as PublicClient['getProof'], target, [proof as never]);
          };
        },
      });
    expect(
      await check(
        null,
        without((block) => block === final),
      ),
    ).toEqual([`the node returns no proofs for block ${final}`]);
    const older = await check(
      null,
      without((block) => block < final),
    );
    expect(older).toEqual([expect.stringMatching(/^the node returns no proofs for block \d+$/)]);
  });

  test('check: the standard JSON compiles to this code without other files', () => {
    const input = standardInput();
    const output = compileStandard(JSON.stringify(input));
    const vault = output.contracts?.['src/SpotVault.sol']?.['SpotVault'];
    expect(`0x${vault?.evm.deployedBytecode.object}`).toBe(buildCode('SpotVault').runtime);
  });
});
