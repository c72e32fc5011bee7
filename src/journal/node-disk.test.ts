import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/sequencer-fixture.ts';
import { JournalLockedError } from './disk.ts';
import { nodeDisk } from './node-disk.ts';

let folder: string;
let path: string;

beforeEach(() => {
  folder = temporaryFolder();
  path = join(folder, 'file');
});

describe('a file on the disk', () => {
  it('that is created is empty, can be written and read, and belongs to its owner only', async () => {
    writeFileSync(path, 'what was there before');
    const file = await nodeDisk.create(join(folder, 'new'));
    await file.write(Buffer.from('abcdef'), 4, 2);
    await file.sync();
    expect(await file.size()).toBe(6);
    const buffer = Buffer.alloc(6);
    expect(await file.read(buffer, 0)).toBe(6);
    expect(buffer.toString('latin1')).toBe('\0\0abcd');
    await file.close();
    expect(statSync(join(folder, 'new')).mode & 0o777).toBe(0o600);
    const emptied = await nodeDisk.create(path);
    expect([emptied.path, await emptied.size()]).toEqual([path, 0]);
    await emptied.close();
  });

  it('is read as far as it reaches', async () => {
    writeFileSync(path, 'abcdef');
    const file = await nodeDisk.openForReading(path);
    const buffer = Buffer.alloc(4, '.');
    expect([await file.read(buffer, 1), buffer.toString()]).toEqual([4, 'bcde']);
    expect([await file.read(buffer, 4), buffer.toString()]).toEqual([2, 'efde']);
    expect(await file.read(buffer, 6)).toBe(0);
    expect(await file.read(Buffer.alloc(0), 0)).toBe(0);
    await expect(file.write(Buffer.from('x'), 1, 0)).rejects.toMatchObject({ code: 'EBADF' });
    await file.close();
    await expect(file.read(buffer, 0)).rejects.toMatchObject({ code: 'EBADF' });
  });

  it('that is opened for durable writes keeps what it had', async () => {
    writeFileSync(path, 'abcdef');
    const file = await nodeDisk.openDurable(path);
    await file.write(Buffer.from('XY'), 2, 1);
    const buffer = Buffer.alloc(6);
    await file.read(buffer, 0);
    expect(buffer.toString()).toBe('aXYdef');
    await file.close();
    expect(readFileSync(path, 'utf8')).toBe('aXYdef');
  });

  it('must be there to be opened', async () => {
    for (const opened of [nodeDisk.openForReading(path), nodeDisk.openDurable(path)]) {
      await expect(opened).rejects.toMatchObject({ code: 'ENOENT' });
    }
  });
});

describe('a folder on the disk', () => {
  it('is created with those above it, once or again, and lists its names in order', async () => {
    const deep = join(folder, 'a', 'b');
    await nodeDisk.createFolder(deep);
    for (const name of ['2', '10', '1']) writeFileSync(join(deep, name), '');
    await nodeDisk.createFolder(deep);
    expect(await nodeDisk.list(deep)).toEqual(['1', '10', '2']);
  });

  it('loses and renames files, and can be made durable', async () => {
    writeFileSync(path, 'abc');
    await nodeDisk.rename(path, join(folder, 'other'));
    expect([existsSync(path), readFileSync(join(folder, 'other'), 'utf8')]).toEqual([false, 'abc']);
    await nodeDisk.remove(join(folder, 'other'));
    await nodeDisk.remove(join(folder, 'other'));
    await nodeDisk.syncFolder(folder);
    expect(await nodeDisk.list(folder)).toEqual([]);
    const none = join(folder, 'none');
    await expect(nodeDisk.syncFolder(none)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('has one owner at a time, by whatever path it is named', async () => {
    const other = join(temporaryFolder(), 'link');
    symlinkSync(folder, other);
    const lock = await nodeDisk.lock(folder);
    const elsewhere = await nodeDisk.lock(temporaryFolder());
    for (const each of [folder, other]) {
      const refused: unknown = await nodeDisk.lock(each).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(JournalLockedError);
      expect(String(refused)).toContain(`the journal in ${each} is in use by another process`);
      expect((refused as Error).cause).toMatchObject({ code: 'EADDRINUSE' });
    }
    await lock.release();
    await (await nodeDisk.lock(other)).release();
    await elsewhere.release();
    await expect(nodeDisk.lock(join(folder, 'none'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
