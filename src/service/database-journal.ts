import { setTimeout as delay } from 'node:timers/promises';
import { claimJournalId } from '../database/claim-journal-id.ts';
import { type Database } from '../database/open-database.ts';
import { loadPosition } from '../database/projector/write-batch.ts';
import { type Sequence } from '../domain/identifiers.ts';
import { type Logger } from '../observability/log.ts';

const databaseRetryMs = 500;

/** The last command in the database; null if it does not answer, since a takeover does not wait. */
export async function loadProjectedSequence(
  database: Database,
  log: Logger,
): Promise<Sequence | null> {
  try {
    return await database.accounts.withClient(loadPosition);
  } catch (error) {
    log.warn({ err: error }, 'the database does not report its position');
    return null;
  }
}

/**
 * The journal's id that the database names, or the given one if it names none. The database is
 * queried until it answers: it may start later than this process, and only the database knows which
 * exchange this is.
 */
export async function askJournalId(database: Database, own: string, log: Logger): Promise<string> {
  for (;;) {
    try {
      return await claimJournalId(database, own);
    } catch (error) {
      log.warn({ err: error }, 'the database does not yet report which exchange this is');
      await delay(databaseRetryMs);
    }
  }
}
