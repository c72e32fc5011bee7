import { hostname } from 'node:os';
import type { Exchange } from '../application/ports.ts';
import type { ClusterExchange } from '../cluster/cluster-exchange.ts';
import type { Database } from '../database/open-database.ts';
import { exchangeEngines } from '../engine/engine.ts';
import { ThreadSignal } from '../sequencer/durable-signal.ts';
import type { ExchangeClock } from '../sequencer/exchange-clock.ts';
import { openSequencer, type Sequencer } from '../sequencer/sequencer.ts';
import type { SharedJournal } from '../sequencer/sequencer-options.ts';
import { createExchangeClock } from './clock.ts';
import { createCluster } from './cluster.ts';
import { journalFolder, type ServiceOptions } from './options.ts';

/**
 * An exchange that can be started and stopped; with a single process this is the sequencer itself.
 */
export interface RunningExchange extends Exchange {
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
  readonly durable: ThreadSignal;
  /** The time that commands are stamped with. */
  readonly clock: ExchangeClock;
}

/** Opens the engine with its journal, alone or as one of several; it is not started yet. */
export function openEngine(
  { config, log, onFatal }: ServiceOptions,
  rulesBefore: number | null,
  database: () => Promise<Database>,
): EngineComponents {
  const durable = new ThreadSignal();
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
    return { exchange: sequencer, sequencer, cluster: null, durable, clock };
  }
  const cluster = createCluster({
    natsUrl: config.natsUrl,
    members: config.cluster,
    label: `${hostname()}:${config.port}`,
    database,
    openSequencer: open,
    journalFolder: journalFolder(config),
    waitingMax: config.engineQueueMax,
    shelf:
      config.cluster.snapshotShelf === null
        ? null
        : {
            place: config.cluster.snapshotShelf,
            snapshotEvery: config.snapshotEvery,
            logKeepHours: config.cluster.logKeepHours,
            rules: exchangeEngines,
          },
    log,
    onFatal,
  });
  return { exchange: cluster, sequencer: cluster.sequencer, cluster, durable, clock };
}
