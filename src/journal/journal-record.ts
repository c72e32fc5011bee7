import { assert } from '../domain/assert.ts';
import type { Sequence, TimestampMs } from '../domain/identifiers.ts';
import type { RequestDigest } from '../domain/request-digest.ts';
import type { Command } from '../engine/commands.ts';
import type { Stamp } from '../engine/state-machine.ts';
import { readCommand, writeCommand } from './command-codec.ts';
import { crc32c } from './crc32c.ts';
import type { FieldReader } from './field-reader.ts';
import { FieldError } from './field-stream.ts';
import type { FieldWriter } from './field-writer.ts';

// One command in the journal, all numbers little-endian:
//
//   offset  bytes  field
//        0      4  length of the whole record
//        4      4  CRC-32C of everything after it, seeded with the length
//        8      1  format
//        9      1  tag of the command
//       10      2  place in the group that one write made durable, from 0
//       12      6  sequence
//       18      6  timestamp, milliseconds since 1970
//       24      n  fields of the command
//   24 + n      1  end mark, never zero, so that a missing end is recognized
//
// Format 2 is the command of a signed request. Between the fields and the end mark it has the
// request's digest (16 bytes) and the timestamp that the request states (6 bytes).

const recordFormat = 1;
const signedFormat = 2;
const digestFieldBytes = 22;
const recordHeaderBytes = 24;
export const recordBytesMin = recordHeaderBytes + 1;
/** No record is longer than this, so the size limit of one write must be at least as large. */
export const recordBytesMax = 1 << 20;
const endMark = 0xa5;
const twoTo32 = 2 ** 32;

/** Writes one record at the writer's offset; the caller compares the new offset with the room. */
export function writeRecord(
  writer: FieldWriter,
  command: Command,
  stamp: Stamp,
  place: number,
  digest: RequestDigest | null = null,
): void {
  const bytes = writer.bytes;
  const start = writer.offset;
  writer.offset = start + recordHeaderBytes;
  const tag = writeCommand(writer, command);
  const signedAt = writer.offset;
  writer.offset += digest === null ? 1 : digestFieldBytes + 1;
  if (writer.offset > bytes.length) return;
  if (digest !== null) writeDigest(bytes, signedAt, digest);
  bytes[writer.offset - 1] = endMark;
  bytes[start + 8] = digest === null ? recordFormat : signedFormat;
  bytes[start + 9] = tag;
  stampRecord(bytes, start, writer.offset, stamp, place);
}

/** The same for a record that exists already: only its sequence, time and place are written. */
export function copyRecord(
  writer: FieldWriter,
  record: Uint8Array,
  stamp: Stamp,
  place: number,
): void {
  const { bytes, offset: start } = writer;
  writer.offset = start + record.length;
  if (writer.offset > bytes.length) return;
  bytes.set(record, start);
  stampRecord(bytes, start, writer.offset, stamp, place);
}

/** Gives a copied record another place in its group. */
export function moveRecord(bytes: Uint8Array, start: number, length: number, place: number): void {
  bytes[start + 10] = place;
  bytes[start + 11] = place >>> 8;
  sealRecord(bytes, start, start + length);
}

/** The length of the whole and sound record at `start`; 0 if there is none before `end`. */
export function findRecord(bytes: Uint8Array, start: number, end: number): number {
  if (start + recordBytesMin > end) return 0;
  const length = readUint32(bytes, start);
  if (length < recordBytesMin || length > end - start) return 0;
  return hasChecksum(bytes, start, length) ? length : 0;
}

/** Whether the checksum at `start` is correct for a record of this length. */
export function hasChecksum(bytes: Uint8Array, start: number, length: number): boolean {
  return readUint32(bytes, start + 4) === crc32c(bytes, start + 8, start + length, length);
}

export function readSequence(bytes: Uint8Array, start: number): Sequence {
  return readUint48(bytes, start + 12) as Sequence;
}

export function readTimestamp(bytes: Uint8Array, start: number): TimestampMs {
  return readUint48(bytes, start + 18) as TimestampMs;
}

export function readPlace(bytes: Uint8Array, start: number): number {
  return bytes[start + 10]! | (bytes[start + 11]! << 8);
}

export function readLength(bytes: Uint8Array, start: number): number {
  return readUint32(bytes, start);
}

/** The command of the sound record at `start`. @throws FieldError if it is not such a record. */
export function readRecordCommand(reader: FieldReader, start: number, length: number): Command {
  const { bytes } = reader;
  const format = bytes[start + 8]!;
  if (format !== recordFormat && format !== signedFormat) {
    throw new FieldError(`unknown record format ${format}`);
  }
  const end = start + length - 1;
  reader.offset = start + recordHeaderBytes;
  reader.end = format === signedFormat ? end - digestFieldBytes : end;
  const command = readCommand(reader, bytes[start + 9]!);
  if (reader.offset !== reader.end) throw new FieldError('trailing bytes after the fields');
  if (bytes[end] !== endMark) throw new FieldError('the end mark is missing');
  return command;
}

/** The digest of the request in the sound record at `start`; null if it was not signed. */
export function readDigest(bytes: Uint8Array, start: number, length: number): RequestDigest | null {
  if (bytes[start + 8] !== signedFormat) return null;
  const at = start + length - 1 - digestFieldBytes;
  return {
    first: readUint32(bytes, at) | 0,
    second: readUint32(bytes, at + 4) | 0,
    third: readUint32(bytes, at + 8) | 0,
    fourth: readUint32(bytes, at + 12) | 0,
    timestampMs: readUint48(bytes, at + 16),
  };
}

function writeDigest(bytes: Uint8Array, at: number, digest: RequestDigest): void {
  writeUint32(bytes, at, digest.first);
  writeUint32(bytes, at + 4, digest.second);
  writeUint32(bytes, at + 8, digest.third);
  writeUint32(bytes, at + 12, digest.fourth);
  writeUint48(bytes, at + 16, digest.timestampMs);
}

function stampRecord(
  bytes: Uint8Array,
  start: number,
  end: number,
  stamp: Stamp,
  place: number,
): void {
  bytes[start + 10] = place;
  bytes[start + 11] = place >>> 8;
  writeUint48(bytes, start + 12, stamp.sequence);
  writeUint48(bytes, start + 18, stamp.timestamp);
  sealRecord(bytes, start, end);
}

function sealRecord(bytes: Uint8Array, start: number, end: number): void {
  const length = end - start;
  writeUint32(bytes, start, length);
  writeUint32(bytes, start + 4, crc32c(bytes, start + 8, end, length));
}

function writeUint32(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value;
  bytes[at + 1] = value >>> 8;
  bytes[at + 2] = value >>> 16;
  bytes[at + 3] = value >>> 24;
}

function writeUint48(bytes: Uint8Array, at: number, value: number): void {
  assert(value >= 0 && value < twoTo32 * 0x10000, 'a number exceeds 2^48');
  writeUint32(bytes, at, value % twoTo32);
  const high = Math.floor(value / twoTo32);
  bytes[at + 4] = high;
  bytes[at + 5] = high >>> 8;
}

function readUint32(bytes: Uint8Array, at: number): number {
  return (
    (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0
  );
}

function readUint48(bytes: Uint8Array, at: number): number {
  return readUint32(bytes, at) + (bytes[at + 4]! | (bytes[at + 5]! << 8)) * twoTo32;
}
