import type { Logger } from 'pino';
import type { Sequence, TimestampMs } from '../domain/identifiers.ts';
import type { AppliedCommand } from '../engine/events.ts';
import type { StateMachine, StateMachineFactory } from '../engine/state-machine.ts';
import type { RandomSource } from '../system/random-source.ts';
import type { Time } from '../system/time.ts';
import type { Disk, DiskFile } from './disk.ts';
import { JournalDamageError } from './journal-damage.ts';
import { findReaderStart, listJournalFolder, removeTemporaryFiles } from './journal-folder.ts';
import { JournalReader, type ReaderPosition } from './journal-reader.ts';
import { findRecord } from './journal-record.ts';
import { examineTail, type TornTail } from './journal-tail.ts';
import type { WriterStart } from './journal-writer.ts';
import type { KnownRequests } from './known-requests.ts';
import { requireRules } from './rules-version.ts';
import {
  createJournalId,
  createSegment,
  readSegmentHeader,
  type SegmentHeader,
  segmentPath,
} from './segment.ts';
import { snapshotPath } from './snapshot.ts';
import type { RestoredMachine, SnapshotStore } from './snapshot-store.ts';

export interface RecoveryOptions {
  readonly disk: Disk;
  readonly folder: string;
  readonly machines: StateMachineFactory;
  /** The rules of a journal that begins now. */
  readonly rulesOfNew: number;
  /** The rules that the first new record needs, given those of the state. */
  readonly rulesNext: (rules: number) => number;
  readonly segmentBytesFirst: number;
  readonly time: Time;
  readonly random: RandomSource;
  /** The identity of a journal that begins now; a random one by default. */
  readonly journalId?: (() => Promise<string>) | undefined;
  readonly logger: Logger;
  /** Called before the replay with the sequence at which it will end. */
  readonly onEndFound: (last: Sequence) => void;
  /** Whether the command's outcome is wanted; it may throw to end the replay. */
  readonly wants: (sequence: Sequence) => boolean;
  /** Called for each replayed command whose outcome is wanted. */
  readonly onReplayed: (applied: AppliedCommand) => void;
}

export interface RecoveredJournal {
  readonly journalId: string;
  readonly machine: StateMachine;
  /** The signed requests in the journal that could be received again. */
  readonly requests: KnownRequests;
  readonly sequence: Sequence;
  readonly timestamp: TimestampMs;
  /** The sequence of the snapshot that was used; 0 if none was. */
  readonly snapshotSequence: Sequence;
  /** The version of the rules for new segments. */
  readonly rules: number;
  readonly writerStart: WriterStart;
}

/**
 * Restores the state from the newest sound snapshot and every record after it, then makes the end
 * of the journal ready for appending. The caller holds the journal's lock.
 * @throws JournalDamageError, RulesVersionError
 */
export async function recoverJournal(
  options: RecoveryOptions,
  snapshots: SnapshotStore,
): Promise<RecoveredJournal> {
  const { disk, folder, logger } = options;
  await removeTemporaryFiles(disk, folder);
  const contents = await listJournalFolder(disk, folder);
  if (contents.ordinals.length === 0 && contents.snapshots.length === 0) {
    await createFirstSegment(options);
  }
  let base = await snapshots.restore(Number.MAX_SAFE_INTEGER);
  const start = await findReaderStart(disk, folder, base.sequence);
  requireSameJournal(base, start.journalId, folder);
  const last = await findLastSequence(options, base.sequence);
  options.onEndFound(last);
  if (last === 0 && base.sequence === 0) {
    base = { ...base, machine: options.machines.create(options.rulesOfNew) };
  }
  const reader = new JournalReader(disk, start, options.time);
  const { timestamp } = await replay(options, reader, base);
  const position = reader.position;
  await reader.close();
  const sequence = (position.nextSequence - 1) as Sequence;
  if (sequence < base.sequence) await refuseMissingRecords(options, position, base.sequence);
  const torn = await examineTail(disk, folder, position);
  if (torn !== null) await cutTail(options, torn);
  const rules = options.rulesNext(base.machine.rules);
  const writerStart = await prepareTail(options, position, { journalId: start.journalId, rules });
  logger.info({ sequence, snapshot: base.sequence, folder }, 'journal recovered');
  return {
    journalId: start.journalId,
    machine: base.machine,
    requests: base.requests,
    sequence,
    timestamp,
    snapshotSequence: base.sequence,
    rules,
    writerStart,
  };
}

async function createFirstSegment(options: RecoveryOptions): Promise<void> {
  const { disk, folder, rulesOfNew: rulesVersion, segmentBytesFirst: bytes } = options;
  const journalId = (await options.journalId?.()) ?? createJournalId(options.random);
  const header = { journalId, rulesVersion, ordinal: 1, bytes };
  await createSegment(disk, folder, header);
}

// Reads the last segment only, and decodes nothing.
async function findLastSequence(
  { disk, folder, time }: RecoveryOptions,
  snapshot: Sequence,
): Promise<Sequence> {
  const end = Number.MAX_SAFE_INTEGER as Sequence;
  const start = await findReaderStart(disk, folder, end);
  // The journal begins after a snapshot and has no record yet.
  if (start.sequence > end) return snapshot;
  const reader = new JournalReader(disk, start, time);
  try {
    await reader.read(end, () => undefined);
    return (reader.position.nextSequence - 1) as Sequence;
  } finally {
    await reader.close();
  }
}

function requireSameJournal(base: RestoredMachine, journalId: string, folder: string): void {
  if (base.journalId === null || base.journalId === journalId) return;
  const path = snapshotPath(folder, base.sequence);
  throw new JournalDamageError(path, 16, 'the snapshot belongs to another journal');
}

async function replay(
  options: RecoveryOptions,
  reader: JournalReader,
  base: RestoredMachine,
): Promise<{ readonly timestamp: TimestampMs }> {
  const { machine, requests } = base;
  let timestamp = base.timestamp;
  await reader.read(Number.MAX_SAFE_INTEGER, (command, sequence, time, segment) => {
    requireRules(options.machines, command, sequence, segment);
    timestamp = time;
    requests.note(command, reader.digest, time, machine.rules);
    const stamp = { sequence, timestamp: time };
    if (options.wants(sequence)) options.onReplayed(machine.apply(command, stamp));
    else machine.replay(command, stamp);
  });
  return { timestamp };
}

// A snapshot is written only after its records are durable, so missing records were lost later.
async function refuseMissingRecords(
  options: RecoveryOptions,
  position: ReaderPosition,
  snapshot: Sequence,
): Promise<never> {
  await examineTail(options.disk, options.folder, position);
  const finding = `record ${position.nextSequence} is missing, though snapshot ${snapshot} has it`;
  throw new JournalDamageError(position.path, position.offset, finding);
}

async function cutTail(options: RecoveryOptions, torn: TornTail): Promise<void> {
  const { path, offset, end } = torn;
  options.logger.warn(
    { file: path, offset, bytes: end - offset },
    'truncated the unfinished last write of the journal; nothing in it was acknowledged',
  );
  const file = await options.disk.openDurable(path);
  try {
    await file.write(Buffer.alloc(end - offset), end - offset, offset);
  } finally {
    await file.close();
  }
}

interface NextSegments {
  readonly journalId: string;
  readonly rules: number;
}

async function prepareTail(
  options: RecoveryOptions,
  position: ReaderPosition,
  next: NextSegments,
): Promise<WriterStart> {
  const { disk, folder } = options;
  const { ordinals } = await listJournalFolder(disk, folder);
  const file = await disk.openDurable(position.path);
  let header: SegmentHeader;
  try {
    header = await readSegmentHeader(file);
    await rewriteLastGroup(file, position);
    await fillToSize(file, header.bytes);
  } finally {
    await file.close();
  }
  const preparedBytes: number[] = [];
  for (const ordinal of ordinals.filter((each) => each > position.ordinal)) {
    preparedBytes.push(await renewSegment(options, next, ordinal));
  }
  await disk.syncFolder(folder);
  // A segment names the rules with which it begins, so others begin a new one.
  const isOfTheseRules = header.rulesVersion === next.rules;
  const offset = isOfTheseRules ? position.offset : header.bytes;
  return { ordinal: position.ordinal, bytes: header.bytes, offset, preparedBytes };
}

// Whether the last write reached the disk is unknown: it may be in the page cache only, even marked
// as clean after a failed sync. Rewriting it makes it durable before anything depends on it.
async function rewriteLastGroup(file: DiskFile, position: ReaderPosition): Promise<void> {
  const length = position.offset - position.groupOffset;
  if (length === 0) return;
  const bytes = Buffer.alloc(length);
  await file.read(bytes, position.groupOffset);
  requireSound(bytes, position);
  await file.write(bytes, length, position.groupOffset);
}

// A read can be wrong once although the disk is not. Written back, that would stay.
function requireSound(bytes: Uint8Array, { path, groupOffset }: ReaderPosition): void {
  for (let at = 0; at < bytes.length; ) {
    const length = findRecord(bytes, at, bytes.length);
    if (length === 0) {
      const finding = 'a record that was read before now has a wrong checksum';
      throw new JournalDamageError(path, groupOffset + at, finding);
    }
    at += length;
  }
}

async function fillToSize(file: DiskFile, bytes: number): Promise<void> {
  const size = await file.size();
  if (size < bytes) await file.write(Buffer.alloc(bytes - size), bytes - size, size);
}

async function renewSegment(
  { disk, folder }: RecoveryOptions,
  { journalId, rules: rulesVersion }: NextSegments,
  ordinal: number,
): Promise<number> {
  const file = await disk.openForReading(segmentPath(folder, ordinal));
  let header: SegmentHeader;
  let size: number;
  try {
    header = await readSegmentHeader(file);
    size = await file.size();
  } finally {
    await file.close();
  }
  if (header.rulesVersion !== rulesVersion || size !== header.bytes) {
    await createSegment(disk, folder, { journalId, rulesVersion, ordinal, bytes: header.bytes });
  }
  return header.bytes;
}
