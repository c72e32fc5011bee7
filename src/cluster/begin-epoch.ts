import type { Logger } from 'pino';
import type { Sequence } from '../domain/identifiers.ts';
import { rulesVersion } from '../engine/rules.ts';
import type { Sequencer } from '../sequencer/sequencer.ts';
import type { Time } from '../system/time.ts';
import type { LogEntry } from './log-entry.ts';
import type { LogReplica } from './log-replica.ts';
import type { OwnRecords } from './own-records.ts';
import { defaultLeaseTiming, type OwnerLease } from './owner-lease.ts';
import type { RollCall } from './roll-call.ts';
import { FencedError, type SharedLog } from './shared-log.ts';

export interface EpochParts {
  readonly log: SharedLog;
  readonly time: Pick<Time, 'monotonicMs' | 'sleep'>;
  readonly replica: LogReplica;
  readonly lease: OwnerLease;
  readonly rollCall: RollCall;
  readonly sequencer: Pick<Sequencer, 'appliedSequence' | 'durableSequence' | 'rules'>;
  /** The journal's last command, once the journal has caught up as far as it can. */
  readonly journalEnd: () => Promise<Sequence>;
  readonly ownRecords: OwnRecords;
  readonly loadKnownSequence: () => Promise<Sequence | null>;
  /** The number of processes including this one; null if the operator does not state it. */
  readonly membersCount: number | null;
  /** Whether the journal extends past the log's end; the log is not followed then. */
  readonly isAhead: boolean;
  readonly logger: Logger;
}

/** An entry without commands; callers add the fields that differ. */
export const emptyEntry = {
  rulesVersion,
  origins: [],
  group: new Uint8Array(),
  isRestoring: false,
} as const;

/** The log's end, as far as a candidate knows it. */
interface End {
  readonly position: number;
  readonly lastSequence: Sequence;
  readonly logStart: string;
}

/**
 * Makes the holder of the lease the owner: applies the log to its end and appends the epoch's first
 * entry, after which no earlier owner can append. If the journal extends past the log's end, the
 * missing commands are appended to the log before the epoch opens. Returns the log's start, or null
 * if another process was faster or this process must not continue.
 */
export async function beginEpoch(parts: EpochParts, epoch: number): Promise<string | null> {
  const { log, replica, lease, sequencer, isAhead } = parts;
  // The number of an epoch that is in the log is used up.
  let hasBegun = false;
  const leave = (): Promise<void> => (hasBegun ? lease.release() : lease.giveBack());
  for (;;) {
    const end = await findEnd(parts, epoch).catch(async (error: unknown) => {
      await leave().catch(() => undefined);
      throw error;
    });
    if (end === null) {
      await leave();
      return null;
    }
    const { position, lastSequence, logStart } = end;
    const isRestoring = isAhead || lastSequence < sequencer.appliedSequence;
    const beginning = { ...emptyEntry, epoch, lastSequence, logStart, isRestoring };
    try {
      const begunAt = await log.append(beginning, position);
      hasBegun = true;
      if (isRestoring) return await restore(parts, beginning, begunAt);
      await replica.reach(begunAt);
    } catch (error) {
      if (!(error instanceof FencedError)) throw error;
      // The previous owner is still running and has appended. It cannot renew, so this loop ends.
      if (!(await lease.renew())) return null;
      continue;
    }
    await replica.stop();
    return logStart;
  }
}

async function findEnd(parts: EpochParts, epoch: number): Promise<End | null> {
  const { log, replica, isAhead } = parts;
  const position = await log.loadEnd();
  if (!isAhead) await replica.reach(position);
  if (replica.epoch >= epoch) return null;
  const logStart = await log.loadStart();
  const lastSequence = (await log.load(position))?.lastSequence ?? (0 as Sequence);
  const end = { position, lastSequence, logStart };
  return (await holdsAll(parts)) && (await isFarthest(parts, end)) ? end : null;
}

// Continuing from less than others have seen would give the exchange a second history.
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

/**
 * If the log may have lost entries, only the journals show what was acknowledged: the process that
 * holds the most continues, and only after all processes have reported how much they hold.
 */
async function isFarthest(parts: EpochParts, end: End): Promise<boolean> {
  const { rollCall, replica, sequencer, membersCount, logger } = parts;
  const own = sequencer.appliedSequence;
  const answers = await rollCall.ask(membersCount === null ? Infinity : membersCount - 1);
  const farther = answers.find(({ sequence }) => sequence > own);
  if (farther !== undefined) {
    logger.warn({ own, farther }, 'another process holds more than this one: it goes on');
    return false;
  }
  const isSameStart = replica.logStart === null || replica.logStart === end.logStart;
  if (isSameStart && own <= end.lastSequence) return true;
  const missing = membersCount === null ? 0 : membersCount - 1 - answers.length;
  if (missing <= 0) return true;
  logger.warn({ own, missing }, 'the shared log may have lost its end: waiting for all processes');
  return false;
}

// Appends what the log lacks: the commands of a journal that was kept without a log, or of a lost
// end.
async function restore(
  parts: EpochParts,
  beginning: Omit<LogEntry, 'isRestoring'> & { readonly logStart: string },
  begunAt: number,
): Promise<string | null> {
  const { log, time, replica, lease, journalEnd, ownRecords, logger } = parts;
  const { epoch, lastSequence, logStart } = beginning;
  const own = await journalEnd();
  logger.warn({ from: lastSequence + 1, to: own }, 'the shared log is given what it lacks');
  let position = begunAt;
  let renewedAt = time.monotonicMs();
  await ownRecords.visit(lastSequence + 1, own, async (group) => {
    const restored = { ...beginning, ...group, epoch, origins: [], isRestoring: false };
    position = await log.append(restored, position);
    const now = time.monotonicMs();
    if (now - renewedAt < defaultLeaseTiming.renewMs) return;
    if (!(await lease.renew())) throw new FencedError('another process holds the lease');
    renewedAt = now;
  });
  const opening = { ...beginning, lastSequence: own, isRestoring: false };
  replica.skipTo(await log.append(opening, position), logStart);
  replica.openRestored(epoch);
  return logStart;
}
