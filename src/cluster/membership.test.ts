import { beforeEach, describe, expect, it } from 'vitest';
import { Membership } from './membership.ts';
import type { RollAnswer } from './roll-call.ts';

describe('what a process knows of the members', () => {
  let now: number;
  let membership: Membership;

  beforeEach(() => {
    now = 5;
    const settings = { membersCount: 3, ackCopies: 2, isLogSynced: false };
    membership = new Membership(settings, { monotonicMs: () => now });
  });

  it('is how far each was when it last answered', () => {
    const answer = (member: string, epoch: number, sequence: number) =>
      ({ member, epoch, sequence, process: 'p' }) as RollAnswer;
    membership.note([answer('a', 1, 7), answer('b', 2, 8)]);
    membership.note([answer('a', 2, 9)]);
    expect(membership.reachedBy('a')).toEqual({ member: 'a', epoch: 2, sequence: 9 });
    expect(membership.reachedBy('b')).toEqual({ member: 'b', epoch: 2, sequence: 8 });
    expect(membership.reachedBy('c')).toEqual({ member: 'c', epoch: 0, sequence: 0 });
  });

  it('is whose loss an operator accepts, for one minute', () => {
    expect(membership.isAccepted([])).toBe(false);
    membership.accept(['a', 'b']);
    expect(membership.isAccepted(['b'])).toBe(true);
    expect(membership.isAccepted(['b', 'c'])).toBe(false);
    now += 59_999;
    expect(membership.isAccepted(['a', 'b'])).toBe(true);
    membership.accept(['c']);
    expect(membership.isAccepted(['a'])).toBe(false);
    now += 60_000;
    expect(membership.isAccepted(['c'])).toBe(false);
  });
});
