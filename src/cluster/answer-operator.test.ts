import { beforeEach, describe, expect, it } from 'vitest';
import { type AskedProcess, answerOperator } from './answer-operator.ts';
import { type MemberChange, MemberChangeError, type MemberList, noMembers } from './member-list.ts';

describe('an operator', () => {
  let accepted: (readonly string[])[];
  let changed: unknown[];
  let change: () => Promise<MemberList>;
  const list: MemberList = { ...noMembers, members: ['a', 'b', 'c'], copies: 2 };

  beforeEach(() => {
    accepted = [];
    changed = [];
    change = async () => list;
  });

  function asked(isOwner: boolean): AskedProcess {
    return {
      isOwner,
      epoch: 7,
      member: { member: 'a', list },
      coordinator: {
        change: (epoch: number, wanted: MemberChange) => {
          changed.push([epoch, wanted]);
          return change();
        },
      },
      membership: { accept: (without: readonly string[]) => void accepted.push(without) },
    } as unknown as AskedProcess;
  }

  const addD = { type: 'change', change: { add: 'd', remove: null } } as const;

  it('lets a member begin without others', async () => {
    const answer = await answerOperator({ type: 'begin', without: ['b', 'c'] }, asked(false));
    expect(answer).toEqual({ isDone: true, text: 'a can begin without them for one minute' });
    expect(accepted).toEqual([['b', 'c']]);
  });

  it.each([
    [true, ['b'], 'there is an owner: nothing to accept'],
    [false, ['b', 'x'], 'x is no member'],
    [false, ['b', 'a'], 'a is not missing: it answers'],
  ] as const)('cannot begin where that makes no sense (%o, %o)', async (isOwner, without, text) => {
    const answer = await answerOperator({ type: 'begin', without }, asked(isOwner));
    expect(answer).toEqual({ isDone: false, text });
    expect(accepted).toEqual([]);
  });

  it('changes the list through the owner alone', async () => {
    expect(await answerOperator(addD, asked(false))).toBeNull();
    expect(changed).toEqual([]);
    expect(await answerOperator(addD, asked(true))).toEqual({
      isDone: true,
      text: 'members a, b, c; 2 hold what is acknowledged',
    });
    expect(changed).toEqual([[7, addD.change]]);
  });

  it('is answered why the list cannot be changed; another failure is no answer', async () => {
    change = () => Promise.reject(new MemberChangeError('d is a member already'));
    expect(await answerOperator(addD, asked(true))).toEqual({
      isDone: false,
      text: 'd is a member already',
    });
    change = () => Promise.reject(new Error('the log is away'));
    await expect(answerOperator(addD, asked(true))).rejects.toThrow('the log is away');
  });
});
