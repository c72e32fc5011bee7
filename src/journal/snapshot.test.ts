import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MemoryDisk, systemError } from '../../test/support/memory-disk.ts';
import { WatchedDisk } from '../../test/support/watched-disk.ts';
import type { Sequence, TimestampMs } from '../domain/identifiers.ts';
import { systemTime } from '../system/system-time.ts';
import { crc32c } from './crc32c.ts';
import {
  parseSnapshotName,
  readSnapshot,
  readStateHash,
  type Snapshot,
  SnapshotError,
  snapshotPath,
  writeSnapshot,
} from './snapshot.ts';

const folder = '/journal';
const sequence = 12_345 as Sequence;
const path = snapshotPath(folder, sequence);
const checksumBytes = 4;

function snapshotOf(parts: Partial<Snapshot> = {}): Snapshot {
  return {
    journalId: '0123456789abcdef',
    rulesVersion: 9,
    sequence,
    timestamp: 1_700_000_000_123 as TimestampMs,
    stateHash: 'abc0',
    state: new Uint8Array([1, 2, 3]),
    requests: new Uint8Array([4, 5]),
    ...parts,
  };
}

/** More than two pieces of a mebibyte, in which no two bytes near each other are equal. */
function longState(): Uint8Array {
  return new Uint8Array((2 << 20) + 77).map((_, at) => (at * 31 + (at >> 11)) % 251);
}

let memory: MemoryDisk;
let watched: WatchedDisk;

beforeEach(() => {
  memory = new MemoryDisk();
  watched = new WatchedDisk(memory);
});

afterEach(() => {
  expect(watched.open).toBe(0);
});

function read(): Promise<Snapshot> {
  return readSnapshot(watched.disk, path, systemTime);
}

/** Changes the file; the checksum is that of the changed bytes. */
async function change(edit: (bytes: Buffer) => void): Promise<void> {
  const bytes = memory.files().get(path)!;
  edit(bytes);
  const end = bytes.length - checksumBytes;
  bytes.writeUInt32LE(crc32c(bytes, 0, end), end);
  memory = new MemoryDisk(new Map([[path, bytes]]));
  watched = new WatchedDisk(memory);
}

describe('a snapshot', () => {
  it.each([
    ['with signed requests', {}],
    ['without', { requests: new Uint8Array() }],
    ['with nothing in it', { state: new Uint8Array(), requests: new Uint8Array(), stateHash: '' }],
    ['of several pieces', { state: longState() }],
    ['of exactly one piece', { state: longState().slice(0, 1 << 20) }],
  ])('%s is read as it was written', async (_name, parts) => {
    await writeSnapshot(memory, folder, snapshotOf(parts));
    expect([...memory.files().keys()]).toEqual([path]);
    const found = await read();
    expect({ ...found, state: null }).toEqual({ ...snapshotOf(parts), state: null });
    expect(Buffer.from(found.state).equals(snapshotOf(parts).state)).toBe(true);
    expect(found.state.byteOffset).toBe(0);
    expect(await readStateHash(watched.disk, path)).toBe(found.stateHash);
  });

  it('without requests has the format that older programs read', async () => {
    await writeSnapshot(memory, folder, snapshotOf({ requests: new Uint8Array() }));
    expect(memory.files().get(path)!.readUInt32LE(8)).toBe(1);
    await writeSnapshot(memory, folder, snapshotOf());
    expect(memory.files().get(path)!.readUInt32LE(8)).toBe(2);
  });

  it('is durable piece by piece before it has its name, and the name is durable too', async () => {
    const operations: string[] = [];
    memory.fault = (operation, at) => void operations.push(`${operation} ${at.slice(9)}`);
    await writeSnapshot(memory, folder, snapshotOf({ state: longState() }));
    const piece = ['write snapshot.tmp', 'sync snapshot.tmp'];
    const pieces = new Array<string[]>(6).fill(piece).flat();
    const renamed = ['rename snapshot.tmp', 'syncFolder '];
    expect(operations).toEqual(['create snapshot.tmp', ...pieces, ...renamed]);
  });

  it('that cannot be written does not get its name', async () => {
    memory.fault = (operation) => {
      if (operation === 'sync') throw systemError('ENOSPC');
    };
    await expect(writeSnapshot(memory, folder, snapshotOf())).rejects.toMatchObject({
      code: 'ENOSPC',
    });
    expect([...memory.files().keys()]).toEqual([`${folder}/snapshot.tmp`]);
  });

  it('is named by its sequence', () => {
    expect(path).toBe('/journal/0000000000012345.snapshot');
    expect(parseSnapshotName('0000000000012345.snapshot')).toBe(12_345);
    for (const name of [
      '12345.snapshot',
      '0000000000012345.snapshot.tmp',
      'a0000000000012345.snapshot',
    ]) {
      expect(parseSnapshotName(name)).toBeNull();
    }
  });
});

describe('a file that is not a sound snapshot', () => {
  async function expectRefusal(text: string): Promise<void> {
    const error: unknown = await read().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(SnapshotError);
    expect(String(error)).toContain(`${path} ${text}`);
  }

  it('is refused if any byte of it is wrong', async () => {
    await writeSnapshot(memory, folder, snapshotOf());
    const original = memory.files().get(path)!;
    for (let at = 0; at < original.length; at += 1) {
      const bytes = Buffer.from(original);
      bytes[at] = bytes[at]! ^ 4;
      const disk = new MemoryDisk(new Map([[path, bytes]]));
      await expect(readSnapshot(disk, path, systemTime)).rejects.toThrow(SnapshotError);
    }
  });

  it('is refused if it is cut off, or longer than it says', async () => {
    await writeSnapshot(memory, folder, snapshotOf({ requests: new Uint8Array() }));
    const bytes = memory.files().get(path)!;
    for (const other of [bytes.subarray(0, -1), Buffer.concat([bytes, Buffer.alloc(1)])]) {
      watched = new WatchedDisk(new MemoryDisk(new Map([[path, other]])));
      await expectRefusal('has lengths that do not add up');
    }
  });

  it('is refused if it is another kind of file, or of an unknown format', async () => {
    await writeSnapshot(memory, folder, snapshotOf());
    await change((bytes) => bytes.write('x', 7));
    await expectRefusal('is not a snapshot');
    await expect(readStateHash(watched.disk, path)).rejects.toThrow('is not a snapshot');
    await change((bytes) => {
      bytes.write('t', 7);
      bytes.writeUInt32LE(3, 8);
    });
    await expectRefusal('has the format 3');
  });
});
