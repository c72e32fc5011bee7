import { beforeEach, describe, expect, it } from 'vitest';
import { chainHash, ReplicaWorld } from '../../test/support/replica-world.ts';
import type { Sequence } from '../domain/identifiers.ts';
import type { EntryMark, Origin } from './log-entry.ts';
import { type MemberList, noMembers } from './member-list.ts';

const list: MemberList = { ...noMembers, epoch: 2, revision: 1, members: ['a', 'b'] };
const mark: EntryMark = { list, isComplete: true, without: [] };

let world: ReplicaWorld;

beforeEach(() => {
  world = new ReplicaWorld();
});

describe('the place of a journal in the log', () => {
  it('is before the first entry of an empty log', async () => {
    await world.replica.locate();
    expect(world.replica.last).toEqual({ position: 0, id: null });
    expect(world.replica.opened).toEqual({ epoch: 0, owner: null, areOriginsUnknown: false });
    expect(world.replica.logStart).toBeNull();
  });

  it('is after the entry that ends with its last command, whose owner it knows', async () => {
    world.append(0, { epoch: 3, mark });
    world.append(2);
    world.append(2);
    world.hold(2);
    await world.replica.locate();
    expect(world.replica.last).toEqual({ position: 2, id: 'owner-3-2' });
    expect(world.replica.opened).toEqual({ epoch: 3, owner: 'owner', areOriginsUnknown: false });
    expect([world.replica.epoch, world.replica.logStart]).toEqual([3, 'start']);
    expect(world.opened).toEqual([{ epoch: 3, sequence: 2 }]);
  });

  it('knows neither owner nor start of an epoch that is not open yet', async () => {
    world.append(0, { epoch: 3, isRestoring: true, mark });
    world.append(2, { isRestoring: true });
    world.hold(2);
    await world.replica.locate();
    expect(world.replica.opened).toEqual({ epoch: 2, owner: null, areOriginsUnknown: false });
    expect([world.replica.epoch, world.replica.logStart]).toEqual([3, null]);
    expect(world.opened).toEqual([]);
    expect(world.list).toEqual(noMembers);
  });

  it('opens no epoch for what the journal holds beyond the log', async () => {
    world.append(0, { epoch: 3, mark });
    world.append(2);
    world.hold(5);
    await world.replica.locate();
    expect(world.replica.position).toBe(2);
    expect(world.opened).toEqual([]);
  });

  it('looks for the newest list no farther back than the last commands', async () => {
    world.append(0, { epoch: 3, mark });
    world.append(2);
    world.append(0);
    world.append(0);
    world.hold(2);
    await world.replica.locate();
    expect(world.replica.position).toBe(4);
    expect(world.list).toEqual(noMembers);
  });

  it('finds the newest list behind entries that say nothing', async () => {
    world.append(2, { epoch: 3 });
    world.append(0, { mark });
    world.append(0);
    world.append(0);
    world.hold(2);
    await world.replica.locate();
    expect(world.list).toEqual(list);
  });

  it('is not found in a log that begins after what it needs', async () => {
    world.append(2);
    world.append(2);
    world.append(2);
    world.beginning = 3;
    world.hold(2);
    await expect(world.replica.locate()).rejects.toThrow('the shared log begins with entry 3');
  });

  it.each([1, 2])('is refused if entry %i is of another history', async (position) => {
    world.append(2);
    world.append(2);
    world.hold(2);
    world.disagreesAt = position;
    await expect(world.replica.locate()).rejects.toThrow(`entry ${position} of the shared log`);
  });

  it('still holds as long as the log shows the same entry there', async () => {
    expect(await world.replica.isInPlace()).toBeNull();
    world.append(0);
    await world.follow();
    expect(await world.replica.isInPlace()).toBe(true);
    world.entries[0] = { ...world.entries[0]!, id: 'other-2-1' };
    expect(await world.replica.isInPlace()).toBe(false);
    world.entries.pop();
    expect(await world.replica.isInPlace()).toBeNull();
  });
});

describe('an applied entry', () => {
  beforeEach(() => world.append(0));

  const origins: readonly Origin[] = [
    { process: 'own', request: 41, place: 0 },
    { process: 'other', request: 42, place: 1 },
    { process: 'own', request: 43, place: 2 },
  ];

  it('brings its commands, and their outcomes to the requests of this process', async () => {
    world.append(3, { origins, confirmed: 0 as Sequence });
    await world.follow();
    expect(world.followed).toEqual([1, 2, 3]);
    expect(world.taken).toEqual([41, 43]);
    expect(world.confirmed).toEqual([0]);
    expect(world.newest.sequence).toBe(3);
  });

  it('repeats no command that the journal holds', async () => {
    world.append(3, { origins });
    world.appliedSequence = 2;
    await world.follow();
    expect(world.followed).toEqual([3]);
    expect(world.taken).toEqual([43]);
  });

  it('confirms nothing where its owner writes no chains', async () => {
    world.append(1, { chain: null, confirmed: 0 as Sequence });
    await world.follow();
    expect(world.confirmed).toEqual([]);
  });

  it('opens the epoch that it begins, for the process that appended it', async () => {
    world.append(2);
    world.append(0, { epoch: 4, mark, logStart: 'later' }, 'second');
    await world.follow();
    expect(world.reported).toEqual([
      { epoch: 1, owner: 'owner', areOriginsUnknown: false },
      { epoch: 4, owner: 'second', areOriginsUnknown: false },
    ]);
    expect([world.replica.epoch, world.replica.openEpoch]).toEqual([4, 4]);
    expect(world.replica.logStart).toBe('later');
    expect(world.opened.at(-1)).toEqual({ epoch: 4, sequence: 2 });
    expect(world.drains).toBe(1);
    expect(world.list).toEqual(list);
  });

  it('writes nothing of an epoch that the process knows', async () => {
    world.knownEpoch = 4;
    world.append(0, { epoch: 4 });
    await world.follow();
    expect(world.reported).toHaveLength(2);
    expect(world.opened).toEqual([]);
  });

  it('keeps a later list than its own', async () => {
    world.list = { ...list, revision: 2 };
    world.append(0, { mark });
    await world.follow();
    expect(world.list.revision).toBe(2);
  });

  it('that restores the log opens nothing, and its requests are unknown if it says so', async () => {
    world.append(0, { epoch: 4, isRestoring: true, mark });
    world.append(2, { isRestoring: true });
    world.append(0, { mark });
    await world.follow();
    expect(world.reported.at(-1)).toEqual({ epoch: 4, owner: 'owner', areOriginsUnknown: true });
    expect(world.unknownThrough).toEqual([2]);
    expect(world.replica.opened.areOriginsUnknown).toBe(false);
  });

  it.each([
    ['names its requests', { namesOrigins: true }, 0],
    ['holds nothing new', {}, 2],
  ])('that restores the log leaves no request unknown if it %s', async (_name, entry, applied) => {
    world.appliedSequence = applied;
    world.append(2, { isRestoring: true, ...entry });
    await world.follow();
    expect(world.unknownThrough).toEqual([]);
  });

  it('waits until the engine has room', async () => {
    world.busy = 3;
    world.append(2);
    await world.follow();
    expect(world.followed).toEqual([1, 2]);
    expect(world.drains).toBe(0);
  });

  it('waits for the disk where two thousand commands are not written', async () => {
    world.append(2_001);
    await world.follow();
    expect(world.drains).toBe(1);
    expect(world.followed).toHaveLength(2_001);
  });

  it('of a former owner is passed over', async () => {
    world.append(0, { epoch: 4 });
    world.append(1, { epoch: 3 });
    await world.follow();
    expect(world.followed).toEqual([]);
    expect(world.replica.last).toEqual({ position: 3, id: 'owner-3-3' });
  });
});

describe('an entry that does not continue what was applied', () => {
  beforeEach(() => world.append(0));

  it.each<[string, () => void]>([
    ['entry 2 is of an epoch that began elsewhere', () => world.append(1, { epoch: 5 })],
    ['entry 2 follows another one than was applied', () => world.append(1, { after: 'other-1-1' })],
    [
      'entry 2 does not go on from this history',
      () => {
        world.append(1);
        world.disagreesAt = 2;
      },
    ],
    [
      'entry 2 has another chain than its records',
      () => world.append(1, { chain: { before: chainHash.first, after: 'f'.repeat(16) } }),
    ],
    [
      'entry 2 is damaged',
      () => {
        world.append(1);
        const { group } = world.entries[1]!;
        group[group.length - 1]! ^= 1;
      },
    ],
  ])('%s', async (message, build) => {
    build();
    await world.follow();
    expect(world.discontinuities).toEqual([message]);
    expect(world.fatal).toEqual([]);
    await expect(world.replica.reach(9)).rejects.toThrow(message);
  });

  it('is looked at again once the log is followed again', async () => {
    world.append(1);
    world.append(1);
    world.disagreesAt = 3;
    await world.follow();
    world.disagreesAt = 0;
    world.discontinuities.length = 0;
    await world.follow();
    expect(world.followed).toEqual([1, 2]);
    await world.replica.reach(3);
  });
});

describe('an entry by other rules', () => {
  beforeEach(() => world.append(0));

  it('ends the process if it does not have them', async () => {
    world.knownRules = { oldestRules: 11, newestRules: 12 };
    world.append(1);
    await world.follow();
    expect(world.fatal).toHaveLength(1);
    expect(world.fatal[0]).toMatchObject({
      name: 'RulesVersionError',
      message:
        'entry 2 of the shared log was applied by version 13 of the rules and this program has ' +
        'versions 11 to 12',
    });
    await expect(world.replica.reach(2)).rejects.toThrow('version 13');
  });

  it('ends an empty process that began with others', async () => {
    world.append(1, { rulesVersion: 12 });
    await world.follow();
    expect(world.fatal[0]?.message).toContain('start with RULES=hold');
  });

  it('is applied by a process that has commands, and by an empty one with the same', async () => {
    world.append(1);
    world.append(1, { rulesVersion: 12 });
    await world.follow();
    expect(world.fatal).toEqual([]);
    expect(world.followed).toEqual([1, 2]);
  });
});

describe('an owner’s own place', () => {
  it('moves with what it appends', () => {
    world.replica.skipTo({ position: 7, id: 'own-4-7' }, 'start');
    expect(world.replica.last).toEqual({ position: 7, id: 'own-4-7' });
    expect(world.replica.logStart).toBe('start');
  });

  it('is in an epoch of its own once it has restored the log', async () => {
    await world.replica.openRestored({ epoch: 6, lastSequence: 5 as Sequence });
    expect(world.opened).toEqual([{ epoch: 6, sequence: 5 }]);
    expect([world.replica.epoch, world.replica.openEpoch]).toEqual([6, 6]);
    expect(world.reported).toEqual([{ epoch: 6, owner: 'own', areOriginsUnknown: false }]);
  });
});
