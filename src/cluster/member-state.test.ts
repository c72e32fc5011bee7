import { beforeEach, describe, expect, it } from 'vitest';
import { MemoryDisk } from '../../test/support/memory-disk.ts';
import type { Sequence } from '../domain/identifiers.ts';
import { systemRandom } from '../system/random-source.ts';
import { MemberFile } from './member-file.ts';
import { noMembers } from './member-list.ts';
import { copyError, findCopy, joinRollCall, type OwnReport } from './member-state.ts';
import type { IsEnough, RollAnswer, RollCall, RollQuestion } from './roll-call.ts';

/** The answers arrive one after the other, for as long as they are waited for. */
class TestRollCall implements RollCall {
  readonly epochs: (number | null)[] = [];
  heard = 0;
  report: ((question: RollQuestion) => Promise<RollAnswer>) | null = null;
  readonly #answers: readonly RollAnswer[];

  constructor(answers: readonly RollAnswer[]) {
    this.#answers = answers;
  }

  answer(report: (question: RollQuestion) => Promise<RollAnswer>): void {
    this.report = report;
  }

  async ask(isEnough: IsEnough, epoch: number | null): Promise<readonly RollAnswer[]> {
    this.epochs.push(epoch);
    while (this.heard < this.#answers.length && !isEnough(this.#answers.slice(0, this.heard))) {
      this.heard += 1;
    }
    return this.#answers.slice(0, this.heard);
  }
}

const answerOf = (process: string, member: string): RollAnswer => ({
  process,
  member,
  label: `host of ${process}`,
  list: noMembers,
  epoch: 1,
  sequence: 5 as Sequence,
  isFit: true,
  hasPromised: false,
});

const number = '0123456789abcdef';
const own = { process: 'own', member: number };
const copy = answerOf('copy', number);

describe('findCopy', () => {
  it('another process with the number of this folder is a copy, and nobody after it is waited for', async () => {
    const rollCall = new TestRollCall([answerOf('a', 'other'), copy, answerOf('b', 'third')]);
    expect(await findCopy(rollCall, own)).toBe(copy);
    expect(rollCall.heard).toBe(2);
  });

  it('a copy that answers first is enough', async () => {
    const rollCall = new TestRollCall([copy, answerOf('a', 'other')]);
    expect(await findCopy(rollCall, own)).toBe(copy);
    expect(rollCall.heard).toBe(1);
  });

  it('without a copy all answers are waited for, and nothing is promised', async () => {
    const rollCall = new TestRollCall([answerOf('a', 'other'), answerOf('b', 'third')]);
    expect(await findCopy(rollCall, own)).toBeUndefined();
    expect(rollCall.heard).toBe(2);
    expect(rollCall.epochs).toEqual([null]);
  });

  it('the answer of this process itself is no copy, and a copy is still waited for', async () => {
    const itself = answerOf('own', number);
    expect(await findCopy(new TestRollCall([itself]), own)).toBeUndefined();
    expect(await findCopy(new TestRollCall([itself, copy]), own)).toBe(copy);
  });
});

describe('copyError', () => {
  it('names the other process, the number and what to do', () => {
    expect(copyError(copy, number).message).toBe(
      'host of copy runs with the number 0123456789abcdef of this data folder: one of them is a copy. ' +
        'Start this process with an empty folder',
    );
  });
});

describe('joinRollCall', () => {
  let member: MemberFile;
  const report: OwnReport = {
    process: 'own',
    label: 'own host',
    sequence: 7 as Sequence,
    isFit: true,
    mayOwn: true,
  };

  beforeEach(async () => {
    member = await MemberFile.open(new MemoryDisk(), '/journal', systemRandom);
  });

  it('a process whose number another one has does not join', async () => {
    const rollCall = new TestRollCall([answerOf('copy', member.member)]);
    await expect(joinRollCall({ member, rollCall }, () => report)).rejects.toThrow(
      `host of copy runs with the number ${member.member} of this data folder`,
    );
  });

  it('a process that joins reports what it holds, after it has promised what is asked', async () => {
    const rollCall = new TestRollCall([answerOf('a', 'other')]);
    await joinRollCall({ member, rollCall }, () => report);
    const kept = { ...report, member: member.member, list: noMembers, epoch: 0 };
    const answer = rollCall.report!;
    expect(await answer({ process: 'a', epoch: null })).toEqual({ ...kept, hasPromised: false });
    expect(member.promised.epoch).toBe(0);
    expect(await answer({ process: 'a', epoch: 4 })).toEqual({ ...kept, hasPromised: true });
    expect(member.promised).toEqual({ epoch: 4, candidate: 'a' });
    expect(await answer({ process: 'b', epoch: 4 })).toEqual({ ...kept, hasPromised: false });
  });
});
