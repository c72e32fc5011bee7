import type { Logger } from 'pino';
import type { Sequence } from '../domain/identifiers.ts';
import { rulesVersion } from '../journal/rules-version.ts';
import type { Sequencer } from '../sequencer/sequencer.ts';
import type { LogReplica } from './log-replica.ts';
import type { OwnRecords } from './own-records.ts';
import { defaultLeaseTiming, type OwnerLease } from './owner-lease.ts';
import { FencedError, type SharedLog } from './shared-log.ts';

export interface EpochParts {
  readonly log: SharedLog;
  readonly replica: LogReplica;
  readonly lease: OwnerLease;
  readonly sequencer: Pick<Sequencer, 'appliedSequence'>;
  readonly ownRecords: OwnRecords;
  readonly loadKnownSequence: () => Promise<Sequence | null>;
  readonly logger: Logger;
}

/**
 * Makes the holder of the lease the owner: the log is applied to its end, and from the epoch's own
 * entry on it takes nobody else's. False: somebody was faster, or this process must not go on.
 */
export async function beginEpoch(parts: EpochParts, epoch: number): Promise<boolean> {
  const { log, replica, lease, sequencer } = parts;
  for (;;) {
    const end = await log.loadEnd();
    await replica.reach(end);
    if (replica.epoch >= epoch || !(await holdsAll(parts))) {
      await lease.release();
      return false;
    }
    const lastSequence = (await log.load(end))?.lastSequence ?? (0 as Sequence);
    const beginning = { epoch, rulesVersion, lastSequence, origins: [], group: new Uint8Array() };
    try {
      await replica.reach(await log.append(beginning, end));
    } catch (error) {
      if (!(error instanceof FencedError)) throw error;
      // The owner before is still there and has appended; it cannot renew, so this ends.
      if (!(await lease.renew())) return false;
      continue;
    }
    await replica.stop();
    if (lastSequence < sequencer.appliedSequence) await appendMissing(parts, epoch, lastSequence);
    return true;
  }
}

// Going on from less than others have seen would give the exchange a second history.
async function holdsAll({ loadKnownSequence, sequencer, logger }: EpochParts): Promise<boolean> {
  const known = await loadKnownSequence();
  const own = sequencer.appliedSequence;
  if (known === null || known <= own) return true;
  logger.error(
    { known, own },
    'the database holds more than the shared log: start the process whose journal has it',
  );
  return false;
}

// A journal that was kept alone, or a log that has lost its end: what it lacks is put into it.
async function appendMissing(parts: EpochParts, epoch: number, last: Sequence): Promise<void> {
  const { log, replica, lease, sequencer, ownRecords, logger } = parts;
  const own = sequencer.appliedSequence;
  logger.warn({ from: last + 1, to: own }, 'the shared log is given what it lacks');
  let renewedAt = performance.now();
  await ownRecords.visit(last + 1, own, async (group) => {
    replica.skipTo(await log.append({ ...group, epoch, origins: [] }, replica.position));
    const now = performance.now();
    if (now - renewedAt < defaultLeaseTiming.renewMs) return;
    if (!(await lease.renew())) throw new FencedError('another process holds the lease');
    renewedAt = now;
  });
}
