import { hostname } from 'node:os';
import type { Exchange } from '../application/ports/exchange.ts';
import type { ClusterExchange } from '../cluster/cluster-exchange.ts';
import { ConfirmedChanges } from '../cluster/confirmed-changes.ts';
import { SharedCounts } from '../cluster/shared-counts.ts';
import type { Database } from '../database/open-database.ts';
import { exchangeEngines } from '../engine/engine.ts';
import type { SharedCountsMessage } from '../gateway/http/request-limiter.ts';
import { ThreadSignal } from '../sequencer/durable-signal.ts';
import type { ExchangeClock } from '../sequencer/exchange-clock.ts';
import { openSequencer, type Sequencer } from '../sequencer/sequencer.ts';
import type { SharedJournal } from '../sequencer/sequencer-options.ts';
import { systemTime } from '../system/system-time.ts';
import { createExchangeClock } from './clock.ts';
import { createCluster } from './cluster.ts';
import { HealthWatch } from './health-watch.ts';
import { journalFolder, type ServiceOptions } from './options.ts';

/**
 * An exchange that can be started and stopped; with a single process this is the sequencer itself.
 */
interface RunningExchange extends Exchange {
  start(): Promise<void>;
  stop(): Promise<void>;
}

export interface EngineComponents {
  /** Accepts commands and publishes outcomes. */
  readonly exchange: RunningExchange;
  /** This process's own engine and journal. */
  readonly sequencer: Sequencer;
  /** Null with a single process. */
  readonly cluster: ClusterExchange | null;
  /** The counts of clients' requests that processes share; null with a single process. */
  readonly counts: SharedCounts<SharedCountsMessage> | null;
  /** What the other processes have to read again; null with a single process. */
  readonly changes: ConfirmedChanges | null;
  readonly durable: ThreadSignal;
  /** The time that commands are stamped with. */
  readonly clock: ExchangeClock;
  readonly health: HealthWatch;
}

/** Opens the engine with its journal, alone or as one of several; it is not started yet. */
export function openEngine(
  { config, log, onFatal }: ServiceOptions,
  rulesBefore: number | null,
  database: () => Promise<Database>,
): EngineComponents {
  const durable = new ThreadSignal();
  const health = new HealthWatch({ folder: journalFolder(config) });
  const clock = createExchangeClock(database, log);
  const open = (shared?: SharedJournal): Sequencer =>
    openSequencer({
      directory: journalFolder(config),
      machines: exchangeEngines,
      clock,
      logger: log,
      onFatal,
      limits: { waitingMax: config.engineQueueMax, snapshotEvery: config.snapshotEvery },
      follower: durable,
      // Rules that this program lacks must have ended in the database before it writes anything.
      areRulesHeld: config.areRulesHeld || rulesBefore !== null,
      ...(shared === undefined ? {} : { shared }),
    });
  if (config.natsUrl === null) {
    const sequencer = open();
    const alone = { cluster: null, counts: null, changes: null };
    return { exchange: sequencer, sequencer, ...alone, durable, clock, health };
  }
  const counts = new SharedCounts<SharedCountsMessage>(systemTime);
  const changes = new ConfirmedChanges(systemTime);
  const cluster = createCluster({
    natsUrl: config.natsUrl,
    members: config.cluster,
    label: `${hostname()}:${config.port}`,
    database,
    openSequencer: open,
    journalFolder: journalFolder(config),
    waitingMax: config.engineQueueMax,
    snapshotSharing:
      config.cluster.snapshotStore === null
        ? null
        : {
            place: config.cluster.snapshotStore,
            snapshotEvery: config.snapshotEvery,
            logKeepHours: config.cluster.logKeepHours,
            rules: exchangeEngines,
          },
    counts,
    changes,
    weakness: () => health.weakness,
    mayOwn: config.cluster.roles.mayOwn,
    log,
    onFatal,
  });
  const { sequencer } = cluster;
  const several = { cluster, counts, changes };
  return { exchange: cluster, sequencer, ...several, durable, clock, health };
}
