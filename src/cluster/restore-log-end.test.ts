import { pino } from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import type { EpochParts } from './epoch-parts.ts';
import { ForkedError } from './fork-errors.ts';
import { type MemberList, noMembers } from './member-list.ts';
import { Membership } from './membership.ts';
import { isUnchanged, restoreLogEnd } from './restore-log-end.ts';
import type { IsEnough, RollAnswer } from './roll-call.ts';

const own = { epoch: 7, logStart: 'first' };
const three: MemberList = {
  ...noMembers,
  epoch: 1,
  revision: 3,
  members: ['a', 'b', 'c'],
  copies: 2,
};

/** Member a, which owns epoch 7 and whose journal ends with command 100, at entry 20 of the log. */
class Owner {
  logEnd = { end: 20, start: 'second', isOneServer: true };
  last: { id: string; lastSequence: number } | null = { id: 'a.7.20', lastSequence: 100 };
  claimed: number | Error = 7;
  promised = 7;
  /** Where the process finds its place after it has looked for it. */
  located = { epoch: 7, position: 18 };
  endThen = 18;
  /** From which moment, in milliseconds, member b answers. */
  answersFrom = 0;
  raised: number | null = 9;
  /** What the beginning of the next epoch ends with. */
  beginning: Error | null = null;
  readonly raises: number[] = [];
  readonly messages: string[] = [];
  isLocated = false;
  now = 0;

  get parts(): EpochParts {
    const answer = { member: 'b', list: noMembers } as unknown as RollAnswer;
    const where = (): { epoch: number; position: number } =>
      this.isLocated ? this.located : { epoch: 7, position: 20 };
    const parts = {
      log: {
        loadEndAndStart: async () => {
          if (this.raises.length > 0) throw this.beginning ?? new ForkedError('none is begun here');
          return this.logEnd;
        },
        load: async () => this.last,
        loadEnd: async () => this.endThen,
      },
      replica: {
        get epoch() {
          return where().epoch;
        },
        get position() {
          return where().position;
        },
        last: { position: 20, id: 'a.7.20' },
        locate: async () => {
          this.isLocated = true;
        },
        reaches: async () => false,
      },
      chain: { newest: { sequence: 100, chain: 'c' } },
      epochs: {
        load: async () => {
          if (this.claimed instanceof Error) throw this.claimed;
          return this.claimed;
        },
      },
      member: { member: 'a', list: three, promised: { epoch: this.promised, candidate: 'b' } },
      membership: new Membership(
        { membersCount: 3, ackCopies: 2, isLogSynced: true },
        { monotonicMs: () => this.now },
      ),
      lease: {
        raise: async (above: number) => {
          this.raises.push(above);
          return this.raised;
        },
        giveBack: async () => undefined,
      },
      rollCall: {
        ask: async (isEnough: IsEnough) => {
          const answers = this.now >= this.answersFrom ? [answer] : [];
          expect(isEnough(answers)).toBe(answers.length > 0);
          return answers;
        },
      },
      time: {
        monotonicMs: () => this.now,
        sleep: async (ms: number) => {
          this.now += ms;
        },
      },
      isAhead: true,
      logger: pino({ level: 'info' }, { write: (line: string) => void this.messages.push(line) }),
    };
    return parts as unknown as EpochParts;
  }
}

let owner: Owner;
beforeEach(() => {
  owner = new Owner();
});

describe('an owner whose log has restarted', () => {
  it('continues its epoch in the new start if nothing is missing', async () => {
    expect(await isUnchanged(owner.parts, own)).toEqual({ epoch: 7, logStart: 'second' });
  });

  it.each([
    ['the log is shorter', (it: Owner) => void (it.logEnd = { ...it.logEnd, end: 19 })],
    ['the log is longer', (it: Owner) => void (it.logEnd = { ...it.logEnd, end: 21 })],
    ['there is nothing', (it: Owner) => void (it.last = null)],
    ['another entry is there', (it: Owner) => void (it.last = { id: 'b', lastSequence: 100 })],
    ['its journal has more', (it: Owner) => void (it.last = { id: 'a.7.20', lastSequence: 99 })],
    ['a later epoch is claimed', (it: Owner) => void (it.claimed = 8)],
    ['the database is silent', (it: Owner) => void (it.claimed = new Error('silent'))],
  ])('does not if %s', async (_name, spoil) => {
    spoil(owner);
    expect(await isUnchanged(owner.parts, own)).toBeNull();
  });
});

describe('an owner whose log has lost its end', () => {
  it('takes the next epoch at once if a quorum answers', async () => {
    owner.promised = 8;
    expect(await restoreLogEnd(owner.parts, own)).toBeNull();
    expect(owner.raises).toEqual([]);
    owner.promised = 7;
    await restoreLogEnd(owner.parts, own);
    expect([owner.raises, owner.now]).toEqual([[7], 0]);
  });

  it('asks also if the database is silent, but not if a later epoch is claimed', async () => {
    owner.claimed = 8;
    expect(await restoreLogEnd(owner.parts, own)).toBeNull();
    expect(owner.raises).toEqual([]);
    owner.claimed = new Error('silent');
    await restoreLogEnd(owner.parts, own);
    expect(owner.raises).toEqual([7]);
  });

  it.each([
    ['another epoch is in the log', (it: Owner) => void (it.located = { epoch: 8, position: 18 })],
    ['the log goes on behind its place', (it: Owner) => void (it.endThen = 19)],
  ])('does nothing if %s', async (_name, spoil) => {
    spoil(owner);
    expect(await restoreLogEnd(owner.parts, own)).toBeNull();
    expect(owner.raises).toEqual([]);
  });

  it('waits up to two seconds for a quorum and then takes the epoch all the same', async () => {
    owner.answersFrom = 300;
    await restoreLogEnd(owner.parts, own);
    expect([owner.raises, owner.now]).toEqual([[7], 300]);
    owner = new Owner();
    owner.answersFrom = Infinity;
    await restoreLogEnd(owner.parts, own);
    expect([owner.raises, owner.now]).toEqual([[7], 2_000]);
  });

  it('begins no epoch without the lease', async () => {
    owner.raised = null;
    owner.beginning = new Error('an epoch has begun');
    expect(await restoreLogEnd(owner.parts, own)).toBeNull();
  });

  it('says so if its history is not the one in the log, and passes on other errors', async () => {
    owner.beginning = new ForkedError('another history');
    expect(await restoreLogEnd(owner.parts, own)).toBeNull();
    expect(owner.messages.join()).toContain('cannot be given it now');
    owner = new Owner();
    owner.beginning = new Error('the connection is closed');
    await expect(restoreLogEnd(owner.parts, own)).rejects.toThrow('the connection is closed');
  });
});
