import { DatabaseError } from '../../application/ports/database.ts';
import type { Database } from '../open-database.ts';
import { EpochStartConflict, writeEpochStart } from './epoch-setting.ts';

/**
 * Stores POINTS_EPOCH_START, in Unix seconds; null keeps the Monday before the first start. A start
 * that contradicts what is counted is ignored: trading must not wait for it.
 */
export async function storeEpochStart(
  { accounts, log }: Pick<Database, 'accounts' | 'log'>,
  startSeconds: number | null,
): Promise<void> {
  if (startSeconds === null) return;
  try {
    await accounts.withClient((client) => writeEpochStart(client, startSeconds));
  } catch (error) {
    const cause = error instanceof DatabaseError ? error.cause : error;
    if (!(cause instanceof EpochStartConflict)) throw error;
    log.warn({ error: cause.message }, 'the stored start of the points program is kept');
  }
}
