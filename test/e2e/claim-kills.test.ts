import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Hex } from 'viem';
import { afterEach, expect, test, vi } from 'vitest';
import { listOf, requestJson, textOf } from '../../src/client/api-client.ts';
import { HttpConnection } from '../../src/client/http-connection.ts';
import { Member } from '../../src/demo/claim/member.ts';
import { RewardChain } from '../../src/demo/claim/reward-chain.ts';
import { anvilSuite } from '../support/chain/anvil-suite.ts';
import { ServiceProcess } from '../support/service-process.ts';

// The service as an operator runs it, killed in the middle of a claim, its database and its
// development chain with it.

const polling = { interval: 50 };

anvilSuite('claim kills', () => {
  const cleanUps: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  });

  test('kill -9: what was settled, claimed and redeemed before is counted afterwards', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'openbourse-kill-'));
    const settings = {
      PORT: '0',
      DATA_DIR: join(folder, 'data'),
      TESTNET_ONLY: 'true',
      SETTLE_INTERVAL_MS: '200',
      CLAIM_POLL_INTERVAL_MS: '100',
    };
    cleanUps.push(() => rm(folder, { recursive: true, force: true }));
    let service = await ServiceProcess.start(settings);
    cleanUps.push(() => service.stop());
    let connection = new HttpConnection(service.url, 4);
    const restart = async (): Promise<void> => {
      await service.stop('SIGKILL');
      connection.close();
      service = await ServiceProcess.start(settings);
      connection = new HttpConnection(service.url, 4);
    };
    const chainOf = async () => {
      const request = { method: 'GET', target: '/api/v1/chain/info' } as const;
      return new RewardChain(await requestJson(connection, () => request));
    };
    let referrer = await Member.join(connection, 'referrer');
    const trader = await Member.join(connection, 'trader');
    const maker = await Member.join(connection, 'maker');
    const code = textOf(await referrer.post('/referral/codes'), 'code');
    await trader.post('/referral/bind', { code });
    await maker.post('/faucet', { token: 'BTC', amount: '10' });
    await trader.post('/faucet', { token: 'USDT', amount: '100000' });
    const order = { symbol: 'BTCUSDT', type: 'limit', price: '50000', quantity: '2' };
    // 100 USDT of fee at 10 bps, in BTC: 10 USDT of commission.
    await maker.post('/spot/orders', { ...order, side: 'sell' });
    await trader.post('/spot/orders', { ...order, side: 'buy' });
    await restart();
    referrer = referrer.over(connection);
    const claimable = async () =>
      textOf(await referrer.get('/referral/claims/preview'), 'claimable');
    await vi.waitUntil(async () => (await claimable()) === '10', polling);
    const claim = await referrer.post('/referral/claim');
    await restart();
    referrer = referrer.over(connection);
    const claimNo = textOf(claim, 'claim_no');
    const again = await referrer.get(`/referral/claims/${claimNo}/signature`);
    expect(textOf(again, 'signature')).toBe(textOf(claim, 'signature'));
    const chain = await chainOf();
    await chain.giveGas(referrer.wallet.address);
    const hash = await chain.redeem(referrer.wallet, {
      amount: BigInt(textOf(again, 'amount')),
      deadline: BigInt((again as { deadline: number }).deadline),
      signature: textOf(again, 'signature') as Hex,
    });
    const finished = async () => {
      const [item] = listOf(await referrer.get('/referral/claims'), 'items');
      return textOf(item, 'status') === 'success' ? item : null;
    };
    const item = await vi.waitUntil(finished, polling);
    expect(textOf(item, 'tx_hash')).toBe(hash);
    expect(await claimable()).toBe('0');
    const books = await (await chainOf()).loadBooks(referrer.wallet.address);
    expect(books).toMatchObject({ settled: 10_000_000n, claimed: 10_000_000n, nonce: 1n });
    expect(books.wallet).toBe(10_000_000n);
    connection.close();
  });
});
