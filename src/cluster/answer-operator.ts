import type { MemberFile } from './member-file.ts';
import { MemberChangeError } from './member-list.ts';
import type { Membership } from './membership.ts';
import type { MembershipCoordinator } from './membership-coordinator.ts';
import type { OperatorAnswer, OperatorQuestion } from './operator.ts';

export interface AskedProcess {
  readonly isOwner: boolean;
  readonly epoch: number;
  readonly member: MemberFile;
  readonly coordinator: MembershipCoordinator;
  readonly membership: Membership;
}

/** Answers the operator: the owner changes the list, and members accept a loss. */
export async function answerOperator(
  question: OperatorQuestion,
  asked: AskedProcess,
): Promise<OperatorAnswer | null> {
  const { isOwner, epoch, member, coordinator, membership } = asked;
  if (question.type === 'begin') {
    if (isOwner) return { isDone: false, text: 'there is an owner: nothing to accept' };
    const unknown = question.without.find((each) => !member.list.members.includes(each));
    if (unknown !== undefined) return { isDone: false, text: `${unknown} is no member` };
    if (question.without.includes(member.member)) {
      return { isDone: false, text: `${member.member} is not missing: it answers` };
    }
    membership.accept(question.without);
    return { isDone: true, text: `${member.member} can begin without them for one minute` };
  }
  if (!isOwner) return null;
  try {
    const { members, copies } = await coordinator.change(epoch, question.change);
    const text = `members ${members.join(', ')}; ${copies} hold what is acknowledged`;
    return { isDone: true, text };
  } catch (error) {
    if (!(error instanceof MemberChangeError)) throw error;
    return { isDone: false, text: error.message };
  }
}
