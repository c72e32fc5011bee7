import { assert } from '../domain/assert.ts';
import type { Time } from '../system/time.ts';
import type { Disk, DiskFile } from './disk.ts';
import { isErrorCode } from './journal-reader.ts';
import { createSegment, segmentHeaderBytes, segmentPath } from './segment.ts';

/** A segment that is open for appending; `planned` is the offset of the next group. */
interface OpenSegment {
  readonly file: DiskFile;
  readonly ordinal: number;
  readonly bytes: number;
  planned: number;
}

/** The place of a group of records; assigned in order and to be written in that order. */
export interface GroupPlace {
  readonly segment: OpenSegment;
  readonly offset: number;
}

export interface WriterOptions {
  readonly disk: Disk;
  readonly folder: string;
  readonly time: Time;
  readonly journalId: string;
  /** The version of the rules for the segment that is prepared now. */
  readonly rules: () => number;
  readonly segmentBytesMax: number;
  /** How long to wait before retrying to prepare a segment on a full disk. */
  readonly spaceRetryMs: number;
  readonly onSpace: (isMissing: boolean, error: Error | null) => void;
  /** The disk failed for a reason other than being full. */
  readonly onFailure: (error: unknown) => void;
  readonly writeFirst?: WriteElsewhere | undefined;
}

/**
 * Makes a group of records durable outside this journal, which is then a copy: a group is written
 * here only after it is durable there.
 */
export type WriteElsewhere = (group: Uint8Array) => Promise<void>;

export interface WriterStart {
  readonly ordinal: number;
  readonly bytes: number;
  readonly offset: number;
  /** The sizes of the empty segments that follow, in order. */
  readonly preparedBytes: readonly number[];
}

/**
 * Appends groups of records to segments that were prepared ahead. The caller plans groups, then
 * writes them one at a time in that order.
 */
export class JournalWriter {
  readonly #options: WriterOptions;
  readonly #prepared: OpenSegment[] = [];
  #planned: OpenSegment;
  #writing: OpenSegment;
  #preparing: Promise<void> | null = null;
  #cancelRetry: (() => void) | null = null;
  #isClosed = false;
  #isSpaceMissing = false;
  #writeBegun: number | null = null;

  private constructor(options: WriterOptions, first: OpenSegment) {
    this.#options = options;
    this.#planned = first;
    this.#writing = first;
  }

  /** Resolves once the segment after the first one is prepared, or the disk proves to be full. */
  static async open(options: WriterOptions, start: WriterStart): Promise<JournalWriter> {
    const { ordinal, bytes, offset, preparedBytes } = start;
    const first = await openSegment(options, { ordinal, bytes, offset });
    const writer = new JournalWriter(options, first);
    for (const [index, size] of preparedBytes.entries()) {
      const place = { ordinal: ordinal + 1 + index, bytes: size, offset: segmentHeaderBytes };
      writer.#prepared.push(await openSegment(options, place));
    }
    await writer.#prepare();
    return writer;
  }

  /** The room for records in the segment that the next group goes to. */
  get room(): number {
    return this.#planned.bytes - this.#planned.planned;
  }

  get hasNext(): boolean {
    return this.#prepared.length > 0;
  }

  /**
   * Whether only the last quarter of the last segment is left, which is reserved for commands that
   * free what is held.
   */
  isShort(pendingBytes: number): boolean {
    if (this.#prepared.length > 0) return false;
    return this.room - pendingBytes < this.#planned.bytes / 4;
  }

  /** Moves the next group to the following segment; false if none is prepared. */
  enterNextSegment(): boolean {
    const next = this.#prepared.shift();
    if (next === undefined) return false;
    this.#planned = next;
    void this.#prepare();
    return true;
  }

  /** Reserves room for one group. */
  plan(length: number): GroupPlace {
    const segment = this.#planned;
    const place = { segment, offset: segment.planned };
    segment.planned += length;
    assert(segment.planned <= segment.bytes, 'a group exceeds the end of its segment');
    return place;
  }

  /** Writes a planned group; it is durable once this resolves. A failure is never retried. */
  write(bytes: Uint8Array, length: number, place: GroupPlace): Promise<void> {
    const { writeFirst } = this.#options;
    if (writeFirst === undefined) return this.#write(bytes, length, place);
    return writeFirst(bytes.subarray(0, length)).then(() => this.#write(bytes, length, place));
  }

  #write(bytes: Uint8Array, length: number, place: GroupPlace): Promise<void> {
    const { segment } = place;
    if (segment !== this.#writing) {
      const finished = this.#writing;
      this.#writing = segment;
      finished.file.close().catch(this.#options.onFailure);
    }
    const ended = (): void => {
      this.#writeBegun = null;
    };
    this.#writeBegun = this.#options.time.monotonicMs();
    const written = segment.file.write(bytes, length, place.offset);
    written.then(ended, ended);
    return written;
  }

  /** For how long the current write has been waiting for the disk; 0 if there is none. */
  get writePendingMs(): number {
    return this.#writeBegun === null ? 0 : this.#options.time.monotonicMs() - this.#writeBegun;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelRetry?.();
    await this.#preparing;
    const open = new Set([this.#writing, this.#planned, ...this.#prepared]);
    for (const { file } of open) await file.close();
  }

  #prepare(): Promise<void> {
    if (this.#preparing !== null || this.#prepared.length > 0 || this.#isClosed) {
      return this.#preparing ?? Promise.resolve();
    }
    this.#preparing = this.#prepareNext().finally(() => {
      this.#preparing = null;
      // Trading may have used up the segment while it was being opened.
      if (this.#prepared.length === 0 && this.#cancelRetry === null) void this.#prepare();
    });
    return this.#preparing;
  }

  async #prepareNext(): Promise<void> {
    const { disk, folder, journalId, rules, segmentBytesMax } = this.#options;
    const ordinal = this.#planned.ordinal + 1;
    const bytes = Math.min(this.#planned.bytes * 2, segmentBytesMax);
    try {
      const header = { journalId, rulesVersion: rules(), ordinal, bytes };
      await createSegment(disk, folder, header);
      const place = { ordinal, bytes, offset: segmentHeaderBytes };
      this.#prepared.push(await openSegment(this.#options, place));
      this.#reportSpace(null);
    } catch (error) {
      if (isErrorCode(error, 'ENOSPC') || isErrorCode(error, 'EDQUOT')) {
        this.#scheduleRetry(error as Error);
      } else {
        this.#isClosed = true;
        this.#options.onFailure(error);
      }
    }
  }

  #scheduleRetry(error: Error): void {
    if (this.#isClosed) return;
    this.#cancelRetry = this.#options.time.after(this.#options.spaceRetryMs, () => {
      this.#cancelRetry = null;
      void this.#prepare();
    });
    this.#reportSpace(error);
  }

  #reportSpace(error: Error | null): void {
    const isMissing = error !== null;
    if (isMissing === this.#isSpaceMissing) return;
    this.#isSpaceMissing = isMissing;
    this.#options.onSpace(isMissing, error);
  }
}

async function openSegment(
  options: WriterOptions,
  place: { readonly ordinal: number; readonly bytes: number; readonly offset: number },
): Promise<OpenSegment> {
  const path = segmentPath(options.folder, place.ordinal);
  const file = await options.disk.openDurable(path);
  return { file, ordinal: place.ordinal, bytes: place.bytes, planned: place.offset };
}
