import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { Trader } from '../../src/client/trader.ts';
import { ClusterFixture, type Member } from '../support/cluster-fixture.ts';
import { listOrders } from '../support/list-orders.ts';
import { NatsReplicas } from '../support/nats-replicas.ts';
import { hasNatsServer } from '../support/nats-server.ts';
import { OrderStream } from '../support/order-stream.ts';

// Three NATS servers that keep the shared log three times, and two processes. The tests follow on
// each other, as the life of such an exchange does.

const soon = { timeout: 120_000, interval: 50 };
const ordersPath = '/api/v1/spot/orders';
/** Until then an owner may accept what has to wait for the log. */
const leaseMs = 4_500;
const order = () => {
  const terms = { symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '500', quantity: '0.01' };
  return { method: 'POST' as const, path: ordersPath, body: terms };
};

if (!hasNatsServer) console.log('skipped: there is no nats-server on PATH for cluster-replicas');

describe.skipIf(!hasNatsServer)('three NATS servers', () => {
  let cluster: ClusterFixture<NatsReplicas>;
  let first: Member;
  let second: Member;
  let trader: Trader;
  const streams: OrderStream[] = [];

  beforeAll(async () => {
    cluster = await ClusterFixture.over(NatsReplicas.start());
    // Two members: one journal is enough for an acknowledgement, and every server syncs late.
    first = await start('first');
    second = await start('second');
    trader = await Trader.register(first.connection, 'trader');
    await first.credit(trader, 'USDT', '100000000');
    await cluster.settle(2);
    await cluster.nats.level();
  });
  afterAll(() => cluster?.close());

  function start(name: string): Promise<Member> {
    return cluster.start(name, { CLUSTER_MEMBERS: '2', ACK_COPIES: '2' });
  }

  /** Both processes serve; one that ends, on its own or not, is started again meanwhile. */
  async function recover(): Promise<void> {
    const members = { first, second };
    const serve = async (): Promise<boolean> => {
      const asked = Object.values(members).map((member) => member.isReady().catch(() => false));
      return (await Promise.all(asked)).every((isReady) => isReady);
    };
    const keep = async (name: keyof typeof members): Promise<void> => {
      for (let isServing = false; !isServing; isServing = await serve()) {
        const { process } = members[name].service;
        const hasEnded = (): boolean => process.exitCode !== null || process.signalCode !== null;
        await vi.waitUntil(async () => hasEnded() || (await serve()), soon);
        if (hasEnded()) members[name] = await start(name);
      }
    };
    await Promise.all([keep('first'), keep('second')]);
    ({ first, second } = members);
  }

  /** Sends orders at both processes while the work is done, and for some more after it. */
  async function underLoad(work: () => Promise<void>): Promise<void> {
    const begun = streams.length;
    const run = [first, second].map(({ connection }, index) => {
      const from = 1_000 * (begun + index + 1);
      const stream = new OrderStream(trader.over(connection), '0.01', from, 'ioc');
      streams.push(stream);
      return stream;
    });
    let isStarted = false;
    const done = new Promise<void>((resolve, reject) => {
      const begin = (): void => {
        if (isStarted || run.some(({ acknowledged }) => acknowledged.size < 50)) return;
        isStarted = true;
        work()
          .then(() => run.forEach((stream) => stream.stop()))
          .then(resolve, reject);
      };
      void Promise.all(run.map((stream) => stream.run(begin))).then(() => {
        const refusals = run.flatMap((stream) => [...stream.refusals]);
        if (!isStarted) reject(new Error(`the load ended early: ${refusals.join('\n')}`));
      });
    });
    await done;
  }

  /** All NATS servers run and hold what there is, and both processes serve. */
  async function startServers(): Promise<void> {
    for (const name of cluster.nats.names) await cluster.nats.startAgain(name);
    await cluster.nats.level();
    await recover();
  }

  const acknowledgedCount = (): number =>
    streams.reduce((sum, { acknowledged }) => sum + acknowledged.size, 0);

  async function expectOrdersOnce(): Promise<void> {
    const acknowledged = new Map(streams.flatMap((stream) => [...stream.acknowledged]));
    for (const member of [first, second]) {
      // While the servers elect a leader, no process can tell how far the log goes.
      const list = () => listOrders(trader.over(member.connection), ordersPath);
      const found = await vi.waitFor(list, soon);
      const ids = found.map(({ order_id: id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      const missing = [...acknowledged.keys()].filter((id) => !ids.includes(id));
      expect(missing).toEqual([]);
    }
  }

  test('replicas: the leader of the log is killed under load, and no acknowledged order is lost', async () => {
    await underLoad(async () => {
      const leader = await cluster.nats.leader();
      await cluster.nats.kill(leader);
      const rest = cluster.nats.names.filter((name) => name !== leader);
      expect(rest).toContain(await cluster.nats.leader());
    });
    await recover();
    await expectOrdersOnce();
    await startServers();
  });

  test('row 14: a replica of the log comes back late while a process asks for the end: nothing is appended twice', async () => {
    const follower = await cluster.nats.follower();
    await underLoad(async () => {
      await cluster.nats.kill(follower);
      const before = acknowledgedCount();
      await vi.waitUntil(() => acknowledgedCount() > before + 100, soon);
      await second.service.stop('SIGKILL');
      await cluster.nats.startAgain(follower);
      await recover();
    });
    await recover();
    await expectOrdersOnce();
  });

  test('row 5: with one of three NATS servers writes are refused, with two they continue, and nothing is lost', async () => {
    await cluster.nats.level();
    const [one, two] = cluster.nats.names as [string, string];
    await Promise.all([cluster.nats.kill(one), cluster.nats.kill(two)]);
    for (const member of [first, second]) {
      await vi.waitUntil(async () => (await member.agreementAgeMs()) > leaseMs, soon);
      expect(await member.isReady()).toBe(false);
      const { status, text } = await member.connection.send(trader.sign(order()));
      expect([status, JSON.parse(text)]).toMatchObject([503, { error: 'ENGINE_RESTARTING' }]);
    }
    await cluster.nats.startAgain(one);
    await recover();
    await underLoad(async () => undefined);
    await expectOrdersOnce();
    await startServers();
  });

  test('row 15: all NATS servers are killed, and one has damaged entries afterwards: nothing is lost', async () => {
    await cluster.nats.level();
    const follower = await cluster.nats.follower();
    await Promise.all(cluster.nats.names.map((name) => cluster.nats.kill(name)));
    await cluster.nats.damage(follower);
    await startServers();
    await underLoad(async () => undefined);
    await expectOrdersOnce();
  });
});
