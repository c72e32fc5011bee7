import type { Sequence } from '../domain/identifiers.ts';
import type { EpochParts } from './epoch-parts.ts';
import type { EntryMark } from './log-entry.ts';
import { isQuorum, latestOf, listWithout, type MemberList, missingOf } from './member-list.ts';
import { isBeyond, type RollAnswer } from './roll-call.ts';

/** False: the epoch belongs to another process. Null: the database does not answer. */
export type Claim = () => Promise<boolean | null>;

/** The log's end, as far as it matters for a candidate's right to begin. */
export interface SeenEnd {
  readonly lastSequence: Sequence;
  readonly logStart: string;
  readonly isOneServer: boolean;
}

/**
 * Whether the candidate may begin the epoch, and what its first entry says of the members; null if
 * not. If the log may have lost entries, only the journals show what was acknowledged: the process
 * that holds the most continues, and only after a quorum of the members has reported how much it
 * holds and promised to acknowledge nothing more in an earlier epoch.
 */
export async function mayBegin(
  parts: EpochParts,
  epoch: number,
  end: SeenEnd,
  claim: Claim,
): Promise<EntryMark | null> {
  const { process, member, rollCall, membership } = parts;
  const mayLack = mayLackEntries(parts, end) && !(await isFirstEpoch(parts, end));
  const isEnough = (answers: readonly RollAnswer[]): boolean => hasEveryone(parts, answers);
  const seen = await rollCall.ask(isEnough, null);
  membership.note(seen);
  if (isSurpassed(parts, seen)) return null;
  if (mayLack && markIfQuorum(parts, epoch, seen) === null) return null;
  const isClaimed = await claim();
  if (isClaimed === false) return null;
  if (isClaimed === true && !mayLack) return markOf(parts, latestOf(member.list, seen));
  if (!(await member.promise(epoch, process))) return null;
  const answers = await rollCall.ask(isEnough, epoch);
  if (isSurpassed(parts, answers)) return null;
  const list = latestOf(member.list, answers);
  const isRefused = answers.some((each) => !each.hasPromised && counts(list, each.member));
  return isRefused ? null : markIfQuorum(parts, epoch, answers);
}

type AskingParts = Pick<EpochParts, 'member' | 'membership'>;

/** Whether these answers and the own journal are enough if the log may have lost entries. */
export function hasQuorum(parts: AskingParts, answers: readonly RollAnswer[]): boolean {
  const list = latestOf(parts.member.list, answers);
  const { membersCount } = parts.membership.settings;
  if (list.members.length === 0) return answers.length >= (membersCount ?? 1) - 1;
  return isQuorum(list, answeredBy(parts, answers));
}

/** The process may lead: without a list all may, otherwise its members. */
export function isCandidate({ member }: Pick<EpochParts, 'member'>): boolean {
  return counts(member.list, member.member);
}

function counts({ members }: MemberList, member: string): boolean {
  return members.length === 0 || members.includes(member);
}

function mayLackEntries({ replica, chain, member, membership }: EpochParts, end: SeenEnd): boolean {
  const isShorter = chain.newest.sequence > end.lastSequence;
  // The start of one of several servers says nothing about the others.
  if (!end.isOneServer) return isShorter || !membership.settings.isLogSynced;
  // Only in an exchange that begins now has nobody seen the log before.
  const isNew = replica.logStart === null && member.list.members.length === 0;
  return isShorter || (!isNew && replica.logStart !== end.logStart);
}

// The journal of a process that ran alone holds everything, and no other one has acknowledged.
async function isFirstEpoch(parts: EpochParts, { lastSequence }: SeenEnd): Promise<boolean> {
  const { member, chain, epochs } = parts;
  const own = chain.newest.sequence as Sequence;
  if (lastSequence > 0 || member.epochAt(own) > 0 || member.promised.epoch > 0) return false;
  return (await epochs.load().catch(() => null)) === 0;
}

function answeredBy({ member }: AskingParts, answers: readonly RollAnswer[]): ReadonlySet<string> {
  return new Set([member.member, ...answers.map((answer) => answer.member)]);
}

function hasEveryone(parts: EpochParts, answers: readonly RollAnswer[]): boolean {
  const list = latestOf(parts.member.list, answers);
  const { membersCount } = parts.membership.settings;
  if (list.members.length === 0) return answers.length >= (membersCount ?? Infinity) - 1;
  return missingOf(list, answeredBy(parts, answers)).length === 0;
}

// A list is needed if the number of processes is stated; the first owner begins it.
function markOf({ member, membership }: EpochParts, list: MemberList): EntryMark {
  const { membersCount } = membership.settings;
  const isFirst = list.members.length === 0 && membersCount !== null;
  const members = isFirst ? [member.member] : list.members;
  const isOpen = isFirst ? membersCount > 1 : list.isOpen;
  const revision = isFirst ? list.revision + 1 : list.revision;
  return { list: { ...list, members, isOpen, revision }, isComplete: true, without: [] };
}

function markIfQuorum(
  parts: EpochParts,
  epoch: number,
  answers: readonly RollAnswer[],
): EntryMark | null {
  const { member, chain, membership, logger } = parts;
  const { membersCount, ackCopies } = membership.settings;
  const list = latestOf(member.list, answers);
  const own = chain.newest.sequence;
  const answered = answeredBy(parts, answers);
  const mark = markOf(parts, list);
  if (list.members.length === 0) {
    if (hasQuorum(parts, answers)) return { ...mark, isComplete: membersCount !== null };
    const missing = membersCount! - 1 - answers.length;
    logger.warn({ own, missing }, 'the shared log may have lost its end: waiting for members');
    return null;
  }
  if (!counts(list, member.member)) return null;
  if (hasQuorum(parts, answers)) return mark;
  const missing = missingOf(list, answered);
  if (!membership.isAccepted(missing)) {
    logger.warn({ own, missing }, 'the shared log may have lost its end: waiting for members');
    return null;
  }
  const without = missing.map((each) => membership.reachedBy(each));
  logger.error({ epoch, own, without }, 'an operator lets the epoch begin without these members');
  return { list: { ...listWithout(list, missing, ackCopies), epoch }, isComplete: false, without };
}

// Journals that count for nothing hold nothing that was acknowledged and is missing elsewhere.
function isSurpassed(parts: EpochParts, answers: readonly RollAnswer[]): boolean {
  const { chain, member, logger } = parts;
  const sequence = chain.newest.sequence as Sequence;
  const own = { epoch: member.epochAt(sequence), sequence };
  const list = latestOf(member.list, answers);
  const farther = answers.find((answer) => counts(list, answer.member) && isBeyond(answer, own));
  if (farther === undefined) return false;
  logger.warn({ own, farther }, 'another process has more of the log than this one and continues');
  return true;
}
