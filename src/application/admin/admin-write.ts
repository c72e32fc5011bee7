import type { Sequence } from '../../domain/identifiers.ts';
import {
  DatabaseError,
  type DatabaseHealth,
  type Exchange,
  type OperatorLog,
  type ReadBarrier,
} from '../ports.ts';

/** What every administrator's write needs: its audit row lies in the database. */
export interface AdminWritePorts {
  readonly exchange: Exchange;
  readonly barrier: ReadBarrier;
  readonly database: DatabaseHealth;
  readonly log: OperatorLog;
}

// As long as a statement may take. A disk that stalls for a second is no reason to refuse.
const patienceMs = 5_000;

/**
 * Refuses a write before anything changes while its audit row could not be written.
 * @throws DatabaseError
 */
export async function requireDatabase({ database }: AdminWritePorts): Promise<void> {
  if (!(await database.isReachable(patienceMs)))
    throw new DatabaseError('the database does not answer');
}

/**
 * Resolves once the rows of a write are committed. Where the database fails meanwhile the write is
 * durable all the same and its rows follow, so the caller is told of success.
 */
export async function awaitCommit(ports: AdminWritePorts, sequence: Sequence): Promise<void> {
  try {
    await ports.barrier.waitFor(sequence);
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    ports.log.warn(
      { err: error, sequence },
      'a durable write waits for the database to be recorded',
    );
  }
}
