import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { HttpRequest } from '../../src/client/http-connection.ts';
import { Trader } from '../../src/client/trader.ts';
import { ClusterFixture, type Member } from '../support/cluster-fixture.ts';
import { listOrders } from '../support/list-orders.ts';
import { NatsProxy } from '../support/nats-proxy.ts';
import { hasNatsServer } from '../support/nats-server.ts';
import { OrderStream } from '../support/order-stream.ts';
import { SmallDisk } from '../support/small-disk.ts';

// Faults of the table that several processes survive, on real servers: three processes, each with a
// disk and a line to NATS of its own. The tests follow on each other, as the life of such an
// exchange does, and each ends with every acknowledged order there once, at every process.

const ordersPath = '/api/v1/spot/orders';
const names = ['first', 'second', 'third'] as const;
const soon = { timeout: 60_000, interval: 50 };
const diskMegabytes = 256;
/** Of each stream of orders: enough that something is always under way. */
const lanes = 4;
/** How long a signed request stays within its timestamp's window, less what a send takes. */
const signedForMs = 59_000;
const isRestored = 'the shared log is given what it lacks';

if (!hasNatsServer) console.log('skipped: there is no nats-server on PATH for cluster-rows');

describe.skipIf(!hasNatsServer)('faults of a cluster', () => {
  let cluster: ClusterFixture;
  let trader: Trader;
  const members = new Map<string, Member>();
  const proxies = new Map<string, NatsProxy>();
  const disks = new Map<string, SmallDisk>();
  const streams: OrderStream[] = [];

  beforeAll(async () => {
    cluster = await ClusterFixture.open();
    for (const name of names) {
      proxies.set(name, await NatsProxy.open(cluster.nats.url));
      const disk = SmallDisk.mount(cluster.folderOf(name), diskMegabytes);
      if (disk !== null) disks.set(name, disk);
    }
    await Promise.all(names.map((name) => start(name, { RULES: 'hold' })));
    const first = members.get('first')!;
    trader = await Trader.register(first.connection, 'trader');
    await first.credit(trader, 'USDT', '100000000');
    await cluster.settle(names.length);
  });

  // Why a process has ended on its own.
  afterEach(({ task }) => {
    if (task.result?.state !== 'fail') return;
    for (const [name, { service }] of members) {
      const { exitCode } = service.process;
      if (exitCode === null) continue;
      const words = service.lines.filter(({ msg }) => msg !== 'request').slice(-20);
      const lines = words.map((line) => JSON.stringify(line));
      console.log([`${name} ended with ${exitCode}`, ...lines, service.errorText].join('\n'));
    }
  });
  afterAll(async () => {
    for (const disk of disks.values()) disk.unmount();
    await cluster?.close();
    for (const proxy of proxies.values()) await proxy.close();
  });

  async function start(name: string, more: Readonly<Record<string, string>> = {}): Promise<void> {
    members.set(name, await cluster.start(name, { NATS_URL: proxies.get(name)!.url, ...more }));
  }

  const all = (): readonly Member[] => [...members.values()];
  const nameOf = (member: Member): string =>
    [...members].find(([, each]) => each === member)?.[0] ?? '';
  const hasEnded = ({ service }: Member): boolean =>
    service.process.exitCode !== null || service.process.signalCode !== null;
  const ready = async (among: readonly Member[]): Promise<void> => {
    for (const member of among) {
      await vi.waitUntil(() => member.isReady().catch(() => false), soon);
    }
  };
  const toldOf = ({ service }: Member, message: string): number =>
    service.lines.filter(({ msg }) => msg === message).length;

  async function owned(among = all()): Promise<{ owner: Member; standbys: readonly Member[] }> {
    const owner = await cluster.findOwner(among);
    return { owner, standbys: among.filter((member) => member !== owner) };
  }

  /** Processes that have ended are started again. */
  async function startEnded(): Promise<void> {
    const ended = [...members].filter(([, member]) => hasEnded(member));
    await Promise.all(ended.map(([name]) => start(name)));
    await ready(all());
  }

  /** An order stream at each of these; each sends at prices of its own. */
  function load(among: readonly Member[]): { stop(): Promise<void>; refusals(): string[] } {
    const own = among.map(({ connection }) => {
      const stream = new OrderStream(
        trader.over(connection),
        '0.01',
        1_000 * (streams.length + 1),
        'ioc',
        lanes,
      );
      streams.push(stream);
      return stream;
    });
    const ran = Promise.all(own.map((stream) => stream.run(() => undefined)));
    return {
      stop: async () => {
        own.forEach((stream) => stream.stop());
        await ran;
      },
      refusals: () => own.flatMap((stream) => [...stream.refusals]),
    };
  }

  async function place(member: Member, count: number): Promise<void> {
    const from = 1_000 * (streams.length + 1);
    const stream = new OrderStream(trader.over(member.connection), '0.01', from, 'ioc');
    streams.push(stream);
    await stream.runUntil(count);
  }

  const acknowledged = (): readonly string[] =>
    streams.flatMap((stream) => [...stream.acknowledged.keys()]);

  async function expectOrdersOnce(): Promise<void> {
    for (const member of all()) {
      const found = await listOrders(trader.over(member.connection), ordersPath);
      const ids = found.map(({ order_id: id }) => id);
      const prices = found.map(({ price }) => price);
      expect([new Set(ids).size, new Set(prices).size]).toEqual([ids.length, ids.length]);
      const known = new Set(ids);
      expect(acknowledged().filter((id) => !known.has(id))).toEqual([]);
    }
  }

  let orders = 0;
  const order = (tif: 'gtc' | 'ioc') => {
    orders += 1;
    const terms = { symbol: 'BTCUSDT', side: 'buy', type: 'limit', tif, quantity: '0.01' };
    return {
      method: 'POST' as const,
      path: ordersPath,
      body: { ...terms, price: (500 + orders / 100).toFixed(2) },
    };
  };
  const placeOne = (member: Member) =>
    trader.over(member.connection).requestJson(order('gtc')) as Promise<{ order_id: string }>;

  /** Leaves the log that much space; null: no limit. */
  async function limitLog(bytesFree: number | null): Promise<void> {
    const connection = await connect({ servers: cluster.nats.url });
    const { streams: log } = await jetstreamManager(connection);
    for await (const { config, state } of log.list()) {
      if (!config.name.startsWith('openbourse-')) continue;
      const maxBytes = bytesFree === null ? -1 : state.bytes + bytesFree;
      await log.update(config.name, { max_bytes: maxBytes });
    }
    await connection.close();
  }

  test('row 28: a rolling upgrade with new rules waits for the database, and no client gets an error', async () => {
    const blocker = new pg.Client({ connectionString: cluster.database.url });
    await blocker.connect();
    await blocker.query('BEGIN');
    await blocker.query('LOCK TABLE projector_position IN EXCLUSIVE MODE');
    const { owner, standbys } = await owned();
    await place(owner, 100);
    for (const member of [...standbys, owner]) {
      const name = nameOf(member);
      const others = all().filter((each) => each !== member);
      const traffic = load(others);
      expect(await member.service.stop('SIGTERM')).toBe(0);
      const starting = start(name);
      if (member === standbys[0]) {
        await blocker.query('COMMIT');
        await blocker.end();
      }
      await starting;
      await traffic.stop();
      expect(traffic.refusals()).toEqual([]);
    }
    await expectOrdersOnce();
    const told = all().filter((member) => toldOf(member, 'the rules are upgraded') > 0);
    expect(told).toHaveLength(1);
  });

  const restoredCount = (): number =>
    all().reduce((sum, member) => sum + toldOf(member, isRestored), 0);

  /** The log loses what came since `copyStore`. */
  async function loseEnd(): Promise<void> {
    await cluster.nats.kill();
    await cluster.nats.loseNewer();
    await cluster.nats.startAgain();
  }

  test('row 6: NATS restarts without its newest entries with all alive: restored, no process ends, no read is stale', async () => {
    await cluster.nats.kill();
    await cluster.nats.copyStore();
    await cluster.nats.startAgain();
    await ready(all());
    const { owner, standbys } = await owned();
    await place(standbys[0]!, 50);
    const open = await placeOne(owner);
    const before = restoredCount();
    await loseEnd();
    let shown = 0;
    const isOpen = async (member: Member): Promise<void> => {
      const target = { method: 'GET' as const, path: `${ordersPath}/${open.order_id}` };
      const { status } = await member.connection.send(trader.sign(target));
      // Reads of orders answer DB_ERROR while no process owns the exchange.
      expect([200, 500, 503]).toContain(status);
      shown += Number(status === 200);
    };
    await vi.waitUntil(async () => {
      const shownBefore = shown;
      await Promise.all(all().map(isOpen));
      return shown - shownBefore === all().length;
    }, soon);
    await ready(all());
    expect(all().filter(hasEnded)).toEqual([]);
    expect(restoredCount()).toBeGreaterThan(before);
    await place(standbys[0]!, 20);
    await expectOrdersOnce();
  });

  test('row 12: the log is restored from an older backup, and the owner dies while it restores it', async () => {
    const { owner, standbys } = await owned();
    await place(standbys[1]!, 20);
    const before = toldOf(owner, isRestored);
    await loseEnd();
    await vi.waitUntil(() => toldOf(owner, isRestored) > before, { ...soon, interval: 1 });
    owner.service.process.kill('SIGKILL');
    await ready(standbys);
    await place(standbys[1]!, 20);
    await owner.service.exited();
    await startEnded();
    expect(standbys.filter(hasEnded)).toEqual([]);
    await expectOrdersOnce();
  });

  test('row 17: the store of the log is full: new orders are refused as busy, never as repeated, and made once there is room', async () => {
    const { owner, standbys } = await owned();
    const answers: { member: Member; signed: HttpRequest; status: number; text: string }[] = [];
    const sent: Promise<void>[] = [];
    const isBusy = ({ status, text }: { status: number; text: string }): boolean =>
      status === 503 && text.includes('ENGINE_BUSY');
    await limitLog(0);
    for (const member of [owner, standbys[0]!]) {
      await vi.waitUntil(() => {
        const signed = trader.sign(order('ioc'));
        const told = member.connection.send(signed);
        sent.push(told.then((reply) => void answers.push({ member, signed, ...reply })));
        return answers.some((each) => each.member === member && isBusy(each));
      }, soon);
    }
    await owner.service.logged('the shared log has used 80 % of its space');
    await limitLog(null);
    await Promise.all(sent);
    expect(answers.filter((each) => each.status !== 200 && !isBusy(each))).toEqual([]);
    for (const { member, signed } of answers.filter(isBusy)) {
      await vi.waitUntil(async () => (await member.connection.send(signed)).status === 200, soon);
    }
    expect(all().filter(hasEnded)).toEqual([]);
    await expectOrdersOnce();
  });

  test('row 18: the disk of the owner is full: it hands over within 5 s; with all disks full cancels succeed', async () => {
    if (disks.size === 0) return;
    const { owner, standbys } = await owned();
    const open = await placeOne(owner);
    const traffic = load(standbys);
    disks.get(nameOf(owner))!.fill();
    const begun = performance.now();
    await vi.waitUntil(async () => !(await owner.isOwner()), soon);
    await owned(standbys);
    expect(performance.now() - begun).toBeLessThan(5_000);
    await traffic.stop();
    expect(traffic.refusals()).toEqual([]);
    for (const disk of disks.values()) disk.fill();
    const { owner: next } = await owned();
    const cancel = { method: 'DELETE' as const, path: `${ordersPath}/${open.order_id}` };
    await trader.over(next.connection).requestJson(cancel);
    for (const disk of disks.values()) disk.empty();
    expect(all().filter(hasEnded)).toEqual([]);
    await ready(all());
    await expectOrdersOnce();
  });

  test.each(['up', 'down'] as const)(
    'row 22: nothing goes %s between the owner and NATS: another takes over, and what the former owner sent late is refused',
    async (direction) => {
      const { owner, standbys } = await owned();
      const traffic = load(standbys);
      proxies.get(nameOf(owner))!.hold(direction);
      await owned(standbys);
      await ready(standbys);
      proxies.get(nameOf(owner))!.heal();
      await vi.waitUntil(
        async () => hasEnded(owner) || !(await owner.isOwner().catch(() => false)),
        soon,
      );
      await traffic.stop();
      expect(traffic.refusals()).toEqual([]);
      await vi.waitUntil(
        async () => hasEnded(owner) || (await owner.isReady().catch(() => false)),
        soon,
      );
      await startEnded();
      await expectOrdersOnce();
    },
  );

  test('rows 4 and 24: a standby is killed, and all at once: all come back, and a repeated signed order is one order', async () => {
    const { owner, standbys } = await owned();
    const traffic = load([owner, standbys[1]!]);
    await standbys[0]!.service.stop('SIGKILL');
    await startEnded();
    await traffic.stop();
    expect(traffic.refusals()).toEqual([]);
    const signed = trader.sign(order('ioc'));
    const signedAt = performance.now();
    expect((await owner.connection.send(signed)).status).toBe(200);
    await Promise.all(all().map(({ service }) => service.stop('SIGKILL')));
    await startEnded();
    for (const { connection } of all()) {
      const { status } = await connection.send(signed);
      // A machine on which the starts take a minute may refuse it by its timestamp.
      const isLate = performance.now() - signedAt >= signedForMs;
      expect(isLate ? [409, 401] : [409]).toContain(status);
    }
    await expectOrdersOnce();
  });
});
