import { JetStreamApiError, jetstream } from '@nats-io/jetstream';
import { type KV, Kvm } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';
import { isOneServer, replicasOn } from './append-connection.ts';
import type { ClusterNames } from './cluster-names.ts';
import type { LeaseRecord, LeaseStore, StoredLease } from './owner-lease.ts';

const key = 'owner';
// Two lost answers leave time for a third try before the lease ends.
const answerTimeoutMs = 1_200;
const wrongLastSequence = 10_071;

/** The lease in a key-value bucket of JetStream. */
export class BucketLeaseStore implements LeaseStore {
  readonly #bucket: KV;

  private constructor(bucket: KV) {
    this.#bucket = bucket;
  }

  static async open(connection: NatsConnection, names: ClusterNames): Promise<BucketLeaseStore> {
    const description = 'who owns an exchange';
    const client = jetstream(connection, { timeout: answerTimeoutMs });
    const bucket = await new Kvm(client).create(names.bucket, {
      history: 1,
      description,
      replicas: replicasOn(connection),
      // With several servers, any copy but the leader's may be late.
      allow_direct: isOneServer(connection),
    });
    return new BucketLeaseStore(bucket);
  }

  async load(): Promise<StoredLease | null> {
    const entry = await this.#bucket.get(key);
    if (entry === null || entry.operation !== 'PUT') return null;
    const storedAt = entry.created.getTime();
    return { record: entry.json<LeaseRecord>(), revision: entry.revision, storedAt };
  }

  async write(record: LeaseRecord, expected: number | null): Promise<number | null> {
    const value = JSON.stringify(record);
    try {
      if (expected === null) return await this.#bucket.create(key, value);
      return await this.#bucket.update(key, value, expected);
    } catch (error) {
      const isTaken = error instanceof JetStreamApiError && error.code === wrongLastSequence;
      if (isTaken) return null;
      throw error;
    }
  }
}
