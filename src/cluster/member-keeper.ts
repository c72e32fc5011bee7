import type { Logger } from 'pino';
import type { Sequencer } from '../sequencer/sequencer.ts';
import type { MemberFile } from './member-file.ts';
import {
  changeList,
  completeList,
  isComplete,
  type MemberChange,
  MemberChangeError,
  type MemberList,
} from './member-list.ts';
import type { Membership } from './membership.ts';
import type { OwnAppends } from './own-appends.ts';
import type { RollAnswer, RollCall } from './roll-call.ts';

export interface MemberKeeperOptions {
  readonly member: MemberFile;
  readonly membership: Membership;
  readonly rollCall: RollCall;
  readonly appends: OwnAppends;
  readonly sequencer: Pick<Sequencer, 'drain'>;
  readonly logger: Logger;
}

/** The owner's part in the list of members: enters who joins, and completes changes. */
export class MemberKeeper {
  readonly #options: MemberKeeperOptions;
  #turn: Promise<unknown> = Promise.resolve();
  #isTending = false;

  constructor(options: MemberKeeperOptions) {
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
      }
      return this.#write({ ...next, epoch, isOpen: false });
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
    const answers = await rollCall.ask(() => false, null);
    membership.note(answers);
    if (list.before !== null) {
      const holders = answers.filter((answer) => isSame(answer.list, list));
      const all = new Set([member.member, ...holders.map((each) => each.member)]);
      if (isComplete(list, all)) await this.#write({ ...completeList(list), epoch });
      return;
    }
    const joiner = answers.find((answer) => !list.members.includes(answer.member));
    if (joiner === undefined) return;
    const { membersCount, ackCopies } = membership.settings;
    const change = { add: joiner.member, remove: null };
    const next = changeList(list, change, ackCopies);
    await this.#write({ ...next, epoch, isOpen: next.members.length < (membersCount ?? 0) });
  }

  async #write(list: MemberList): Promise<MemberList> {
    const { appends, sequencer, member, logger } = this.#options;
    await appends.appendMark({ list, isComplete: true, without: [] });
    await sequencer.drain();
    await member.keepList(list);
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

function holds(answers: readonly RollAnswer[], member: string): boolean {
  return answers.some((answer) => answer.member === member);
}

function isSame(one: MemberList, other: MemberList): boolean {
  return one.epoch === other.epoch && one.revision === other.revision;
}
