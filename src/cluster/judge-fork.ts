import type { Sequence } from '../domain/identifiers.ts';
import { type Fork, findFork } from './fork.ts';
import type { MemberFile } from './member-file.ts';
import type { OwnChain } from './own-chain.ts';
import type { SharedLog } from './shared-log.ts';

/** The journal holds different commands from the shared log: it belongs to another history. */
export class ForkedError extends Error {
  override readonly name = 'ForkedError';
}

/**
 * The journal goes on differently from the shared log with commands that were never acknowledged:
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

/** What follows from the entry that does not belong to the history of this journal. */
export async function judgeFork(parts: ForkParts, position: number): Promise<Error> {
  const { log, chain, member } = parts;
  const own = chain.newest.sequence;
  const fork = await findFork(log, chain);
  const lost = `commands ${fork.sequence + 1} to ${own} of this journal`;
  if (fork.sequence < own && (await isUnacknowledged(parts, fork))) {
    await member.noteAside(fork.sequence as Sequence);
    return new TailSetAsideError(
      `the exchange continued without ${lost}, which were never acknowledged: they are set aside ` +
        'at the next start',
    );
  }
  return new ForkedError(
    `entry ${position} of the shared log does not belong to this journal's history: ${lost} ` +
      'are in no log and may have been acknowledged; see `npm run cluster -- compare`',
  );
}

/**
 * Whether every epoch that continued without the journal's tail began after a roll call that would
 * have met a journal with what was acknowledged.
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
