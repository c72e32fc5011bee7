import type { Sequence } from '../domain/identifiers.ts';
import { nodeDisk } from '../journal/node-disk.ts';
import { systemChance } from '../system/chance.ts';
import type { Time } from '../system/time.ts';
import type { ClusterOptions } from './cluster-options.ts';
import { MemberFile } from './member-file.ts';
import { OwnChain } from './own-chain.ts';
import type { RollAnswer, RollQuestion } from './roll-call.ts';

export interface OwnNotes {
  readonly member: MemberFile;
  readonly chain: OwnChain;
}

/** What a process keeps beside its journal, once the journal is recovered up to `end`. */
export async function openNotes(
  options: Pick<ClusterOptions, 'disk' | 'chance' | 'journalFolder'>,
  time: Time,
  { journalId, end }: { readonly journalId: string; readonly end: Sequence },
): Promise<OwnNotes> {
  const { disk = nodeDisk, chance = systemChance, journalFolder: folder } = options;
  const member = await MemberFile.open(disk, folder, chance);
  const chain = await OwnChain.open({ disk, time, folder, journalId, member }, end);
  return { member, chain };
}

/**
 * Answers another process's roll call. The promise comes first: nothing that this process
 * acknowledges afterwards belongs to an earlier epoch.
 */
export async function answerRollCall(
  member: MemberFile,
  { process, epoch }: RollQuestion,
  own: () => Pick<RollAnswer, 'process' | 'sequence' | 'isFit'>,
): Promise<RollAnswer> {
  const hasPromised = epoch !== null && (await member.promise(epoch, process));
  const state = own();
  return { ...state, epoch: member.epochAt(state.sequence), hasPromised };
}
