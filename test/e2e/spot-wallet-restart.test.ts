import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anvilSuite } from '../support/chain/anvil-suite.ts';
import { startTestChain, type TestChain } from '../support/chain/test-chain.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { ServiceProcess } from '../support/service-process.ts';
import { ChainUser, holdingOf, type Release } from '../support/wallet/chain-user.ts';

const oneDf = 10n ** 18n;
const polling = { interval: 100 };

let chain: TestChain;
let opened: TestDatabase;
let dataDir: string;
let service: ServiceProcess;

anvilSuite('the spot wallet over kill -9', () => {
  beforeAll(async () => {
    chain = await startTestChain();
    opened = await openTestDatabase();
    dataDir = await mkdtemp(join(tmpdir(), 'openbourse-wallet-'));
    service = await start();
  });
  afterAll(async () => {
    await service.stop();
    await opened.close();
    await chain.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  function start(): Promise<ServiceProcess> {
    const { contracts } = chain;
    return ServiceProcess.start({
      PORT: '0',
      DATA_DIR: dataDir,
      DATABASE_URL: opened.url,
      CHAIN_RPC_URL: chain.rpcUrl,
      CHAIN_ID: String(chain.chainId),
      CHAIN_CONFIRMATIONS: '1',
      SIGNER_PRIVATE_KEY: chain.signerKey.slice(2),
      REWARD_ROUTER_ADDRESS: contracts.rewardRouter,
      REFERRAL_REBATE_ADDRESS: contracts.referralRebate,
      SPOT_VAULT_ADDRESS: contracts.spotVault,
      CLAIM_POLL_INTERVAL_MS: '50',
    });
  }

  test('wallet: what the chain does while the service is down counts once when it is back', async () => {
    const { df } = chain.contracts;
    const user = await ChainUser.register(chain, service.url);
    await user.deposit(df, 10n * oneDf);
    await chain.client.mine({ blocks: 1 });
    await expect.poll(() => user.balances(), polling).toEqual({ DF: '10 0' });
    const body = { token: 'DF', amount: '4' };
    const asked = await user.call('POST', '/spot/withdraw/request', body);
    const release = asked.body as unknown as Release;
    await service.stop('SIGKILL');

    await user.release(df, release);
    await user.deposit(df, 3n * oneDf);
    await chain.client.mine({ blocks: 1 });
    service = await start();
    const again = user.over(service.url);
    await expect.poll(() => again.balances(), polling).toEqual({ DF: '9 0' });
    const shown = await again.call('GET', `/spot/withdrawals/${release.id}`);
    expect(shown.body['status']).toBe('completed');

    await service.stop('SIGKILL');
    service = await start();
    const last = user.over(service.url);
    await chain.client.mine({ blocks: 2 });
    const next = await last.call('POST', '/spot/withdraw/request', { token: 'DF', amount: '9' });
    expect(next.body).toMatchObject({ nonce: 1, status: 'signed' });
    expect(await last.balances()).toEqual({ DF: '0 9' });
    expect(await holdingOf(chain, df, user.address)).toBe(4n * oneDf);
  });
});
