import { sql } from 'kysely';
import { type Abi, encodeDeployData, type Hex, parseAbi, zeroAddress } from 'viem';
import { afterEach, expect, test } from 'vitest';
import { rewardRouterAbi } from '../../src/chain/abi/reward-router-abi.ts';
import { spotVaultAbi } from '../../src/chain/abi/spot-vault-abi.ts';
import { tokenAbi } from '../../src/chain/abi/token-abi.ts';
import type { DeployedAddresses } from '../../src/chain/chain-addresses.ts';
import { contractCode } from '../../src/chain/development/contract-code.ts';
import { minedReceipt } from '../../src/chain/development/mined-receipt.ts';
import { fromHexAddress, toHexAddress } from '../../src/chain/evm-values.ts';
import type { Address } from '../../src/domain/identifiers.ts';
import { toMicroUsdt } from '../../src/domain/micro-usdt.ts';
import { anvilSuite } from '../support/chain/anvil-suite.ts';
import { type Earner, RewardStack } from '../support/claims/reward-stack.ts';

// Router and vault are replaced while the service is stopped. What users did with the old contracts
// between the last counted block and their end is counted once the service runs again.

const ownerAbi = parseAbi([
  'function retire()',
  'function retire(address successor)',
  'function pause()',
  'function setRewardRouter(address router)',
]);

anvilSuite('replaced contracts', () => {
  let stack: RewardStack | null = null;
  afterEach(async () => {
    await stack?.close();
    stack = null;
  });

  async function send(
    { chain }: RewardStack,
    account: Earner['wallet'] | Hex,
    call: {
      readonly to: Address;
      readonly abi: Abi;
      readonly name: string;
      readonly args: readonly unknown[];
    },
  ): Promise<void> {
    const { to, abi, name: functionName, args } = call;
    const sent = { account, chain: null, address: toHexAddress(to), abi, functionName, args };
    const hash = await chain.client.writeContract(sent);
    expect(await minedReceipt(chain.client, hash)).toMatchObject({ status: 'success' });
  }

  async function deposit(from: RewardStack, { wallet }: Earner, amount: bigint): Promise<void> {
    const { df, spotVault } = from.contracts;
    const token = { to: df, abi: tokenAbi };
    await send(from, wallet, { ...token, name: 'mint', args: [wallet.address, amount] });
    await send(from, wallet, { ...token, name: 'approve', args: [spotVault, amount] });
    const args = [df, amount];
    await send(from, wallet, { to: spotVault, abi: spotVaultAbi, name: 'deposit', args });
  }

  async function redeem(from: RewardStack, earner: Earner): Promise<void> {
    const deadline = Math.floor(Date.now() / 1000) + 3_600;
    const amount = toMicroUsdt(5_000_000n);
    const terms = { account: earner.address, amount, nonce: 0, deadline };
    const signature = await from.service.rewardSigner.signRedemption(terms);
    await from.redeem(earner, { amount: '5000000', deadline, signature });
  }

  async function deploy({ chain }: RewardStack, name: string, abi: Abi, args: readonly unknown[]) {
    const [owner] = (await chain.client.getAddresses()) as [Hex];
    const data = encodeDeployData({ abi, bytecode: contractCode(name), args });
    const hash = await chain.client.sendTransaction({ account: owner, chain: null, data });
    return fromHexAddress((await minedReceipt(chain.client, hash)).contractAddress ?? '0x');
  }

  async function replace(from: RewardStack): Promise<DeployedAddresses> {
    const { rewardRouter, referralRebate, spotVault, usdt, df } = from.contracts;
    const [owner] = (await from.chain.client.getAddresses()) as [Hex];
    const { reward, settler, vault } = from.chain.signers;
    const roles = (operator: Address) =>
      ({ owner, council: owner, guardian: zeroAddress, operator }) as const;
    const asOwner = (to: Address, name: string, ...args: readonly unknown[]) =>
      send(from, owner, { to, abi: ownerAbi, name, args });
    const router = await deploy(from, 'RewardRouter', rewardRouterAbi, [
      usdt,
      roles(reward.address),
      settler.address,
      zeroAddress,
      rewardRouter,
      'ReferralRewardRouter',
    ]);
    await asOwner(rewardRouter, 'pause');
    await asOwner(rewardRouter, 'retire', router);
    await asOwner(referralRebate, 'setRewardRouter', router);
    await asOwner(spotVault, 'pause');
    await asOwner(spotVault, 'retire');
    const successor = await deploy(from, 'SpotVault', spotVaultAbi, [
      [usdt, df],
      roles(vault.address),
      zeroAddress,
      spotVault,
      'SpotVault',
    ]);
    return { ...from.contracts, rewardRouter: router, spotVault: successor };
  }

  /** The numbers or nonces that are counted, each with its contract. */
  async function counted({ pool }: RewardStack, table: string, column: string): Promise<unknown> {
    const { rows } = await pool.query((db) =>
      sql<{ each: string; address: Address }>`
        SELECT ${sql.ref(column)}::text AS each, address
        FROM ${sql.table(table)} JOIN contracts ON contracts.id = contract_id
        ORDER BY 1`.execute(db),
    );
    return rows.map(({ each, address }) => [each, address]);
  }

  async function statesOf({ pool }: RewardStack): Promise<unknown> {
    const { rows } = await pool.query((db) =>
      sql<{ kind: string; state: string }>`
        SELECT kind, state FROM contracts WHERE state <> 'active' ORDER BY kind`.execute(db),
    );
    return rows.map(({ kind, state }) => [kind, state]);
  }

  test('what the old contracts did after the last counted block is counted, in their own books', async () => {
    stack = await RewardStack.start();
    const earner = await stack.nextEarner();
    await stack.earn(earner, 5_000_000n);
    await deposit(stack, earner, 5n);
    await stack.calmDown();
    const old = stack.contracts;
    // Nothing of this is counted before the service is stopped.
    await redeem(stack, earner);
    await deposit(stack, earner, 7n);
    stack.contracts = await replace(stack);
    await deposit(stack, earner, 11n);
    await stack.restart();
    await stack.calmDown();
    expect(await counted(stack, 'spot_deposits', 'number')).toEqual([
      ['0', old.spotVault],
      ['1', old.spotVault],
      ['2', stack.contracts.spotVault],
    ]);
    expect(await counted(stack, 'reward_redemptions', 'nonce')).toEqual([['0', old.rewardRouter]]);
    expect(stack.service.status).toMatchObject({ state: 'ready', openHalts: 0, parkedEvents: 0 });
    expect(stack.service.bookDifferences).toContainEqual(['DF', 0]);
    expect(await statesOf(stack)).toEqual([
      ['rewardRouter', 'retired'],
      ['spotVault', 'retired'],
    ]);
  });
});
