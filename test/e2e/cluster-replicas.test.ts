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
    const settings = { CLUSTER_MEMBERS: '2', ACK_COPIES: '2' };
    first = await cluster.start('first', settings);
    second = await cluster.start('second', settings);
    trader = await Trader.register(first.connection, 'trader');
    await first.credit(trader, 'USDT', '100000000');
    await cluster.settle(2);
    await cluster.nats.replicate();
  });
  afterAll(() => cluster?.close());

  /** Both processes serve; one that ended on its own is started again. */
  async function recover(): Promise<void> {
    const again = async (member: Member, name: string): Promise<Member> => {
      const hasEnded = (): boolean => member.service.process.exitCode !== null;
      await vi.waitUntil(
        async () => hasEnded() || (await member.isReady().catch(() => false)),
        soon,
      );
      return hasEnded() ? cluster.start(name, { CLUSTER_MEMBERS: '2', ACK_COPIES: '2' }) : member;
    };
    [first, second] = [await again(first, 'first'), await again(second, 'second')];
    for (const member of [first, second]) await vi.waitUntil(() => member.isReady(), soon);
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

  async function expectOrdersOnce(): Promise<void> {
    const acknowledged = new Map(streams.flatMap((stream) => [...stream.acknowledged]));
    for (const member of [first, second]) {
      const found = await listOrders(trader.over(member.connection), ordersPath);
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
  });
});
