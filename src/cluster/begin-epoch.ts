import type { Sequence } from '../domain/identifiers.ts';
import { rulesVersion } from '../engine/rules.ts';
import { readSequence } from '../journal/journal-record.ts';
import type { Chain } from './chain.ts';
import { type EpochParts } from './epoch-parts.ts';

import { errorOfFork } from './fork-errors.ts';
import type { EntryMark, LogEntry, LogPosition } from './log-entry.ts';

import { type Claim, mayBegin, type SeenEnd } from './may-begin.ts';
import type { OwnGroup } from './own-records.ts';
import { defaultLeaseTiming } from './owner-lease.ts';

import {
  type AppendableEntry,
  FencedError,
  IdForgottenError,
  LogBehindError,
  LogRestartedError,
} from './shared-log.ts';

// The log may lose what a candidate waits for. A candidate that is far behind tries again later.
const followTimeoutMs = 2_000;
const refusals = [FencedError, LogBehindError, LogRestartedError];

/** An epoch owned by this process. */
export interface OwnEpoch {
  readonly epoch: number;
  /** The start of the log's server in which this process may append. */
  readonly logStart: string;
}

/** An entry without commands; callers add the fields that differ. */
export const emptyEntry = {
  rulesVersion,
  origins: [],
  group: new Uint8Array(),
  isRestoring: false,
  mark: null,
} as const;

/** The log's end, as far as a candidate knows it. */
interface End extends LogPosition, SeenEnd {
  readonly chain: Chain;
}

/** Where an epoch can begin, and what its first entry says about the members. */
interface Opening {
  readonly end: End;
  readonly mark: EntryMark;
}

/**
 * Makes the holder of the lease the owner: applies the log to its end and appends the epoch's first
 * entry, after which no earlier owner can append. If the journal extends past the log's end, the
 * missing commands are appended to the log before the epoch opens. Returns null if another process
 * was faster or this process must not continue.
 */
export async function beginEpoch(parts: EpochParts, epoch: number): Promise<OwnEpoch | null> {
  const { lease } = parts;
  // The number of an epoch that is in the log is used up.
  let hasBegun = false;
  const leave = (): Promise<void> => (hasBegun ? lease.release() : lease.giveBack());
  const claim = once(() => claimEpoch(parts, epoch));
  for (;;) {
    const opening = await findOpening(parts, epoch, claim).catch(async (error: unknown) => {
      await leave().catch(() => undefined);
      throw error;
    });
    if (opening === null) {
      await leave();
      return null;
    }
    try {
      const beginning = await begin(parts, epoch, opening);
      hasBegun = true;
      if (await finish(parts, beginning)) return { epoch, logStart: opening.end.logStart };
      await leave();
      return null;
    } catch (error) {
      if (!refusals.some((each) => error instanceof each)) {
        await lease.release().catch(() => undefined);
        throw error;
      }
      // The previous owner is still running and has appended, or the log may have lost entries.
      if (!(await lease.renew())) return null;
    }
  }
}

/** The newest epoch number known to be used; each of the three sources may have lost it. */
export async function usedEpoch({ epochs, replica, member }: EpochParts): Promise<number> {
  const claimed = await epochs.load().catch(() => 0);
  return Math.max(replica.epoch, member.promised.epoch, claimed);
}

async function claimEpoch({ epochs, logger }: EpochParts, epoch: number): Promise<boolean | null> {
  try {
    return await epochs.raise(epoch);
  } catch (error) {
    logger.warn({ err: error }, 'the database does not store the epoch: asking all processes');
    return null;
  }
}

function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | null = null;
  return () => {
    asked ??= ask();
    return asked;
  };
}

async function findOpening(
  parts: EpochParts,
  epoch: number,
  claim: Claim,
): Promise<Opening | null> {
  const { log, replica, chain, member, isAhead } = parts;
  const { end: position, start: logStart, isOneServer } = await log.loadEndAndStart();
  if (!isAhead && !(await replica.reaches(position, followTimeoutMs))) return null;
  if (replica.epoch >= epoch || member.promised.epoch > epoch) return null;
  const last = await log.load(position);
  // The log has lost its end, or a former owner appends: the next turn locates the place again.
  const isInPlace = replica.position === position && replica.last.id === (last?.id ?? null);
  if (!isAhead && !isInPlace) return null;
  const lastSequence = last?.lastSequence ?? (0 as Sequence);
  if (lastSequence > chain.newest.sequence) return null;
  const own = await chain.at(lastSequence);
  if (last !== null && last.chain !== null && last.chain.after !== own) {
    throw await errorOfFork(parts, position);
  }
  const place = { position, id: last?.id ?? null };
  const end = { ...place, lastSequence, chain: own, logStart, isOneServer };
  if (!(await holdsAll(parts))) return null;
  const mark = await mayBegin(parts, epoch, end, claim);
  return mark === null ? null : { end, mark };
}

// Continuing from less than others have seen would give the exchange a second history.
async function holdsAll({ loadKnownSequence, chain, logger }: EpochParts): Promise<boolean> {
  const known = await loadKnownSequence();
  const own = chain.newest.sequence;
  if (known === null || known <= own) return true;
  logger.error(
    { known, own },
    'the database holds more than the shared log: start the process whose journal has it',
  );
  return false;
}

interface Beginning {
  readonly entry: AppendableEntry;
  readonly begunAt: LogPosition;
  readonly end: End;
}

async function begin(parts: EpochParts, epoch: number, { end, mark }: Opening): Promise<Beginning> {
  const { log, chain, isAhead } = parts;
  const { lastSequence, logStart } = end;
  requireNoLaterPromise(parts, epoch);
  // A process that follows the log must not append what it lacks: it would follow its own entries.
  if (!isAhead && lastSequence < chain.newest.sequence) {
    throw new FencedError('another process has appended since');
  }
  const chains = { before: end.chain, after: end.chain };
  const isRestoring = isAhead;
  const entry = { ...emptyEntry, epoch, lastSequence, logStart, isRestoring, chain: chains, mark };
  const begunAt = await log.append(entry, end).catch((error: unknown) => {
    if (!(error instanceof IdForgottenError)) throw error;
    return log.append(entry, end, 'position');
  });
  return { entry, begunAt, end };
}

async function finish(parts: EpochParts, beginning: Beginning): Promise<boolean> {
  const { replica } = parts;
  if (beginning.entry.isRestoring) {
    await restore(parts, beginning);
    return true;
  }
  if (!(await replica.reaches(beginning.begunAt.position, followTimeoutMs))) return false;
  await replica.stop();
  return true;
}

// Appends what the log lacks: the commands of a journal that was kept without a log, or of a lost
// end.
async function restore(parts: EpochParts, { entry, begunAt, end }: Beginning): Promise<void> {
  const { log, time, replica, lease, journalEnd, ownRecords, logger } = parts;
  const own = await journalEnd();
  logger.warn({ from: end.lastSequence + 1, to: own }, 'the shared log is given what it lacks');
  let last = begunAt;
  let before = end.chain;
  let renewedAt = time.monotonicMs();
  const append = (next: AppendableEntry): Promise<LogPosition> => {
    requireNoLaterPromise(parts, entry.epoch);
    return log.append(next, last);
  };
  await ownRecords.visit(end.lastSequence + 1, own, async (group) => {
    const after = parts.chain.extend(before, group.group).at(-1)!;
    const chain = { before, after };
    last = await append({ ...entry, ...group, ...nameOrigins(parts, group), chain, mark: null });
    before = after;
    const now = time.monotonicMs();
    if (now - renewedAt < defaultLeaseTiming.renewMs) return;
    if (!(await lease.renew())) throw new FencedError('another process holds the lease');
    renewedAt = now;
  });
  const opening = { ...entry, lastSequence: own, isRestoring: false };
  const openedAt = await append({ ...opening, chain: { before, after: before } });
  replica.skipTo(openedAt, entry.logStart);
  await replica.openRestored(opening);
  if (entry.mark !== null) await parts.member.saveList(entry.mark.list);
}

function nameOrigins(
  { origins }: EpochParts,
  { group, lastSequence }: OwnGroup,
): Pick<LogEntry, 'origins' | 'namesOrigins'> {
  const known = origins.between(readSequence(group, 0), lastSequence);
  return known === null ? { origins: [] } : { origins: known, namesOrigins: true };
}

/** @throws FencedError if a later epoch is promised to another process. */
export function requireNoLaterPromise({ member }: Pick<EpochParts, 'member'>, epoch: number): void {
  const { promised } = member;
  if (promised.epoch <= epoch) return;
  throw new FencedError(`epoch ${promised.epoch} is promised to ${promised.candidate}`);
}
