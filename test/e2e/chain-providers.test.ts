import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { Address } from '../../src/domain/identifiers.ts';
import { anvilSuite } from '../support/chain/anvil-suite.ts';
import { type FaultProxy, startFaultProxy } from '../support/chain/fault-proxy.ts';
import { startTestChain, type TestChain } from '../support/chain/test-chain.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { ChainUser, type Release } from '../support/wallet/chain-user.ts';

// The whole service over three providers of one chain, any one of which may lie.

const oneDf = 10n ** 18n;
const polling = { interval: 50 };

let chain: TestChain;
let proxies: readonly FaultProxy[];
let service: TestService;
let df: Address;

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1]);
}

async function withdraw(user: ChainUser, amount: string): Promise<Release> {
  const body = { token: 'DF', amount };
  const answer = await user.call('POST', '/spot/withdraw/request', body);
  expect(answer.status).toBe(200);
  return answer.body as unknown as Release;
}

anvilSuite('chain providers', () => {
  beforeAll(async () => {
    chain = await startTestChain();
    df = chain.contracts.df;
    proxies = await Promise.all([1, 2, 3].map(() => startFaultProxy(chain.rpcUrl)));
    service = await startTestService({
      CHAIN_RPC_URLS: proxies.map(({ url }) => url).join(','),
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
  afterEach(() => {
    for (const proxy of proxies) proxy.setRule(null);
  });
  afterAll(async () => {
    await service.close();
    await Promise.all(proxies.map((proxy) => proxy.close()));
    await chain.close();
  });

  test('fault 3: without a quorum nothing is counted or signed, and it resumes automatically', async () => {
    const user = await ChainUser.register(chain, service.url);
    // Two of three tell nothing of blocks; a quorum is not left.
    for (const proxy of proxies.slice(0, 2)) {
      proxy.setRule((method) =>
        method === 'eth_getBlockByNumber' ? { kind: 'status', status: 502 } : null,
      );
    }
    const counted = await metric('chain_counted_block');
    await user.deposit(df, oneDf);
    await expect.poll(async () => (await fetch(`${service.url}/readyz`)).status, polling).toBe(503);
    expect(await metric('chain_counted_block')).toBe(counted);
    const refused = await user.call('POST', '/spot/withdraw/request', { token: 'DF', amount: '1' });
    expect(refused.status).not.toBe(200);
    for (const proxy of proxies) proxy.setRule(null);
    await expect
      .poll(() => user.balances(), { ...polling, timeout: 30_000 })
      .toEqual({
        DF: '1 0',
      });
  });

  test('fault 1: a provider hides a release and everything else: the withdrawal completes', async () => {
    proxies[0]?.setRule((method) => {
      if (method === 'eth_getBlockByNumber') {
        const empty = { logsBloom: `0x${'0'.repeat(512)}` };
        return { kind: 'lie', result: (block) => ({ ...(block as object), ...empty }) };
      }
      const isLog = method === 'eth_getLogs' || method === 'eth_getBlockReceipts';
      return isLog ? { kind: 'lie', result: () => [] } : null;
    });
    const user = await ChainUser.register(chain, service.url);
    await user.deposit(df, 5n * oneDf);
    await expect.poll(() => user.balances(), polling).toEqual({ DF: '5 0' });
    const release = await withdraw(user, '2');
    await user.release(df, release);
    await expect
      .poll(
        async () => (await user.call('GET', `/spot/withdrawals/${release.id}`)).body['status'],
        polling,
      )
      .toBe('completed');
    await expect.poll(() => user.balances(), polling).toEqual({ DF: '3 0' });
    expect(await metric('provider_excluded')).toBe(1);
    expect(await metric('chain_halts')).toBe(0);
  });
});
