import { jetstream } from '@nats-io/jetstream';
import { type KV, Kvm } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';
import { replicasOn } from './append-connection.ts';
import type { ClusterNames } from './cluster-names.ts';
import type { SharedSnapshotStore } from './shared-snapshot-store.ts';

const answerTimeoutMs = 10_000;
// A message holds at most 1 MB.
const pieceBytes = 256 << 10;

/**
 * Snapshots in a bucket of JetStream, in pieces: for small exchanges, because the bucket shares the
 * disk of the log.
 */
export class BucketSnapshotStore implements SharedSnapshotStore {
  readonly #bucket: KV;

  private constructor(bucket: KV) {
    this.#bucket = bucket;
  }

  static async open(connection: NatsConnection, names: ClusterNames): Promise<BucketSnapshotStore> {
    const client = jetstream(connection, { timeout: answerTimeoutMs });
    const description = 'snapshots of an exchange';
    const options = { history: 1, description, replicas: replicasOn(connection) };
    const bucket = await new Kvm(client).create(names.snapshotBucket, options);
    return new BucketSnapshotStore(bucket);
  }

  async put(name: string, bytes: Uint8Array): Promise<void> {
    await this.remove(name);
    let count = 0;
    for (let from = 0; from < bytes.length; from += pieceBytes) {
      await this.#bucket.put(pieceKey(name, count), bytes.subarray(from, from + pieceBytes));
      count += 1;
    }
    // The count is written last, so that no reader finds an incomplete snapshot.
    await this.#bucket.put(name, String(count));
  }

  async get(name: string): Promise<Uint8Array | null> {
    const count = await this.#countPieces(name);
    if (count === null) return null;
    const pieces: Uint8Array[] = [];
    for (let number = 0; number < count; number += 1) {
      const piece = await this.#bucket.get(pieceKey(name, number));
      if (piece === null || piece.operation !== 'PUT') return null;
      pieces.push(piece.value);
    }
    return Buffer.concat(pieces);
  }

  async remove(name: string): Promise<void> {
    const count = await this.#countPieces(name);
    if (count === null) return;
    await this.#bucket.purge(name);
    for (let number = 0; number < count; number += 1) {
      await this.#bucket.purge(pieceKey(name, number));
    }
  }

  async #countPieces(name: string): Promise<number | null> {
    const entry = await this.#bucket.get(name);
    return entry === null || entry.operation !== 'PUT' ? null : Number(entry.string());
  }
}

function pieceKey(name: string, number: number): string {
  return `${name}/${number}`;
}
