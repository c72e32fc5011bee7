import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { Trader } from '../../src/client/trader.ts';
import { ClusterFixture, type Member } from '../support/cluster-fixture.ts';
import { listOrders } from '../support/list-orders.ts';
import { NatsReplicas } from '../support/nats-replicas.ts';
import { hasNatsServer } from '../support/nats-server.ts';
import { OrderStream } from '../support/order-stream.ts';

// Three NATS servers that keep the shared log three times, and three processes. The tests follow on
// each other, as the life of such an exchange does.

const soon = { timeout: 120_000, interval: 50 };
const ordersPath = '/api/v1/spot/orders';
const names = ['first', 'second', 'third'];
/** Of each stream of orders: enough that something is always under way. */
const lanes = 8;

if (!hasNatsServer) console.log('skipped: there is no nats-server on PATH for cluster-replicas');

describe.skipIf(!hasNatsServer)('three NATS servers', () => {
  let cluster: ClusterFixture<NatsReplicas>;
  let members: Member[] = [];
  let trader: Trader;
  const streams: OrderStream[] = [];

  beforeAll(async () => {
    cluster = await ClusterFixture.over(NatsReplicas.start());
    // What is appended while a stream gets its replicas may not reach them.
    const alone = await cluster.start(names[0]!);
    await alone.service.stop();
    await cluster.nats.replicate();
    members = await Promise.all(names.map((name) => cluster.start(name)));
    trader = await Trader.register(members[0]!.connection, 'trader');
    await members[0]!.credit(trader, 'USDT', '100000000');
    await cluster.settle(names.length);
  });
  afterAll(() => cluster?.close());

  /** All processes serve; one that ended on its own is started again. */
  async function recover(): Promise<void> {
    const again = async (member: Member, index: number): Promise<Member> => {
      const { process } = member.service;
      const hasEnded = (): boolean => process.exitCode !== null || process.signalCode !== null;
      const isReady = (): Promise<boolean> => member.isReady().catch(() => false);
      await vi.waitUntil(async () => hasEnded() || (await isReady()), soon);
      return hasEnded() ? cluster.start(names[index]!) : member;
    };
    members = await Promise.all(members.map(again));
    for (const member of members) await vi.waitUntil(() => member.isReady(), soon);
  }

  function openStream(member: Member): OrderStream {
    const from = 1_000 * (streams.length + 1);
    const stream = new OrderStream(trader.over(member.connection), '0.01', from, 'ioc', lanes);
    streams.push(stream);
    return stream;
  }

  /** Sends orders at all processes while the work is done, and before it. */
  async function underLoad(work: () => Promise<void>): Promise<void> {
    const run = members.map(openStream);
    const running = Promise.all(run.map((stream) => stream.run(() => undefined)));
    const hasBegun = (): boolean => run.every(({ acknowledged }) => acknowledged.size >= 20);
    await vi.waitUntil(hasBegun, soon);
    await work();
    for (const stream of run) stream.stop();
    await running;
  }

  async function expectOrdersOnce(): Promise<void> {
    const acknowledged = new Map(streams.flatMap((stream) => [...stream.acknowledged]));
    for (const member of members) {
      const found = await listOrders(trader.over(member.connection), ordersPath);
      const ids = found.map(({ order_id: id }) => id);
      const prices = new Set(found.map(({ price }) => price));
      expect([new Set(ids).size, prices.size]).toEqual([ids.length, ids.length]);
      const known = new Set(ids);
      expect([...acknowledged.keys()].filter((id) => !known.has(id))).toEqual([]);
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

  // The leader of the test before is still away: NATS 2.9 may lose entries where a server is killed
  // while another one has only just come back.
  test('replicas: with two servers killed nothing is acknowledged, and all come back with them', async () => {
    await underLoad(async () => {
      const leader = await cluster.nats.leader();
      for (const name of cluster.nats.names) if (name !== leader) await cluster.nats.kill(name);
      for (const member of members) await vi.waitUntil(async () => !(await member.isReady()), soon);
      const dark = members.map(openStream);
      await Promise.all(dark.map((stream) => stream.run(() => undefined)));
      for (const { acknowledged, refusals } of dark) {
        expect(acknowledged.size).toBe(0);
        expect([...refusals].join()).toContain('ENGINE_RESTARTING');
      }
      for (const name of cluster.nats.names) await cluster.nats.startAgain(name);
    });
    await cluster.nats.replicate();
    await recover();
    await openStream(members[1]!).runUntil(20);
    await expectOrdersOnce();
  });

  test('row 14: a replica that was left behind answers when another process takes over, and nothing is lost or put in twice', async () => {
    const leader = await cluster.nats.leader();
    const late = cluster.nats.names.find((name) => name !== leader)!;
    const owner = await cluster.findOwner(members);
    const others = members.filter((member) => member !== owner);
    await underLoad(async () => {
      cluster.nats.pause(late);
      await openStream(others[0]!).runUntil(100);
      cluster.nats.resume(late);
      owner.service.process.kill('SIGKILL');
      await cluster.findOwner(others);
    });
    await owner.service.exited();
    await recover();
    await expectOrdersOnce();
  });
});
