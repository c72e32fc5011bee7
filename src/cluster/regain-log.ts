import { beginEpoch, type EpochParts } from './begin-epoch.ts';
import { JournalAheadError } from './log-replica.ts';
import { LogUnreachableError } from './shared-log.ts';

/** An epoch owned by this process. */
export interface OwnEpoch {
  readonly epoch: number;
  /** The start of the log's server that this process saw last. */
  readonly logStart: string;
}

/**
 * Recovers when the log has refused the owner's entry because it has lost its end: the owner
 * appends what the log lacks, in a new epoch. Returns null if that is not the reason, if another
 * process holds more, or if not all have reported how much they hold.
 */
export async function regainLog(parts: EpochParts): Promise<OwnEpoch | null> {
  const { log, replica, lease, logger } = parts;
  try {
    if ((await log.loadEnd()) >= replica.position) return null;
    await replica.locate();
    const epoch = await lease.raise();
    if (epoch === null) return null;
    const logStart = await beginEpoch(parts, epoch);
    return logStart === null ? null : { epoch, logStart };
  } catch (error) {
    const isKnown = error instanceof LogUnreachableError || error instanceof JournalAheadError;
    if (!isKnown) throw error;
    logger.error({ err: error }, 'the shared log has lost its end and cannot be given it now');
    return null;
  }
}
