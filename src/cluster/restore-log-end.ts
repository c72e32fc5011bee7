import { beginEpoch, type OwnEpoch } from './begin-epoch.ts';
import { type EpochParts } from './epoch-parts.ts';
import { ForkedError } from './fork-errors.ts';
import { hasQuorum } from './may-begin.ts';

// Processes notice a restarted server one after the other. The lease lasts longer than this.
const membersTimeoutMs = 2_000;
const askAgainMs = 50;

/**
 * The owner's epoch in the log's new start, if its server has restarted and nothing is missing: the
 * log ends with the owner's last entry, and no other process has claimed an epoch since. Null if
 * that is not certain. @throws LogUnreachableError
 */
export async function isUnchanged(parts: EpochParts, own: OwnEpoch): Promise<OwnEpoch | null> {
  const { log, replica, chain, epochs } = parts;
  const { end, start } = await log.loadEndAndStart();
  const last = end === replica.position ? await log.load(end) : null;
  if (last?.id !== replica.last.id || last.lastSequence !== chain.newest.sequence) return null;
  const claimed = await epochs.load().catch(() => null);
  return claimed === own.epoch ? { epoch: own.epoch, logStart: start } : null;
}

/**
 * Recovers when the log has refused the owner's entry because it has lost its end: the owner
 * appends what the log lacks, in a new epoch. Returns null if that is not the reason, if another
 * process holds more, or if not all have reported how much they hold. @throws LogUnreachableError
 */
export async function restoreLogEnd(parts: EpochParts, own: OwnEpoch): Promise<OwnEpoch | null> {
  const { log, replica, lease, epochs, member, logger } = parts;
  try {
    const claimed = await epochs.load().catch(() => null);
    if ((claimed ?? 0) > own.epoch || member.promised.epoch > own.epoch) return null;
    await replica.locate();
    if (replica.epoch > own.epoch || (await log.loadEnd()) > replica.position) return null;
    await awaitMembers(parts);
    const epoch = await lease.raise(Math.max(own.epoch, member.promised.epoch));
    return epoch === null ? null : await beginEpoch(parts, epoch);
  } catch (error) {
    if (!(error instanceof ForkedError)) throw error;
    logger.error({ err: error }, 'the shared log has lost its end and cannot be given it now');
    return null;
  }
}

async function awaitMembers(parts: EpochParts): Promise<void> {
  const { rollCall, time } = parts;
  const since = time.monotonicMs();
  while (time.monotonicMs() - since < membersTimeoutMs) {
    const answers = await rollCall.ask((found) => hasQuorum(parts, found), null);
    if (hasQuorum(parts, answers)) return;
    await time.sleep(askAgainMs);
  }
}
