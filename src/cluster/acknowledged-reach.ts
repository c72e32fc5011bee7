import type { Sequence } from '../domain/identifiers.ts';
import type { EpochParts } from './epoch-parts.ts';
import { hasQuorum } from './may-begin.ts';
import { notReady } from './not-ready.ts';

/**
 * A sequence at or after every acknowledged command: each of those is in the journal of at least
 * one of the members that answer. Where one journal is enough for an acknowledgement, all members
 * would have to answer, so none are asked. @throws EngineRestartingError if too few answer
 */
export async function acknowledgedReach({
  rollCall,
  ...own
}: Pick<EpochParts, 'rollCall' | 'member' | 'membership'>): Promise<Sequence> {
  let reach = 0 as Sequence;
  if (own.member.list.copies === 1) return reach;
  const answers = await rollCall.ask((found) => hasQuorum(own, found), null);
  if (!hasQuorum(own, answers)) throw notReady();
  for (const { sequence } of answers) if (sequence > reach) reach = sequence;
  return reach;
}
