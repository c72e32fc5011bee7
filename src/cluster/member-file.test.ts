import { describe, expect, it } from 'vitest';
import { MemoryDisk, systemError } from '../../test/support/memory-disk.ts';
import type { Sequence } from '../domain/identifiers.ts';
import { systemRandom } from '../system/random-source.ts';
import { MemberFile } from './member-file.ts';

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
});
