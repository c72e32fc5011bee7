import { join } from 'node:path';
import type { RandomSource } from '../system/random-source.ts';
import { crc32c } from './crc32c.ts';
import type { Disk, DiskFile } from './disk.ts';
import { JournalDamageError } from './journal-damage.ts';

// A segment is a file of fixed size, written with zeros before its first use, so that appending
// changes no file size and cannot fail on a full disk. Its header fills the first 512 bytes:
//
//   offset  bytes  field
//        0      8  "openbrs" and a line feed
//        8      4  format of the segment
//       12      4  version of the engine's rules with which these commands begin
//       16      8  identity of the journal, the same in all its files
//       24      4  ordinal, from 1 without gaps; also the file's name
//       28      4  size of the file
//      508      4  CRC-32C of the 508 bytes before it

export const segmentHeaderBytes = 512;
const magic = Buffer.from('openbrs\n', 'latin1');
const segmentFormat = 1;
const checksumAt = segmentHeaderBytes - 4;
const namePattern = /^(\d{8})\.segment$/;
const zeroChunkBytes = 1 << 20;

export interface SegmentHeader {
  readonly journalId: string;
  readonly rulesVersion: number;
  readonly ordinal: number;
  readonly bytes: number;
}

export function createJournalId(random: RandomSource): string {
  return random.hex(8);
}

export function segmentPath(folder: string, ordinal: number): string {
  return join(folder, `${String(ordinal).padStart(8, '0')}.segment`);
}

/** The ordinal in a segment's file name; null for any other name. */
export function parseSegmentName(name: string): number | null {
  const match = namePattern.exec(name);
  return match === null ? null : Number(match[1]);
}

/** @throws JournalDamageError if these are not the first bytes of that segment. */
function decodeSegmentHeader(bytes: Buffer, path: string): SegmentHeader {
  const isWhole = bytes.length >= segmentHeaderBytes;
  if (!isWhole || bytes.readUInt32LE(checksumAt) !== crc32c(bytes, 0, checksumAt)) {
    throw new JournalDamageError(path, 0, 'the segment header has a wrong checksum');
  }
  if (!bytes.subarray(0, magic.length).equals(magic)) {
    throw new JournalDamageError(path, 0, 'this is not a segment of a journal');
  }
  const format = bytes.readUInt32LE(8);
  if (format !== segmentFormat) {
    throw new JournalDamageError(path, 8, `unknown segment format ${format}`);
  }
  return {
    rulesVersion: bytes.readUInt32LE(12),
    journalId: bytes.toString('hex', 16, 24),
    ordinal: bytes.readUInt32LE(24),
    bytes: bytes.readUInt32LE(28),
  };
}

/** Reads and checks the header of an open segment file. */
export async function readSegmentHeader(file: DiskFile): Promise<SegmentHeader> {
  const bytes = Buffer.alloc(segmentHeaderBytes);
  const count = await file.read(bytes, 0);
  return decodeSegmentHeader(bytes.subarray(0, count), file.path);
}

/**
 * Writes an empty segment and makes it durable under its name. It has a temporary name until it is
 * complete, so that a crash never leaves half a segment.
 */
export async function createSegment(
  disk: Disk,
  folder: string,
  header: SegmentHeader,
): Promise<void> {
  const temporary = join(folder, 'segment.tmp');
  const file = await disk.create(temporary);
  try {
    const zeros = Buffer.alloc(Math.min(zeroChunkBytes, header.bytes));
    for (let at = 0; at < header.bytes; at += zeros.length) {
      await file.write(zeros, Math.min(zeros.length, header.bytes - at), at);
      await file.sync();
    }
    await file.write(encodeSegmentHeader(header), segmentHeaderBytes, 0);
    await file.sync();
  } finally {
    await file.close();
  }
  await disk.rename(temporary, segmentPath(folder, header.ordinal));
  await disk.syncFolder(folder);
}

function encodeSegmentHeader(header: SegmentHeader): Buffer {
  const bytes = Buffer.alloc(segmentHeaderBytes);
  magic.copy(bytes);
  bytes.writeUInt32LE(segmentFormat, 8);
  bytes.writeUInt32LE(header.rulesVersion, 12);
  bytes.write(header.journalId, 16, 'hex');
  bytes.writeUInt32LE(header.ordinal, 24);
  bytes.writeUInt32LE(header.bytes, 28);
  bytes.writeUInt32LE(crc32c(bytes, 0, checksumAt), checksumAt);
  return bytes;
}
