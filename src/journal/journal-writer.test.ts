import { beforeEach, describe, expect, it, vi } from 'vitest';
import { MemoryDisk, systemError } from '../../test/support/memory-disk.ts';
import { systemTime } from '../system/system-time.ts';
import type { Disk, DiskFile } from './disk.ts';
import { JournalWriter, type WriteElsewhere, type WriterStart } from './journal-writer.ts';
import { createSegment, readSegmentHeader, segmentHeaderBytes, segmentPath } from './segment.ts';

const folder = '/journal';
const journalId = '0123456789abcdef';
const bytes = 4_096;
const room = bytes - segmentHeaderBytes;

/** A disk with one empty segment, and what the writer says and does. */
class Bench {
  readonly memory = new MemoryDisk();
  /** The files that are open for writing now. */
  readonly open: string[] = [];
  /** Ends the writes to segments, if they are held. */
  readonly heldWrites: (() => void)[] = [];
  isHolding = false;
  now = 0;
  rules = 7;
  writeFirst: WriteElsewhere | undefined;
  readonly space: (readonly [boolean, unknown])[] = [];
  readonly failures: unknown[] = [];
  /** Timers that wait, by their delays. */
  readonly timers = new Map<() => void, number>();
  readonly disk: Disk;

  constructor() {
    const { memory } = this;
    this.disk = {
      createFolder: () => memory.createFolder(),
      list: (path) => memory.list(path),
      lock: (path) => memory.lock(path),
      openForReading: (path) => memory.openForReading(path),
      create: (path) => memory.create(path),
      openDurable: async (path) => this.#hold(await memory.openDurable(path)),
      rename: (from, to) => memory.rename(from, to),
      remove: (path) => memory.remove(path),
      syncFolder: (path) => memory.syncFolder(path),
    };
  }

  async start(options: Partial<WriterStart> = {}): Promise<JournalWriter> {
    const header = { journalId, rulesVersion: 7, ordinal: 1, bytes };
    await createSegment(this.memory, folder, header);
    return this.openAt(options);
  }

  openAt(options: Partial<WriterStart> = {}): Promise<JournalWriter> {
    const start = { ordinal: 1, bytes, offset: segmentHeaderBytes, preparedBytes: [], ...options };
    return JournalWriter.open(
      {
        disk: this.disk,
        folder,
        time: {
          ...systemTime,
          monotonicMs: () => this.now,
          after: (delayMs, callback) => {
            this.timers.set(callback, delayMs);
            return () => void this.timers.delete(callback);
          },
        },
        journalId,
        rules: () => this.rules,
        segmentBytesMax: 10_000,
        spaceRetryMs: 300,
        onSpace: (isMissing, error) => void this.space.push([isMissing, error]),
        onFailure: (error) => void this.failures.push(error),
        writeFirst: this.writeFirst,
      },
      start,
    );
  }

  failTemporary(code: string): void {
    this.memory.fault = (operation, path) => {
      if (operation === 'write' && path.endsWith('segment.tmp')) throw systemError(code);
    };
  }

  heal(): void {
    this.memory.fault = () => {};
  }

  /** Calls back the timers that wait. */
  passTime(): void {
    const due = [...this.timers.keys()];
    this.timers.clear();
    for (const callback of due) callback();
  }

  contentOf(ordinal: number): Buffer | undefined {
    return this.memory.files().get(segmentPath(folder, ordinal));
  }

  #hold(file: DiskFile): DiskFile {
    this.open.push(file.path);
    return {
      ...file,
      write: async (content, length, position) => {
        if (this.isHolding) await new Promise<void>((resolve) => this.heldWrites.push(resolve));
        await file.write(content, length, position);
      },
      close: async () => {
        this.open.splice(this.open.indexOf(file.path), 1);
        await file.close();
      },
    };
  }
}

let bench: Bench;

beforeEach(() => {
  bench = new Bench();
});

const group = (length: number, value: number): Uint8Array => new Uint8Array(length).fill(value);

async function append(writer: JournalWriter, length: number, value: number): Promise<void> {
  await writer.write(group(length, value), length, writer.plan(length));
}

/** Until the segment after the present one is ready. */
async function untilNext(writer: JournalWriter): Promise<void> {
  await vi.waitUntil(() => writer.hasNext, { interval: 1 });
}

describe('groups of records', () => {
  it('are written one after the other, where they were planned', async () => {
    const writer = await bench.start();
    const [first, second] = [writer.plan(100), writer.plan(50)];
    expect(writer.room).toBe(room - 150);
    await writer.write(group(200, 1), 100, first);
    await writer.write(group(50, 2), 50, second);
    const content = bench.contentOf(1)!;
    expect(content.subarray(512, 662)).toEqual(Buffer.concat([group(100, 1), group(50, 2)]));
    expect(content[662]).toBe(0);
  });

  it('go on where the journal ends', async () => {
    const writer = await bench.start({ offset: 1_000 });
    expect(writer.room).toBe(bytes - 1_000);
    await append(writer, 10, 9);
    expect(bench.contentOf(1)!.subarray(999, 1_011)).toEqual(Buffer.from([0, ...group(10, 9), 0]));
  });

  it('may fill a segment to its last byte, and no further', async () => {
    const writer = await bench.start();
    writer.plan(room - 1);
    writer.plan(1);
    expect(writer.room).toBe(0);
    expect(() => writer.plan(1)).toThrow('a group exceeds the end of its segment');
  });

  it('are written elsewhere first, and not here if that fails', async () => {
    const first: string[] = [];
    bench.writeFirst = async (bytesOfGroup) => {
      expect(bench.contentOf(1)![512]).toBe(0);
      first.push(Buffer.from(bytesOfGroup).toString('hex'));
    };
    const writer = await bench.start();
    await writer.write(group(8, 3), 2, writer.plan(2));
    expect([first, bench.contentOf(1)![512]]).toEqual([['0303'], 3]);
    bench.writeFirst = () => Promise.reject(new Error('the log is away'));
    const other = await bench.openAt();
    await expect(append(other, 2, 4)).rejects.toThrow('the log is away');
    expect(bench.contentOf(1)![512]).toBe(3);
  });

  it('tell how long their write has been under way', async () => {
    const writer = await bench.start();
    bench.isHolding = true;
    expect(writer.writePendingMs).toBe(0);
    const written = append(writer, 10, 1);
    bench.now = 70;
    expect(writer.writePendingMs).toBe(70);
    bench.heldWrites[0]!();
    await written;
    expect(writer.writePendingMs).toBe(0);
    bench.isHolding = false;
    bench.memory.fault = () => {
      throw systemError('EIO');
    };
    const failed = append(writer, 10, 1);
    await expect(failed).rejects.toMatchObject({ code: 'EIO' });
    expect(writer.writePendingMs).toBe(0);
  });
});

describe('the next segment', () => {
  it('is prepared ahead: twice as long, up to the maximum, with the rules of that time', async () => {
    const writer = await bench.start();
    expect(writer.hasNext).toBe(true);
    bench.rules = 8;
    expect(writer.enterNextSegment()).toBe(true);
    expect(writer.room).toBe(2 * bytes - segmentHeaderBytes);
    await untilNext(writer);
    for (const [ordinal, length, rulesVersion] of [
      [2, 2 * bytes, 7],
      [3, 10_000, 8],
    ] as const) {
      const file = await bench.disk.openForReading(segmentPath(folder, ordinal));
      const header = { journalId, rulesVersion, ordinal, bytes: length };
      expect(await readSegmentHeader(file)).toEqual(header);
      expect(bench.contentOf(ordinal)).toHaveLength(length);
    }
    expect(bench.contentOf(4)).toBeUndefined();
  });

  it('takes the groups after those of the one before, which is then closed', async () => {
    const writer = await bench.start();
    const last = writer.plan(10);
    writer.enterNextSegment();
    const next = writer.plan(20);
    await writer.write(group(10, 1), 10, last);
    expect(bench.open).toContain(segmentPath(folder, 1));
    await writer.write(group(20, 2), 20, next);
    expect(bench.open).not.toContain(segmentPath(folder, 1));
    expect(bench.contentOf(1)![512 + 9]).toBe(1);
    expect(bench.contentOf(2)!.subarray(512, 533)).toEqual(Buffer.from([...group(20, 2), 0]));
    await untilNext(writer);
    await writer.close();
    expect(bench.open).toEqual([]);
  });

  it('may be there already, or several of them', async () => {
    const first = await bench.start();
    first.enterNextSegment();
    await untilNext(first);
    await first.close();
    const writer = await bench.openAt({ preparedBytes: [2 * bytes, 10_000] });
    expect(bench.contentOf(4)).toBeUndefined();
    writer.enterNextSegment();
    await append(writer, 5, 6);
    writer.enterNextSegment();
    await append(writer, 5, 7);
    expect([bench.contentOf(2)![512], bench.contentOf(3)![512]]).toEqual([6, 7]);
    expect(writer.room).toBe(10_000 - segmentHeaderBytes - 5);
    await untilNext(writer);
    expect(bench.contentOf(4)).toHaveLength(10_000);
  });

  it('is missing while the disk is full, and then a quarter of the last one is a reserve', async () => {
    const writer = await bench.start();
    expect(writer.isShort(room)).toBe(false);
    bench.failTemporary('ENOSPC');
    writer.enterNextSegment();
    await vi.waitUntil(() => bench.timers.size > 0, { interval: 1 });
    expect([...bench.timers.values()]).toEqual([300]);
    expect(bench.space).toMatchObject([[true, { code: 'ENOSPC' }]]);
    expect([writer.hasNext, writer.enterNextSegment()]).toEqual([false, false]);
    const quarter = (2 * bytes) / 4;
    expect(writer.isShort(writer.room - quarter)).toBe(false);
    expect(writer.isShort(writer.room - quarter + 1)).toBe(true);
    // Another try, which fails as well, and is not reported again.
    bench.passTime();
    await vi.waitUntil(() => bench.timers.size > 0, { interval: 1 });
    expect(bench.space).toHaveLength(1);
    bench.heal();
    bench.passTime();
    await untilNext(writer);
    expect(bench.space.slice(1)).toEqual([[false, null]]);
    expect(writer.isShort(writer.room)).toBe(false);
    expect(bench.failures).toEqual([]);
  });

  it.each(['ENOSPC', 'EDQUOT'])('can be missing from the start, with %s', async (code) => {
    bench.memory.fault = () => {};
    await createSegment(bench.memory, folder, { journalId, rulesVersion: 7, ordinal: 1, bytes });
    bench.failTemporary(code);
    const writer = await bench.openAt();
    expect(writer.hasNext).toBe(false);
    expect(bench.space).toMatchObject([[true, { code }]]);
    await append(writer, 10, 1);
    await writer.close();
    expect([bench.timers.size, bench.open]).toEqual([0, []]);
  });

  it('that fails otherwise is a failure, and is not tried again', async () => {
    const writer = await bench.start();
    bench.failTemporary('EIO');
    writer.enterNextSegment();
    await vi.waitUntil(() => bench.failures.length > 0, { interval: 1 });
    expect(bench.failures).toMatchObject([{ code: 'EIO' }]);
    bench.heal();
    await systemTime.yieldTurn();
    expect([writer.hasNext, bench.timers.size, bench.space]).toEqual([false, 0, []]);
    expect(writer.enterNextSegment()).toBe(false);
  });

  it('is prepared at once if the one before was used up while it was being opened', async () => {
    const writer = await bench.start();
    writer.enterNextSegment();
    await untilNext(writer);
    writer.enterNextSegment();
    await untilNext(writer);
    expect(bench.contentOf(4)).toHaveLength(10_000);
  });
});

describe('the end of a writer', () => {
  it('waits for the segment that is being prepared, and prepares no other', async () => {
    const writer = await bench.start();
    writer.enterNextSegment();
    await writer.close();
    expect(bench.contentOf(3)).toHaveLength(10_000);
    expect(bench.open).toEqual([]);
    await systemTime.yieldTurn();
    expect(bench.contentOf(4)).toBeUndefined();
  });
});
