import type { NatsConnection } from '@nats-io/transport-node';
import { BucketSnapshotStore } from '../cluster/bucket-snapshot-store.ts';
import { type ClusterNames, clusterNames } from '../cluster/cluster-names.ts';
import type { SharingProcess, SnapshotSharing } from '../cluster/cluster-options.ts';
import { connectNats, type NatsLink } from '../cluster/connect-nats.ts';
import { openWithRetry, type RetryOptions } from '../cluster/open-with-retry.ts';
import { S3SnapshotStore } from '../cluster/s3-snapshot-store.ts';
import { seedJournal } from '../cluster/seed-journal.ts';
import { FolderSnapshotStore, type SharedSnapshotStore } from '../cluster/shared-snapshot-store.ts';
import { BucketSnapshotCatalog, type SnapshotCatalog } from '../cluster/shared-snapshots.ts';
import { SnapshotSharer } from '../cluster/snapshot-sharer.ts';
import { readEntries } from '../cluster/stream-log.ts';
import { trimLog } from '../cluster/trim-log.ts';
import type { SnapshotStoreConfig } from '../config/snapshot-store-config.ts';
import type { Database } from '../database/open-database.ts';
import { nodeDisk } from '../journal/node-disk.ts';
import type { KnownRules } from '../journal/rules-version.ts';
import { createJournalId } from '../journal/segment.ts';
import type { Logger } from '../observability/log.ts';
import { systemRandom } from '../system/random-source.ts';
import { systemTime } from '../system/system-time.ts';
import { askJournalId, loadProjectedSequence } from './database-journal.ts';

export interface SharingSettings {
  readonly place: SnapshotStoreConfig;
  readonly snapshotEvery: number;
  /** Null: the shared log is never trimmed. */
  readonly logKeepHours: number | null;
  readonly rules: KnownRules;
}

interface SharingParts {
  readonly natsUrl: string;
  readonly database: () => Promise<Database>;
  readonly journalFolder: string;
  readonly log: Logger;
}

/** Snapshots in a store that all processes reach, recorded in the exchange's bucket. */
export function shareSnapshots(parts: SharingParts, settings: SharingSettings): SnapshotSharing {
  const { natsUrl, database, journalFolder: folder, log: logger } = parts;
  const connect = (): Promise<NatsLink> =>
    connectNats(natsUrl, 'snapshots', logger, (error) => {
      logger.warn({ err: error }, 'the connection for shared snapshots has ended');
    });
  const common = { disk: nodeDisk, folder, time: systemTime, logger };
  return {
    seed: async (signal) => {
      const retry = { time: systemTime, logger, signal };
      const { connection } = await connect();
      try {
        const opened = await database();
        const journalId = await askJournalId(opened, createJournalId(systemRandom), logger);
        const names = clusterNames(journalId);
        const openCatalog = () => BucketSnapshotCatalog.open(connection, names);
        const catalog = await openWithRetry(openCatalog, retry);
        const store = await openWithRetry(() => openStore(settings, connection, names), retry);
        const projected = await loadProjectedSequence(opened, logger);
        const { rules } = settings;
        await seedJournal({
          ...common,
          log: await openWithRetry(() => readEntries(connection, names), retry),
          store,
          journalId,
          catalog,
          rules,
          projected,
          random: systemRandom,
        });
      } finally {
        await connection.close();
      }
    },
    start: (own) => {
      const ending = new AbortController();
      const retry = { time: systemTime, logger, signal: ending.signal };
      const opening = open(own, retry);
      // Only the end of the process ends the attempts to open it.
      opening.catch(() => undefined);
      return async () => {
        ending.abort();
        const sharing = await opening.catch(() => null);
        sharing?.endTrims();
        await sharing?.sharer.stop();
        await sharing?.connection.close();
      };
    },
  };

  async function open(own: SharingProcess, retry: RetryOptions) {
    const { connection } = await openWithRetry(connect, retry);
    try {
      const names = clusterNames(own.journalId);
      const openCatalog = () => BucketSnapshotCatalog.open(connection, names);
      const catalog = await openWithRetry(openCatalog, retry);
      const store = await openWithRetry(() => openStore(settings, connection, names), retry);
      const { snapshotEvery } = settings;
      const sharer = new SnapshotSharer({ ...common, ...own, store, catalog, snapshotEvery });
      return { connection, sharer, endTrims: trimNowAndThen(parts, settings, own, catalog) };
    } catch (error) {
      await connection.close();
      throw error;
    }
  }
}

function openStore(
  { place }: SharingSettings,
  connection: NatsConnection,
  names: ClusterNames,
): Promise<SharedSnapshotStore> {
  if (place.type === 'jetstream') return BucketSnapshotStore.open(connection, names);
  if (place.type === 's3') return Promise.resolve(new S3SnapshotStore(place.s3, systemTime));
  return Promise.resolve(new FolderSnapshotStore(place.folder));
}

const hourMs = 3_600_000;
const trimEveryMs = 60_000;

/** Only the owner trims. Returns how to end it. */
function trimNowAndThen(
  { database, log: logger }: SharingParts,
  { logKeepHours }: SharingSettings,
  { log, isOwner }: SharingProcess,
  catalog: SnapshotCatalog,
): () => void {
  if (logKeepHours === null) return () => undefined;
  const keepMs = logKeepHours * hourMs;
  const loadProjected = async () => loadProjectedSequence(await database(), logger);
  const trim = { log, catalog, loadProjected, keepMs, time: systemTime, logger };
  return systemTime.every(trimEveryMs, () => {
    if (!isOwner()) return;
    trimLog(trim).catch((error: unknown) => {
      logger.warn({ err: error }, 'the shared log could not be trimmed');
    });
  });
}
