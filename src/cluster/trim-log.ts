import type { Logger } from 'pino';
import type { Sequence } from '../domain/identifiers.ts';
import type { Time } from '../system/time.ts';
import { findPositionAfter, type SharedLog } from './shared-log.ts';
import { findNamed, type SharedSnapshot, type SnapshotCatalog } from './shared-snapshots.ts';

export interface TrimOptions {
  readonly log: SharedLog;
  readonly catalog: SnapshotCatalog;
  /** The last command in the database; null if unknown. */
  readonly loadProjected: () => Promise<Sequence | null>;
  /** Entries stay for at least this long. */
  readonly keepMs: number;
  readonly time: Pick<Time, 'wallMs'>;
  readonly logger: Logger;
}

/**
 * Removes what no process needs from the beginning of the shared log: what is older than the time
 * to keep, and is in the database and in the older of the two newest snapshots that the log names.
 * The entry before the first that a new process needs stays, because it is compared.
 */
export async function trimLog(options: TrimOptions): Promise<void> {
  const { log, catalog, loadProjected, keepMs, time, logger } = options;
  const named: SharedSnapshot[] = [];
  for (const snapshot of (await catalog.load()).snapshots) {
    if ((await findNamed(log, snapshot)) !== null) named.push(snapshot);
  }
  const older = named.at(-2);
  const projected = await loadProjected();
  if (older === undefined || projected === null) return;
  const sequence = Math.min(older.sequence, projected) as Sequence;
  const needed = (await findPositionAfter(log, sequence)) - 1;
  const first = Math.min(needed, await findPositionSince(log, time.wallMs() - keepMs));
  const beginning = await log.loadBeginning();
  if (first <= beginning) return;
  await log.trimBelow(first);
  logger.info({ from: beginning, to: first }, 'the beginning of the shared log is removed');
}

/** The first entry that was stored at or after that time; the next one's position without any. */
async function findPositionSince(log: SharedLog, sinceMs: number): Promise<number> {
  let low = await log.loadBeginning();
  let high = (await log.loadEnd()) + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const storedAt = await log.loadTime(middle);
    if (storedAt === null || storedAt >= sinceMs) high = middle;
    else low = middle + 1;
  }
  return low;
}
