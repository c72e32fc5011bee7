import type { Sequence } from '../../domain/identifiers.ts';
import { done, type Outcome, refused } from '../../domain/outcome.ts';
import { DatabaseError, type DatabaseHealth, type ReadBarrier } from '../ports/database.ts';
import type { AppliedCommand, Command, Exchange } from '../ports/exchange.ts';
import type { OperatorLog } from '../ports/operators.ts';

/** What every administrator's write requires, as its audit row is stored in the database. */
export interface AdminWritePorts {
  readonly exchange: Exchange;
  readonly barrier: ReadBarrier;
  readonly database: DatabaseHealth;
  readonly log: OperatorLog;
}

// The longest that a statement may take: a disk that stalls for a second must not fail the write.
const timeoutMs = 5_000;

/**
 * Refuses a write before it changes anything if its audit row could not be written.
 * @throws DatabaseError
 */
export async function requireDatabase({ database }: AdminWritePorts): Promise<void> {
  if (!(await database.isReachable(timeoutMs)))
    throw new DatabaseError('the database does not respond');
}

/**
 * Resolves once the rows of a write are committed. If the database fails meanwhile, the write is
 * still durable and its rows follow, so success is reported.
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

/**
 * Submits an administrator's command if its audit row can be written, and waits until it is.
 * @throws DatabaseError, EngineBusyError, EngineRestartingError: nothing changed.
 */
export async function submitWrite(
  ports: AdminWritePorts,
  command: Command,
): Promise<Outcome<AppliedCommand>> {
  await requireDatabase(ports);
  const applied = await ports.exchange.submit(command);
  if (applied.rejection !== null) return refused(applied.rejection);
  await awaitCommit(ports, applied.sequence);
  return done(applied);
}
