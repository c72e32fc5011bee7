import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasNatsServer, NatsServer } from '../../test/support/nats-server.ts';
import { BucketSnapshotStore } from './bucket-snapshot-store.ts';
import { clusterNames } from './cluster-names.ts';
import { FolderSnapshotStore, type SharedSnapshotStore } from './shared-snapshot-store.ts';

if (!hasNatsServer)
  console.log('skipped: there is no nats-server on PATH for the bucket of snapshots');

const name = '0123456789abcdef-0000000001000000.snapshot';

function bytesOf(length: number, seed: number): Uint8Array {
  return Uint8Array.from({ length }, (_, index) => (index * 31 + seed) & 255);
}

async function expectToKeep(store: SharedSnapshotStore): Promise<void> {
  expect(await store.get(name)).toBeNull();
  await store.remove(name);
  for (const bytes of [bytesOf(1_000_000, 1), bytesOf(300_000, 2), bytesOf(0, 3)]) {
    await store.put(name, bytes);
    expect(Buffer.compare((await store.get(name))!, bytes)).toBe(0);
  }
  await store.put('another', bytesOf(10, 4));
  await store.remove(name);
  expect(await store.get(name)).toBeNull();
  expect(await store.get('another')).toHaveLength(10);
}

describe('a folder as the snapshot store', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'openbourse-snapshots-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('keeps what is put there under its name, and nothing unfinished', async () => {
    const path = join(folder, 'made', 'by', 'the', 'store');
    await expectToKeep(new FolderSnapshotStore(path));
    expect(await readdir(path)).toEqual(['another']);
  });
});

describe.skipIf(!hasNatsServer)('a bucket of JetStream as the snapshot store', () => {
  let server: NatsServer;
  let connection: NatsConnection;

  beforeEach(async () => {
    server = await NatsServer.start();
    connection = await connect({ servers: server.url });
  });
  afterEach(async () => {
    await connection.close();
    await server.close();
  });

  it('keeps what is put there under its name', async () => {
    await expectToKeep(
      await BucketSnapshotStore.open(connection, clusterNames('0123456789abcdef')),
    );
  });
});
