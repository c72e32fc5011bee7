import { type Hex, parseAbi } from 'viem';
import { generatePrivateKey } from 'viem/accounts';
import { afterEach, expect, test } from 'vitest';
import { loadClaimSignature } from '../../src/application/referral/load-claim-signature.ts';
import type { ContractAddresses } from '../../src/chain/chain-addresses.ts';
import { minedReceipt } from '../../src/chain/development/mined-receipt.ts';
import { addressesOf } from '../../src/chain/signers/chain-signer.ts';
import { createSigners } from '../../src/chain/signers/signer-settings.ts';
import { anvilSuite } from '../support/chain/anvil-suite.ts';
import { documentedCalls } from '../support/chain/documented-calls.ts';
import { startTestChain, type TestChain } from '../support/chain/test-chain.ts';
import { RewardStack } from '../support/claims/reward-stack.ts';
import { startTestService, testServiceAdminKey } from '../support/test-service.ts';
import { ChainUser, type Release } from '../support/wallet/chain-user.ts';

// The steps of docs/maintenance.md that change the signers' keys, with a service that has users.

const oneDf = 10n ** 18n;
const polling = { interval: 50, timeout: 60_000 };
const unpauseAbi = parseAbi(['function unpause()']);

anvilSuite('changing the keys of the signers', () => {
  const ends: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  /** Steps 2 and 3: coin for the new settler, and the calls of the council. */
  async function rotate(chain: TestChain, contracts: ContractAddresses): Promise<string> {
    const key = generatePrivateKey();
    const { settler, reward, vault } = addressesOf(createSigners({ privateKey: key }).byRole);
    await chain.client.setBalance({ address: settler as Hex, value: 10n ** 18n });
    const calls = await documentedCalls('rotate-signers', {
      CHAIN_RPC_URL: chain.rpcUrl,
      REWARD_ROUTER_ADDRESS: contracts.rewardRouter,
      REFERRAL_REBATE_ADDRESS: contracts.referralRebate,
      SPOT_VAULT_ADDRESS: contracts.spotVault,
      NEW_REWARD_SIGNER: reward,
      NEW_VAULT_SIGNER: vault,
      NEW_SETTLER: settler,
    });
    for (const call of calls) await byCouncil(chain, call);
    return key;
  }

  async function byCouncil(chain: TestChain, call: { readonly to: Hex; readonly data: Hex }) {
    const [council] = (await chain.client.getAddresses()) as [Hex];
    const hash = await chain.client.sendTransaction({ account: council, chain: null, ...call });
    expect((await minedReceipt(chain.client, hash)).status).toBe('success');
  }

  test('fault 19: withdrawals are paused, the keys changed, and signed by the new key afterwards', async () => {
    const chain = await startTestChain();
    ends.push(() => chain.close());
    const { contracts } = chain;
    const service = await startTestService({
      CHAIN_RPC_URL: chain.rpcUrl,
      CHAIN_ID: String(chain.chainId),
      CHAIN_CONFIRMATIONS: '0',
      SIGNER_PRIVATE_KEY: chain.signerKey.slice(2),
      REWARD_ROUTER_ADDRESS: contracts.rewardRouter,
      REFERRAL_REBATE_ADDRESS: contracts.referralRebate,
      SPOT_VAULT_ADDRESS: contracts.spotVault,
      CLAIM_POLL_INTERVAL_MS: '50',
    });
    ends.push(() => service.close());
    const pause = async (paused: boolean) => {
      const reply = await fetch(`${service.url}/api/v1/admin/withdrawals/pause`, {
        method: 'PUT',
        headers: { 'x-api-key': testServiceAdminKey, 'content-type': 'application/json' },
        body: JSON.stringify({ paused, reason: 'the keys are changed' }),
      });
      expect(reply.status).toBe(200);
    };
    const chainState = async () => {
      const reply = await fetch(`${service.url}/readyz`);
      const { chain: part } = (await reply.json()) as {
        chain: { state: string; detail?: string };
      };
      return part;
    };
    const before = await ChainUser.register(chain, service.url);
    await before.deposit(contracts.df, 5n * oneDf);
    await expect.poll(() => before.balances(), polling).toEqual({ DF: '5 0' });
    const ask = (user: ChainUser) =>
      user.call('POST', '/spot/withdraw/request', { token: 'DF', amount: '2' });
    const old = (await ask(before)).body as unknown as Release;

    const other = await ChainUser.register(chain, service.url);
    await other.deposit(contracts.df, 5n * oneDf);
    await expect.poll(() => other.balances(), polling).toEqual({ DF: '5 0' });
    await pause(true);
    expect(await ask(other)).toMatchObject({ status: 500, body: { error: 'signer unavailable' } });
    let key = '';
    await service.restart({}, async () => {
      key = await rotate(chain, contracts);
    });
    // With the former key the service says what is wrong, and signs nothing.
    await expect.poll(chainState, polling).toMatchObject({
      state: 'degraded',
      detail: expect.stringContaining('not the signer') as string,
    });
    await service.restart({ SIGNER_PRIVATE_KEY: key.slice(2) }, () => Promise.resolve());
    await expect.poll(chainState, polling).toMatchObject({ state: 'ready' });
    await pause(false);

    // What the former key signed is refused by the vault, and returned once it has expired.
    const user = before.over(service.url);
    await expect(user.release(contracts.df, old)).rejects.toThrow('InvalidSigner');
    await chain.client.setNextBlockTimestamp({ timestamp: BigInt(old.deadline) + 1n });
    await chain.client.mine({ blocks: 1 });
    await expect.poll(() => user.balances(), polling).toEqual({ DF: '5 0' });
    const next = await ask(user);
    expect(next).toMatchObject({ status: 200, body: { nonce: old.nonce, status: 'signed' } });
    await user.release(contracts.df, next.body as unknown as Release);
    await expect.poll(() => user.balances(), polling).toEqual({ DF: '3 0' });
  });

  test('rotation: an order for commission is signed again by the new key, and the former signature is refused', async () => {
    const stack = await RewardStack.start();
    ends.push(() => stack.close());
    const earner = await stack.nextEarner();
    await stack.earn(earner, 15_000_000n);
    await stack.calmDown();
    const order = await stack.claimed(earner);
    const { rewardRouter } = stack.contracts;
    const [pause] = await documentedCalls('pause-router', {
      CHAIN_RPC_URL: stack.chain.rpcUrl,
      REWARD_ROUTER_ADDRESS: rewardRouter,
    });
    await byCouncil(stack.chain, pause!);
    await expect(stack.redeem(earner, order)).rejects.toThrow('EnforcedPause');
    stack.signerKey = await rotate(stack.chain, stack.contracts);
    await stack.restart();
    const [council] = (await stack.chain.client.getAddresses()) as [Hex];
    const hash = await stack.chain.client.writeContract({
      account: council,
      chain: null,
      address: rewardRouter as Hex,
      abi: unpauseAbi,
      functionName: 'unpause',
    });
    await minedReceipt(stack.chain.client, hash);
    await stack.service.pollEvents();
    await expect(stack.redeem(earner, order)).rejects.toThrow('InvalidSigner');
    const again = await loadClaimSignature(stack.claimPorts(), earner.address, order.claim_no);
    if (again.kind === 'refused') throw new Error(again.refusal);
    expect(again.value).toMatchObject({ nonce: order.nonce, deadline: order.deadline });
    await stack.redeem(earner, again.value);
    await stack.calmDown();
    expect(await stack.listClaims(earner)).toEqual(['15000000 success']);
    await stack.checkRest();
  });
});
