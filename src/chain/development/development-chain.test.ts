import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { anvilSuite } from '../../../test/support/chain/anvil-suite.ts';
import type { Address } from '../../domain/identifiers.ts';
import { createLogger } from '../../observability/log.ts';
import { rewardRouterAbi } from '../abi/reward-router-abi.ts';
import { tokenAbi } from '../abi/token-abi.ts';
import { toHexAddress } from '../evm-values.ts';
import { guardedAbi } from '../guardian/contract-guardian.ts';
import type { SignerAddresses } from '../signers/chain-signer.ts';
import { AnvilMissingError, startAnvil } from './anvil-process.ts';
import { createDevelopmentClient } from './deploy-contracts.ts';
import {
  type DevelopmentChain,
  type DevelopmentChainOptions,
  openDevelopmentChain,
} from './development-chain.ts';

anvilSuite('development-chain', () => {
  const signersEndingIn = (digit: string) => ({
    settler: `0x${digit.padStart(40, '1')}` as Address,
    reward: `0x${digit.padStart(40, '2')}` as Address,
    vault: `0x${digit.padStart(40, '3')}` as Address,
  });
  const signers = signersEndingIn('a');
  const others = signersEndingIn('b');
  const holderProgram = fileURLToPath(
    new URL('../../../test/support/chain/hold-development-chain.ts', import.meta.url),
  );
  const folders: string[] = [];
  const chains: DevelopmentChain[] = [];

  afterEach(async () => {
    await Promise.all(chains.splice(0).map((chain) => chain.stop()));
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
  });

  function newFolder(): string {
    const folder = mkdtempSync(join(tmpdir(), 'openbourse-chain-'));
    folders.push(folder);
    return folder;
  }

  async function open(
    folder: string,
    changes: Partial<Pick<DevelopmentChainOptions, 'signers' | 'guardian' | 'heartbeatMs'>> = {},
  ): Promise<DevelopmentChain> {
    const chain = await openDevelopmentChain({
      folder,
      chainId: 31_337,
      signers,
      rewardDomainName: 'ReferralRewardRouter',
      vaultDomainName: 'SpotVault',
      log: createLogger('silent'),
      saveIntervalMs: 20,
      heartbeatMs: 60_000,
      ...changes,
    });
    chains.push(chain);
    return chain;
  }

  async function rolesOf(chain: DevelopmentChain): Promise<readonly string[]> {
    const { rewardRouter, referralRebate, spotVault } = chain.contracts;
    const client = createDevelopmentClient(chain.rpcUrl);
    const ask = async (contract: Address, functionName: 'operator' | 'settler') => {
      const address = toHexAddress(contract);
      const holder = await client.readContract({ address, abi: rewardRouterAbi, functionName });
      return holder.toLowerCase();
    };
    return [
      await ask(rewardRouter, 'settler'),
      await ask(referralRebate, 'operator'),
      await ask(rewardRouter, 'operator'),
      await ask(spotVault, 'operator'),
    ];
  }

  const rolesFor = ({ settler, reward, vault }: SignerAddresses) => [
    settler,
    settler,
    reward,
    vault,
  ];

  test('developmentChain: router and vault hold enough test tokens', async () => {
    const chain = await open(newFolder());
    const client = createDevelopmentClient(chain.rpcUrl);
    const { usdt, df, rewardRouter, spotVault } = chain.contracts;
    const balance = async (token: Address, holder: Address): Promise<bigint> =>
      client.readContract({
        address: toHexAddress(token),
        abi: tokenAbi,
        functionName: 'balanceOf',
        args: [toHexAddress(holder)],
      });
    expect(await balance(usdt, rewardRouter)).toBe(10n ** 15n);
    expect(await balance(usdt, spotVault)).toBe(10n ** 15n);
    expect(await balance(df, spotVault)).toBe(10n ** 27n);
    expect(await rolesOf(chain)).toEqual(rolesFor(signers));
    expect(await client.getBalance({ address: toHexAddress(signers.settler) })).toBeGreaterThan(0n);
  });

  test('developmentChain: blocks, contracts and port survive a restart', async () => {
    const folder = newFolder();
    const first = await open(folder);
    const before = createDevelopmentClient(first.rpcUrl);
    await before.mine({ blocks: 3 });
    const head = await before.getBlock();
    await first.stop();
    chains.pop();

    const second = await open(folder);
    const after = createDevelopmentClient(second.rpcUrl);
    expect(second.contracts).toEqual(first.contracts);
    expect(second.startBlock).toBe(first.startBlock);
    expect(second.rpcUrl).toBe(first.rpcUrl);
    expect((await after.getBlock({ blockNumber: head.number })).hash).toBe(head.hash);
  });

  test('developmentChain: a taken port is replaced by another', async () => {
    const folder = newFolder();
    const first = await open(folder);
    await first.stop();
    chains.pop();
    const squatter = await startAnvil({
      chainId: 1,
      port: Number(new URL(first.rpcUrl).port),
      stateFile: null,
    });
    try {
      const second = await open(folder);
      expect(second.rpcUrl).not.toBe(first.rpcUrl);
      expect(second.contracts).toEqual(first.contracts);
    } finally {
      await squatter.stop();
    }
  });

  test('developmentChain: the contracts accept the signer of the current settings', async () => {
    const folder = newFolder();
    const first = await open(folder);
    await first.stop();
    chains.pop();
    const second = await open(folder, { signers: others });
    expect(second.contracts).toEqual(first.contracts);
    expect(await rolesOf(second)).toEqual(rolesFor(others));
  });

  test('developmentChain: a guardian that the settings have may pause the contracts', async () => {
    const folder = newFolder();
    const guardian = `0x${'4'.repeat(40)}` as Address;
    const first = await open(folder);
    await first.stop();
    chains.pop();
    const second = await open(folder, { guardian });
    const client = createDevelopmentClient(second.rpcUrl);
    const account = toHexAddress(guardian);
    expect(await client.getBalance({ address: account })).toBeGreaterThan(0n);
    const { rewardRouter, referralRebate, spotVault } = second.contracts;
    for (const contract of [rewardRouter, referralRebate, spotVault]) {
      const address = toHexAddress(contract);
      const isGuardian = await client.readContract({
        address,
        abi: guardedAbi,
        functionName: 'isGuardian',
        args: [account],
      });
      expect(isGuardian).toBe(true);
    }
  });

  test('developmentChain: blocks are made on an idle chain, so that deadlines pass', async () => {
    const chain = await open(newFolder(), { heartbeatMs: 30 });
    const client = createDevelopmentClient(chain.rpcUrl);
    const before = await client.getBlockNumber();
    await expect.poll(async () => client.getBlockNumber({ cacheTime: 0 })).toBeGreaterThan(before);
  });

  test('developmentChain: a killed service ends its chain and loses no saved block', async () => {
    const folder = newFolder();
    const service = spawn(process.execPath, ['--import', 'tsx', holderProgram, folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(service.stdout, 'data')) as [Buffer];
    const held = JSON.parse(line.toString('utf8')) as {
      rpcUrl: string;
      block: number;
      hash: string;
    };
    service.kill('SIGKILL');
    await once(service, 'exit');
    await expect
      .poll(async () =>
        fetch(held.rpcUrl).then(
          () => 'alive',
          () => 'gone',
        ),
      )
      .toBe('gone');

    const chain = await open(folder);
    const block = await createDevelopmentClient(chain.rpcUrl).getBlock({
      blockNumber: BigInt(held.block),
    });
    expect(block.hash).toBe(held.hash);
  });

  test('startAnvil: a missing program is distinguished from a broken one', async () => {
    const options = { chainId: 31_337, port: 0, stateFile: null };
    await expect(startAnvil({ ...options, program: '/nowhere/anvil' })).rejects.toThrow(
      AnvilMissingError,
    );
    await expect(startAnvil({ ...options, stateFile: '/nowhere/state' })).rejects.toThrow(
      /did not start: .*\/nowhere\/state/,
    );
  });
});
