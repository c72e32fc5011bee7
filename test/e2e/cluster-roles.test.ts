import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createApiKey, signIn } from '../../src/client/sign-in.ts';
import { signRequest } from '../../src/client/sign-request.ts';
import { Trader } from '../../src/client/trader.ts';
import { ClusterFixture, type Member } from '../support/cluster-fixture.ts';
import { hasNatsServer } from '../support/nats-server.ts';
import { RawConnection } from '../support/raw-request.ts';

// Processes with roles: one that orders and serves no clients, and gateways that never own. The
// tests follow on each other, as the life of such an exchange does.

const soon = { timeout: 60_000, interval: 50 };
const weightLimit = 400;

if (!hasNatsServer) console.log('skipped: there is no nats-server on PATH for cluster-roles');

describe.skipIf(!hasNatsServer)('roles of processes', () => {
  let cluster: ClusterFixture;
  let core: Member;
  let gateways: readonly [Member, Member];

  beforeAll(async () => {
    cluster = await ClusterFixture.open();
    const limited = { CLUSTER_MEMBERS: '1', REQUEST_WEIGHT_1M: String(weightLimit) };
    core = await cluster.start('core', { ...limited, ROLES: 'order,replica' });
    const serving = { ...limited, ROLES: 'replica,gateway' };
    gateways = await Promise.all([cluster.start('one', serving), cluster.start('two', serving)]);
  });
  afterAll(() => cluster?.close());

  const statusOf = async ({ service }: Member, path: string): Promise<number> =>
    (await fetch(`${service.url}${path}`)).status;

  test('roles: a process without gateway answers only what monitors it', async () => {
    for (const path of ['/healthz', '/livez', '/readyz', '/readyz/read', '/metrics']) {
      expect([path, await statusOf(core, path)]).toEqual([path, 200]);
    }
    for (const path of [
      '/api/v1/spot/markets',
      '/api/v3/time',
      '/fapi/v1/time',
      '/api/v1/admin/session',
    ]) {
      expect([path, await statusOf(core, path)]).toEqual([path, 404]);
    }
    const head = 'GET /ws HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: upgrade\r\n';
    const key = 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n';
    const answerOf = async ({ service }: Member): Promise<string> => {
      const connection = new RawConnection(Number(new URL(service.url).port));
      connection.send(`${head}${key}\r\n`);
      await vi.waitUntil(() => connection.received.includes('\r\n'), soon);
      connection.close();
      return connection.received.split('\r\n')[0] ?? '';
    };
    expect(await answerOf(core)).toBe('HTTP/1.1 404 Not Found');
    expect(await answerOf(gateways[0])).toBe('HTTP/1.1 101 Switching Protocols');
  });

  test('roles: gateways serve writes and reads of an exchange that they never own', async () => {
    expect(await core.isOwner()).toBe(true);
    const [one, two] = gateways;
    const trader = await Trader.register(two.connection, 'trader');
    await one.credit(trader, 'USDT', '5');
    await vi.waitUntil(async () => (await two.isReady()) && !(await two.isOwner()), soon);
    const { text } = await cluster.operate(['members']);
    expect(text.match(/never owns/g)).toHaveLength(2);
    expect(text.match(/ {2}member/g)).toHaveLength(1);
  });

  test('keys: a key removed at one gateway is refused by the other once the removal is answered', async () => {
    const [one, two] = gateways;
    const account = privateKeyToAccount(generatePrivateKey());
    const token = await signIn(one.connection, account);
    for (let round = 0; round < 5; round += 1) {
      const keys = await createApiKey(one.connection, token, `key ${round}`);
      const order = { method: 'GET' as const, path: '/api/v1/spot/orders' };
      const ask = async (): Promise<number> =>
        (await two.connection.send(signRequest(keys, order, Date.now()))).status;
      await vi.waitUntil(async () => (await ask()) === 200, soon);
      const removed = await one.connection.send({
        method: 'DELETE',
        target: `/api/v1/account/api-keys/${keys.apiKey}`,
        headers: { authorization: `Bearer ${token}` },
      });
      expect(removed.status).toBe(200);
      expect(await ask()).toBe(401);
    }
  });

  /** What both give in one minute: most of the limit at one, then, once told of it, at the other. */
  async function useUpLimit([one, two]: readonly [Member, Member]): Promise<number> {
    let given = 0;
    const ask = async ({ service }: Member) => {
      const { status, headers } = await fetch(`${service.url}/api/v3/time`);
      expect([200, 429]).toContain(status);
      given += Number(status === 200);
      return { status, used: Number(headers.get('x-mbx-used-weight-1m')) };
    };
    let usedAtOne = 0;
    while (usedAtOne < weightLimit * 0.75) usedAtOne = (await ask(one)).used;
    let asked = 0;
    await vi.waitUntil(async () => {
      asked += 1;
      const { status, used } = await ask(two);
      return status === 429 || used - asked >= usedAtOne;
    }, soon);
    while ((await ask(two)).status === 200);
    return given;
  }

  test('limits: an address that uses two gateways gets the limit of one', async () => {
    // The counts begin again with each minute: a try that meets the next one is repeated.
    const minute = (): number => Math.floor(Date.now() / 60_000);
    let given: number;
    let begun: number;
    do {
      begun = minute();
      given = await useUpLimit(gateways);
    } while (minute() !== begun);
    // A gateway does not tell of the first twentieth of a limit.
    expect(given).toBeLessThanOrEqual(weightLimit * 1.05);
  });

  test('readiness: without an owner writes are not ready and reads are, until it is back', async () => {
    await core.service.stop('SIGKILL');
    const [one, two] = gateways;
    for (const member of [one, two]) {
      await vi.waitUntil(async () => (await statusOf(member, '/readyz')) === 503, soon);
      expect(await statusOf(member, '/readyz/read')).toBe(200);
      const { cluster: part } = (await (await fetch(`${member.service.url}/readyz`)).json()) as {
        readonly cluster: { readonly state: string; readonly detail: string };
      };
      expect(part).toMatchObject({ state: 'standby', detail: 'no process owns the exchange' });
    }
    core = await cluster.start('core', { CLUSTER_MEMBERS: '1', ROLES: 'order,replica' });
    for (const member of [core, one, two]) {
      await vi.waitUntil(async () => (await statusOf(member, '/readyz')) === 200, soon);
    }
  });

  test('readiness: without NATS nothing is ready, and the process is alive', async () => {
    await cluster.nats.kill();
    for (const member of gateways) {
      await vi.waitUntil(async () => (await statusOf(member, '/readyz/read')) === 503, soon);
      expect(await statusOf(member, '/readyz')).toBe(503);
      expect(await statusOf(member, '/livez')).toBe(200);
    }
    await cluster.nats.startAgain();
    for (const member of gateways) {
      await vi.waitUntil(async () => (await statusOf(member, '/readyz')) === 200, soon);
    }
  });
});
