import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type ClusterMember,
  credit,
  MemoryCluster,
  quick,
} from '../../test/support/memory-cluster.ts';
import { MemoryDisk } from '../../test/support/memory-disk.ts';
import type { Sequence } from '../domain/identifiers.ts';
import type { LogAppender } from './log-appender.ts';
import type { MemberFile } from './member-file.ts';
import {
  changeList,
  completeList,
  copiesFor,
  hasCopies,
  isComplete,
  isQuorum,
  type MemberList,
  noMembers,
} from './member-list.ts';
import { Membership } from './membership.ts';
import { MembershipCoordinator } from './membership-coordinator.ts';

// Whose journals count: the list of members, its changes, and what an operator may decide.

const soon = { interval: 2, timeout: 10_000 };

function subsetsOf(members: readonly string[]): readonly ReadonlySet<string>[] {
  return Array.from(
    { length: 2 ** members.length },
    (_, bits) => new Set(members.filter((_member, index) => (bits >> index) % 2 === 1)),
  );
}

function listOf(members: readonly string[], ackCopies: number): MemberList {
  return {
    ...noMembers,
    epoch: 1,
    revision: 1,
    members,
    copies: copiesFor(members.length, ackCopies),
  };
}

describe('the list of members', () => {
  const all = ['a', 'b', 'c', 'd', 'e'];

  it.each([1, 2, 3])('every roll call overlaps every acknowledgement (%i copies)', (copies) => {
    for (const list of [listOf(all.slice(0, 3), copies), listOf(all, copies)]) {
      for (const holders of subsetsOf(all).filter((each) => hasCopies(list, each))) {
        for (const answered of subsetsOf(all).filter((each) => isQuorum(list, each))) {
          expect([...holders].some((member) => answered.has(member))).toBe(true);
        }
      }
    }
  });

  it('no change lets a roll call miss what was acknowledged under the previous list', () => {
    const before = listOf(['a', 'b', 'c'], 2);
    const change = { add: 'd', remove: 'c' };
    const during = changeList(before, change, 2);
    const after = completeList(during);
    for (const holders of subsetsOf(all).filter((each) => hasCopies(before, each))) {
      for (const answered of subsetsOf(all).filter((each) => isQuorum(during, each))) {
        expect([...holders].some((member) => answered.has(member))).toBe(true);
      }
    }
    // The process that completes it holds all that was acknowledged before, so the new list is enough.
    for (const holders of subsetsOf(all).filter((each) => isComplete(during, each))) {
      expect(after.members.every((member) => holders.has(member))).toBe(true);
      for (const answered of subsetsOf(all).filter((each) => isQuorum(before, each))) {
        expect([...holders].some((member) => answered.has(member))).toBe(true);
      }
    }
  });

  it('changes are made one after the other, and must name the right members', () => {
    const list = listOf(['a', 'b', 'c'], 2);
    const during = changeList(list, { add: 'd', remove: null }, 2);
    expect(() => changeList(during, { add: null, remove: 'a' }, 2)).toThrow('is not complete');
    expect(() => changeList(list, { add: 'a', remove: null }, 2)).toThrow('a is a member already');
    expect(() => changeList(list, { add: null, remove: 'd' }, 2)).toThrow('d is no member');
    expect(() => changeList(listOf(['a'], 2), { add: null, remove: 'a' }, 2)).toThrow('the last');
    expect(changeList(list, { add: null, remove: 'a' }, 2)).toMatchObject({ copies: 1 });
  });
});

describe('membership coordinator', () => {
  it('a process that joins counts as soon as it holds the change, without another round', async () => {
    const state = { list: { ...listOf(['a'], 2), isOpen: true }, heldBy: [noMembers, noMembers] };
    const member = {
      member: 'a',
      get list() {
        return state.list;
      },
      saveList: async (list: MemberList) => {
        state.list = list;
      },
    };
    const other = { process: 'p', member: 'b', label: '', epoch: 1, sequence: 0 as Sequence };
    const coordinator = new MembershipCoordinator({
      member: member as unknown as MemberFile,
      membership: new Membership(
        { membersCount: 3, ackCopies: 2, isLogSynced: false },
        { monotonicMs: () => 0 },
      ),
      rollCall: {
        answer: () => undefined,
        // The joining process applies the entry only after the second question.
        ask: async () => {
          state.heldBy.push(state.list);
          const list = state.heldBy.shift()!;
          return [{ ...other, list, isFit: true, hasPromised: false }];
        },
      },
      appends: { appendMark: async () => undefined } as unknown as LogAppender,
      sequencer: { drain: async () => undefined },
      time: { sleep: async () => undefined },
      logger: pino({ level: 'silent' }),
    });
    coordinator.tend(1);
    await vi.waitUntil(() => state.list.members.length === 2 && state.list.before === null, soon);
    expect(state.list).toMatchObject({ members: ['a', 'b'], isOpen: true });
  });
});

describe('members of an exchange', () => {
  let cluster: MemoryCluster;

  beforeEach(() => {
    cluster = new MemoryCluster();
    cluster.timing = quick;
  });
  afterEach(() => cluster.close());

  const idOf = ({ exchange }: ClusterMember): string => exchange.memberFile!.member;

  const isSettled = (member: ClusterMember): boolean =>
    member.exchange.memberFile!.list.members.includes(idOf(member)) &&
    member.exchange.memberFile!.list.before === null;

  it('the first processes are entered as they join, and a further one owns nothing', async () => {
    cluster.membersCount = 2;
    const { owner, standby } = await cluster.joinTwo();
    const third = await cluster.join();
    expect(owner.exchange.memberFile?.list).toMatchObject({
      members: [idOf(owner), idOf(standby)],
      copies: 1,
      isOpen: false,
    });
    await standby.exchange.stop();
    await owner.exchange.submit(credit());
    expect(await third.exchange.read((view) => view.sequence)).toBe(1);
    await owner.exchange.stop();
    const attempts = { count: 0 };
    cluster.hub.beforeRollCall = () => void (attempts.count += 1);
    await vi.waitUntil(() => third.exchange.state === 'restarting', soon);
    expect(third.exchange.isOwner).toBe(false);
    expect(attempts.count).toBe(0);
  });

  it('an operator replaces a member; an emptied folder is another one', async () => {
    cluster.membersCount = 2;
    const { owner, standby } = await cluster.joinTwo();
    await standby.exchange.stop();
    const emptied = await cluster.join(new MemoryDisk());
    const change = { add: idOf(emptied), remove: idOf(standby) };
    const answer = await owner.exchange.answerOperator({ type: 'change', change });
    expect(answer).toMatchObject({ isDone: true });
    await vi.waitUntil(() => isSettled(emptied), soon);
    expect(emptied.exchange.memberFile?.list.members).toEqual([idOf(owner), idOf(emptied)]);
    await owner.exchange.stop();
    await vi.waitUntil(() => emptied.exchange.isOwner, soon);
  });

  it('a change of an unknown process is refused with the reason, and changes nothing', async () => {
    cluster.membersCount = 2;
    const { owner, standby } = await cluster.joinTwo();
    const before = owner.exchange.memberFile?.list;
    for (const [change, text] of [
      [{ add: 'ffff', remove: null }, 'that process does not answer'],
      [{ add: null, remove: 'ffff' }, 'ffff is no member'],
    ] as const) {
      const answer = await owner.exchange.answerOperator({ type: 'change', change });
      expect(answer).toEqual({ isDone: false, text });
    }
    const change = { add: null, remove: idOf(owner) };
    expect(await standby.exchange.answerOperator({ type: 'change', change })).toBeNull();
    expect(owner.exchange.memberFile?.list).toEqual(before);
  });

  it('row 9: an operator lets an epoch begin without the member that is away, and the log says so', async () => {
    cluster.membersCount = 2;
    const disk = new MemoryDisk();
    const owner = await cluster.join(disk);
    const standby = await cluster.join();
    await cluster.settle();
    await owner.exchange.submit(credit());
    await standby.exchange.read((view) => view.sequence);
    cluster.hub.pause(standby.process);
    for (let count = 0; count < 5; count += 1) await owner.exchange.submit(credit());
    await owner.exchange.stop();
    cluster.hub.loseEnd(5);
    cluster.hub.resume(standby.process);
    const attempts = { count: 0 };
    cluster.hub.beforeRollCall = () => void (attempts.count += 1);
    await vi.waitUntil(() => attempts.count >= 2, soon);
    expect(standby.exchange.isOwner).toBe(false);
    const away = idOf(owner);
    const own = idOf(standby);
    const ask = (without: readonly string[]) =>
      standby.exchange.answerOperator({ type: 'begin', without });
    expect(await ask(['ffff'])).toEqual({ isDone: false, text: 'ffff is no member' });
    expect(await ask([own])).toMatchObject({
      isDone: false,
      text: `${own} is not missing: it answers`,
    });
    expect(await ask([away])).toMatchObject({ isDone: true });
    await vi.waitUntil(() => standby.exchange.isOwner, soon);
    const opening = cluster.hub.entries.findLast(({ mark }) => mark !== null)!.mark!;
    expect(opening).toMatchObject({ isComplete: false, list: { members: [own], isOpen: false } });
    expect(opening.without.map(({ member }) => member)).toEqual([away]);
    await standby.exchange.submit(credit());
    const { exchange: back } = cluster.open(disk);
    await expect(back.start()).rejects.toMatchObject({ name: 'ForkedError' });
    await back.stop();
  });
});
