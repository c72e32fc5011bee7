import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { Trader } from '../../src/client/trader.ts';
import { clusterNames } from '../../src/cluster/cluster-names.ts';
import { BucketKeptSnapshots } from '../../src/cluster/kept-snapshots.ts';
import { ClusterFixture, type Member } from '../support/cluster-fixture.ts';
import { listOrders } from '../support/list-orders.ts';
import { hasNatsServer } from '../support/nats-server.ts';

// A process with an empty folder joins an exchange whose processes share snapshots in a folder.

const ordersPath = '/api/v1/spot/orders';
const snapshotEvery = 50;
const soon = { timeout: 120_000, interval: 200 };

if (!hasNatsServer) console.log('skipped: there is no nats-server on PATH for cluster-join');

describe.skipIf(!hasNatsServer)('cluster: a process joins from a snapshot', () => {
  let cluster: ClusterFixture;
  let shelf: string;
  let first: Member;
  let second: Member;

  beforeAll(async () => {
    shelf = await mkdtemp(join(tmpdir(), 'openbourse-shelf-'));
    cluster = await ClusterFixture.open();
    [first, second] = await Promise.all([start('first'), start('second')]);
  });
  afterAll(async () => {
    await cluster?.close();
    await rm(shelf, { recursive: true, force: true });
  });

  function start(name: string): Promise<Member> {
    return cluster.start(name, {
      SNAPSHOT_SHELF: shelf,
      SNAPSHOT_EVERY: String(snapshotEvery),
      CLUSTER_MEMBERS: '2',
    });
  }

  async function hasProvenSnapshot(): Promise<boolean> {
    const connection = await connect({ servers: new URL(cluster.nats.url).host });
    try {
      const { rows } = await cluster.database.database.accounts.withClient((client) =>
        client.query<{ journal_id: string }>('SELECT journal_id FROM exchange_identity'),
      );
      const names = clusterNames(rows[0]!.journal_id);
      const { snapshots } = await (await BucketKeptSnapshots.open(connection, names)).load();
      return snapshots.some(({ provenBy }) => provenBy !== null);
    } finally {
      await connection.close();
    }
  }

  async function segments(name: string): Promise<string[]> {
    const names = await readdir(join(cluster.folderOf(name), 'journal'));
    return names.filter((each) => each.endsWith('.segment')).sort();
  }

  test('cluster: it holds every order, from a snapshot and the commands after it', async () => {
    const trader = await Trader.register(first.connection, 'trader');
    await first.credit(trader, 'USDT', '10000000');
    const body = { symbol: 'BTCUSDT', side: 'buy', type: 'limit', quantity: '0.01' };
    for (let count = 1; count <= 3 * snapshotEvery; count += 1) {
      const connection = count % 2 === 0 ? first.connection : second.connection;
      const price = String(1_000 + count);
      await trader.over(connection).requestJson({
        method: 'POST',
        path: ordersPath,
        body: { ...body, price },
      });
    }
    await vi.waitUntil(hasProvenSnapshot, soon);
    const third = await start('third');
    expect(await segments('first')).toContain('00000001.segment');
    expect((await segments('third'))[0]).toBe('00000002.segment');
    const found = await listOrders(trader.over(third.connection), ordersPath);
    expect(found).toHaveLength(3 * snapshotEvery);
    const depth = '/api/v1/spot/depth?symbol=BTCUSDT';
    expect(await third.get(depth)).toEqual(await first.get(depth));
  });
});
