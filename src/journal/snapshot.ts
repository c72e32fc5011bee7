import { join } from 'node:path';
import type { Sequence, TimestampMs } from '../domain/identifiers.ts';
import type { Time } from '../system/time.ts';
import { continueCrc32c } from './crc32c.ts';
import type { Disk } from './disk.ts';

// A snapshot is the whole state after one command. The file is named by that sequence:
//
//   offset  bytes  field
//        0      8  "openbrst"
//        8      4  format of the snapshot
//       12      4  version of the engine's rules that reached the state
//       16      8  identity of the journal
//       24      8  sequence
//       32      8  timestamp of that command, milliseconds since 1970
//       40      4  length of the state hash
//       44      8  length of the state
//       52      n  state hash, ASCII
//   52 + n      m  state
//   52+n+m      k  signed requests that could be received again
//      end      4  CRC-32C of everything before it
//
// Without such requests the format is 1, and otherwise 2.

const magic = Buffer.from('openbrst', 'latin1');
const plainFormat = 1;
const formatWithRequests = 2;
const headerBytes = 52;
const checksumBytes = 4;
const pieceBytes = 1 << 20;
const namePattern = /^(\d{16})\.snapshot$/;
const temporaryName = 'snapshot.tmp';

export interface Snapshot {
  readonly journalId: string;
  readonly rulesVersion: number;
  readonly sequence: Sequence;
  readonly timestamp: TimestampMs;
  readonly stateHash: string;
  readonly state: Uint8Array;
  /** As `KnownRequests` encodes them; empty without any. */
  readonly requests: Uint8Array;
}

/** The file is not a complete and sound snapshot. */
export class SnapshotError extends Error {
  override readonly name = 'SnapshotError';
}

export function snapshotPath(folder: string, sequence: Sequence): string {
  return join(folder, `${String(sequence).padStart(16, '0')}.snapshot`);
}

/** The sequence in a snapshot's file name; null for any other name. */
export function parseSnapshotName(name: string): Sequence | null {
  const match = namePattern.exec(name);
  return match === null ? null : (Number(match[1]) as Sequence);
}

/**
 * Makes the snapshot durable under its name, by way of a temporary one. Works in pieces, so that it
 * does not hold up the event loop or the disk for long.
 */
export async function writeSnapshot(disk: Disk, folder: string, snapshot: Snapshot): Promise<void> {
  const temporary = join(folder, temporaryName);
  const file = await disk.create(temporary);
  try {
    let position = 0;
    let checksum = -1;
    for (const part of [encodeHeader(snapshot), snapshot.state, snapshot.requests]) {
      for (let from = 0; from < part.length; from += pieceBytes) {
        const piece = part.subarray(from, Math.min(from + pieceBytes, part.length));
        checksum = continueCrc32c(checksum, piece, 0, piece.length);
        await file.write(piece, piece.length, position);
        await file.sync();
        position += piece.length;
      }
    }
    const trailer = Buffer.alloc(checksumBytes);
    trailer.writeUInt32LE((checksum ^ -1) >>> 0);
    await file.write(trailer, checksumBytes, position);
    await file.sync();
  } finally {
    await file.close();
  }
  await disk.rename(temporary, snapshotPath(folder, snapshot.sequence));
  await disk.syncFolder(folder);
}

/**
 * Reads a snapshot; its state is at the start of a separate array buffer, since views of it may
 * need that.
 * @throws SnapshotError if the file is not a complete and sound snapshot.
 */
export async function readSnapshot(disk: Disk, path: string, time: Time): Promise<Snapshot> {
  const file = await disk.openForReading(path);
  try {
    const size = await file.size();
    const fixed = Buffer.alloc(headerBytes);
    await file.read(fixed, 0);
    const hashBytes = fixed.readUInt32LE(40);
    const stateBytes = Number(fixed.readBigUInt64LE(44));
    const format = fixed.readUInt32LE(8);
    const requestBytes = size - headerBytes - hashBytes - stateBytes - checksumBytes;
    if (requestBytes < 0 || (format === plainFormat && requestBytes > 0)) {
      throw new SnapshotError(`${path} has lengths that do not add up`);
    }
    const header = Buffer.alloc(headerBytes + hashBytes);
    const state = new Uint8Array(new ArrayBuffer(stateBytes));
    const requests = new Uint8Array(requestBytes);
    const trailer = Buffer.alloc(checksumBytes);
    await file.read(header, 0);
    await file.read(state, header.length);
    await file.read(requests, header.length + stateBytes);
    await file.read(trailer, header.length + stateBytes + requestBytes);
    if ((await checksumOf(time, header, state, requests)) !== trailer.readUInt32LE()) {
      throw new SnapshotError(`${path} has a wrong checksum`);
    }
    return { ...decodeHeader(header, path), state, requests };
  } finally {
    await file.close();
  }
}

/** The hash of the state that the snapshot names, from its header alone. @throws SnapshotError */
export async function readStateHash(disk: Disk, path: string): Promise<string> {
  const file = await disk.openForReading(path);
  try {
    const fixed = Buffer.alloc(headerBytes);
    await file.read(fixed, 0);
    const header = Buffer.alloc(headerBytes + fixed.readUInt32LE(40));
    await file.read(header, 0);
    return decodeHeader(header, path).stateHash;
  } finally {
    await file.close();
  }
}

async function checksumOf(time: Time, ...parts: readonly Uint8Array[]): Promise<number> {
  let checksum = -1;
  for (const part of parts) {
    for (let from = 0; from < part.length; from += pieceBytes) {
      checksum = continueCrc32c(checksum, part, from, Math.min(from + pieceBytes, part.length));
      await time.yieldTurn();
    }
  }
  return (checksum ^ -1) >>> 0;
}

function encodeHeader(snapshot: Snapshot): Buffer {
  const header = Buffer.alloc(headerBytes);
  magic.copy(header);
  header.writeUInt32LE(snapshot.requests.length > 0 ? formatWithRequests : plainFormat, 8);
  header.writeUInt32LE(snapshot.rulesVersion, 12);
  header.write(snapshot.journalId, 16, 'hex');
  header.writeBigUInt64LE(BigInt(snapshot.sequence), 24);
  header.writeBigUInt64LE(BigInt(snapshot.timestamp), 32);
  header.writeUInt32LE(snapshot.stateHash.length, 40);
  header.writeBigUInt64LE(BigInt(snapshot.state.length), 44);
  return Buffer.concat([header, Buffer.from(snapshot.stateHash, 'latin1')]);
}

function decodeHeader(header: Buffer, path: string): Omit<Snapshot, 'state' | 'requests'> {
  if (!header.subarray(0, magic.length).equals(magic)) {
    throw new SnapshotError(`${path} is not a snapshot`);
  }
  const format = header.readUInt32LE(8);
  if (format !== plainFormat && format !== formatWithRequests) {
    throw new SnapshotError(`${path} has the format ${format}`);
  }
  return {
    rulesVersion: header.readUInt32LE(12),
    journalId: header.toString('hex', 16, 24),
    sequence: Number(header.readBigUInt64LE(24)) as Sequence,
    timestamp: Number(header.readBigUInt64LE(32)) as TimestampMs,
    stateHash: header.toString('latin1', headerBytes),
  };
}
