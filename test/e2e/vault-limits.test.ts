import { sql } from 'kysely';
import { parseAbi } from 'viem';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { spotVaultAbi } from '../../src/chain/abi/spot-vault-abi.ts';
import { tokenAbi } from '../../src/chain/abi/token-abi.ts';
import { minedReceipt } from '../../src/chain/development/mined-receipt.ts';
import { toHexAddress } from '../../src/chain/evm-values.ts';
import type { Address } from '../../src/domain/identifiers.ts';
import { anvilSuite } from '../support/chain/anvil-suite.ts';
import { newWallet, startTestChain, type TestChain } from '../support/chain/test-chain.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { ChainUser, holdingOf, type Release } from '../support/wallet/chain-user.ts';

// The whole service over a vault whose limits bind: what goes beyond them waits in the vault's
// queue, is paid by anyone after its delay or comes back, and nobody's signing stops for it.

const oneDf = 10n ** 18n;
const polling = { interval: 50 };
const delaySeconds = 7_200;

const lastWords = parseAbi([
  'function setColdWallet(address newWallet)',
  'function evacuate(address token)',
  'function retire()',
]);

let chain: TestChain;
let service: TestService;
let df: Address;
let owner: `0x${string}`;

type OwnerCall =
  | 'setLimit'
  | 'cancelQueued'
  | 'voidSigner'
  | 'setOperator'
  | 'pause'
  | 'unpause'
  | 'retire'
  | 'refill'
  | 'setColdWallet'
  | 'payQueued';

async function asOwner(functionName: OwnerCall, ...args: readonly unknown[]): Promise<void> {
  const call = {
    account: owner,
    chain: null,
    abi: [...spotVaultAbi, ...lastWords],
    address: toHexAddress(chain.contracts.spotVault),
    functionName,
    args,
  } as never;
  // A node sends what it is given, even a call that reverts.
  await chain.client.simulateContract(call);
  const hash = await chain.client.writeContract(call);
  await minedReceipt(chain.client, hash);
}

/** The cold wallet takes all DF out of the vault. */
async function evacuate(): Promise<void> {
  const [, coldWallet] = (await chain.client.getAddresses()) as [`0x${string}`, `0x${string}`];
  await asOwner('setColdWallet', coldWallet);
  const hash = await chain.client.writeContract({
    account: coldWallet,
    chain: null,
    abi: lastWords,
    address: toHexAddress(chain.contracts.spotVault),
    functionName: 'evacuate',
    args: [toHexAddress(df)],
  });
  await minedReceipt(chain.client, hash);
}

async function refill(amount: bigint): Promise<void> {
  for (const [functionName, args] of [
    ['mint', [owner, amount]],
    ['approve', [toHexAddress(chain.contracts.spotVault), amount]],
  ] as const) {
    const call = { abi: tokenAbi, address: toHexAddress(df), functionName, args };
    const sent = { ...call, account: owner, chain: null } as never;
    await minedReceipt(chain.client, await chain.client.writeContract(sent));
  }
  await asOwner('refill', toHexAddress(df), amount);
}

async function pass(seconds: number): Promise<void> {
  await chain.client.increaseTime({ seconds });
  await chain.client.mine({ blocks: 1 });
}

async function request(user: ChainUser, amount: string): Promise<Release> {
  const { status, body } = await user.call('POST', '/spot/withdraw/request', {
    token: 'DF',
    amount,
  });
  expect(`${status} ${JSON.stringify(body['error'] ?? null)}`).toBe('200 null');
  return body as unknown as Release;
}

async function viewOf(user: ChainUser, { id }: Release): Promise<Record<string, unknown>> {
  return (await user.call('GET', `/spot/withdrawals/${id}`)).body;
}

const statusOf = async (user: ChainUser, release: Release) =>
  (await viewOf(user, release))['status'];

async function nextQueueId(): Promise<bigint> {
  return chain.client.readContract({
    address: toHexAddress(chain.contracts.spotVault),
    abi: [
      {
        type: 'function',
        name: 'nextQueueId',
        stateMutability: 'view',
        inputs: [],
        outputs: [{ type: 'uint256' }],
      },
    ] as const,
    functionName: 'nextQueueId',
  });
}

async function depositor(amount: bigint): Promise<ChainUser> {
  const user = await ChainUser.register(chain, service.url);
  await user.deposit(df, amount * oneDf);
  await expect.poll(() => user.balances(), polling).toEqual({ DF: `${amount} 0` });
  return user;
}

async function halts(): Promise<readonly string[]> {
  const { rows } = await service.query((db) =>
    sql<{ detail: string }>`SELECT detail FROM chain_halts WHERE cleared_at IS NULL`.execute(db),
  );
  return rows.map(({ detail }) => detail);
}

anvilSuite('vault limits', () => {
  beforeAll(async () => {
    chain = await startTestChain();
    df = chain.contracts.df;
    [owner] = (await chain.client.getAddresses()) as [`0x${string}`];
    await asOwner('setLimit', toHexAddress(df), {
      instantMax: 10n * oneDf,
      windowMax: 30n * oneDf,
      floor: 0n,
      highMark: 2n ** 120n,
      period: 86_400,
      delay: delaySeconds,
    });
    service = await startTestService({
      CHAIN_RPC_URL: chain.proxy.url,
      CHAIN_ID: String(chain.chainId),
      CHAIN_CONFIRMATIONS: '0',
      SIGNER_PRIVATE_KEY: chain.signerKey.slice(2),
      REWARD_ROUTER_ADDRESS: chain.contracts.rewardRouter,
      REFERRAL_REBATE_ADDRESS: chain.contracts.referralRebate,
      SPOT_VAULT_ADDRESS: chain.contracts.spotVault,
      CLAIM_POLL_INTERVAL_MS: '50',
      SPOT_WITHDRAW_TOKENS: 'DF:1',
    });
    // Nothing is signed before the contracts have been checked once.
    await vi.waitFor(async () => {
      const text = await (await fetch(`${service.url}/readyz`)).text();
      expect(text).toContain('"chain":{"state":"ready"');
    }, polling);
  });
  afterAll(async () => {
    await service.close();
    await chain.close();
  });

  test('fault 20: a release above I is queued and paid after D by anyone; signing continues', async () => {
    const user = await depositor(50n);
    const id = await nextQueueId();
    const release = await request(user, '20');
    // The answer says at once that it will wait.
    const signedAt = Number((await chain.client.getBlock()).timestamp);
    expect(release.payable_at).toBe(signedAt + delaySeconds);
    await user.release(df, release);
    await expect.poll(() => statusOf(user, release), polling).toBe('queued');
    const { timestamp } = await chain.client.getBlock();
    expect(Number((await viewOf(user, release))['payable_at'])).toBeLessThanOrEqual(
      Number(timestamp) + delaySeconds,
    );
    expect(await user.balances()).toEqual({ DF: '30 20' });
    // After the signature's own deadline nothing is missing: the nonce is spent by what is queued.
    await pass(3_700);
    const instant = await request(user, '5');
    expect(instant.nonce).toBe(1);
    expect(instant.payable_at).toBeUndefined();
    await user.release(df, instant);
    await expect.poll(() => statusOf(user, instant), polling).toBe('completed');
    await expect(asOwner('payQueued', id)).rejects.toThrow('NotPayableYet');
    await pass(delaySeconds);
    await asOwner('payQueued', id);
    await expect.poll(() => statusOf(user, release), polling).toBe('completed');
    await expect.poll(() => user.balances(), polling).toEqual({ DF: '25 0' });
    expect(await holdingOf(chain, df, user.address)).toBe(25n * oneDf);
    expect(await halts()).toEqual([]);
  });

  test("fault 20: a release beyond the vault's holdings is queued, and paid after a refill", async () => {
    const user = await depositor(50n);
    await evacuate();
    const id = await nextQueueId();
    const release = await request(user, '8');
    expect(release.payable_at).toBeDefined();
    await user.release(df, release);
    await expect.poll(() => statusOf(user, release), polling).toBe('queued');
    await pass(delaySeconds);
    await expect(asOwner('payQueued', id)).rejects.toThrow('NotFunded');
    await refill(500n * oneDf);
    await asOwner('payQueued', id);
    await expect.poll(() => statusOf(user, release), polling).toBe('completed');
    await expect.poll(() => user.balances(), polling).toEqual({ DF: '42 0' });
    expect(await halts()).toEqual([]);
  });

  test('fault 20: a queued release that guardians cancel is returned to its balance', async () => {
    const user = await depositor(50n);
    const id = await nextQueueId();
    const release = await request(user, '20');
    await user.release(df, release);
    await expect.poll(() => statusOf(user, release), polling).toBe('queued');
    await asOwner('cancelQueued', [id]);
    await expect.poll(() => statusOf(user, release), polling).toBe('returned');
    expect(await user.balances()).toEqual({ DF: '50 0' });
    const again = await request(user, '6');
    expect(again.nonce).toBe(1);
    await user.release(df, again);
    await expect.poll(() => statusOf(user, again), polling).toBe('completed');
    expect(await halts()).toEqual([]);
  });

  test('fault 22: SignerVoided in a block that is rolled back: queued again, reserved again', async () => {
    const user = await depositor(50n);
    const release = await request(user, '20');
    await user.release(df, release);
    await expect.poll(() => statusOf(user, release), polling).toBe('queued');
    const before = await chain.client.snapshot();
    await asOwner('voidSigner', toHexAddress(chain.signers.vault.address));
    await expect.poll(() => statusOf(user, release), polling).toBe('returned');
    expect(await user.balances()).toEqual({ DF: '50 0' });
    // The vault is paused with its signer: nothing is signed that it would refuse.
    await expect
      .poll(
        async () =>
          (await user.call('POST', '/spot/withdraw/request', { token: 'DF', amount: '1' })).body,
      )
      .toEqual({ error: 'signer unavailable' });
    await chain.client.revert({ id: before });
    await chain.client.mine({ blocks: 3 });
    await expect.poll(() => statusOf(user, release), polling).toBe('queued');
    await expect.poll(() => user.balances(), polling).toEqual({ DF: '30 20' });
    expect(await halts()).toEqual([]);
  });

  test("fault 21: of a thief's releases at most W is paid, and voidSigner returns honest amounts", async () => {
    const user = await depositor(50n);
    const honest = await request(user, '20');
    await user.release(df, honest);
    await expect.poll(() => statusOf(user, honest), polling).toBe('queued');
    // The whole window is free.
    await pass(86_400);
    const before = await chain.client.snapshot();
    const { account: thief, address } = await newWallet(chain);
    const deadline = (await chain.client.getBlock()).timestamp + 3_600n;
    const vault = chain.contracts.spotVault;
    const domain = { name: 'SpotVault', chainId: chain.chainId, verifyingContract: vault };
    for (let nonce = 0n; nonce < 5n; nonce += 1n) {
      const terms = { value: 10n * oneDf, nonce, deadline };
      const signed = { ...terms, account: address, token: df };
      const signature = await chain.signers.vault.signRelease(domain, signed);
      const hash = await chain.client.writeContract({
        account: thief,
        chain: null,
        address: toHexAddress(vault),
        abi: spotVaultAbi,
        functionName: 'release',
        args: [toHexAddress(df), terms.value, nonce, deadline, signature],
      });
      await minedReceipt(chain.client, hash);
    }
    // What leaks back in the seconds of five blocks is less than a release.
    expect(await holdingOf(chain, df, address)).toBe(30n * oneDf);
    await asOwner('voidSigner', toHexAddress(chain.signers.vault.address));
    await expect.poll(() => statusOf(user, honest), polling).toBe('returned');
    expect(await user.balances()).toEqual({ DF: '50 0' });
    expect(await holdingOf(chain, df, address)).toBe(30n * oneDf);
    // What nobody here signed waits for people; the books include it.
    const waiting = await service.query((db) =>
      sql<{ count: string }>`SELECT count(*) FROM chain_parked_events`.execute(db),
    );
    expect(Number(waiting.rows[0]?.count)).toBeGreaterThanOrEqual(5);
    expect(await halts()).toEqual([]);
    await chain.client.revert({ id: before });
    await chain.client.mine({ blocks: 20 });
    await expect.poll(() => statusOf(user, honest), polling).toBe('queued');
  });

  test('fault 20: a vault retired with a queue returns the amounts in it', async () => {
    const user = await depositor(50n);
    const release = await request(user, '20');
    await user.release(df, release);
    await expect.poll(() => statusOf(user, release), polling).toBe('queued');
    await asOwner('pause');
    await asOwner('retire');
    await expect.poll(() => statusOf(user, release), polling).toBe('returned');
    expect(await user.balances()).toEqual({ DF: '50 0' });
  });
});
