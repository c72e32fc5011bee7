import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { requestJson } from '../../src/client/api-client.ts';
import { HttpConnection } from '../../src/client/http-connection.ts';
import { Trader } from '../../src/client/trader.ts';
import { anvilSuite } from '../support/chain/anvil-suite.ts';
import { startTestChain, type TestChain } from '../support/chain/test-chain.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

// The whole service while the chain is away, lies or comes back: trading never stops.

anvilSuite('chain outage', () => {
  let chain: TestChain;
  let service: TestService;
  let connection: HttpConnection;

  beforeAll(async () => {
    chain = await startTestChain();
    chain.proxy.setRule(() => ({ kind: 'status', status: 500 }));
    service = await startTestService({
      CHAIN_RPC_URL: chain.proxy.url,
      CHAIN_ID: String(chain.chainId),
      SIGNER_PRIVATE_KEY: chain.signerKey,
      REWARD_ROUTER_ADDRESS: chain.contracts.rewardRouter,
      REFERRAL_REBATE_ADDRESS: chain.contracts.referralRebate,
      SPOT_VAULT_ADDRESS: chain.contracts.spotVault,
      CHAIN_CONFIRMATIONS: '0',
      SETTLE_INTERVAL_MS: '200',
      CLAIM_POLL_INTERVAL_MS: '100',
    });
    connection = new HttpConnection(service.url, 4);
  });
  afterAll(async () => {
    connection.close();
    await chain.close();
  });

  interface Readiness {
    readonly status: string;
    readonly chain: { readonly state: string; readonly detail?: string };
    readonly engine: { readonly state: string };
  }

  async function readiness(): Promise<{ readonly status: number; readonly body: Readiness }> {
    const reply = await connection.send({ method: 'GET', target: '/readyz' });
    return { status: reply.status, body: JSON.parse(reply.text) as Readiness };
  }

  async function trade(): Promise<void> {
    const trader = await Trader.register(connection, 'outage');
    const order = { symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '10', quantity: '1' };
    const reply = await trader.send({ method: 'POST', path: '/api/v1/spot/orders', body: order });
    // Without money, so the answer is the engine's own.
    expect([reply.status, reply.text]).toEqual([400, '{"error":"INSUFFICIENT_BALANCE"}']);
  }

  const operatorStatus = () =>
    connection.send({ method: 'GET', target: '/api/v1/referral/on-chain/operator-status' });

  test('outage: the service starts without its chain, trades, and says what is missing', async () => {
    const { status, body } = await vi.waitUntil(async () => {
      const found = await readiness();
      return found.body.chain.state === 'unavailable' ? found : null;
    });
    expect(status).toBe(503);
    expect(body).toMatchObject({
      status: 'not_ready',
      engine: { state: 'ready' },
      chain: { state: 'unavailable', detail: 'eth_chainId: HTTP status 500' },
    });
    await trade();
    const asked = await operatorStatus();
    expect([asked.status, asked.text]).toEqual([500, '{"error":"CHAIN_ERROR"}']);
    const info = () => ({ method: 'GET', target: '/api/v1/chain/info' }) as const;
    expect(await requestJson(connection, info)).toMatchObject({
      chain_id: chain.chainId,
      contracts: { reward_router: null },
      rpc_url: null,
    });
  });

  test('outage: the chain is used as soon as it answers, and its loss is noticed', async () => {
    chain.proxy.setRule(null);
    const isReady = async () => (await readiness()).status === 200;
    await vi.waitUntil(isReady, { interval: 100 });
    // A failure is remembered for a second too.
    const isAnswered = async () => (await operatorStatus()).status === 200;
    await vi.waitUntil(isAnswered, { interval: 100 });
    chain.proxy.setRule(() => ({ kind: 'cut' }));
    await vi.waitUntil(async () => (await readiness()).body.chain.state === 'unavailable', {
      interval: 100,
    });
    await trade();
    chain.proxy.setRule(null);
    await vi.waitUntil(isReady, { interval: 100 });
  });

  test('outage: a node that hangs does not delay stopping the service', async () => {
    chain.proxy.takeCalls();
    chain.proxy.setRule(() => ({ kind: 'silence' }));
    // Someone waits for the node from here on.
    await vi.waitUntil(() => chain.proxy.takeCalls().length > 0);
    await trade();
    const startedAt = performance.now();
    await service.close();
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });
});
