import { join } from 'node:path';
import type { Sequence } from '../domain/identifiers.ts';
import { openIfPresent } from '../journal/journal-reader.ts';
import { nodeDisk } from '../journal/node-disk.ts';
import { setAsideTail } from '../journal/set-aside-tail.ts';
import { systemRandom } from '../system/random-source.ts';
import type { Time } from '../system/time.ts';
import type { ClusterOptions } from './cluster-options.ts';
import { MemberFile, memberFileName } from './member-file.ts';
import { OwnChain } from './own-chain.ts';
import type { RollAnswer, RollCall, RollQuestion } from './roll-call.ts';

export interface MemberState {
  readonly member: MemberFile;
  readonly chain: OwnChain;
}

/** What a process keeps beside its journal, once the journal is recovered up to `end`. */
export async function openMemberState(
  options: Pick<ClusterOptions, 'disk' | 'random' | 'journalFolder'>,
  time: Time,
  { journalId, end }: { readonly journalId: string; readonly end: Sequence },
): Promise<MemberState> {
  const { disk = nodeDisk, random = systemRandom, journalFolder: folder } = options;
  const member = await MemberFile.open(disk, folder, random);
  const chain = await OwnChain.open({ disk, time, folder, journalId, member }, end);
  return { member, chain };
}

/** Sets the end of the journal aside if the process noted before it ended that it must go. */
export async function setAsidePlannedTail(
  options: Pick<ClusterOptions, 'disk' | 'random' | 'journalFolder' | 'logger'>,
  time: Time,
): Promise<void> {
  const { disk = nodeDisk, random = systemRandom, journalFolder: folder, logger } = options;
  const known = await openIfPresent(disk, join(folder, memberFileName));
  if (known === null) return;
  await known.close();
  const lock = await disk.lock(folder);
  const member = await MemberFile.open(disk, folder, random);
  try {
    const { aside } = member;
    if (aside === null) return;
    await setAsideTail({ disk, folder, time }, aside);
    await member.finishSetAside();
    logger.warn({ after: aside, folder }, 'the end of the journal is set aside');
  } finally {
    await member.close();
    await lock.release();
  }
}

/** What a process reports of itself in a roll call. */
export type OwnReport = Pick<RollAnswer, 'process' | 'label' | 'sequence' | 'isFit' | 'mayOwn'>;

/**
 * Answers another process's roll call. The promise comes first: nothing that this process
 * acknowledges afterwards belongs to an earlier epoch.
 */
async function answerRollCall(
  member: MemberFile,
  { process, epoch }: RollQuestion,
  own: () => OwnReport,
): Promise<RollAnswer> {
  const hasPromised = epoch !== null && (await member.promise(epoch, process));
  const state = own();
  const { list } = member;
  const epochReached = member.epochAt(state.sequence);
  return { ...state, member: member.member, list, epoch: epochReached, hasPromised };
}

/** @throws Error if others rely on this process to own the exchange, which it may not */
export function requireNoMember({ member, list }: MemberFile): void {
  if (!list.members.includes(member)) return;
  throw new Error(
    `this process is the member ${member}, which ROLES without order cannot be: start it with ` +
      `order, or remove it first with: npm run cluster -- members --remove ${member}`,
  );
}

/**
 * Answers roll calls from now on. @throws Error if another process has the same number: one of the
 * folders is a copy
 */
export async function joinRollCall(
  { member, rollCall }: { readonly member: MemberFile; readonly rollCall: RollCall },
  own: () => OwnReport,
): Promise<void> {
  rollCall.answer((question) => answerRollCall(member, question, own));
  const { process } = own();
  const other = await findCopy(rollCall, { member: member.member, process });
  if (other !== undefined) throw copyError(other, member.member);
}

/** Another process that answers under this number, which a copy of the folder has too. */
export async function findCopy(
  rollCall: RollCall,
  own: Pick<RollAnswer, 'member' | 'process'>,
): Promise<RollAnswer | undefined> {
  const isCopy = (answer: RollAnswer): boolean =>
    answer.member === own.member && answer.process !== own.process;
  return (await rollCall.ask((found) => found.some(isCopy), null)).find(isCopy);
}

export function copyError({ label }: RollAnswer, member: string): Error {
  return new Error(
    `${label} runs with the number ${member} of this data folder: one of them is a copy. ` +
      'Start this process with an empty folder',
  );
}
