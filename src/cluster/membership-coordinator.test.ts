import { pino } from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import type { EntryMark, NamedSnapshot } from './log-entry.ts';
import { MemberChangeError, type MemberList, noMembers } from './member-list.ts';
import {
  MembershipCoordinator,
  type MembershipCoordinatorOptions,
} from './membership-coordinator.ts';
import type { IsEnough, RollAnswer } from './roll-call.ts';

const one: MemberList = { ...noMembers, epoch: 1, revision: 1, members: ['a'] };

describe('the owner, as the one who writes the list of members', () => {
  let list: MemberList;
  let membersCount: number | null;
  let steps: unknown[];
  let failures: Error[];
  let slept: number[];
  let asked: { readonly epoch: number | null; readonly wasEnough: boolean }[];
  /** What each question brings; the last one again and again. */
  let answers: (() => readonly RollAnswer[])[];
  let noted: number;
  let lines: { readonly level: number; readonly msg: string }[];
  let coordinator: MembershipCoordinator;

  beforeEach(() => {
    list = one;
    membersCount = 3;
    [steps, failures, slept, asked, lines] = [[], [], [], [], []];
    answers = [() => []];
    noted = 0;
    const write = (line: string): void => void lines.push(JSON.parse(line) as (typeof lines)[0]);
    const options = {
      member: {
        member: 'a',
        get list() {
          return list;
        },
        saveList: async (next: MemberList) => {
          steps.push('save');
          list = next;
        },
      },
      membership: {
        get settings() {
          return { membersCount, ackCopies: 2, isLogSynced: false };
        },
        note: () => void (noted += 1),
      },
      rollCall: {
        ask: async (isEnough: IsEnough, epoch: number | null) => {
          const found = answers.length > 1 ? answers.shift()!() : answers[0]!();
          asked.push({ epoch, wasEnough: isEnough(found) });
          return found;
        },
      },
      appends: {
        appendMark: async (mark: EntryMark) => {
          const failure = failures.shift();
          if (failure !== undefined) throw failure;
          steps.push(mark);
          return 42;
        },
      },
      sequencer: { drain: async () => void steps.push('drain') },
      time: { sleep: async (ms: number) => void slept.push(ms) },
      logger: pino({ base: null, timestamp: false }, { write }),
    };
    coordinator = new MembershipCoordinator(options as unknown as MembershipCoordinatorOptions);
  });

  function answerOf(member: string, rest: Partial<RollAnswer> = {}): RollAnswer {
    return { member, list, process: member, isFit: true, ...rest } as RollAnswer;
  }

  /** Waits for what was begun: a snapshot is named in its turn. */
  async function settle(): Promise<void> {
    await coordinator.nameSnapshot({} as NamedSnapshot).catch(() => undefined);
    await new Promise((resolve) => setImmediate(resolve));
    steps.pop();
  }

  async function tend(): Promise<void> {
    coordinator.tend(5);
    await settle();
  }

  const logged = { level: 30, msg: 'the list of members' };

  it('enters a process that joins, and completes that once it holds the list', async () => {
    answers = [() => [answerOf('b')], () => [answerOf('b')]];
    await tend();
    const entered = {
      ...one,
      epoch: 5,
      revision: 2,
      members: ['a', 'b'],
      before: { members: ['a'], copies: 1 },
    };
    const complete = { ...entered, revision: 3, before: null };
    const markOf = (of: MemberList): EntryMark => ({ list: of, isComplete: true, without: [] });
    expect(steps).toEqual([markOf(entered), 'drain', 'save', markOf(complete), 'drain', 'save']);
    expect(list).toEqual(complete);
    expect(asked).toEqual([
      { epoch: null, wasEnough: false },
      { epoch: null, wasEnough: true },
    ]);
    expect([slept, noted]).toEqual([[], 2]);
    expect(lines).toEqual([
      { ...logged, members: ['a', 'b'], copies: 1, isComplete: false },
      { ...logged, members: ['a', 'b'], copies: 1, isComplete: true },
    ]);
  });

  it('closes the list with the last process that it should have', async () => {
    membersCount = 2;
    answers = [() => [answerOf('b')]];
    await tend();
    expect(list).toMatchObject({ members: ['a', 'b'], isOpen: false, before: null });
  });

  it('enters neither members nor those that may not own the exchange', async () => {
    answers = [() => [answerOf('a'), answerOf('b', { mayOwn: false })]];
    await tend();
    expect(steps).toEqual([]);
    answers = [() => [answerOf('b', { mayOwn: false }), answerOf('c', { mayOwn: true })]];
    await tend();
    expect(list.members).toEqual(['a', 'c']);
  });

  it.each([
    ['is not open', { ...one, isOpen: false }, 3],
    ['has no member yet', noMembers, 3],
    ['has as many as it should', one, 1],
    ['is of no use', one, null],
  ] as const)('asks no process while the list %s', async (_why, now, count) => {
    list = now;
    membersCount = count;
    await tend();
    expect(asked).toEqual([]);
  });

  it('completes a change that it finds, asking ten times 20 ms apart', async () => {
    const before = { members: ['a'], copies: 1 };
    list = { ...one, revision: 2, members: ['a', 'b'], isOpen: false, before };
    const earlier = answerOf('b', { list: one });
    answers = [() => [earlier]];
    await tend();
    expect(asked).toEqual(Array(10).fill({ epoch: null, wasEnough: true }));
    expect(slept).toEqual(Array(9).fill(20));
    expect(steps).toEqual([]);
    asked = [];
    answers = [() => [], () => [answerOf('b')]];
    await tend();
    expect(asked.map(({ wasEnough }) => wasEnough)).toEqual([false, true]);
    expect(list).toEqual({ ...one, epoch: 5, revision: 3, members: ['a', 'b'], isOpen: false });
  });

  it.each([
    ['epoch', { epoch: 2 }],
    ['revision', { revision: 9 }],
  ])(
    'does not complete a change by the answer of a process with another %s',
    async (_what, other) => {
      list = { ...one, members: ['a', 'b'], before: { members: ['a'], copies: 1 } };
      answers = [() => [answerOf('b', { list: { ...list, ...other } })]];
      await tend();
      expect(steps).toEqual([]);
    },
  );

  it('does one thing at a time, and tries again what has failed', async () => {
    failures = [new Error('the log is away')];
    answers = [() => [answerOf('b')]];
    coordinator.tend(5);
    coordinator.tend(5);
    await settle();
    expect(asked).toHaveLength(1);
    expect(lines).toEqual([
      expect.objectContaining({ level: 40, msg: 'the list of members could not be written' }),
    ]);
    expect(list).toBe(one);
    await tend();
    expect(list.members).toEqual(['a', 'b']);
  });

  it('names a snapshot in the log', async () => {
    const snapshot = { sequence: 100, chain: 'c' } as unknown as NamedSnapshot;
    expect(await coordinator.nameSnapshot(snapshot)).toBe(42);
    expect(steps).toEqual([{ list: one, isComplete: true, without: [], snapshot }]);
  });

  describe('for an operator', () => {
    it('begins the change, in an epoch and a list that is closed', async () => {
      answers = [() => [answerOf('c'), answerOf('b')]];
      const next = await coordinator.change(5, { add: 'b', remove: 'a' });
      expect(next).toEqual({
        ...one,
        epoch: 5,
        revision: 2,
        members: ['b'],
        isOpen: false,
        before: { members: ['a'], copies: 1 },
      });
      expect(list).toEqual(next);
      expect(asked).toEqual([{ epoch: null, wasEnough: true }]);
    });

    it('removes a member without asking', async () => {
      list = { ...one, members: ['a', 'b'] };
      await coordinator.change(5, { add: null, remove: 'b' });
      expect(list.members).toEqual(['a']);
      expect(asked).toEqual([]);
    });

    it.each([
      [[], 'that process does not answer'],
      [['c'], 'that process does not answer'],
      [['b'], 'that process may not own the exchange: its ROLES lack order'],
    ])('adds no process that cannot be a member (%o answer)', async (members, reason) => {
      answers = [() => members.map((each) => answerOf(each, { mayOwn: each !== 'b' }))];
      const refused = coordinator.change(5, { add: 'b', remove: null });
      await expect(refused).rejects.toBeInstanceOf(MemberChangeError);
      await expect(refused).rejects.toThrow(reason);
      expect([list, steps]).toEqual([one, []]);
    });

    it('makes one change after the other', async () => {
      answers = [() => [answerOf('b'), answerOf('c')]];
      const first = coordinator.change(5, { add: 'b', remove: null });
      const second = coordinator.change(5, { add: 'c', remove: null });
      await expect(second).rejects.toThrow('the change before this is not complete');
      expect((await first).members).toEqual(['a', 'b']);
    });
  });
});
