import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { Trader } from '../../src/client/trader.ts';
import { clusterNames } from '../../src/cluster/cluster-names.ts';
import { findPositionAfter } from '../../src/cluster/shared-log.ts';
import {
  BucketSnapshotCatalog,
  findNamed,
  type SharedSnapshot,
  sharedSnapshotName,
} from '../../src/cluster/shared-snapshots.ts';
import { readEntries } from '../../src/cluster/stream-log.ts';
import type { Sequence } from '../../src/domain/identifiers.ts';
import { nodeDisk } from '../../src/journal/node-disk.ts';
import { readSnapshot, snapshotPath, writeSnapshot } from '../../src/journal/snapshot.ts';
import { systemTime } from '../../src/system/system-time.ts';
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
  let snapshots: string;
  let first: Member;
  let second: Member;
  let third: Member;
  let trader: Trader;

  beforeAll(async () => {
    snapshots = await mkdtemp(join(tmpdir(), 'openbourse-snapshots-'));
    cluster = await ClusterFixture.open();
    [first, second] = await Promise.all([start('first'), start('second')]);
  });
  afterAll(async () => {
    await cluster?.close();
    await rm(snapshots, { recursive: true, force: true });
  });

  function start(name: string): Promise<Member> {
    return cluster.start(name, {
      SNAPSHOT_STORE: snapshots,
      SNAPSHOT_EVERY: String(snapshotEvery),
      CLUSTER_MEMBERS: '2',
    });
  }

  async function loadJournalId(): Promise<string> {
    const { rows } = await cluster.database.database.accounts.withClient((client) =>
      client.query<{ journal_id: string }>('SELECT journal_id FROM exchange_identity'),
    );
    return rows[0]!.journal_id;
  }

  async function loadNamed(): Promise<readonly SharedSnapshot[]> {
    const connection = await connect({ servers: new URL(cluster.nats.url).host });
    try {
      const names = clusterNames(await loadJournalId());
      const entries = await readEntries(connection, names);
      const { snapshots } = await (await BucketSnapshotCatalog.open(connection, names)).load();
      const lists = await Promise.all(snapshots.map((each) => findNamed(entries, each)));
      return snapshots.filter((_, index) => lists[index] !== null);
    } finally {
      await connection.close();
    }
  }

  /** Removes what the snapshot of that command holds from the shared log. */
  async function trimBelow(sequence: Sequence): Promise<void> {
    const connection = await connect({ servers: new URL(cluster.nats.url).host });
    try {
      const names = clusterNames(await loadJournalId());
      const next = await findPositionAfter(await readEntries(connection, names), sequence);
      const manager = await jetstreamManager(connection);
      await manager.streams.purge(names.stream, { seq: next - 1 });
    } finally {
      await connection.close();
    }
  }

  async function placeOrders(from: number, count: number): Promise<void> {
    const body = { symbol: 'BTCUSDT', side: 'buy', type: 'limit', quantity: '0.01' };
    for (let number = from; number < from + count; number += 1) {
      const { connection } = number % 2 === 0 ? first : second;
      const order = { ...body, price: String(1_000 + number) };
      await trader.over(connection).requestJson({ method: 'POST', path: ordersPath, body: order });
    }
  }

  /** Alters the state in the file in the shared store; its own checksum is correct again. */
  async function alterStored({ sequence }: SharedSnapshot): Promise<void> {
    const path = join(snapshots, sharedSnapshotName(await loadJournalId(), sequence));
    const snapshot = await readSnapshot(nodeDisk, path, systemTime);
    snapshot.state[snapshot.state.length >> 1]! ^= 1;
    const folder = await mkdtemp(join(tmpdir(), 'openbourse-altered-'));
    await writeSnapshot(nodeDisk, folder, snapshot);
    await copyFile(snapshotPath(folder, sequence), path);
    await rm(folder, { recursive: true });
    await expect(readSnapshot(nodeDisk, path, systemTime)).resolves.toBeDefined();
  }

  async function segments(name: string): Promise<string[]> {
    const names = await readdir(join(cluster.folderOf(name), 'journal'));
    return names.filter((each) => each.includes('.segment')).sort();
  }

  test('row 26: it holds every order, from a snapshot and the commands after it', async () => {
    trader = await Trader.register(first.connection, 'trader');
    await first.credit(trader, 'USDT', '10000000');
    await placeOrders(1, 3 * snapshotEvery);
    await vi.waitUntil(async () => (await loadNamed()).length === 1, soon);
    third = await start('third');
    expect(await segments('first')).toContain('00000001.segment');
    expect((await segments('third'))[0]).toBe('00000002.segment');
    const found = await listOrders(trader.over(third.connection), ordersPath);
    expect(found).toHaveLength(3 * snapshotEvery);
    const depth = '/api/v1/spot/depth?symbol=BTCUSDT';
    expect(await third.get(depth)).toEqual(await first.get(depth));
  });

  test('row 27: an altered snapshot with a correct checksum is refused for an older one', async () => {
    const [older] = await loadNamed();
    await placeOrders(1 + 3 * snapshotEvery, snapshotEvery);
    await vi.waitUntil(async () => (await loadNamed()).length === 2, soon);
    await alterStored((await loadNamed()).at(-1)!);
    const fourth = await start('fourth');
    await fourth.service.logged(
      'a snapshot in the shared store is missing or damaged: an older one is used',
    );
    const begun = await fourth.service.logged(
      'the journal begins with a snapshot from the shared store',
    );
    expect(begun).toMatchObject({ sequence: older!.sequence });
    const found = await listOrders(trader.over(fourth.connection), ordersPath);
    expect(found).toHaveLength(4 * snapshotEvery);
  });

  test('row 26: a process that was away for longer than the trimmed log goes back begins with a snapshot', async () => {
    const readiness = await fetch(`${third.service.url}/readyz`);
    const { cluster: place } = (await readiness.json()) as { cluster: { sequence: number } };
    await third.service.stop();
    await placeOrders(1 + 4 * snapshotEvery, 2 * snapshotEvery);
    const newest = async () => (await loadNamed()).at(-1)!.sequence;
    await vi.waitUntil(async () => (await newest()) > place.sequence, soon);
    await trimBelow(await newest());
    third = await start('third');
    expect((await segments('third')).join(' ')).toMatch(/00000002\.segment\.before-\d+/);
    const depth = '/api/v1/spot/depth?symbol=BTCUSDT';
    expect(await third.get(depth)).toEqual(await first.get(depth));
  });
});
