import type { Sequence } from '../domain/identifiers.ts';
import { type Fork, findFork } from './fork.ts';
import type { PlacedEntry } from './log-entry.ts';
import { LogUnreachableError } from './log-unreachable-error.ts';
import type { MemberFile } from './member-file.ts';
import type { OwnChain } from './own-chain.ts';
import { type SharedLog } from './shared-log.ts';

/** The journal holds different commands from the shared log: it belongs to another history. */
export class ForkedError extends Error {
  override readonly name = 'ForkedError';
}

/**
 * The journal continues differently from the shared log with commands that were never acknowledged:
 * the next start of this process sets them aside.
 */
export class TailSetAsideError extends Error {
  override readonly name = 'TailSetAsideError';
}

export interface ForkParts {
  readonly log: SharedLog;
  readonly chain: OwnChain;
  readonly member: MemberFile;
}

/** The error to report for an entry that does not belong to the history of this journal. */
export async function errorOfFork(parts: ForkParts, position: number): Promise<Error> {
  const { log, chain } = parts;
  const own = chain.newest.sequence;
  const fork = await findFork(log, chain);
  // The whole journal is in the log: what does not chain came from a replica that is behind.
  if (fork.sequence >= own) {
    return new LogUnreachableError(`entry ${position} of the shared log does not continue it`);
  }
  if (await isUnacknowledged(parts, fork)) return setAside(parts, fork);
  return new ForkedError(
    `entry ${position} of the shared log does not belong to this journal's history: ` +
      `${nameTail(fork, own)} are in no log and may have been acknowledged; see ` +
      '`npm run cluster -- compare`',
  );
}

/**
 * The error to report if the log ends before the journal, in an epoch that opened without the
 * journal's tail. The tail can be compared even before that epoch's owner has written a command.
 * Null if the tail may have been acknowledged, or may still be appended to the log.
 */
export async function errorOfTail(
  parts: ForkParts,
  last: PlacedEntry,
): Promise<TailSetAsideError | null> {
  const { lastSequence: sequence, isRestoring } = last;
  const fork = { sequence, entry: last };
  if (isRestoring || !(await isUnacknowledged(parts, fork))) return null;
  return setAside(parts, fork);
}

async function setAside({ chain, member }: ForkParts, fork: Fork): Promise<TailSetAsideError> {
  await member.planSetAside(fork.sequence as Sequence);
  return new TailSetAsideError(
    `the exchange continued without ${nameTail(fork, chain.newest.sequence)}, which were never ` +
      'acknowledged: they are set aside at the next start',
  );
}

function nameTail({ sequence }: Fork, own: number): string {
  return `commands ${sequence + 1} to ${own} of this journal`;
}

/**
 * Whether every epoch that continued without the journal's tail began after a roll call that would
 * have reached a journal that holds what was acknowledged.
 */
async function isUnacknowledged({ log, chain, member }: ForkParts, fork: Fork): Promise<boolean> {
  const tailEpoch = member.epochAt(chain.newest.sequence as Sequence);
  const areComplete = new Map<number, boolean>();
  let { entry } = fork;
  while (entry !== null && entry.epoch > tailEpoch) {
    const { mark, epoch, position } = entry;
    if (mark !== null && (!mark.isComplete || mark.list.members.length === 0)) return false;
    areComplete.set(epoch, areComplete.get(epoch) === true || mark !== null);
    entry = await log.load(position - 1);
  }
  return areComplete.size > 0 && [...areComplete.values()].every(Boolean);
}
