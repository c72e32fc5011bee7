import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MemoryDisk } from '../../test/support/memory-disk.ts';
import { recordGroup } from '../../test/support/record-group.ts';
import { addressOf } from '../../test/support/sequencer-address.ts';
import { WatchedDisk } from '../../test/support/watched-disk.ts';
import type { Sequence } from '../domain/identifiers.ts';
import type { Command } from '../engine/commands.ts';
import {
  findFirstRules,
  findReaderStart,
  listJournalFolder,
  removeTemporaryFiles,
} from './journal-folder.ts';
import { createSegment, segmentHeaderBytes, segmentPath } from './segment.ts';

const folder = '/journal';
const journalId = '0123456789abcdef';
const command: Command = { type: 'openAccount', address: addressOf(1) };

let memory: MemoryDisk;
let watched: WatchedDisk;

beforeEach(() => {
  memory = new MemoryDisk();
  watched = new WatchedDisk(memory);
});

afterEach(() => {
  expect(watched.open).toBe(0);
});

/** A segment with two records, or without any. */
async function addSegment(ordinal: number, first: number | null, rulesVersion = 7): Promise<void> {
  await createSegment(memory, folder, { journalId, rulesVersion, ordinal, bytes: 4_096 });
  if (first === null) return;
  const file = await memory.openDurable(segmentPath(folder, ordinal));
  const records = recordGroup([command, command], first);
  await file.write(records, records.length, segmentHeaderBytes);
}

async function addFile(name: string): Promise<void> {
  await memory.create(`${folder}/${name}`);
}

async function startAfter(after: number): Promise<object> {
  return findReaderStart(watched.disk, folder, after as Sequence);
}

describe("a journal's folder", () => {
  it('has segments and snapshots in their order, and other files', async () => {
    for (const ordinal of [4, 3, 5]) await addSegment(ordinal, null);
    for (const name of [
      '0000000000000012.snapshot',
      '0000000000000002.snapshot',
      '00000006.segment.tmp',
      '00000007.segment.after-12',
      '7.segment',
      'x00000008.segment',
      '0000000000000005.snapshot.after-4',
      '5.snapshot',
      'released',
    ]) {
      await addFile(name);
    }
    const contents = await listJournalFolder(memory, folder);
    expect(contents).toEqual({ ordinals: [3, 4, 5], snapshots: [2, 12] });
  });

  it('must have all segments between the first and the last', async () => {
    for (const ordinal of [3, 5]) await addSegment(ordinal, null);
    await expect(listJournalFolder(memory, folder)).rejects.toMatchObject({
      name: 'JournalDamageError',
      file: segmentPath(folder, 4),
      message: expect.stringContaining('the segment is missing') as unknown,
    });
  });

  it('loses its temporary files, and nothing else', async () => {
    await addSegment(1, null);
    for (const name of ['segment.tmp', 'released.tmp', 'tmp', 'a.tmp.b']) await addFile(name);
    await removeTemporaryFiles(memory, folder);
    expect([...memory.files().keys()].sort()).toEqual(
      ['00000001.segment', 'a.tmp.b', 'tmp'].map((name) => `${folder}/${name}`),
    );
  });
});

describe('the rules with which a journal begins', () => {
  it('are those of the segment with record 1', async () => {
    await addSegment(1, 1, 7);
    await addSegment(2, 3, 8);
    expect(await findFirstRules(watched.disk, folder)).toBe(7);
  });

  it('are those of the newest segment while there is no record', async () => {
    await addSegment(1, null, 7);
    await addSegment(2, null, 8);
    expect(await findFirstRules(watched.disk, folder)).toBe(8);
  });

  it('are unknown without a segment, or if it begins with a later record', async () => {
    expect(await findFirstRules(watched.disk, folder)).toBeNull();
    await addSegment(4, 2, 7);
    expect(await findFirstRules(watched.disk, folder)).toBeNull();
  });
});

describe('the place from which a journal is read', () => {
  it('is the last segment that begins at or before the next record', async () => {
    await addSegment(2, 11);
    await addSegment(3, 13);
    await addSegment(4, null);
    for (const [after, ordinal, sequence] of [
      [10, 2, 11],
      [11, 2, 11],
      [12, 3, 13],
      [13, 3, 13],
      [99, 3, 13],
    ] as const) {
      const start = { folder, journalId, ordinal, sequence, skipThrough: after };
      expect(await startAfter(after)).toEqual(start);
    }
  });

  it('does not exist before the first record', async () => {
    await addSegment(2, 11);
    await expect(startAfter(9)).rejects.toMatchObject({
      file: segmentPath(folder, 2),
      offset: segmentHeaderBytes,
      message: expect.stringContaining(
        'the journal begins with record 11; 10 is needed',
      ) as unknown,
    });
  });

  it('does not exist without a segment', async () => {
    await expect(startAfter(0)).rejects.toMatchObject({
      file: segmentPath(folder, 1),
      message: expect.stringContaining('the journal has no segment') as unknown,
    });
  });

  it('is the first segment of a journal without records: record 1, or one after a snapshot', async () => {
    await addSegment(1, null);
    await addSegment(2, null);
    expect(await startAfter(0)).toMatchObject({ ordinal: 1, sequence: 1, skipThrough: 0 });
    expect(await startAfter(5)).toMatchObject({ ordinal: 1, sequence: 1, skipThrough: 5 });
    await memory.remove(segmentPath(folder, 1));
    expect(await startAfter(5)).toMatchObject({ ordinal: 2, sequence: 6, skipThrough: 5 });
  });

  it('is not found in a segment that has the name of another', async () => {
    await addSegment(1, 1);
    await memory.rename(segmentPath(folder, 1), segmentPath(folder, 2));
    await expect(startAfter(0)).rejects.toMatchObject({
      file: segmentPath(folder, 2),
      message: expect.stringContaining('this is segment 1') as unknown,
    });
  });
});
