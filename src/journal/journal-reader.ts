import type { Sequence, TimestampMs } from '../domain/identifiers.ts';
import type { RequestDigest } from '../domain/request-digest.ts';
import type { Command } from '../engine/commands.ts';
import type { Time } from '../system/time.ts';
import type { Disk, DiskFile } from './disk.ts';
import { FieldReader } from './field-reader.ts';
import { FieldError } from './field-stream.ts';
import { JournalDamageError } from './journal-damage.ts';
import {
  findRecord,
  readDigest,
  readLength,
  readPlace,
  readRecordCommand,
  readSequence,
  readTimestamp,
  recordBytesMax,
  recordBytesMin,
} from './journal-record.ts';
import {
  readSegmentHeader,
  type SegmentHeader,
  segmentHeaderBytes,
  segmentPath,
} from './segment.ts';
import { isZeroFrom } from './zero-range.ts';

/** Called for each record in order; the header is that of the record's segment. */
export type RecordVisitor = (
  command: Command,
  sequence: Sequence,
  timestamp: TimestampMs,
  segment: SegmentHeader,
) => void;

/** A reader's position: the next record's place, and where the group before it began. */
export interface ReaderPosition {
  readonly ordinal: number;
  readonly path: string;
  readonly offset: number;
  readonly groupOffset: number;
  readonly nextSequence: Sequence;
}

export interface ReaderStart {
  readonly folder: string;
  readonly journalId: string;
  /** The segment to begin with and the sequence of its first record. */
  readonly ordinal: number;
  readonly sequence: Sequence;
  /** Records up to here are checked but neither decoded nor visited. */
  readonly skipThrough: Sequence;
}

const chunkBytesMax = 2 << 20;
// The event loop gets a turn after this long, so that the server keeps answering during a replay.
const sliceMs = 8;
const recordsPerClockCheck = 512;
// Nearly every record is far shorter.
const firstReadBytes = 4_096;
// The smallest read, for a reader that follows the writer closely.
const chunkBytesMin = 64 << 10;

/** Reads records in order across segments, and can later continue where it stopped. */
export class JournalReader {
  readonly #disk: Disk;
  readonly #time: Time;
  readonly #start: ReaderStart;
  readonly #fields = new FieldReader();
  #chunk = Buffer.alloc(0);
  #chunkEnd = 0;
  #chunkOffset = segmentHeaderBytes;
  #at = 0;
  #length = 0;
  #isChunkFull = false;
  #file: DiskFile | null = null;
  #segment: SegmentHeader | null = null;
  #ordinal: number;
  #groupOffset = segmentHeaderBytes;
  #next: number;

  constructor(disk: Disk, start: ReaderStart, time: Time) {
    this.#disk = disk;
    this.#time = time;
    this.#start = start;
    this.#ordinal = start.ordinal;
    this.#next = start.sequence;
  }

  get position(): ReaderPosition {
    return {
      ordinal: this.#ordinal,
      path: segmentPath(this.#start.folder, this.#ordinal),
      offset: this.#chunkOffset + this.#at,
      groupOffset: this.#groupOffset,
      nextSequence: this.#next as Sequence,
    };
  }

  /** The bytes of the record that is being visited; they change after the visit. */
  get record(): Uint8Array {
    return this.#chunk.subarray(this.#at, this.#at + this.#length);
  }

  /** The digest of the signed request in the record that is being visited; null without one. */
  get digest(): RequestDigest | null {
    return readDigest(this.#chunk, this.#at, this.#length);
  }

  /**
   * Visits the records up to `through`. Returns false if they end earlier: there is no sound record
   * at `position`. @throws JournalDamageError if that is certainly damage.
   */
  async read(through: number, visit: RecordVisitor): Promise<boolean> {
    if (this.#file === null) await this.#open(this.#ordinal);
    let refilledAt = -1;
    while (this.#next <= through) {
      const before = this.#next;
      this.#visitChunk(through, visit);
      if (this.#next > before) {
        await this.#time.yieldTurn();
        continue;
      }
      const offset = this.#chunkOffset + this.#at;
      if (refilledAt !== offset) {
        refilledAt = offset;
        // In proportion to how much of the previous chunk was used: there is nothing beyond the
        // writer.
        await this.#refill(Math.max(2 * this.#at, chunkBytesMin));
      } else if (this.#isChunkFull && this.#chunkEnd < this.#chunk.length) {
        // The record may be longer than what was read.
        await this.#refill(this.#chunk.length);
      } else if (await this.#enterNextSegment()) {
        refilledAt = -1;
      } else {
        return false;
      }
    }
    return true;
  }

  /** For a record at `position` that was durable and is not there any more. */
  get missingRecord(): JournalDamageError {
    const { path, offset, nextSequence } = this.position;
    return new JournalDamageError(path, offset, `record ${nextSequence} was durable and is gone`);
  }

  async close(): Promise<void> {
    const file = this.#file;
    this.#file = null;
    await file?.close();
  }

  // Visits the sound records in the chunk until it ends or the time slice is over.
  #visitChunk(through: number, visit: RecordVisitor): void {
    const chunk = this.#chunk;
    const end = this.#chunkEnd;
    const deadline = this.#time.monotonicMs() + sliceMs;
    this.#fields.bytes = chunk;
    for (let count = 1; this.#next <= through; count += 1) {
      const start = this.#at;
      const length = findRecord(chunk, start, end);
      if (length === 0) return;
      const sequence = readSequence(chunk, start);
      if (sequence !== this.#next) this.#refuseSequence(sequence);
      if (readPlace(chunk, start) === 0) this.#groupOffset = this.#chunkOffset + start;
      if (sequence > this.#start.skipThrough) this.#show(start, length, visit);
      this.#at = start + length;
      this.#next += 1;
      if (count % recordsPerClockCheck === 0 && this.#time.monotonicMs() > deadline) return;
    }
  }

  #show(start: number, length: number, visit: RecordVisitor): void {
    let command: Command;
    try {
      command = readRecordCommand(this.#fields, start, length);
    } catch (error) {
      if (!(error instanceof FieldError)) throw error;
      throw new JournalDamageError(this.position.path, this.position.offset, error.message);
    }
    const timestamp = readTimestamp(this.#chunk, start);
    this.#length = length;
    visit(command, this.#next as Sequence, timestamp, this.#segment!);
  }

  #refuseSequence(found: number): never {
    const finding = `record ${found} found where record ${this.#next} was expected`;
    throw new JournalDamageError(this.position.path, this.position.offset, finding);
  }

  async #open(ordinal: number): Promise<void> {
    const file = await this.#disk.openForReading(segmentPath(this.#start.folder, ordinal));
    this.#file = file;
    this.#segment = await readSegmentHeader(file);
    if (this.#segment.ordinal !== ordinal || this.#segment.journalId !== this.#start.journalId) {
      throw new JournalDamageError(
        file.path,
        0,
        'the segment belongs elsewhere in the journal or to another one',
      );
    }
    const chunkBytes = Math.min(chunkBytesMax, this.#segment.bytes);
    if (this.#chunk.length < chunkBytes) this.#chunk = Buffer.allocUnsafe(chunkBytes);
    this.#ordinal = ordinal;
    this.#groupOffset = segmentHeaderBytes;
    this.#chunkOffset = segmentHeaderBytes;
    this.#chunkEnd = 0;
    this.#at = 0;
  }

  async #refill(bytes: number): Promise<void> {
    this.#chunkOffset += this.#at;
    this.#at = 0;
    const chunk = this.#chunk.subarray(0, bytes);
    this.#chunkEnd = await this.#file!.read(chunk, this.#chunkOffset);
    this.#isChunkFull = this.#chunkEnd === chunk.length;
  }

  // Only a sound record with the right sequence proves that the journal continues in the next
  // segment.
  async #enterNextSegment(): Promise<boolean> {
    const path = segmentPath(this.#start.folder, this.#ordinal + 1);
    const next = await openIfPresent(this.#disk, path);
    if (next === null) return false;
    try {
      if ((await readFirstSequence(next)) !== this.#next) return false;
    } finally {
      await next.close();
    }
    const { path: current, offset } = this.position;
    if (!(await isZeroFrom(this.#file!, offset))) {
      const finding = `record ${this.#next} is damaged, and the next segment continues after it`;
      throw new JournalDamageError(current, offset, finding);
    }
    await this.close();
    await this.#open(this.#ordinal + 1);
    return true;
  }
}

/** The sequence of the first record in an open segment; null if there is no sound record there. */
export async function readFirstSequence(file: DiskFile): Promise<Sequence | null> {
  const bytes = Buffer.allocUnsafe(firstReadBytes);
  let count = await file.read(bytes, segmentHeaderBytes);
  if (findRecord(bytes, 0, count) > 0) return readSequence(bytes, 0);
  const length = count < recordBytesMin ? 0 : readLength(bytes, 0);
  if (length <= firstReadBytes || length > recordBytesMax) return null;
  const long = Buffer.allocUnsafe(length);
  count = await file.read(long, segmentHeaderBytes);
  return findRecord(long, 0, count) > 0 ? readSequence(long, 0) : null;
}

/** The file, or null if there is none. */
export async function openIfPresent(disk: Disk, path: string): Promise<DiskFile | null> {
  try {
    return await disk.openForReading(path);
  } catch (error) {
    if (isErrorCode(error, 'ENOENT')) return null;
    throw error;
  }
}

export function isErrorCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
