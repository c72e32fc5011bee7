import type { Disk, DiskFile } from './disk.ts';
import { JournalDamageError } from './journal-damage.ts';
import { openIfPresent, type ReaderPosition } from './journal-reader.ts';
import { findRecord, hasChecksum, readLength, readPlace, readSequence } from './journal-record.ts';
import { segmentHeaderBytes, segmentPath } from './segment.ts';
import { findLastNonZero, isZeroRange } from './zero-range.ts';

// What follows the last sound record. A power cut can leave part of the last write, which was never
// acknowledged; it is cut off. Anything else is damage. A lost write is recognized by its zeros: a
// segment is full of zeros before its first use, so in an unfinished write some sectors, or the
// end, are still zero. Bytes that are complete but wrong are damage, and so is anything before a
// record that was written only after those bytes were durable. If the missing record itself appears
// further on, that is damage too: the disk has put a whole write in the wrong place.

/** The remains of an unfinished write: bytes from `offset` to `end` of one segment. */
export interface TornTail {
  readonly ordinal: number;
  readonly path: string;
  readonly offset: number;
  readonly end: number;
}

const sectorBytes = 512;
const lengthBytes = 4;

/**
 * Returns what must be cut off so that the journal ends at the position; null if it ends there
 * cleanly.
 * @throws JournalDamageError if what would be cut off may contain acknowledged records.
 */
export async function examineTail(
  disk: Disk,
  folder: string,
  position: ReaderPosition,
): Promise<TornTail | null> {
  let torn: TornTail | null = null;
  for (let ordinal = position.ordinal; ; ordinal += 1) {
    const path = segmentPath(folder, ordinal);
    const file = await openIfPresent(disk, path);
    if (file === null) return torn;
    try {
      const offset = ordinal === position.ordinal ? position.offset : segmentHeaderBytes;
      const last = await findLastNonZero(file, offset);
      if (last < 0) continue;
      if (torn !== null) {
        throw damage(torn, position, 'a later segment was written to after it');
      }
      torn = { ordinal, path, offset, end: last + 1 };
      await requireTorn(file, torn, position);
    } finally {
      await file.close();
    }
  }
}

async function requireTorn(
  file: DiskFile,
  tail: TornTail,
  position: ReaderPosition,
): Promise<void> {
  const bytes = Buffer.alloc(tail.end - tail.offset);
  await file.read(bytes, tail.offset);
  const next = findLaterRecords(bytes, position.nextSequence);
  if (next !== null && next.groupSequence > position.nextSequence) {
    throw damage(tail, position, `it was durable before record ${next.sequence} was written`);
  }
  const expectedAt = next?.expectedAt ?? null;
  if (expectedAt !== null) {
    throw damage(tail, position, `it was written to offset ${tail.offset + expectedAt}`);
  }
  const end = next === null ? bytes.length : next.start;
  if (hasChecksum(bytes, 0, end) && !hasLostLength(bytes, tail.offset)) {
    throw damage(tail, position, 'its length is wrong');
  }
  if (hasLostSector(bytes, end, tail.offset)) return;
  // The last byte of a record is never zero: a record that reaches it was written completely.
  if (next !== null || readLength(bytes, 0) === end) {
    throw damage(tail, position, 'it was written whole and has a wrong checksum');
  }
}

interface LaterRecords {
  /** Where the first one begins. */
  readonly start: number;
  /** Of the record in the latest write, and of the first record of that write. */
  readonly sequence: number;
  readonly groupSequence: number;
  /** Where the expected record is, which has to come before all of them; null: nowhere. */
  readonly expectedAt: number | null;
}

// The latest write determines the group, the first record where the damage ends.
function findLaterRecords(bytes: Buffer, expected: number): LaterRecords | null {
  let found: LaterRecords | null = null;
  for (let start = 1; start < bytes.length; start += 1) {
    const length = findRecord(bytes, start, bytes.length);
    if (length === 0) continue;
    const sequence = readSequence(bytes, start);
    if (sequence >= expected) {
      const known: LaterRecords = found ?? { start, sequence, groupSequence: 0, expectedAt: null };
      const groupSequence = sequence - readPlace(bytes, start);
      const isLater = groupSequence >= known.groupSequence;
      const expectedAt = sequence === expected ? start : known.expectedAt;
      found = { ...known, ...(isLater ? { sequence, groupSequence } : {}), expectedAt };
    }
    start += length - 1;
  }
  return found;
}

function hasLostSector(bytes: Uint8Array, end: number, offset: number): boolean {
  for (let at = 0; at < end; ) {
    const sectorEnd = at + sectorBytes - ((offset + at) % sectorBytes);
    if (sectorEnd > end) return false;
    if (isZeroRange(bytes, at, sectorEnd)) return true;
    at = sectorEnd;
  }
  return false;
}

// A record can begin so close to the end of a sector that this has nothing but bytes of its length.
function hasLostLength(bytes: Uint8Array, offset: number): boolean {
  const inSector = sectorBytes - (offset % sectorBytes);
  return inSector <= lengthBytes && isZeroRange(bytes, 0, inSector);
}

function damage(tail: TornTail, position: ReaderPosition, finding: string): JournalDamageError {
  const text = `record ${position.nextSequence} is damaged: ${finding}`;
  return new JournalDamageError(tail.path, tail.offset, text);
}
