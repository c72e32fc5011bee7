import { clusterNames } from '../cluster/cluster-names.ts';
import type { ShelfUse, SnapshotOwner } from '../cluster/cluster-options.ts';
import { connectNats, type NatsLink } from '../cluster/connect-nats.ts';
import { BucketKeptSnapshots, type KeptSnapshotStore } from '../cluster/kept-snapshots.ts';
import { seedJournal } from '../cluster/seed-journal.ts';
import { SnapshotKeeper } from '../cluster/snapshot-keeper.ts';
import { FolderShelf } from '../cluster/snapshot-shelf.ts';
import { trimLog } from '../cluster/trim-log.ts';
import type { Database } from '../database/open-database.ts';
import { nodeDisk } from '../journal/node-disk.ts';
import type { KnownRules } from '../journal/other-rules.ts';
import { createJournalId } from '../journal/segment.ts';
import type { Logger } from '../observability/log.ts';
import { systemChance } from '../system/chance.ts';
import { systemTime } from '../system/system-time.ts';
import { askJournalId, loadProjectedSequence } from './cluster.ts';

/** The folder that all processes share for snapshots. */
export interface ShelfSettings {
  readonly folder: string;
  readonly snapshotEvery: number;
  /** Null: the shared log is never trimmed. */
  readonly logKeepHours: number | null;
  readonly rules: KnownRules;
}

interface ShelfParts {
  readonly natsUrl: string;
  readonly database: () => Promise<Database>;
  readonly journalFolder: string;
  readonly log: Logger;
}

/** Snapshots in a folder that all processes reach, recorded in the exchange's bucket. */
export function shareSnapshots(parts: ShelfParts, settings: ShelfSettings): ShelfUse {
  const { natsUrl, database, journalFolder: folder, log: logger } = parts;
  const shelf = new FolderShelf(settings.folder);
  const connect = (): Promise<NatsLink> =>
    connectNats(natsUrl, 'snapshots', logger, (error) => {
      logger.warn({ err: error }, 'the connection for the shelf of snapshots has ended');
    });
  const common = { disk: nodeDisk, folder, shelf, time: systemTime, logger };
  return {
    seed: async () => {
      const { connection } = await connect();
      try {
        const opened = await database();
        const journalId = await askJournalId(opened, createJournalId(systemChance), logger);
        const store = await BucketKeptSnapshots.open(connection, clusterNames(journalId));
        const projected = await loadProjectedSequence(opened, logger);
        const { rules } = settings;
        await seedJournal({ ...common, journalId, store, rules, projected, chance: systemChance });
      } finally {
        await connection.close();
      }
    },
    keep: (own) => {
      const keeping = connect().then(async ({ connection }) => {
        const store = await BucketKeptSnapshots.open(connection, clusterNames(own.journalId));
        const { snapshotEvery } = settings;
        const keeper = new SnapshotKeeper({ ...common, ...own, store, snapshotEvery });
        return { connection, keeper, endTrims: trimNowAndThen(parts, settings, own, store) };
      });
      keeping.catch((error: unknown) => {
        logger.error({ err: error }, 'snapshots are not shared until the process is started again');
      });
      return async () => {
        const kept = await keeping.catch(() => null);
        kept?.endTrims();
        await kept?.keeper.stop();
        await kept?.connection.close();
      };
    },
  };
}

const hourMs = 3_600_000;
const trimEveryMs = 60_000;

/** Only the owner trims. Returns how to end it. */
function trimNowAndThen(
  { database, log: logger }: ShelfParts,
  { logKeepHours }: ShelfSettings,
  { log, isOwner }: SnapshotOwner,
  store: KeptSnapshotStore,
): () => void {
  if (logKeepHours === null) return () => undefined;
  const keepMs = logKeepHours * hourMs;
  const loadProjected = async () => loadProjectedSequence(await database(), logger);
  const trim = { log, store, loadProjected, keepMs, time: systemTime, logger };
  return systemTime.every(trimEveryMs, () => {
    if (!isOwner()) return;
    trimLog(trim).catch((error: unknown) => {
      logger.warn({ err: error }, 'the shared log could not be trimmed');
    });
  });
}
