import { JetStreamApiError, jetstream } from '@nats-io/jetstream';
import { type KV, Kvm } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Sequence } from '../domain/identifiers.ts';
import { replicasOn } from './append-connection.ts';
import type { ClusterNames } from './cluster-names.ts';
import type { NamedSnapshot } from './log-entry.ts';
import type { MemberList } from './member-list.ts';
import type { SharedLog } from './shared-log.ts';

/**
 * The record of a snapshot in the shared store. Only a snapshot that the log names as well is
 * restored.
 */
export interface SharedSnapshot extends NamedSnapshot {
  /** The members of the exchange, as known to the member that stored it, at that time. */
  readonly list: MemberList;
  /** The member that stored it. */
  readonly putBy: string;
  /** Another member that has the same state at that sequence; null until one is found. */
  readonly provenBy: string | null;
  /** The entry of the log that names it; absent until there is one. */
  readonly position?: number;
}

export interface SharedSnapshots {
  readonly snapshots: readonly SharedSnapshot[];
  /** Null before the first record. */
  readonly revision: number | null;
}

/** The records of the snapshots in the shared store, written by compare-and-set. */
export interface SnapshotCatalog {
  load(): Promise<SharedSnapshots>;
  /** False if another process has written since. */
  write(snapshots: readonly SharedSnapshot[], expected: number | null): Promise<boolean>;
}

/**
 * The members in the log's entry that names exactly this snapshot, or null if there is none: the
 * log can lose its end, and the record of the snapshots is no proof.
 */
export async function findNamed(
  log: Pick<SharedLog, 'load'>,
  { position, ...snapshot }: SharedSnapshot,
): Promise<MemberList | null> {
  if (position === undefined) return null;
  const mark = (await log.load(position))?.mark;
  const isNamed =
    mark?.snapshot?.sequence === snapshot.sequence &&
    mark.snapshot.chain === snapshot.chain &&
    mark.snapshot.stateHash === snapshot.stateHash &&
    mark.snapshot.sha256 === snapshot.sha256;
  return isNamed ? mark.list : null;
}

/** In hexadecimal digits; computed outside the event loop. */
export async function sha256Of(bytes: Uint8Array): Promise<string> {
  return Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex');
}

/** The name of a snapshot's file in the shared store. */
export function sharedSnapshotName(journalId: string, sequence: Sequence): string {
  return `${journalId}-${String(sequence).padStart(16, '0')}.snapshot`;
}

const key = 'snapshots';
const answerTimeoutMs = 2_000;
const wrongLastSequence = 10_071;

/** Stored in the bucket that also contains the lease. */
export class BucketSnapshotCatalog implements SnapshotCatalog {
  readonly #bucket: KV;

  private constructor(bucket: KV) {
    this.#bucket = bucket;
  }

  static async open(
    connection: NatsConnection,
    names: ClusterNames,
  ): Promise<BucketSnapshotCatalog> {
    const client = jetstream(connection, { timeout: answerTimeoutMs });
    const replicas = replicasOn(connection);
    const bucket = await new Kvm(client).create(names.bucket, { history: 1, replicas });
    return new BucketSnapshotCatalog(bucket);
  }

  async load(): Promise<SharedSnapshots> {
    const entry = await this.#bucket.get(key);
    if (entry === null || entry.operation !== 'PUT') return { snapshots: [], revision: null };
    return { snapshots: entry.json<readonly SharedSnapshot[]>(), revision: entry.revision };
  }

  async write(snapshots: readonly SharedSnapshot[], expected: number | null): Promise<boolean> {
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
