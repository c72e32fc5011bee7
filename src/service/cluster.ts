import type { Registry } from 'prom-client';
import type { Weakness } from '../cluster/candidacy.ts';
import { ClusterExchange } from '../cluster/cluster-exchange.ts';
import { ConditionWatch } from '../cluster/condition-watch.ts';
import type { ConfirmedChanges } from '../cluster/confirmed-changes.ts';
import type { MembershipSettings } from '../cluster/membership.ts';
import type { SharedCounts } from '../cluster/shared-counts.ts';
import { natsTransport } from '../cluster/transport.ts';
import { readDatabaseClock } from '../database/database-clock.ts';
import { databaseEpochs } from '../database/database-epochs.ts';
import { databaseStamps } from '../database/database-stamps.ts';
import type { Database } from '../database/open-database.ts';
import type { Readiness } from '../gateway/http/operation/readiness.ts';
import type { SharedCountsMessage } from '../gateway/http/request-limiter.ts';
import { createJournalId } from '../journal/segment.ts';
import type { Logger } from '../observability/log.ts';
import { watchNumbers } from '../observability/metrics.ts';
import type { Sequencer } from '../sequencer/sequencer.ts';
import type { SharedJournal } from '../sequencer/sequencer-options.ts';
import { systemRandom } from '../system/random-source.ts';
import { systemTime } from '../system/system-time.ts';
import { askJournalId, loadProjectedSequence } from './database-journal.ts';
import { type SharingSettings, shareSnapshots } from './share-snapshots.ts';

export interface ClusterPartsOptions {
  readonly natsUrl: string;
  readonly members: MembershipSettings;
  readonly label: string;
  readonly database: () => Promise<Database>;
  readonly openSequencer: (shared: SharedJournal) => Sequencer;
  readonly journalFolder: string;
  readonly waitingMax: number;
  /** Null: snapshots are not shared. */
  readonly snapshotSharing: SharingSettings | null;
  readonly counts: SharedCounts<SharedCountsMessage>;
  readonly changes: ConfirmedChanges;
  readonly weakness: () => Weakness | null;
  readonly mayOwn: boolean;
  readonly log: Logger;
  readonly onFatal: (error: unknown) => void;
}

/** One of several processes of an exchange, which share the database and, over NATS, the log. */
export function createCluster(options: ClusterPartsOptions): ClusterExchange {
  const { natsUrl, log, openSequencer, waitingMax, onFatal } = options;
  return new ClusterExchange({
    transport: natsTransport(natsUrl),
    journalId: async () =>
      askJournalId(await options.database(), createJournalId(systemRandom), log),
    openSequencer,
    journalFolder: options.journalFolder,
    loadKnownSequence: async () => loadProjectedSequence(await options.database(), log),
    epochs: databaseEpochs(options.database),
    stamps: databaseStamps(options.database),
    weakness: options.weakness,
    mayOwn: options.mayOwn,
    databaseTime: () => options.database().then(readDatabaseClock, () => null),
    members: options.members,
    label: options.label,
    waitingMax,
    counts: options.counts,
    changes: options.changes,
    logger: log,
    onFatal,
    ...(options.snapshotSharing === null
      ? {}
      : { snapshotSharing: shareSnapshots(options, options.snapshotSharing) }),
  });
}

const checkMs = 250;
const usedRatioMax = 0.8;

/** Logs once when the shared log has used 80 % of its space, and again after it had room. */
export function logSpaceAlarm(log: Pick<Logger, 'error'>): (usedRatio: number) => void {
  let isWarned = false;
  return (usedRatio) => {
    const isFilling = usedRatio >= usedRatioMax;
    if (isFilling && !isWarned) {
      log.error({ usedRatio }, 'the shared log has used 80 % of its space');
    }
    isWarned = isFilling;
  };
}

/** Shows this process's role and place to balancers and operators, until the returned function. */
export function watchCluster(
  cluster: ClusterExchange,
  metrics: Registry,
  readiness: Readiness,
  log: Logger,
): () => void {
  const watch = new ConditionWatch(cluster, systemTime);
  const warnOfSpace = logSpaceAlarm(log);
  const stop = systemTime.every(checkMs, () => {
    const { status } = watch.observe();
    warnOfSpace(status.logUsedRatio ?? 0);
  });
  readiness.addInstant('cluster', () => {
    const { state, canRead, canWrite, reason, status } = watch.observe();
    const { epoch, position, sequence, lagEntries, agreementAgeMs: age } = status;
    return {
      state,
      isReady: canWrite,
      canRead,
      ...(reason === null ? {} : { detail: reason }),
      facts: {
        epoch,
        position,
        sequence,
        lag_entries: lagEntries,
        agreement_age_ms: age === null ? null : Math.round(age),
      },
    };
  });
  watchNumbers(metrics, [
    {
      name: 'cluster_owner',
      help: '1 while this process owns the exchange',
      read: () => Number(cluster.status.role === 'owner'),
    },
    {
      name: 'cluster_epoch',
      help: 'The epoch of the newest owner that this process knows of',
      read: () => cluster.status.epoch,
    },
    {
      name: 'cluster_log_lag_entries',
      help: 'Entries of the shared log that this process is known to lack',
      read: () => cluster.status.lagEntries,
    },
    {
      name: 'cluster_requests_waiting',
      help: 'Commands of this process that wait for the owner',
      read: () => cluster.waiting,
    },
  ]);
  return stop;
}
