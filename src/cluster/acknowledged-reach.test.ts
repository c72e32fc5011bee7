import { beforeEach, describe, expect, it } from 'vitest';
import { EngineRestartingError } from '../application/ports/exchange.ts';
import { acknowledgedReach } from './acknowledged-reach.ts';
import { noMembers } from './member-list.ts';
import type { IsEnough, RollAnswer } from './roll-call.ts';

describe('how far acknowledged commands can reach', () => {
  let answers: RollAnswer[];
  let isEnoughAfter: boolean[];
  let asked: number;

  beforeEach(() => {
    answers = [];
    isEnoughAfter = [];
    asked = 0;
  });

  function reach(copies: number): Promise<number> {
    const list = { ...noMembers, epoch: 1, members: ['a', 'b', 'c'], copies };
    const parts = {
      member: { member: 'a', list },
      membership: { settings: { membersCount: 3, ackCopies: copies, isLogSynced: false } },
      rollCall: {
        ask: async (isEnough: IsEnough, epoch: number | null) => {
          expect(epoch).toBeNull();
          asked += 1;
          isEnoughAfter = answers.map((_, index) => isEnough(answers.slice(0, index + 1)));
          return answers;
        },
      },
    };
    return acknowledgedReach(parts as unknown as Parameters<typeof acknowledgedReach>[0]);
  }

  function answer(member: string, sequence: number): RollAnswer {
    return { member, sequence, list: noMembers } as unknown as RollAnswer;
  }

  it('is as far as the farthest of enough members', async () => {
    answers = [answer('b', 7), answer('c', 5)];
    expect(await reach(2)).toBe(7);
    answers = [answer('b', 5), answer('c', 7)];
    expect(await reach(2)).toBe(7);
    expect(isEnoughAfter).toEqual([true, true]);
  });

  it('is unknown while too few answer', async () => {
    answers = [answer('x', 7)];
    await expect(reach(2)).rejects.toBeInstanceOf(EngineRestartingError);
    expect(isEnoughAfter).toEqual([false]);
  });

  it('is not asked for where one journal is enough', async () => {
    answers = [answer('b', 7)];
    expect(await reach(1)).toBe(0);
    expect(asked).toBe(0);
  });
});
