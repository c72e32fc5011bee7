import type { Logger } from 'pino';
import type { Sequencer } from '../sequencer/sequencer.ts';
import type { Time } from '../system/time.ts';
import type { LogAppender } from './log-appender.ts';
import type { NamedSnapshot } from './log-entry.ts';
import type { MemberFile } from './member-file.ts';
import {
  changeList,
  completeList,
  isComplete,
  type MemberChange,
  MemberChangeError,
  type MemberList,
  missingOf,
} from './member-list.ts';
import type { Membership } from './membership.ts';
import type { RollAnswer, RollCall } from './roll-call.ts';

export interface MembershipCoordinatorOptions {
  readonly member: MemberFile;
  readonly membership: Membership;
  readonly rollCall: RollCall;
  readonly appends: LogAppender;
  readonly sequencer: Pick<Sequencer, 'drain'>;
  readonly time: Pick<Time, 'sleep'>;
  readonly logger: Logger;
}

// A process that follows the log holds a change within milliseconds.
const heldAgainMs = 20;
const heldQuestionsMax = 10;

/**
 * The owner's part in what the log says of members and snapshots: enters processes that join,
 * completes changes of the list, and names the snapshots that new processes may restore.
 */
export class MembershipCoordinator {
  readonly #options: MembershipCoordinatorOptions;
  #turn: Promise<unknown> = Promise.resolve();
  #isTending = false;

  constructor(options: MembershipCoordinatorOptions) {
    this.#options = options;
  }

  /** Called by the owner now and then; what fails is tried again the next time. */
  tend(epoch: number): void {
    if (this.#isTending || !this.#isWork()) return;
    this.#isTending = true;
    void this.#inTurn(() => this.#tend(epoch))
      .catch((error: unknown) => {
        this.#options.logger.warn({ err: error }, 'the list of members could not be written');
      })
      .finally(() => {
        this.#isTending = false;
      });
  }

  /**
   * Begins an operator's change; it is complete once all members hold it. @throws MemberChangeError
   */
  change(epoch: number, change: MemberChange): Promise<MemberList> {
    return this.#inTurn(async () => {
      const { member, membership, rollCall } = this.#options;
      const { list } = member;
      const next = changeList(list, change, membership.settings.ackCopies);
      if (change.add !== null) {
        const answers = await rollCall.ask((found) => holds(found, change.add!), null);
        if (!holds(answers, change.add))
          throw new MemberChangeError('that process does not answer');
        if (answers.some((answer) => answer.member === change.add && answer.mayOwn === false)) {
          throw new MemberChangeError(
            'that process may not own the exchange: its ROLES lack order',
          );
        }
      }
      return this.#write({ ...next, epoch, isOpen: false });
    });
  }

  /** Names the snapshot in the log, and returns the entry's position. @throws FencedError */
  nameSnapshot(snapshot: NamedSnapshot): Promise<number> {
    return this.#inTurn(() => {
      const { appends, member } = this.#options;
      return appends.appendMark({ list: member.list, isComplete: true, without: [], snapshot });
    });
  }

  #isWork(): boolean {
    const { list } = this.#options.member;
    const { membersCount } = this.#options.membership.settings;
    if (list.before !== null) return true;
    return list.isOpen && list.members.length > 0 && list.members.length < (membersCount ?? 0);
  }

  async #tend(epoch: number): Promise<void> {
    const { member, membership, rollCall } = this.#options;
    const { list } = member;
    if (list.before !== null) return this.#complete(epoch);
    const answers = await rollCall.ask(() => false, null);
    membership.note(answers);
    const joiner = answers.find(
      (answer) => answer.mayOwn !== false && !list.members.includes(answer.member),
    );
    if (joiner === undefined) return;
    const { membersCount, ackCopies } = membership.settings;
    const change = { add: joiner.member, remove: null };
    const next = changeList(list, change, ackCopies);
    await this.#write({ ...next, epoch, isOpen: next.members.length < (membersCount ?? 0) });
    await this.#complete(epoch);
  }

  // While a change is under way, an acknowledgement needs the members of both lists.
  async #complete(epoch: number): Promise<void> {
    const { member, membership, rollCall, time } = this.#options;
    const { list } = member;
    for (let asked = 0; asked < heldQuestionsMax; asked += 1) {
      if (asked > 0) await time.sleep(heldAgainMs);
      const answers = await rollCall.ask((found) => hasAnswered(list, member.member, found), null);
      membership.note(answers);
      const holders = answers.filter((answer) => isSame(answer.list, list));
      const all = new Set([member.member, ...holders.map((each) => each.member)]);
      if (!isComplete(list, all)) continue;
      await this.#write({ ...completeList(list), epoch });
      return;
    }
  }

  async #write(list: MemberList): Promise<MemberList> {
    const { appends, sequencer, member, logger } = this.#options;
    await appends.appendMark({ list, isComplete: true, without: [] });
    await sequencer.drain();
    await member.saveList(list);
    const { members, copies, before } = list;
    logger.info({ members, copies, isComplete: before === null }, 'the list of members');
    return list;
  }

  // Each change builds on the list that the one before it has left.
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }
}

function hasAnswered(list: MemberList, own: string, answers: readonly RollAnswer[]): boolean {
  const answered = new Set([own, ...answers.map(({ member }) => member)]);
  return missingOf(list, answered).length === 0;
}

function holds(answers: readonly RollAnswer[], member: string): boolean {
  return answers.some((answer) => answer.member === member);
}

function isSame(one: MemberList, other: MemberList): boolean {
  return one.epoch === other.epoch && one.revision === other.revision;
}
