import { beforeEach, describe, expect, it } from 'vitest';
import { MemoryDisk, systemError } from '../../test/support/memory-disk.ts';
import { addressOf } from '../../test/support/sequencer-address.ts';
import { WatchedDisk } from '../../test/support/watched-disk.ts';
import type { Sequence, TimestampMs } from '../domain/identifiers.ts';
import type { RequestDigest } from '../domain/request-digest.ts';
import type { Command } from '../engine/commands.ts';
import { systemTime } from '../system/system-time.ts';
import { crc32c } from './crc32c.ts';
import { FieldWriter } from './field-writer.ts';
import {
  isErrorCode,
  JournalReader,
  openIfPresent,
  type ReaderStart,
  readFirstSequence,
} from './journal-reader.ts';
import { writeRecord } from './journal-record.ts';
import { createSegment, segmentHeaderBytes, segmentPath } from './segment.ts';

const folder = '/journal';
const journalId = '0123456789abcdef';
const segmentBytes = 200_000;
const digest: RequestDigest = { first: 1, second: 2, third: 3, fourth: 5, timestampMs: 4 };

/** A command whose record has about as many bytes as its text. */
const credit = (text: string): Command => ({
  type: 'creditBalance',
  address: addressOf(1),
  token: 'USDT',
  amount: 1n as never,
  actor: 'admin_api_key',
  reason: text,
  reference: null,
});

function recordOf(sequence: number, place = 0, text = '', signed: RequestDigest | null = null) {
  const fields = new FieldWriter();
  fields.bytes = new Uint8Array(100_000);
  const stamp = { sequence: sequence as Sequence, timestamp: (1_000 + sequence) as TimestampMs };
  writeRecord(fields, credit(text), stamp, place, signed);
  return Buffer.from(fields.bytes.subarray(0, fields.offset));
}

/** Replaces the byte and makes the record's checksum that of its bytes. */
function forge(record: Buffer, at: number, value: number): Buffer {
  record[at] = value;
  record.writeUInt32LE(crc32c(record, 8, record.length, record.length), 4);
  return record;
}

let memory: MemoryDisk;
let watched: WatchedDisk;
let end: number;

beforeEach(() => {
  memory = new MemoryDisk();
  watched = new WatchedDisk(memory);
});

async function addSegment(ordinal: number, ...records: readonly Buffer[]): Promise<void> {
  const header = { journalId, rulesVersion: 7, ordinal, bytes: segmentBytes };
  await createSegment(memory, folder, header);
  end = segmentHeaderBytes;
  await append(ordinal, ...records);
}

/** After what was last written; returns where that began. */
async function append(ordinal: number, ...records: readonly Buffer[]): Promise<number> {
  const bytes = Buffer.concat(records);
  const file = await memory.openDurable(segmentPath(folder, ordinal));
  await file.write(bytes, bytes.length, end);
  end += bytes.length;
  return end - bytes.length;
}

function openReader(start: Partial<ReaderStart> = {}, time = systemTime): JournalReader {
  const begin = { folder, journalId, ordinal: 1, sequence: 1, skipThrough: 0, ...start };
  return new JournalReader(watched.disk, begin as ReaderStart, time);
}

/** What is visited up to there, and whether all of it is there. */
async function visit(
  reader: JournalReader,
  through: number,
): Promise<readonly [number[], boolean]> {
  const visited: number[] = [];
  const isThere = await reader.read(through, (command, sequence, timestamp, segment) => {
    expect([command.type, timestamp, segment.rulesVersion]).toEqual([
      'creditBalance',
      1_000 + sequence,
      7,
    ]);
    visited.push(sequence);
  });
  return [visited, isThere];
}

describe('the records of a journal', () => {
  it('are visited in order up to a sequence, and later from there', async () => {
    await addSegment(1, recordOf(1), recordOf(2, 1), recordOf(3));
    const reader = openReader();
    expect(await visit(reader, 2)).toEqual([[1, 2], true]);
    expect(await visit(reader, 2)).toEqual([[], true]);
    expect(await visit(reader, 9)).toEqual([[3], false]);
    const offset = await append(1, recordOf(4));
    expect(reader.position).toMatchObject({ ordinal: 1, offset, nextSequence: 4 });
    expect(String(reader.missingRecord)).toContain('record 4 was durable and is gone');
    expect(reader.missingRecord).toMatchObject({ file: segmentPath(folder, 1), offset });
    expect(await visit(reader, 4)).toEqual([[4], true]);
  });

  it('before the start are checked, but not visited', async () => {
    await addSegment(1, recordOf(1), recordOf(2), recordOf(3));
    expect(await visit(openReader({ skipThrough: 2 as Sequence }), 3)).toEqual([[3], true]);
    await addSegment(1, recordOf(1), recordOf(5), recordOf(3));
    await expect(visit(openReader({ skipThrough: 2 as Sequence }), 3)).rejects.toThrow('record 5');
  });

  it('show their bytes and their request while they are visited', async () => {
    const records = [recordOf(1), recordOf(2, 0, 'x', digest)];
    await addSegment(1, ...records);
    const reader = openReader();
    const shown: (readonly [Buffer, RequestDigest | null])[] = [];
    await reader.read(2, () => shown.push([Buffer.from(reader.record), reader.digest]));
    expect(shown).toEqual([
      [records[0], null],
      [records[1], digest],
    ]);
  });

  it('tell where the group of the last one began', async () => {
    await addSegment(1, recordOf(1));
    const offset = await append(1, recordOf(2, 0), recordOf(3, 1));
    const reader = openReader();
    expect(reader.position.groupOffset).toBe(segmentHeaderBytes);
    await visit(reader, 3);
    expect(reader.position.groupOffset).toBe(offset);
  });

  it('may lie across the pieces that are read, and be longer than the smallest of them', async () => {
    const texts = [30_000, 30_000, 30_000, 10].map((length) => 'x'.repeat(length));
    await addSegment(1, ...texts.map((text, index) => recordOf(index + 1, 0, text)));
    expect(await visit(openReader(), 9)).toEqual([[1, 2, 3, 4], false]);
  });

  it('leave the event loop a turn when 8 ms are over', async () => {
    await addSegment(1, ...Array.from({ length: 1_100 }, (_, at) => recordOf(at + 1)));
    const turnsAt = async (msPerLook: number): Promise<number> => {
      let [now, turns] = [0, 0];
      const time = {
        ...systemTime,
        monotonicMs: () => (now += msPerLook),
        yieldTurn: () => {
          turns += 1;
          return systemTime.yieldTurn();
        },
      };
      const [visited, isThere] = await visit(openReader({}, time), 1_100);
      expect([visited.length, isThere]).toEqual([1_100, true]);
      return turns;
    };
    // A turn after each piece that was read; the clock is looked at every 512 records.
    expect(await turnsAt(8)).toBe(await turnsAt(0));
    expect(await turnsAt(9)).toBeGreaterThan(await turnsAt(8));
  });
});

describe('the next segment', () => {
  it('is entered after the last record of the one before, which is then closed', async () => {
    await addSegment(1, recordOf(1), recordOf(2));
    await addSegment(2, recordOf(3), recordOf(4, 1));
    const reader = openReader();
    expect(await visit(reader, 3)).toEqual([[1, 2, 3], true]);
    expect([watched.open, reader.position.ordinal]).toEqual([1, 2]);
    expect(reader.position.path).toBe(segmentPath(folder, 2));
    expect(await visit(reader, 9)).toEqual([[4], false]);
    await reader.close();
    await reader.close();
    expect(watched.open).toBe(0);
  });

  it('is not entered while it is empty, or begins with another record', async () => {
    await addSegment(1, recordOf(1));
    await addSegment(2);
    const reader = openReader();
    expect(await visit(reader, 2)).toEqual([[1], false]);
    await append(2, recordOf(5));
    expect(await visit(reader, 2)).toEqual([[], false]);
    expect([watched.open, reader.position.ordinal]).toEqual([1, 1]);
  });

  it('proves damage if something unreadable comes before it', async () => {
    const broken = recordOf(2);
    broken[20]! += 1;
    await addSegment(1, recordOf(1), broken);
    const offset = segmentHeaderBytes + recordOf(1).length;
    await addSegment(2, recordOf(2));
    await expect(visit(openReader(), 2)).rejects.toMatchObject({
      file: segmentPath(folder, 1),
      offset,
      message: expect.stringContaining(
        'record 2 is damaged, and the next segment continues after it',
      ) as unknown,
    });
  });

  it('must be of the same journal and have its own ordinal', async () => {
    await addSegment(1, recordOf(1));
    const elsewhere = 'the segment belongs elsewhere in the journal or to another one';
    await expect(visit(openReader({ journalId: 'f'.repeat(16) }), 1)).rejects.toThrow(elsewhere);
    await memory.rename(segmentPath(folder, 1), segmentPath(folder, 2));
    await expect(visit(openReader({ ordinal: 2 }), 1)).rejects.toThrow(elsewhere);
  });
});

describe('a sound record that cannot be', () => {
  const offset = segmentHeaderBytes + recordOf(1).length;

  it.each([
    ['with another sequence', recordOf(7), 'record 7 found where record 2 was expected'],
    ['in an unknown format', forge(recordOf(2), 8, 9), 'unknown record format 9'],
    ['without its end', forge(recordOf(2), recordOf(2).length - 1, 1), 'the end mark is missing'],
  ])('%s is damage, with its place', async (_name, record, text) => {
    await addSegment(1, recordOf(1), record);
    await expect(visit(openReader(), 2)).rejects.toMatchObject({
      name: 'JournalDamageError',
      file: segmentPath(folder, 1),
      offset,
      message: expect.stringContaining(text) as unknown,
    });
  });

  it('an error of the visitor is its own', async () => {
    await addSegment(1, recordOf(1));
    const read = openReader().read(1, () => {
      throw new RangeError('a bug in the visitor');
    });
    await expect(read).rejects.toThrow(RangeError);
  });
});

describe('the first sequence of a segment', () => {
  it.each([
    ['a short record', [recordOf(5)], 5],
    ['a long record', [recordOf(6, 0, 'x'.repeat(9_000))], 6],
    ['no record', [], null],
    ['a damaged record', [forge(recordOf(5), 30, 1).fill(9, 31, 33)], null],
    ['a damaged long record', [recordOf(6, 0, 'x'.repeat(9_000)).fill(9, 8_000, 8_001)], null],
  ])('with %s at its beginning', async (_name, records, sequence) => {
    await addSegment(1, ...records);
    const file = await memory.openForReading(segmentPath(folder, 1));
    expect(await readFirstSequence(file)).toBe(sequence);
  });
});

describe('a file that may be missing', () => {
  it('is null then, and other errors stay errors', async () => {
    expect(await openIfPresent(memory, '/journal/none')).toBeNull();
    await addSegment(1);
    expect((await openIfPresent(memory, segmentPath(folder, 1)))?.path).toContain('00000001');
    memory.fault = () => {
      throw systemError('EIO');
    };
    await expect(openIfPresent(memory, segmentPath(folder, 1))).rejects.toThrow('EIO');
    expect([isErrorCode(systemError('EIO'), 'EIO'), isErrorCode({ code: 'EIO' }, 'EIO')]).toEqual([
      true,
      false,
    ]);
    expect(isErrorCode(new Error('EIO'), 'EIO')).toBe(false);
  });
});
