import { beforeAll, describe, expect, it } from 'vitest';
import { DiskCrash, MemoryDisk } from '../../test/support/memory-disk.ts';
import { flowCommands, hashesOf, liveHash } from '../../test/support/recorded-flow.ts';
import { makeSequencer } from '../../test/support/sequencer-fixture.ts';
import type { Sequence } from '../domain/identifiers.ts';
import { systemTime } from '../system/system-time.ts';
import type { Disk } from './disk.ts';
import { JournalDamageError } from './journal-damage.ts';
import { setAsideTail } from './set-aside-tail.ts';

const folder = '/journal';
const count = 420;
const commands = flowCommands(8, count);
const hashes = hashesOf(commands, 1_700_000_000_000);

type Files = Map<string, Buffer>;

let files: Files;

// Several segments, with snapshots at about 120, 240 and 360 commands and at the end.
beforeAll(async () => {
  const disk = new MemoryDisk();
  const { sequencer } = makeSequencer(folder, { disk, limits: { snapshotEvery: 120 } });
  await sequencer.start();
  for (let at = 0; at < count; at += 20) {
    await Promise.all(commands.slice(at, at + 20).map((command) => sequencer.submit(command)));
  }
  await sequencer.stop();
  files = disk.files();
});

function endAt(disk: Disk, through: number): Promise<boolean> {
  return setAsideTail({ disk, folder, time: systemTime }, through as Sequence);
}

/** The journal in these files ends there, and has the state of that command. */
async function expectEnd(left: Files, through: number): Promise<void> {
  const { sequencer } = makeSequencer(folder, { disk: new MemoryDisk(left) });
  await sequencer.start();
  expect([sequencer.durableSequence, liveHash(sequencer)]).toEqual([through, hashes[through]]);
  await sequencer.stop();
}

describe('the end of a journal that is set aside', () => {
  it.each([0, 1, 100, 300, 419])(
    'after record %d: it ends there and can continue',
    async (through) => {
      const disk = new MemoryDisk(files);
      // Without the newest two snapshots of three, the journal is read from its beginning.
      for (const path of files.keys()) if (path.endsWith('.snapshot')) await disk.remove(path);
      expect(await endAt(disk, through)).toBe(true);
      await expectEnd(disk.files(), through);
      expect(await endAt(disk, through)).toBe(false);
    },
  );

  it('is kept under other names, byte by byte, with the snapshots that are newer', async () => {
    const disk = new MemoryDisk(files);
    const snapshots = [...files.keys()].filter((path) => path.endsWith('.snapshot'));
    const through = count - 1;
    expect(await endAt(disk, through)).toBe(true);
    const left = disk.files();
    const suffix = `.after-${through}`;
    const asides = [...left.keys()].filter((path) => path.endsWith(suffix));
    for (const path of asides) {
      expect(left.get(path)!.equals(files.get(path.slice(0, -suffix.length))!)).toBe(true);
    }
    expect(asides.filter((path) => path.includes('.snapshot'))).toEqual([
      `${snapshots.at(-1)}${suffix}`,
    ]);
    expect(left.has(snapshots.at(-1)!)).toBe(false);
    expect(left.has(snapshots.at(-2)!)).toBe(true);
    expect([...left.keys()].filter((path) => path.endsWith('.tmp'))).toEqual([]);
    await expectEnd(left, through);
  });

  it('is nothing if the journal ends there, and then nothing changes', async () => {
    const disk = new MemoryDisk(files);
    expect(await endAt(disk, count)).toBe(false);
    expect(disk.changes).toBe(0);
  });

  it('is completed by the next call, wherever the power is cut', async () => {
    const whole = new MemoryDisk(files);
    await endAt(whole, 300);
    expect(whole.changes).toBeGreaterThan(8);
    for (let last = 1; last <= whole.changes; last += 1) {
      const disk = new MemoryDisk(files);
      disk.fault = (_operation, _path, changes) => {
        if (changes === last) throw new DiskCrash('the power is gone');
      };
      await expect(endAt(disk, 300)).rejects.toThrow(DiskCrash);
      const draws = { at: last };
      const after = disk.afterPowerCut((limit) => (draws.at++ * 7) % limit);
      await endAt(after, 300);
      const found = [...after.files()].filter(([path]) => path.endsWith('.snapshot'));
      expect(found.every(([path]) => Number.parseInt(path.slice(9), 10) <= 300)).toBe(true);
      expect(await endAt(after, 300)).toBe(false);
    }
  });

  it('is not set aside if a read of it was wrong once', async () => {
    const inner = new MemoryDisk(files);
    const segment = [...files.keys()].find((path) => path.endsWith('.segment'))!;
    let reads = 0;
    const disk: Disk = {
      createFolder: () => inner.createFolder(),
      list: (path) => inner.list(path),
      lock: (path) => inner.lock(path),
      openForReading: async (path) => {
        const file = await inner.openForReading(path);
        const read: typeof file.read = async (buffer, position) => {
          const length = await file.read(buffer, position);
          // The copy is made in pieces of a mebibyte; a reader's chunks are shorter here.
          if (path === segment && buffer.length === 1 << 20 && (reads += 1) === 1)
            buffer[700]! ^= 1;
          return length;
        };
        return { ...file, read };
      },
      create: (path) => inner.create(path),
      openDurable: (path) => inner.openDurable(path),
      rename: (from, to) => inner.rename(from, to),
      remove: (path) => inner.remove(path),
      syncFolder: (path) => inner.syncFolder(path),
    };
    await expect(endAt(disk, 1)).rejects.toThrow(JournalDamageError);
    expect(inner.files().get(segment)).toEqual(files.get(segment));
  });
});
