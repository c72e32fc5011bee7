import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { Trader } from '../../src/client/trader.ts';
import { engineFactory } from '../../src/engine/engine.ts';
import { nodeDisk } from '../../src/journal/node-disk.ts';
import { verifyJournal } from '../../src/journal/verify-journal.ts';
import { systemTime } from '../../src/system/system-time.ts';
import { ClusterFixture, type Member } from '../support/cluster-fixture.ts';
import { listOrders } from '../support/list-orders.ts';
import { hasNatsServer } from '../support/nats-server.ts';
import { OrderStream } from '../support/order-stream.ts';

// One exchange in several processes, as an operator runs it: with a NATS server and a database of
// their own. The tests follow on each other, as the life of such an exchange does.

const ordersPath = '/api/v1/spot/orders';
const soon = { timeout: 60_000, interval: 50 };

if (!hasNatsServer) console.log('skipped: there is no nats-server on PATH for test/e2e/cluster');

describe.skipIf(!hasNatsServer)('cluster', () => {
  let cluster: ClusterFixture;
  let first: Member;
  let second: Member;
  let third: Member;
  let maker: Trader;
  let taker: Trader;
  const streams: OrderStream[] = [];

  beforeAll(async () => {
    cluster = await ClusterFixture.open();
    [first, second] = await Promise.all([cluster.start('first'), cluster.start('second')]);
    [maker, taker] = await Promise.all([
      Trader.register(first.connection, 'maker'),
      Trader.register(second.connection, 'taker'),
    ]);
    await first.credit(maker, 'BTC', '1000');
    await second.credit(taker, 'USDT', '10000000');
    await cluster.settle(2);
  });

  afterAll(() => cluster?.close());

  async function owned(): Promise<{ readonly owner: Member; readonly standby: Member }> {
    const owner = await cluster.findOwner([first, second]);
    return { owner, standby: owner === first ? second : first };
  }

  /** The member's process is gone: another one with the same data folder takes its place. */
  async function replace(gone: Member): Promise<Member> {
    const name = gone === first ? 'first' : 'second';
    const member = await cluster.start(name);
    if (gone === first) first = member;
    else second = member;
    return member;
  }

  /** Ready; an owner that was replaced while NATS was away ends, and is started again. */
  async function comeBack(member: Member): Promise<Member> {
    const hasEnded = (): boolean => member.service.process.exitCode !== null;
    const isReady = (): Promise<boolean> => member.isReady().catch(() => false);
    await vi.waitUntil(async () => hasEnded() || (await isReady()), soon);
    return hasEnded() ? replace(member) : member;
  }

  function order(side: 'buy' | 'sell', price: string, quantity: string) {
    const body = { symbol: 'BTCUSDT', side, type: 'limit', price, quantity };
    return { method: 'POST' as const, path: ordersPath, body };
  }

  test('cluster: orders placed at each process match in one book', async () => {
    const sold = await maker.over(first.connection).requestJson(order('sell', '100000', '1'));
    expect(sold).toMatchObject({ status: 'new' });
    const bought = await taker.over(second.connection).requestJson(order('buy', '100000', '0.4'));
    expect(bought).toMatchObject({ status: 'filled' });
    for (const member of [first, second]) {
      expect(await member.get('/api/v1/spot/depth?symbol=BTCUSDT')).toMatchObject({
        bids: [],
        asks: [['100000', '0.6']],
      });
      const { items } = (await maker
        .over(member.connection)
        .requestJson({ method: 'GET', path: '/api/v1/spot/trades' })) as { items: object[] };
      expect(items).toHaveLength(1);
    }
  });

  test('cluster: an order acknowledged by one process is visible at another at once', async () => {
    for (let round = 0; round < 20; round += 1) {
      const [here, there] = round % 2 === 0 ? [first, second] : [second, first];
      const placed = (await taker.over(here.connection).requestJson(order('buy', '50', '0.1'))) as {
        order_id: string;
      };
      const canceled = await taker
        .over(there.connection)
        .requestJson({ method: 'DELETE', path: `${ordersPath}/${placed.order_id}` });
      expect(canceled).toMatchObject({ order_id: placed.order_id });
    }
  });

  test('row 24: a signed order that is repeated at another process is one order', async () => {
    const signed = taker.sign(order('buy', '70', '0.1'));
    const replies = await Promise.all(
      [first, second, first, second].map(({ connection }) => connection.send(signed)),
    );
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    const found = await listOrders(taker.over(first.connection), ordersPath);
    expect(found.filter(({ price }) => Number(price) === 70)).toHaveLength(1);
  });

  test('row 2: kill -9 of the owner under load loses nothing and duplicates nothing', async () => {
    const { owner, standby } = await owned();
    const here = new OrderStream(taker.over(owner.connection), '0.01', 1_000, 'ioc');
    const there = new OrderStream(taker.over(standby.connection), '0.01', 2_000, 'ioc');
    streams.push(here, there);
    let isKilled = false;
    const kill = (): void => {
      if (isKilled || here.acknowledged.size < 100 || there.acknowledged.size < 100) return;
      isKilled = true;
      owner.service.process.kill('SIGKILL');
      void takenOver.then(() => there.stop());
    };
    const takenOver = vi.waitUntil(() => isKilled && standby.isOwner(), soon);
    await Promise.all([here.run(kill), there.run(kill)]);
    expect([...there.refusals]).toEqual([]);
    await replace(owner);
    for (const member of [first, second]) await expectOrdersOnce(member);
  });

  test('row 24: a signed order that is repeated after kill -9 of its owner is one order', async () => {
    const { owner, standby } = await owned();
    const signed = taker.sign(order('buy', '71', '0.1'));
    expect((await owner.connection.send(signed)).status).toBe(200);
    owner.service.process.kill('SIGKILL');
    await vi.waitUntil(() => standby.isOwner(), soon);
    const back = await replace(owner);
    for (const member of [standby, back]) {
      const { status, text } = await member.connection.send(signed);
      expect([status, JSON.parse(text)]).toEqual([409, { error: 'REQUEST_REPEATED' }]);
    }
    const found = await listOrders(taker.over(standby.connection), ordersPath);
    expect(found.filter(({ price }) => Number(price) === 71)).toHaveLength(1);
  });

  test('row 3: an owner paused for too long can append nothing and ends', async () => {
    const { owner, standby } = await owned();
    owner.service.process.kill('SIGSTOP');
    const inTheDark = new OrderStream(taker.over(owner.connection), '0.01', 3_000, 'ioc');
    streams.push(inTheDark);
    const paused = inTheDark.run(() => inTheDark.stop());
    await vi.waitUntil(() => standby.isOwner(), soon);
    const after = new OrderStream(taker.over(standby.connection), '0.01', 4_000, 'ioc');
    streams.push(after);
    await after.runUntil(50);
    owner.service.process.kill('SIGCONT');
    expect(await owner.service.exited()).toBe(1);
    await paused;
    expect(inTheDark.acknowledged.size).toBe(0);
    await replace(owner);
    for (const member of [first, second]) await expectOrdersOnce(member);
  });

  test('row 3: an owner paused for less than its lease continues, and the orders that waited for it are made', async () => {
    const { owner, standby } = await owned();
    owner.service.process.kill('SIGSTOP');
    const sent = standby.connection.send(taker.sign(order('buy', '72', '0.1')));
    await vi.waitUntil(async () => {
      const metrics = await fetch(`${standby.service.url}/metrics`);
      return /^\w*cluster_requests_waiting [1-9]/m.test(await metrics.text());
    }, soon);
    owner.service.process.kill('SIGCONT');
    expect((await sent).status).toBe(200);
    expect(await cluster.findOwner([first, second])).toBe(owner);
    for (const member of [first, second]) await expectOrdersOnce(member);
  });

  test('row 1: SIGTERM hands over without an error to any client', async () => {
    const { owner, standby } = await owned();
    const here = new OrderStream(taker.over(owner.connection), '0.01', 5_000, 'ioc');
    const there = new OrderStream(taker.over(standby.connection), '0.01', 6_000, 'ioc');
    streams.push(here, there);
    let waits = 0;
    const count = (status: number): void => void (waits += Number(status !== 200));
    standby.connection.observeReply = count;
    const running = Promise.all([here.run(() => undefined), there.run(() => undefined)]);
    await vi.waitUntil(() => Math.min(here.acknowledged.size, there.acknowledged.size) > 50, soon);
    const begun = performance.now();
    const exited = owner.service.stop('SIGTERM');
    await vi.waitUntil(() => standby.isOwner(), soon);
    const handOverMs = performance.now() - begun;
    const before = there.acknowledged.size;
    await vi.waitUntil(() => there.acknowledged.size > before + 50, soon);
    here.stop();
    there.stop();
    await running;
    expect([...there.refusals, ...here.refusals]).toEqual([]);
    // Requests are held for a second; a machine on which it takes longer sends them back.
    if (handOverMs < 1_000) expect(waits).toBe(0);
    expect(await exited).toBe(0);
    await replace(owner);
    await expectOrdersOnce(standby);
  });

  test('row 5: without NATS writes return ENGINE_RESTARTING, and continue once it is back', async () => {
    await cluster.nats.kill();
    for (const member of [first, second]) {
      await vi.waitUntil(async () => !(await member.isReady()), soon);
      const refused = await member.connection.send(taker.sign(order('buy', '60', '0.1')));
      expect(refused.status).toBe(503);
      expect(JSON.parse(refused.text)).toMatchObject({ error: 'ENGINE_RESTARTING' });
    }
    await cluster.nats.startAgain();
    for (const each of [first, second]) {
      const member = await comeBack(each);
      const placed = await taker.over(member.connection).requestJson(order('buy', '60', '0.1'));
      expect(placed).toMatchObject({ status: 'new' });
      await expectOrdersOnce(member);
    }
  });

  test.each([
    ['at once', 0],
    ['after the lease has expired', 6_000],
  ])('row 5: NATS comes back %s: what was under way is made once or refused', async (_, ageMs) => {
    const running = [first, second].map(({ connection }, index) => {
      const from = (ageMs === 0 ? 8_000 : 8_800) + 400 * index;
      const stream = new OrderStream(taker.over(connection), '0.01', from, 'ioc', 4);
      return { stream, ended: stream.run(() => undefined) };
    });
    const own = running.map(({ stream }) => stream);
    streams.push(...own);
    await vi.waitUntil(() => own.every(({ acknowledged }) => acknowledged.size > 20), soon);
    await cluster.nats.kill();
    for (const member of [first, second]) {
      await vi.waitUntil(async () => (await member.agreementAgeMs()) >= ageMs, soon);
    }
    await cluster.nats.startAgain();
    for (const each of [first, second]) await comeBack(each);
    for (const stream of own) stream.stop();
    await Promise.all(running.map(({ ended }) => ended));
    const refusals = own.flatMap((stream) => [...stream.refusals]);
    expect(refusals.filter((text) => !text.includes('ENGINE_RESTARTING'))).toEqual([]);
    for (const member of [first, second]) await expectOrdersOnce(member);
  });

  test('row 7: a log whose end was lost with its owner is restored by a process that holds it, with nothing lost or duplicated', async () => {
    await cluster.nats.kill();
    await cluster.nats.copyStore();
    await cluster.nats.startAgain();
    for (const member of [first, second]) await comeBack(member);
    third = await cluster.start('third');
    await cluster.settle(3);
    const { owner, standby } = await owned();
    const lost = new OrderStream(taker.over(standby.connection), '0.01', 7_000, 'ioc');
    streams.push(lost);
    await lost.runUntil(50);
    owner.service.process.kill('SIGKILL');
    await cluster.nats.kill();
    await cluster.nats.loseNewer();
    await cluster.nats.startAgain();
    const alive = [standby, third];
    const next = await cluster.findOwner(alive);
    for (const member of alive) await vi.waitUntil(() => member.isReady(), soon);
    await expectOrdersOnce(next);
    const placed = await taker.over(standby.connection).requestJson(order('buy', '61', '0.1'));
    expect(placed).toMatchObject({ status: 'new' });
    await replace(owner);
    for (const member of [first, second]) await expectOrdersOnce(member);
  });

  test('cluster: a process with an empty folder reaches the same state', async () => {
    const depth = '/api/v1/spot/depth?symbol=BTCUSDT';
    expect(await third.get(depth)).toEqual(await first.get(depth));
    await expectOrdersOnce(third);
    const { rows } = await cluster.database.database.reads.withClient((client) =>
      client.query<{ token: string; total: string }>(
        'SELECT token, sum(available + locked)::text AS total FROM spot_balances GROUP BY token',
      ),
    );
    const totals = new Map(rows.map(({ token, total }) => [token, Number(total)]));
    expect(totals.get('BTC')).toBeLessThanOrEqual(1_000);
    expect(totals.get('USDT')).toBeLessThanOrEqual(10_000_000);
    const members = [first, second, third];
    const codes = await Promise.all(members.map(({ service }) => service.stop()));
    expect(codes).toEqual([0, 0, 0]);
    const hashes = await Promise.all(
      members.map(async ({ folder }) => {
        const options = {
          disk: nodeDisk,
          folder: `${folder}/journal`,
          machines: engineFactory,
          time: systemTime,
        };
        const { stateHash, lastSequence } = await verifyJournal(options);
        return { stateHash, lastSequence };
      }),
    );
    expect(hashes[1]).toEqual(hashes[0]);
    expect(hashes[2]).toEqual(hashes[0]);
  });

  // Of every order that was acknowledged one is there; of those that were not, at most one.
  async function expectOrdersOnce(member: Member): Promise<void> {
    const reader = taker.over(member.connection);
    const found = await listOrders(reader, ordersPath);
    const prices = found.map(({ price }) => Number(price));
    const own = streams.flatMap((stream) => [...stream.acknowledged.values()].map(Number));
    const seen = new Set(prices);
    expect(own.filter((price) => !seen.has(price))).toEqual([]);
    const streamed = prices.filter((price) => price > 1_000 && price < 10_000);
    expect(streamed.length).toBe(new Set(streamed).size);
  }
});
