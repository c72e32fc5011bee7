import { JetStreamApiError, jetstream } from '@nats-io/jetstream';
import { type KV, Kvm } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Sequence } from '../domain/identifiers.ts';
import type { Chain } from './chain.ts';
import type { ClusterNames } from './cluster-names.ts';
import type { MemberList } from './member-list.ts';

/** A snapshot on the shelf. Nothing is restored from the shelf that is not recorded like this. */
export interface KeptSnapshot {
  readonly sequence: Sequence;
  readonly stateHash: string;
  /** Of the history up to the sequence. */
  readonly chain: Chain;
  /** The members of the exchange, as the one that has put it there knew them then. */
  readonly list: MemberList;
  /** Of the file on the shelf, in hexadecimal digits. */
  readonly sha256: string;
  /** The member that has put it there. */
  readonly putBy: string;
  /** Another member that has the same state at that sequence; null until one is found. */
  readonly provenBy: string | null;
}

export interface KeptSnapshots {
  readonly snapshots: readonly KeptSnapshot[];
  /** Null before the first record. */
  readonly revision: number | null;
}

/** The record of the snapshots on the shelf, written by compare-and-set. */
export interface KeptSnapshotStore {
  load(): Promise<KeptSnapshots>;
  /** False if another process has written since. */
  write(snapshots: readonly KeptSnapshot[], expected: number | null): Promise<boolean>;
}

/** The name of a snapshot's file on the shelf. */
export function shelfName(journalId: string, sequence: Sequence): string {
  return `${journalId}-${String(sequence).padStart(16, '0')}.snapshot`;
}

const key = 'snapshots';
const answerTimeoutMs = 2_000;
const wrongLastSequence = 10_071;

/** In the bucket that also has the lease. */
export class BucketKeptSnapshots implements KeptSnapshotStore {
  readonly #bucket: KV;

  private constructor(bucket: KV) {
    this.#bucket = bucket;
  }

  static async open(connection: NatsConnection, names: ClusterNames): Promise<BucketKeptSnapshots> {
    const client = jetstream(connection, { timeout: answerTimeoutMs });
    const bucket = await new Kvm(client).create(names.bucket, { history: 1 });
    return new BucketKeptSnapshots(bucket);
  }

  async load(): Promise<KeptSnapshots> {
    const entry = await this.#bucket.get(key);
    if (entry === null || entry.operation !== 'PUT') return { snapshots: [], revision: null };
    return { snapshots: entry.json<readonly KeptSnapshot[]>(), revision: entry.revision };
  }

  async write(snapshots: readonly KeptSnapshot[], expected: number | null): Promise<boolean> {
    const value = JSON.stringify(snapshots);
    try {
      if (expected === null) await this.#bucket.create(key, value);
      else await this.#bucket.update(key, value, expected);
      return true;
    } catch (error) {
      if (error instanceof JetStreamApiError && error.code === wrongLastSequence) return false;
      throw error;
    }
  }
}
