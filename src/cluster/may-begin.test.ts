import { pino } from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Sequence } from '../domain/identifiers.ts';
import type { EpochParts } from './epoch-parts.ts';
import type { EntryMark } from './log-entry.ts';
import { hasQuorum, isCandidate, mayBegin, type SeenEnd } from './may-begin.ts';
import { type MemberList, noMembers } from './member-list.ts';
import { Membership, type MembershipSettings } from './membership.ts';
import type { IsEnough, RollAnswer } from './roll-call.ts';

const epoch = 7;
const three: MemberList = { ...noMembers, epoch: 1, revision: 3, members: ['a', 'b', 'c'] };
const threeWithTwoCopies: MemberList = { ...three, copies: 2 };

/** What a process with that number answers to the roll call; it holds as much as the candidate. */
function answerOf(member: string, answer: Partial<RollAnswer> = {}): RollAnswer {
  return {
    process: `process-${member}`,
    member,
    label: member,
    epoch: 6,
    sequence: 100 as Sequence,
    list: noMembers,
    isFit: true,
    hasPromised: true,
    ...answer,
  };
}

/** Member a, which holds command 100 of epoch 6 and asks whether it may begin epoch 7. */
class Candidate {
  list: MemberList = three;
  sequence = 100;
  epochReached = 6;
  promisedEpoch = 6;
  /** The start of the log's server that the newest applied entry names. */
  knownStart: string | null = 'first';
  settings: MembershipSettings = { membersCount: 3, ackCopies: 2, isLogSynced: true };
  end: SeenEnd = { lastSequence: 100 as Sequence, logStart: 'first', isOneServer: true };
  claim: boolean | null = true;
  newestClaimed: number | null = 6;
  canPromise = true;
  /** What the others answer to the first question and to the promise that is asked for then. */
  answers: readonly RollAnswer[] = [];
  answersToPromise: readonly RollAnswer[] | null = null;
  readonly asked: (number | null)[] = [];
  readonly promised: number[] = [];
  isEnough: IsEnough = () => false;
  #now = 0;
  #membership: Membership | null = null;

  get membership(): Membership {
    this.#membership ??= new Membership(this.settings, { monotonicMs: () => this.#now });
    return this.#membership;
  }

  passTime(ms: number): void {
    this.#now += ms;
  }

  get parts(): EpochParts {
    const parts = {
      process: 'process-a',
      replica: { logStart: this.knownStart },
      chain: { newest: { sequence: this.sequence } },
      member: {
        member: 'a',
        list: this.list,
        promised: { epoch: this.promisedEpoch, candidate: '' },
        epochAt: (sequence: number) => (sequence === this.sequence ? this.epochReached : -1),
        promise: async (promisedEpoch: number) => {
          this.promised.push(promisedEpoch);
          return this.canPromise;
        },
      },
      membership: this.membership,
      rollCall: {
        ask: async (isEnough: IsEnough, promisedEpoch: number | null) => {
          this.asked.push(promisedEpoch);
          this.isEnough = isEnough;
          return promisedEpoch === null ? this.answers : (this.answersToPromise ?? this.answers);
        },
      },
      epochs: {
        load: async () => {
          if (this.newestClaimed === null) throw new Error('the database does not answer');
          return this.newestClaimed;
        },
      },
      logger: pino({ level: 'silent' }),
    };
    return parts as unknown as EpochParts;
  }

  mayBegin(): Promise<EntryMark | null> {
    return mayBegin(this.parts, epoch, this.end, async () => this.claim);
  }
}

let candidate: Candidate;

beforeEach(() => {
  candidate = new Candidate();
});

describe('a candidate whose log is as it was left', () => {
  it('begins alone once the database has given it the epoch', async () => {
    expect(await candidate.mayBegin()).toEqual({ list: three, isComplete: true, without: [] });
    expect(candidate.asked).toEqual([null]);
    expect(candidate.promised).toEqual([]);
  });

  it('does not begin an epoch that the database has given to another process', async () => {
    candidate.claim = false;
    candidate.answers = [answerOf('b'), answerOf('c')];
    expect(await candidate.mayBegin()).toBeNull();
    expect(candidate.promised).toEqual([]);
  });

  it('needs a quorum that promises the epoch where the database does not answer', async () => {
    candidate.claim = null;
    expect(await candidate.mayBegin()).toBeNull();
    candidate.answers = [answerOf('b'), answerOf('c')];
    expect(await candidate.mayBegin()).toEqual({ list: three, isComplete: true, without: [] });
    expect(candidate.promised).toEqual([epoch, epoch]);
    expect(candidate.asked).toEqual([null, epoch, null, epoch]);
  });

  it('does not begin if it cannot promise the epoch itself', async () => {
    candidate.claim = null;
    candidate.answers = [answerOf('b'), answerOf('c')];
    candidate.canPromise = false;
    expect(await candidate.mayBegin()).toBeNull();
  });

  it('does not begin if a member has promised a later epoch', async () => {
    candidate.claim = null;
    candidate.answers = [answerOf('b'), answerOf('c', { hasPromised: false })];
    expect(await candidate.mayBegin()).toBeNull();
  });

  it('begins although a process that is no member has not promised', async () => {
    candidate.claim = null;
    candidate.answers = [answerOf('b'), answerOf('c'), answerOf('x', { hasPromised: false })];
    expect(await candidate.mayBegin()).not.toBeNull();
  });

  it('uses the latest list that a process holds', async () => {
    const later = { ...three, revision: 4, members: ['a', 'b'] };
    candidate.answers = [answerOf('b', { list: later })];
    expect((await candidate.mayBegin())?.list).toEqual(later);
  });

  it('notes how far the others are', async () => {
    candidate.answers = [answerOf('b', { sequence: 42 as Sequence })];
    await candidate.mayBegin();
    expect(candidate.membership.reachedBy('b')).toEqual({ member: 'b', epoch: 6, sequence: 42 });
  });
});

describe('a candidate whom another process surpasses', () => {
  it.each([
    ['more commands of the same epoch', { sequence: 101 as Sequence }],
    ['a later epoch with fewer commands', { epoch: 7, sequence: 1 as Sequence }],
  ])('does not begin: %s', async (_name, progress) => {
    candidate.answers = [answerOf('b', progress), answerOf('c')];
    expect(await candidate.mayBegin()).toBeNull();
    expect(candidate.promised).toEqual([]);
  });

  it('begins if an earlier epoch has more commands: they were not acknowledged', async () => {
    candidate.answers = [answerOf('b', { epoch: 5, sequence: 900 as Sequence })];
    expect(await candidate.mayBegin()).not.toBeNull();
  });

  it('begins if only a process that is no member has more', async () => {
    candidate.answers = [answerOf('x', { sequence: 900 as Sequence })];
    expect(await candidate.mayBegin()).not.toBeNull();
  });

  it('does not begin if the other one shows only when it is asked to promise', async () => {
    candidate.claim = null;
    candidate.answers = [answerOf('b')];
    candidate.answersToPromise = [answerOf('b'), answerOf('c', { sequence: 101 as Sequence })];
    expect(await candidate.mayBegin()).toBeNull();
  });
});

describe('a candidate whose log may have lost its end', () => {
  const promised = { list: threeWithTwoCopies, isComplete: true, without: [] };

  beforeEach(() => {
    candidate.list = threeWithTwoCopies;
    candidate.end = { ...candidate.end, logStart: 'second' };
  });

  it('waits for a quorum before it claims the epoch', async () => {
    expect(await candidate.mayBegin()).toBeNull();
    expect(candidate.asked).toEqual([null]);
    candidate.answers = [answerOf('b')];
    expect(await candidate.mayBegin()).toEqual(promised);
    expect(candidate.promised).toEqual([epoch]);
  });

  it('needs the promises although the database has given it the epoch', async () => {
    candidate.answers = [answerOf('b')];
    candidate.answersToPromise = [];
    expect(await candidate.mayBegin()).toBeNull();
    expect(candidate.asked).toEqual([null, epoch]);
  });

  it.each([
    ['a journal that is longer than the log', { lastSequence: 99 as Sequence }],
    ['a longer journal and several servers', { lastSequence: 99 as Sequence, isOneServer: false }],
  ])('is one with %s', async (_name, end) => {
    candidate.end = { ...candidate.end, logStart: 'first', ...end };
    expect(await candidate.mayBegin()).toBeNull();
    expect(candidate.asked).toEqual([null]);
  });

  it('several servers that sync lose nothing by a restart', async () => {
    candidate.end = { ...candidate.end, isOneServer: false };
    expect(await candidate.mayBegin()).toEqual(promised);
    expect(candidate.promised).toEqual([]);
  });

  it('several servers that do not sync may have lost something at any time', async () => {
    candidate.end = { ...candidate.end, logStart: 'first', isOneServer: false };
    candidate.settings = { ...candidate.settings, isLogSynced: false };
    expect(await candidate.mayBegin()).toBeNull();
    expect(candidate.asked).toEqual([null]);
  });

  it('a member that has seen no entry yet waits for the others', async () => {
    candidate.knownStart = null;
    expect(await candidate.mayBegin()).toBeNull();
    expect(candidate.asked).toEqual([null]);
  });

  it('no member of the list: it never leads by their promises', async () => {
    candidate.list = { ...threeWithTwoCopies, members: ['b', 'c', 'd'] };
    candidate.answers = [answerOf('b'), answerOf('c'), answerOf('d')];
    expect(await candidate.mayBegin()).toBeNull();
  });

  it('an operator lets it begin without the members that are named, for a minute', async () => {
    candidate.answers = [answerOf('b', { sequence: 60 as Sequence })];
    await candidate.mayBegin();
    candidate.list = three;
    candidate.answers = [];
    candidate.membership.accept(['b']);
    expect(await candidate.mayBegin()).toBeNull();
    candidate.membership.accept(['b', 'c']);
    expect(await candidate.mayBegin()).toEqual({
      list: { ...three, epoch, revision: 4, members: ['a'], copies: 1, isOpen: false },
      isComplete: false,
      without: [
        { member: 'b', epoch: 6, sequence: 60 },
        { member: 'c', epoch: 0, sequence: 0 },
      ],
    });
    candidate.passTime(60_000);
    expect(await candidate.mayBegin()).toBeNull();
  });
});

describe('an exchange without a list of members', () => {
  beforeEach(() => {
    candidate.list = noMembers;
    candidate.end = { ...candidate.end, logStart: 'second' };
  });

  it('waits for as many processes as it is told that there are', async () => {
    candidate.answers = [answerOf('b')];
    expect(await candidate.mayBegin()).toBeNull();
    candidate.answers = [answerOf('b'), answerOf('c')];
    const list = { ...noMembers, revision: 1, members: ['a'], isOpen: true };
    expect(await candidate.mayBegin()).toEqual({ list, isComplete: true, without: [] });
  });

  it('waits for no other process where their number is not told, and makes no list', async () => {
    candidate.settings = { ...candidate.settings, membersCount: null };
    const mark = { list: noMembers, isComplete: false, without: [] };
    expect(await candidate.mayBegin()).toEqual(mark);
    expect(candidate.promised).toEqual([epoch]);
  });

  it('with a single process makes a list that is closed', async () => {
    candidate.settings = { ...candidate.settings, membersCount: 1 };
    const list = { ...noMembers, revision: 1, members: ['a'], isOpen: false };
    expect((await candidate.mayBegin())?.list).toEqual(list);
  });
});

describe('the first epoch of all', () => {
  beforeEach(() => {
    candidate.list = noMembers;
    candidate.epochReached = 0;
    candidate.promisedEpoch = 0;
    candidate.newestClaimed = 0;
    candidate.knownStart = null;
    candidate.end = { ...candidate.end, lastSequence: 0 as Sequence };
  });

  const list = { ...noMembers, revision: 1, members: ['a'], isOpen: true };

  it('begins from the journal of a process that ran alone, without the others', async () => {
    expect(await candidate.mayBegin()).toEqual({ list, isComplete: true, without: [] });
    expect(candidate.promised).toEqual([]);
  });

  it.each<[string, (candidate: Candidate) => void]>([
    ['the log has commands', (one) => (one.end = { ...one.end, lastSequence: 1 as Sequence })],
    ['the journal has an epoch', (one) => (one.epochReached = 1)],
    ['it has promised an epoch', (one) => (one.promisedEpoch = 1)],
    ['the database knows of an epoch', (one) => (one.newestClaimed = 1)],
    ['the database does not answer', (one) => (one.newestClaimed = null)],
  ])('is not the first if %s', async (_name, change) => {
    change(candidate);
    expect(await candidate.mayBegin()).toBeNull();
    expect(candidate.asked).toEqual([null]);
  });

  it('nobody has seen the log before, so an empty journal needs no other process', async () => {
    candidate.sequence = 0;
    candidate.newestClaimed = 1;
    expect(await candidate.mayBegin()).not.toBeNull();
    expect(candidate.promised).toEqual([]);
  });
});

describe('how many answers are enough', () => {
  it('those of all members, whose absence would otherwise be waited for', async () => {
    await candidate.mayBegin();
    expect(candidate.isEnough([answerOf('b')])).toBe(false);
    expect(candidate.isEnough([answerOf('b'), answerOf('x')])).toBe(false);
    expect(candidate.isEnough([answerOf('b'), answerOf('c')])).toBe(true);
  });

  it('those of as many processes as there are, without a list', async () => {
    candidate.list = noMembers;
    await candidate.mayBegin();
    expect(candidate.isEnough([answerOf('b')])).toBe(false);
    expect(candidate.isEnough([answerOf('b'), answerOf('c')])).toBe(true);
  });

  it('never, where their number is not told', async () => {
    candidate.list = noMembers;
    candidate.settings = { ...candidate.settings, membersCount: null };
    await candidate.mayBegin();
    expect(candidate.isEnough([answerOf('b'), answerOf('c'), answerOf('d')])).toBe(false);
  });

  it('a quorum of the list has a holder of each acknowledged command', () => {
    candidate.list = threeWithTwoCopies;
    expect(hasQuorum(candidate.parts, [])).toBe(false);
    expect(hasQuorum(candidate.parts, [answerOf('x')])).toBe(false);
    expect(hasQuorum(candidate.parts, [answerOf('c')])).toBe(true);
  });

  it('a quorum without a list is every process, or this one alone if none is expected', () => {
    candidate.list = noMembers;
    expect(hasQuorum(candidate.parts, [answerOf('b')])).toBe(false);
    expect(hasQuorum(candidate.parts, [answerOf('b'), answerOf('c')])).toBe(true);
    const alone = new Candidate();
    alone.list = noMembers;
    alone.settings = { ...alone.settings, membersCount: null };
    expect(hasQuorum(alone.parts, [])).toBe(true);
  });
});

describe('who may lead', () => {
  it('the members of the list, and every process where there is none', () => {
    expect(isCandidate(candidate.parts)).toBe(true);
    candidate.list = { ...three, members: ['b', 'c'] };
    expect(isCandidate(candidate.parts)).toBe(false);
    candidate.list = noMembers;
    expect(isCandidate(candidate.parts)).toBe(true);
  });
});
