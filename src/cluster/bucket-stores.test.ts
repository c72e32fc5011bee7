import { Kvm } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { NatsConnections } from '../../test/support/nats-connections.ts';
import { hasNatsServer } from '../../test/support/nats-server.ts';
import { watchRequests } from '../../test/support/watch-requests.ts';
import type { Sequence } from '../domain/identifiers.ts';
import { BucketLeaseStore } from './bucket-lease-store.ts';
import { BucketSnapshotStore } from './bucket-snapshot-store.ts';
import type { ClusterNames } from './cluster-names.ts';
import { noMembers } from './member-list.ts';
import { BucketSnapshotCatalog, type SharedSnapshot } from './shared-snapshots.ts';

if (!hasNatsServer) console.log('skipped: there is no nats-server on PATH for buckets');

describe.skipIf(!hasNatsServer)('buckets of JetStream', () => {
  let nats: NatsConnections;
  let names: ClusterNames;
  let connection: NatsConnection;

  beforeAll(async () => {
    nats = await NatsConnections.start();
  });
  afterAll(() => nats.close());
  beforeEach(async () => {
    names = await nats.next();
    connection = await nats.connect();
  });

  async function erase(bucket: string, key: string): Promise<void> {
    await (await new Kvm(await nats.connect()).open(bucket)).delete(key);
  }

  /** What is asked of the server when the buckets are opened. */
  async function createdBy(open: (on: NatsConnection) => Promise<unknown>, cluster?: string) {
    const create = vi.spyOn(Kvm.prototype, 'create');
    create.mockResolvedValueOnce({} as never);
    Object.assign(connection.info!, { cluster });
    await open(connection);
    const [call] = create.mock.calls;
    create.mockRestore();
    return call;
  }

  describe('the lease', () => {
    it('waits 1.2 s for an answer, so that a third try is in time', async () => {
      const requests = watchRequests(connection);
      const store = await BucketLeaseStore.open(connection, names);
      await store.write({ holder: 'a', epoch: 1 }, null);
      await store.load();
      expect(requests.length).toBeGreaterThan(2);
      expect(new Set(requests.map(({ timeoutMs }) => timeoutMs))).toEqual(new Set([1_200]));
    });

    it('is kept three times, and read only from the leader, where there are several servers', async () => {
      const open = (on: NatsConnection) => BucketLeaseStore.open(on, names);
      const common = { history: 1, description: 'who owns an exchange' };
      expect(await createdBy(open)).toEqual([
        names.bucket,
        { ...common, replicas: 1, allow_direct: true },
      ]);
      expect(await createdBy(open, 'replicas')).toEqual([
        names.bucket,
        { ...common, replicas: 3, allow_direct: false },
      ]);
    });

    it('that was erased is none', async () => {
      const store = await BucketLeaseStore.open(connection, names);
      expect(await store.load()).toBeNull();
      await store.write({ holder: 'a', epoch: 1 }, null);
      expect(await store.load()).toMatchObject({ record: { holder: 'a', epoch: 1 } });
      await erase(names.bucket, 'owner');
      expect(await store.load()).toBeNull();
    });

    it('is not taken for another one because the server fails', async () => {
      const store = await BucketLeaseStore.open(connection, names);
      const revision = await store.write({ holder: 'a', epoch: 1 }, null);
      await connection.close();
      await expect(store.write({ holder: 'a', epoch: 1 }, revision)).rejects.toThrow('closed');
    });
  });

  describe('the records of the snapshots', () => {
    const snapshot: SharedSnapshot = {
      sequence: 100 as Sequence,
      chain: 'c',
      stateHash: 's',
      sha256: 'f',
      list: noMembers,
      putBy: 'a',
      provenBy: null,
    };

    it('only replace the revision that was read', async () => {
      const [one, other] = [
        await BucketSnapshotCatalog.open(connection, names),
        await BucketSnapshotCatalog.open(await nats.connect(), names),
      ];
      expect(await one.load()).toEqual({ snapshots: [], revision: null });
      expect(await one.write([snapshot], null)).toBe(true);
      expect(await other.write([], null)).toBe(false);
      const { snapshots, revision } = await other.load();
      expect(snapshots).toEqual([snapshot]);
      expect(await other.write([snapshot, snapshot], revision)).toBe(true);
      expect(await one.write([], revision)).toBe(false);
      expect((await one.load()).snapshots).toHaveLength(2);
    });

    it('are none once they were erased', async () => {
      const catalog = await BucketSnapshotCatalog.open(connection, names);
      await catalog.write([snapshot], null);
      await erase(names.bucket, 'snapshots');
      expect(await catalog.load()).toEqual({ snapshots: [], revision: null });
    });

    it('are not taken for changed because the server fails', async () => {
      const catalog = await BucketSnapshotCatalog.open(connection, names);
      await connection.close();
      await expect(catalog.write([snapshot], null)).rejects.toThrow('closed');
      await expect(catalog.write([snapshot], 1)).rejects.toThrow('closed');
    });

    it('are awaited for 2 s, and share the bucket of the lease', async () => {
      await BucketLeaseStore.open(connection, names);
      const requests = watchRequests(connection);
      const catalog = await BucketSnapshotCatalog.open(connection, names);
      await catalog.load();
      expect(new Set(requests.map(({ timeoutMs }) => timeoutMs))).toEqual(new Set([2_000]));
      const open = (on: NatsConnection) => BucketSnapshotCatalog.open(on, names);
      expect(await createdBy(open, 'replicas')).toEqual([
        names.bucket,
        { history: 1, replicas: 3 },
      ]);
    });
  });

  describe('a snapshot', () => {
    const bytes = Uint8Array.from({ length: 600_000 }, (_, index) => index % 251);
    const pieces = 3;

    it('is found only whole', async () => {
      const store = await BucketSnapshotStore.open(connection, names);
      await store.put('whole', bytes);
      const bucket = await new Kvm(connection).open(names.snapshotBucket);
      await bucket.delete(`whole/${pieces - 1}`);
      expect(await store.get('whole')).toBeNull();
      await bucket.purge(`whole/${pieces - 1}`);
      await store.put('whole', bytes);
      expect(Buffer.compare((await store.get('whole'))!, bytes)).toBe(0);
      await bucket.delete('whole');
      expect(await store.get('whole')).toBeNull();
    });

    it('leaves nothing in the bucket once it is removed', async () => {
      const store = await BucketSnapshotStore.open(connection, names);
      await store.put('whole', bytes);
      await store.remove('whole');
      const bucket = await new Kvm(connection).open(names.snapshotBucket);
      for (const key of ['whole', 'whole/0', 'whole/1', 'whole/2']) {
        expect((await bucket.get(key))?.operation).toBe('PURGE');
      }
      expect(await bucket.get('whole/3')).toBeNull();
    });

    it('is awaited for 10 s, and kept three times where there are several servers', async () => {
      const requests = watchRequests(connection);
      const store = await BucketSnapshotStore.open(connection, names);
      await store.put('whole', bytes);
      expect(new Set(requests.map(({ timeoutMs }) => timeoutMs))).toEqual(new Set([10_000]));
      const open = (on: NatsConnection) => BucketSnapshotStore.open(on, names);
      expect(await createdBy(open, 'replicas')).toEqual([
        names.snapshotBucket,
        { history: 1, description: 'snapshots of an exchange', replicas: 3 },
      ]);
    });
  });
});
