import { basename, join } from 'node:path';
import type { Sequence } from '../domain/identifiers.ts';
import type { Time } from '../system/time.ts';
import type { Disk, DiskFile } from './disk.ts';
import { JournalDamageError } from './journal-damage.ts';
import { findReaderStart, listJournalFolder } from './journal-folder.ts';
import { JournalReader } from './journal-reader.ts';
import { readSegmentHeader, segmentPath } from './segment.ts';
import { snapshotPath } from './snapshot.ts';

export interface SetAsideOptions {
  readonly disk: Disk;
  readonly folder: string;
  readonly time: Time;
}

const chunkBytes = 1 << 20;

/**
 * Ends the journal with the record `through` and keeps what follows under other names in the same
 * folder, where no reader of the journal looks. The caller holds the journal's lock. If it is
 * interrupted, the next call completes it. Returns false if nothing follows that record.
 */
export async function setAsideTail(options: SetAsideOptions, through: Sequence): Promise<boolean> {
  const { disk, folder, time } = options;
  const reader = new JournalReader(disk, await findReaderStart(disk, folder, through), time);
  await reader.read(through, () => undefined);
  const { ordinal, offset } = reader.position;
  const isLonger = await reader.read(through + 1, () => undefined).finally(() => reader.close());
  if (!isLonger) return false;
  const suffix = `.after-${through}`;
  const { ordinals, snapshots } = await listJournalFolder(disk, folder);
  // Snapshots first: none may be newer than the records. Then from the end, so no segment between
  // others is missing.
  const moved = [
    ...snapshots.filter((each) => each > through).map((each) => snapshotPath(folder, each)),
    ...ordinals
      .filter((each) => each > ordinal)
      .reverse()
      .map((each) => segmentPath(folder, each)),
  ];
  for (const path of moved) await disk.rename(path, `${path}${suffix}`);
  const path = segmentPath(folder, ordinal);
  await copy(disk, path, { to: `${path}${suffix}`, end: Infinity });
  await disk.syncFolder(folder);
  const temporary = join(folder, `${basename(path)}.tmp`);
  await copy(disk, path, { to: temporary, end: offset });
  await disk.rename(temporary, path);
  await disk.syncFolder(folder);
  return true;
}

// The copy is as long as the segment and holds zeros after `end`.
async function copy(
  disk: Disk,
  from: string,
  { to, end }: { readonly to: string; readonly end: number },
): Promise<void> {
  const source = await disk.openForReading(from);
  const target = await disk.create(to);
  try {
    const { bytes } = await readSegmentHeader(source);
    const buffer = Buffer.alloc(chunkBytes);
    for (let at = 0; at < bytes; at += chunkBytes) {
      buffer.fill(0);
      if (at < end) await source.read(buffer, at);
      if (at + chunkBytes > end) buffer.fill(0, Math.max(0, end - at));
      await target.write(buffer, Math.min(chunkBytes, bytes - at), at);
    }
    await target.sync();
    await requireCopied(source, target, Math.min(end, bytes));
  } finally {
    await source.close();
    await target.close();
  }
}

// A read can be wrong once although the disk is not. Renamed into the journal, that would stay.
async function requireCopied(source: DiskFile, target: DiskFile, end: number): Promise<void> {
  for (let at = 0; at < end; at += chunkBytes) {
    const length = Math.min(chunkBytes, end - at);
    const original = Buffer.alloc(length);
    const copied = Buffer.alloc(length);
    await source.read(original, at);
    await target.read(copied, at);
    if (copied.equals(original)) continue;
    throw new JournalDamageError(source.path, at, 'it differs from what was read of it before');
  }
}
