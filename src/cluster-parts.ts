import { setTimeout as delay } from 'node:timers/promises';
import { ClusterExchange } from './cluster/cluster-exchange.ts';
import { natsTransport } from './cluster/transport.ts';
import { claimJournalId } from './database/claim-journal-id.ts';
import type { Database } from './database/open-database.ts';
import { createJournalId } from './journal/segment.ts';
import type { Logger } from './observability/log.ts';
import type { Sequencer } from './sequencer/sequencer.ts';
import type { SharedJournal } from './sequencer/sequencer-options.ts';

export interface ClusterPartsOptions {
  readonly natsUrl: string;
  readonly database: () => Promise<Database>;
  readonly openSequencer: (shared: SharedJournal) => Sequencer;
  readonly waitingMax: number;
  readonly log: Logger;
  readonly onFatal: (error: unknown) => void;
}

/** The database belongs to another exchange than the data folder. */
export class ForeignJournalError extends Error {
  override readonly name = 'ForeignJournalError';
}

const databaseRetryMs = 500;

/** One of several processes of an exchange: it shares the log over NATS, and the database. */
export function createCluster(options: ClusterPartsOptions): ClusterExchange {
  const { natsUrl, log, openSequencer, waitingMax, onFatal } = options;
  return new ClusterExchange({
    transport: natsTransport(natsUrl),
    journalId: async () => askJournalId(await options.database(), createJournalId(), log),
    openSequencer,
    waitingMax,
    logger: log,
    onFatal,
  });
}

/** @throws ForeignJournalError where the database is another exchange's than the journal. */
export async function requireOwnDatabase(
  { sequencer, database }: { readonly sequencer: Sequencer; readonly database: Database },
  log: Logger,
): Promise<void> {
  const own = sequencer.journalId;
  if (own === null) return;
  const known = await askJournalId(database, own, log);
  if (known === own) return;
  throw new ForeignJournalError(
    `the database belongs to the exchange ${known}, but the journal in DATA_DIR to ${own}`,
  );
}

// The database may come later than this process; without it nobody knows which exchange this is.
async function askJournalId(database: Database, own: string, log: Logger): Promise<string> {
  for (;;) {
    try {
      return await claimJournalId(database, own);
    } catch (error) {
      log.warn({ err: error }, 'the database does not say yet which exchange this is');
      await delay(databaseRetryMs);
    }
  }
}
