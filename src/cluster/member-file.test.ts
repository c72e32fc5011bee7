import { describe, expect, it } from 'vitest';
import { MemoryDisk, systemError } from '../../test/support/memory-disk.ts';
import type { Sequence } from '../domain/identifiers.ts';
import { systemRandom } from '../system/random-source.ts';
import { MemberFile } from './member-file.ts';
import { type MemberList, noMembers } from './member-list.ts';

const folder = '/journal';
const open = (disk: MemoryDisk): Promise<MemberFile> => MemberFile.open(disk, folder, systemRandom);
const at = (epoch: number, sequence: number) => ({ epoch, sequence: sequence as Sequence });

describe('MemberFile', () => {
  it('member file: a promise survives a restart, and is given to one candidate only', async () => {
    const disk = new MemoryDisk();
    const first = await open(disk);
    expect(await first.promise(3, 'a')).toBe(true);
    expect(await first.promise(3, 'b')).toBe(false);
    await first.close();
    const again = await open(disk);
    expect(again.member).toBe(first.member);
    expect(await again.promise(3, 'a')).toBe(true);
    expect(await again.promise(2, 'a')).toBe(false);
    expect(await again.promise(4, 'b')).toBe(true);
    expect(again.promised).toEqual({ epoch: 4, candidate: 'b' });
  });

  it('member file: a history belongs to the last epoch that began in it', async () => {
    const disk = new MemoryDisk();
    const first = await open(disk);
    await first.open(at(2, 10));
    await first.open(at(5, 20));
    await first.open(at(3, 30));
    await first.close();
    const again = await open(disk);
    const epochs = [9, 10, 19, 20, 99].map((sequence) => again.epochAt(sequence as Sequence));
    expect(epochs).toEqual([0, 2, 2, 5, 5]);
  });

  it('member file: a full disk prevents no promise', async () => {
    const disk = new MemoryDisk();
    const file = await open(disk);
    disk.fault = (operation) => {
      if (operation === 'create') throw systemError('ENOSPC');
    };
    expect(await file.promise(7, 'a')).toBe(true);
  });

  it('member file: a write that fails promises nothing', async () => {
    const disk = new MemoryDisk();
    const file = await open(disk);
    disk.fault = (operation) => {
      if (operation === 'write') throw systemError('EIO');
    };
    await expect(file.promise(7, 'a')).rejects.toThrow('EIO');
    await expect(file.promise(7, 'a')).rejects.toThrow('EIO');
    expect(file.promised.epoch).toBe(0);
  });

  it('member file: only one of two candidates that ask at the same time gets the promise', async () => {
    const file = await open(new MemoryDisk());
    const answers = await Promise.all([file.promise(7, 'a'), file.promise(7, 'b')]);
    expect(answers).toEqual([true, false]);
  });

  const list = (revision: number, members: readonly string[]): MemberList => ({
    ...noMembers,
    epoch: 2,
    revision,
    members,
  });
  const point = (sequence: number) => ({ sequence, chain: `chain ${sequence}` });

  async function openAgain(disk: MemoryDisk, file: MemberFile): Promise<MemberFile> {
    await file.close();
    return open(disk);
  }

  it('member file: a new one holds nothing but a number of its own', async () => {
    const disk = new MemoryDisk();
    const file = await open(disk);
    expect(file.member).toMatch(/^[0-9a-f]{16}$/);
    const notes = {
      stamp: { count: 0, token: '' },
      promised: { epoch: 0, candidate: '' },
      checkpoint: null,
      list: noMembers,
      beginning: null,
      aside: null,
    };
    expect(file).toMatchObject(notes);
    expect(await openAgain(disk, file)).toMatchObject({ ...notes, member: file.member });
    expect([...disk.files().keys()]).toEqual(['/journal/member']);
    expect((await open(new MemoryDisk())).member).not.toBe(file.member);
  });

  it('member file: keeps all notes over restarts', async () => {
    const disk = new MemoryDisk();
    const file = await open(disk);
    await file.saveStamp({ count: 4, token: 'token' });
    await file.saveCheckpoint(point(30));
    await file.saveList(list(1, ['a']));
    await file.planSetAside(40 as Sequence);
    expect(await openAgain(disk, file)).toMatchObject({
      stamp: { count: 4, token: 'token' },
      checkpoint: point(30),
      list: list(1, ['a']),
      aside: 40,
    });
  });

  it('member file: with another number it has no stamp', async () => {
    const file = await open(new MemoryDisk());
    await file.saveStamp({ count: 4, token: 'token' });
    await file.renumber('f00d');
    expect([file.member, file.stamp]).toEqual(['f00d', { count: 0, token: '' }]);
  });

  it('member file: keeps the latest list, also at its beginning after a snapshot', async () => {
    const file = await open(new MemoryDisk());
    await file.saveList(list(2, ['a', 'b']));
    await file.saveList(list(1, ['a']));
    expect(file.list).toEqual(list(2, ['a', 'b']));
    await file.beginAfter(point(100), list(1, ['a']));
    expect(file).toMatchObject({
      beginning: point(100),
      checkpoint: point(100),
      list: list(2, ['a', 'b']),
    });
    await file.beginAfter(point(200), list(3, ['b']));
    expect(file.list).toEqual(list(3, ['b']));
  });

  it('member file: an earlier epoch begins in no history that belongs to a later one', async () => {
    const file = await open(new MemoryDisk());
    await file.open(at(2, 10));
    await file.open(at(5, 20));
    await file.open(at(3, 20));
    await file.open(at(5, 25));
    expect(file.epochAt(25 as Sequence)).toBe(5);
  });

  it('member file: keeps the sixteen newest openings', async () => {
    const file = await open(new MemoryDisk());
    for (let epoch = 1; epoch <= 17; epoch += 1) await file.open(at(epoch, epoch * 10));
    expect(file.epochAt(19 as Sequence)).toBe(0);
    expect(file.epochAt(20 as Sequence)).toBe(2);
    expect(file.epochAt(170 as Sequence)).toBe(17);
  });

  it('member file: forgets what goes beyond a journal whose end was set aside', async () => {
    const file = await open(new MemoryDisk());
    await file.open(at(2, 10));
    await file.open(at(3, 30));
    await file.saveCheckpoint(point(30));
    await file.planSetAside(30 as Sequence);
    await file.finishSetAside();
    expect(file).toMatchObject({ aside: null, checkpoint: point(30) });
    expect(file.epochAt(99 as Sequence)).toBe(3);
    await file.planSetAside(29 as Sequence);
    await file.finishSetAside();
    expect(file).toMatchObject({ aside: null, checkpoint: null });
    expect(file.epochAt(99 as Sequence)).toBe(2);
    await file.finishSetAside();
    expect(file.epochAt(99 as Sequence)).toBe(2);
  });

  it('member file: a write that was torn leaves the notes before it', async () => {
    const disk = new MemoryDisk();
    const file = await open(disk);
    await file.promise(3, 'a');
    await file.promise(4, 'b');
    await file.close();
    const slots = [0, 2_048].map((start) =>
      disk
        .files()
        .get('/journal/member')!
        .toString('latin1', start, start + 2_048),
    );
    const newest = slots.findIndex((text) => text.includes('"epoch":4'));
    for (const damaged of [
      slots[newest]!.replace('"epoch":4', '"epoch":9'),
      slots[newest]!.replace('\n', ' '),
      '\0'.repeat(2_048),
    ]) {
      const bytes = Buffer.from(
        slots.map((text, slot) => (slot === newest ? damaged : text)).join(''),
        'latin1',
      );
      const again = await open(new MemoryDisk(new Map([['/journal/member', bytes]])));
      expect(again.promised).toEqual({ epoch: 3, candidate: 'a' });
      expect(again.member).toBe(file.member);
    }
  });

  it('member file: has room for nine members, those before them and sixteen openings', async () => {
    const file = await open(new MemoryDisk());
    const members = Array.from({ length: 9 }, (_, index) => String(index).repeat(16));
    const large = 10 ** 12;
    for (let epoch = 1; epoch <= 16; epoch += 1) await file.open(at(large + epoch, large + epoch));
    await file.saveList({ ...list(large, members), before: { members, copies: 5 } });
    expect(file.list.members).toHaveLength(9);
    const lists = file.saveList({
      ...list(
        large + 1,
        members.map((each) => each.repeat(9)),
      ),
    });
    await expect(lists).rejects.toThrow('a member record fits into its slot');
    expect(file.list.revision).toBe(large);
  });
});
