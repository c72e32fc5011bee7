import { type Hex, parseAbi } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { minedReceipt } from '../../src/chain/development/mined-receipt.ts';
import { toHexAddress } from '../../src/chain/evm-values.ts';
import { createSigners } from '../../src/chain/signers/signer-settings.ts';
import type { Address } from '../../src/domain/identifiers.ts';
import { anvilSuite } from '../support/chain/anvil-suite.ts';
import { startTestChain, type TestChain } from '../support/chain/test-chain.ts';
import {
  startTestService,
  type TestService,
  testServiceAdminKey,
} from '../support/test-service.ts';
import { ChainUser, holdingOf, type Release } from '../support/wallet/chain-user.ts';

// The whole service and a real chain: what goes into the vault can be traded and taken out again,
// to the last unit on both sides, through faults and reorganizations of the chain.

const oneDf = 10n ** 18n;
const oneUsdt = 10n ** 6n;
const polling = { interval: 50 };
const councilAbi = parseAbi([
  'function setGuardian(address account, bool isNamed)',
  'function unpause()',
]);

let chain: TestChain;
let service: TestService;
let df: Address;
let usdt: Address;

async function request(user: ChainUser, token: string, amount: string): Promise<Release> {
  const { status, body } = await user.call('POST', '/spot/withdraw/request', { token, amount });
  expect(`${status} ${JSON.stringify(body['error'] ?? null)}`).toBe('200 null');
  return body as unknown as Release;
}

async function statusOf(user: ChainUser, { id }: Release): Promise<unknown> {
  const { body } = await user.call('GET', `/spot/withdrawals/${id}`);
  return body['status'];
}

async function depositStatuses(user: ChainUser): Promise<string[]> {
  const { body } = await user.call('GET', '/spot/deposits');
  return (body['items'] as { status: string }[]).map(({ status }) => status);
}

anvilSuite('the spot wallet', () => {
  beforeAll(async () => {
    chain = await startTestChain();
    df = chain.contracts.df;
    usdt = chain.contracts.usdt;
    service = await startTestService({
      CHAIN_RPC_URL: chain.proxy.url,
      CHAIN_ID: String(chain.chainId),
      CHAIN_CONFIRMATIONS: '0',
      SIGNER_PRIVATE_KEY: chain.signerKey.slice(2),
      REWARD_ROUTER_ADDRESS: chain.contracts.rewardRouter,
      REFERRAL_REBATE_ADDRESS: chain.contracts.referralRebate,
      SPOT_VAULT_ADDRESS: chain.contracts.spotVault,
      CLAIM_POLL_INTERVAL_MS: '50',
      SPOT_WITHDRAW_TOKENS: 'DF:1,USDT:1',
    });
  });
  afterAll(async () => {
    await service.close();
    await chain.close();
  });

  test('wallet: deposit, trade, withdraw, release: exact on both sides', async () => {
    const vaultBefore = {
      df: await holdingOf(chain, df, chain.contracts.spotVault),
      usdt: await holdingOf(chain, usdt, chain.contracts.spotVault),
    };
    const alice = await ChainUser.register(chain, service.url);
    const bob = await ChainUser.register(chain, service.url);
    // The unit beyond the engine's eighth decimal stays with the house.
    await alice.deposit(df, 100n * oneDf + 1n);
    await bob.deposit(usdt, 1_000n * oneUsdt);
    await expect.poll(() => alice.balances(), polling).toEqual({ DF: '100 0' });
    await expect.poll(() => bob.balances(), polling).toEqual({ USDT: '1000 0' });

    const order = { symbol: 'DFUSDT', type: 'limit', price: '2.5', quantity: '40' };
    await alice.call('POST', '/spot/orders', { ...order, side: 'sell' });
    const bought = await bob.call('POST', '/spot/orders', { ...order, side: 'buy' });
    expect(bought.body['status']).toBe('filled');
    // 100 USDT less the maker's 5 bps, 40 DF less the taker's 10 bps.
    expect(await alice.balances()).toEqual({ DF: '60 0', USDT: '99.95 0' });
    expect(await bob.balances()).toEqual({ DF: '39.96 0', USDT: '900 0' });

    const ofAlice = await request(alice, 'USDT', '99.95');
    const ofBob = await request(bob, 'DF', '39.123456789');
    expect(ofBob.raw_amount).toBe('39123456780000000000');
    expect(await bob.balances()).toEqual({ DF: '0.83654322 39.12345678', USDT: '900 0' });
    await alice.release(usdt, ofAlice);
    await bob.release(df, ofBob);
    await expect.poll(() => statusOf(alice, ofAlice), polling).toBe('completed');
    await expect.poll(() => statusOf(bob, ofBob), polling).toBe('completed');
    await expect.poll(() => alice.balances(), polling).toEqual({ DF: '60 0', USDT: '0 0' });
    await expect.poll(() => bob.balances(), polling).toEqual({ DF: '0.83654322 0', USDT: '900 0' });

    expect(await holdingOf(chain, usdt, alice.address)).toBe(99_950_000n);
    expect(await holdingOf(chain, df, bob.address)).toBe(39_123_456_780_000_000_000n);
    const vaultDf = await holdingOf(chain, df, chain.contracts.spotVault);
    const vaultUsdt = await holdingOf(chain, usdt, chain.contracts.spotVault);
    // What is left in the vault is what the two still have, and the fees, and the unit that was cut.
    expect(vaultDf - vaultBefore.df).toBe(60_836_543_220_000_000_000n + 4n * 10n ** 16n + 1n);
    expect(vaultUsdt - vaultBefore.usdt).toBe(900n * oneUsdt + oneUsdt / 20n);
  });

  test('wallet: a signature pays once, and the vault accepts it from its account only', async () => {
    const user = await ChainUser.register(chain, service.url);
    const thief = await ChainUser.register(chain, service.url);
    await user.deposit(df, 5n * oneDf);
    await expect.poll(() => user.balances(), polling).toEqual({ DF: '5 0' });
    const release = await request(user, 'DF', '2');
    await expect(thief.release(df, release)).rejects.toThrow('InvalidSigner');
    await user.release(df, release);
    await expect(user.release(df, release)).rejects.toThrow('InvalidNonce');
    await expect.poll(() => statusOf(user, release), polling).toBe('completed');
    const next = await request(user, 'DF', '3');
    expect(next.nonce).toBe(1);
    await user.release(df, next);
    await expect.poll(() => user.balances(), polling).toEqual({ DF: '0 0' });
    expect(await holdingOf(chain, df, user.address)).toBe(5n * oneDf);
  });

  test('wallet: with the chain down requests fail, nothing is locked, and trading continues', async () => {
    const user = await ChainUser.register(chain, service.url);
    await user.deposit(df, 5n * oneDf);
    await expect.poll(() => user.balances(), polling).toEqual({ DF: '5 0' });
    chain.proxy.setRule(() => ({ kind: 'status', status: 502 }));
    const body = { token: 'DF', amount: '2' };
    expect(await user.call('POST', '/spot/withdraw/request', body)).toEqual({
      status: 500,
      body: { error: 'chain query failed' },
    });
    const order = { symbol: 'DFUSDT', type: 'limit', price: '100', quantity: '4' };
    const placed = await user.call('POST', '/spot/orders', { ...order, side: 'sell' });
    expect(placed.status).toBe(200);
    expect(await user.balances()).toEqual({ DF: '1 4' });
    chain.proxy.setRule(null);
    await expect
      .poll(
        async () =>
          (await user.call('POST', '/spot/withdraw/request', { ...body, amount: '1' })).status,
        { interval: 200 },
      )
      .toBe(200);
    expect(await user.balances()).toEqual({ DF: '0 5' });
  });

  test('wallet: reorganizations of a deposit and of a release change nothing in the end', async () => {
    const user = await ChainUser.register(chain, service.url);
    await user.deposit(df, oneDf);
    await expect.poll(() => user.balances(), polling).toEqual({ DF: '1 0' });
    const beforeDeposit = await chain.client.snapshot();
    await user.deposit(df, 9n * oneDf);
    await expect.poll(() => user.balances(), polling).toEqual({ DF: '10 0' });
    await chain.client.revert({ id: beforeDeposit });
    await chain.client.mine({ blocks: 1 });
    await user.deposit(df, 9n * oneDf);
    await chain.client.mine({ blocks: 1 });
    await expect.poll(() => depositStatuses(user), polling).toEqual(['credited', 'credited']);
    expect(await user.balances()).toEqual({ DF: '10 0' });

    const release = await request(user, 'DF', '4');
    const beforeRelease = await chain.client.snapshot();
    await user.release(df, release);
    await expect.poll(() => user.balances(), polling).toEqual({ DF: '6 0' });
    await chain.client.revert({ id: beforeRelease });
    await chain.client.mine({ blocks: 2 });
    await expect.poll(() => statusOf(user, release), polling).toBe('signed');
    await expect.poll(() => user.balances(), polling).toEqual({ DF: '6 4' });
    await user.release(df, release);
    await expect.poll(() => statusOf(user, release), polling).toBe('completed');
    await expect.poll(() => user.balances(), polling).toEqual({ DF: '6 0' });
    expect(await holdingOf(chain, df, user.address)).toBe(4n * oneDf);
  });

  test('wallet: it expires by the time of the chain, is returned once, and the vault refuses it', async () => {
    const user = await ChainUser.register(chain, service.url);
    await user.deposit(df, 5n * oneDf);
    await expect.poll(() => user.balances(), polling).toEqual({ DF: '5 0' });
    const release = await request(user, 'DF', '5');
    await chain.client.setNextBlockTimestamp({ timestamp: BigInt(release.deadline) });
    await chain.client.mine({ blocks: 1 });
    expect(await statusOf(user, release)).toBe('signed');
    await chain.client.setNextBlockTimestamp({ timestamp: BigInt(release.deadline) + 1n });
    await chain.client.mine({ blocks: 1 });
    await expect.poll(() => statusOf(user, release), polling).toBe('expired');
    expect(await user.balances()).toEqual({ DF: '5 0' });
    await expect(user.release(df, release)).rejects.toThrow('SignatureExpired');
    const next = await request(user, 'DF', '5');
    expect([next.nonce, next.id === release.id]).toEqual([release.nonce, false]);
    await user.release(df, next);
    await expect.poll(() => user.balances(), polling).toEqual({ DF: '0 0' });
    expect(await holdingOf(chain, df, user.address)).toBe(5n * oneDf);
  });

  test('wallet: pause_contract stops on the chain what is signed, until the council ends it', async () => {
    const user = await ChainUser.register(chain, service.url);
    await user.deposit(df, 5n * oneDf);
    await expect.poll(() => user.balances(), polling).toEqual({ DF: '5 0' });
    const release = await request(user, 'DF', '2');
    const admin = async (path: string, body?: object) => {
      const answer = await fetch(`${service.url}/api/v1/admin/chain/${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { 'x-api-key': testServiceAdminKey, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
    };
    const halt = { reason: 'the key was stolen', role: 'vault', pause_contract: true };
    // The contracts do not name this service's guardian yet.
    expect(await admin('halts', halt)).toMatchObject({
      status: 409,
      body: { error: 'NO_GUARDIAN' },
    });
    expect((await admin('halts')).body['items']).toEqual([]);
    const guardian = toHexAddress(createSigners({ privateKey: chain.signerKey }).guardian!.address);
    await chain.client.setBalance({ address: guardian, value: 10n ** 18n });
    const [council] = (await chain.client.getAddresses()) as [Hex];
    const byCouncil = async (functionName: 'setGuardian' | 'unpause') => {
      const call = { account: council, chain: null, abi: councilAbi };
      const address = chain.contracts.spotVault as Hex;
      const hash =
        functionName === 'unpause'
          ? await chain.client.writeContract({ ...call, address, functionName })
          : await chain.client.writeContract({
              ...call,
              address,
              functionName,
              args: [guardian, true],
            });
      expect((await minedReceipt(chain.client, hash)).status).toBe('success');
    };
    await byCouncil('setGuardian');
    expect(await admin('halts', halt)).toEqual({ status: 200, body: { ok: true } });
    await expect(user.release(df, release)).rejects.toThrow('EnforcedPause');
    const pauses = async () => (await admin('contract-pauses')).body['items'];
    await expect
      .poll(pauses, { ...polling, timeout: 60_000 })
      .toMatchObject([{ contract: 'spotVault', state: 'paused', reason: halt.reason }]);
    const [{ id }] = (await admin('halts')).body['items'] as [{ id: string }];
    const cleared = await admin(`halts/${id}/clear`, { reason: 'the key is replaced' });
    expect(cleared).toEqual({ status: 200, body: { ok: true } });
    await expect(user.release(df, release)).rejects.toThrow('EnforcedPause');
    await byCouncil('unpause');
    await user.release(df, release);
    await expect.poll(() => statusOf(user, release), polling).toBe('completed');
  });
});
