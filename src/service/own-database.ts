import { setTimeout as delay } from 'node:timers/promises';
import type { OutcomeLog } from '../application/ports/exchange.ts';
import { claimJournalId } from '../database/claim-journal-id.ts';
import type { Database } from '../database/open-database.ts';
import type { Logger } from '../observability/log.ts';
import type { JournalFollower } from '../sequencer/journal-follower.ts';
import type { Sequencer } from '../sequencer/sequencer.ts';
import { askJournalId } from './database-journal.ts';

const recoveryPollMs = 100;

/** The database belongs to a different exchange from the data folder's. */
class ForeignJournalError extends Error {
  override readonly name = 'ForeignJournalError';
}

/**
 * Waits for the journal to be recovered, since only then it is known which exchange this is.
 * @throws ForeignJournalError if the database and the journal belong to different exchanges.
 */
export async function requireOwnDatabase(
  {
    sequencer,
    database,
  }: {
    readonly sequencer: Pick<Sequencer, 'journalId' | 'state'>;
    readonly database: Database;
  },
  log: Logger,
): Promise<void> {
  while (sequencer.journalId === null && sequencer.state === 'restarting') {
    await delay(recoveryPollMs, undefined, { ref: false });
  }
  const own = sequencer.journalId;
  if (own === null) return;
  requireSame(own, await askJournalId(database, own, log));
}

/**
 * The outcomes of a journal for its own database: none can be read, and so none is written, before
 * the database is known to be that.
 */
export function outcomesForOwnDatabase(
  follower: Pick<JournalFollower, 'outcomeLog' | 'journalId'>,
  database: Database,
): OutcomeLog {
  const { outcomeLog } = follower;
  let isOwn = false;
  return {
    ...outcomeLog,
    read: async (...asked) => {
      const found = await outcomeLog.read(...asked);
      const { journalId } = follower;
      if (isOwn || journalId === null) return found;
      requireSame(journalId, await claimJournalId(database, journalId));
      isOwn = true;
      return found;
    },
  };
}

function requireSame(own: string, known: string): void {
  if (known === own) return;
  throw new ForeignJournalError(
    `the database belongs to the exchange ${known}, but the journal in DATA_DIR to ${own}`,
  );
}
