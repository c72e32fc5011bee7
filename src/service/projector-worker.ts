import { parentPort, workerData } from 'node:worker_threads';
import { projectHere } from '../database/database-services.ts';
import { connectDatabase } from '../database/open-database.ts';
import { DatabaseAheadError } from '../database/projector/journal-end.ts';
import { ProjectorTurn } from '../database/projector/projector-turn.ts';
import { assert, assertNever } from '../domain/assert.ts';
import type { Sequence } from '../domain/identifiers.ts';
import { exchangeEngines } from '../engine/engine.ts';
import { createProcessLogger } from '../observability/log.ts';
import { ThreadSignal } from '../sequencer/durable-signal.ts';
import { defaultFollowerLimits, JournalFollower } from '../sequencer/journal-follower.ts';
import { auditState } from './audit-thread.ts';
import { outcomesForOwnDatabase } from './own-database.ts';
import type {
  ProjectorMessage,
  ProjectorRequest,
  ProjectorThreadSettings,
} from './projector-messages.ts';

// The second thread of the service: a replica of the engine follows the journal. It writes the
// outcomes of the commands to the database, and its state to snapshots.

assert(parentPort !== null, 'the projector thread has a parent');
const port = parentPort;
const { settings } = workerData as { readonly settings: ProjectorThreadSettings };
const log = createProcessLogger(settings.logLevel, settings.logFormat);
const durable = new ThreadSignal(settings.durableMemory);
const follower = new JournalFollower({
  directory: settings.journalFolder,
  machines: exchangeEngines,
  logger: log,
  durable,
  limits: { ...defaultFollowerLimits, snapshotEvery: settings.snapshotEvery },
  onSnapshot: (state, sequence) => void audit(state, sequence),
  onCaughtUp: () => tell({ type: 'caughtUp' }),
});
const database = connectDatabase(settings.databaseTarget, log);

const turn = new ProjectorTurn(settings.isLeading);

function tell(news: ProjectorMessage): void {
  port.postMessage(news);
}

async function audit(state: Uint8Array, sequence: Sequence): Promise<void> {
  try {
    tell({ type: 'audited', report: { sequence, broken: await auditState(state) } });
  } catch (error) {
    log.error({ err: error, sequence }, 'a snapshot could not be audited');
  }
}

const projector = projectHere({
  database,
  outcomes: outcomesForOwnDatabase(follower, database),
  journalEnd: () => durable.sequence,
  pointsEpochStart: settings.pointsEpochStart,
  lead: turn,
})({
  onPrepared: () => tell({ type: 'prepared' }),
  observer: {
    onPosition: (position) => tell({ type: 'position', position }),
    onBatch: (batch) => tell({ type: 'batch', batch }),
    onFailure: (error) =>
      tell({
        type: 'failure',
        text: error instanceof Error ? error.message : String(error),
        isDatabaseAhead: error instanceof DatabaseAheadError,
      }),
  },
});

async function stop(): Promise<void> {
  await projector.stop();
  await follower.stop();
  await database.stop();
  port.close();
}

port.on('message', (request: ProjectorRequest) => {
  switch (request) {
    case 'stop':
      return void stop();
    case 'lead':
    case 'follow':
      turn.isLeading = request === 'lead';
      return;
    case 'start':
      projector.start();
      return void follower.run();
    default:
      return assertNever(request);
  }
});
