import { join } from 'node:path';
import type { Sequence } from '../domain/identifiers.ts';
import type { Disk } from './disk.ts';
import { JournalDamageError } from './journal-damage.ts';
import { type ReaderStart, readFirstSequence } from './journal-reader.ts';
import {
  parseSegmentName,
  readSegmentHeader,
  type SegmentHeader,
  segmentHeaderBytes,
  segmentPath,
} from './segment.ts';
import { parseSnapshotName } from './snapshot.ts';

/** The contents of a journal's folder, each list in ascending order. */
export interface JournalFolder {
  readonly ordinals: readonly number[];
  readonly snapshots: readonly Sequence[];
}

interface SegmentStart {
  readonly header: SegmentHeader;
  /** Of the first record; null if there is no sound one. */
  readonly firstSequence: Sequence | null;
}

/** @throws JournalDamageError if a segment between others is missing. */
export async function listJournalFolder(disk: Disk, folder: string): Promise<JournalFolder> {
  const ordinals: number[] = [];
  const snapshots: Sequence[] = [];
  for (const name of await disk.list(folder)) {
    const ordinal = parseSegmentName(name);
    if (ordinal !== null) ordinals.push(ordinal);
    const sequence = parseSnapshotName(name);
    if (sequence !== null) snapshots.push(sequence);
  }
  for (const [index, ordinal] of ordinals.entries()) {
    const expected = ordinals[0]! + index;
    if (ordinal !== expected) {
      throw new JournalDamageError(segmentPath(folder, expected), 0, 'the segment is missing');
    }
  }
  return { ordinals, snapshots };
}

/**
 * The version of the rules with which the journal begins: that of the segment with record 1, or of
 * the newest segment as long as there is no record. Null if the journal has no segment or begins
 * with a later record.
 */
export async function findFirstRules(disk: Disk, folder: string): Promise<number | null> {
  let newest: number | null = null;
  for (const ordinal of (await listJournalFolder(disk, folder)).ordinals) {
    const { header, firstSequence } = await readSegmentStart(disk, folder, ordinal);
    if (firstSequence !== null) return firstSequence === 1 ? header.rulesVersion : null;
    newest = header.rulesVersion;
  }
  return newest;
}

/** Removes what an interrupted preparation left behind; none of it was ever in use. */
export async function removeTemporaryFiles(disk: Disk, folder: string): Promise<void> {
  for (const name of await disk.list(folder)) {
    if (name.endsWith('.tmp')) await disk.remove(join(folder, name));
  }
}

/**
 * Returns where to read so that the first record visited is the one after `after`: the last segment
 * that begins at or before it. @throws JournalDamageError if the journal begins later.
 */
export async function findReaderStart(
  disk: Disk,
  folder: string,
  after: Sequence,
): Promise<ReaderStart> {
  const { ordinals } = await listJournalFolder(disk, folder);
  let earliest: SegmentStart | null = null;
  for (const ordinal of [...ordinals].reverse()) {
    const segment = await readSegmentStart(disk, folder, ordinal);
    const { header, firstSequence } = segment;
    if (firstSequence !== null && firstSequence <= after + 1) {
      const { journalId } = header;
      return { folder, journalId, ordinal, sequence: firstSequence, skipThrough: after };
    }
    earliest = segment;
  }
  if (earliest === null) {
    throw new JournalDamageError(segmentPath(folder, 1), 0, 'the journal has no segment');
  }
  const { header, firstSequence } = earliest;
  if (firstSequence !== null) {
    const finding = `the journal begins with record ${firstSequence}; ${after + 1} is needed`;
    throw new JournalDamageError(segmentPath(folder, header.ordinal), segmentHeaderBytes, finding);
  }
  const sequence = (header.ordinal === 1 ? 1 : after + 1) as Sequence;
  const { journalId, ordinal } = header;
  return { folder, journalId, ordinal, sequence, skipThrough: after };
}

async function readSegmentStart(
  disk: Disk,
  folder: string,
  ordinal: number,
): Promise<SegmentStart> {
  const file = await disk.openForReading(segmentPath(folder, ordinal));
  try {
    const header = await readSegmentHeader(file);
    if (header.ordinal !== ordinal) {
      throw new JournalDamageError(file.path, 0, `this is segment ${header.ordinal}`);
    }
    return { header, firstSequence: await readFirstSequence(file) };
  } finally {
    await file.close();
  }
}
