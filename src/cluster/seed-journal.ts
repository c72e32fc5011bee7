import type { Logger } from 'pino';
import type { Sequence } from '../domain/identifiers.ts';
import type { Disk } from '../journal/disk.ts';
import { findReaderStart, listJournalFolder } from '../journal/journal-folder.ts';
import { JournalReader } from '../journal/journal-reader.ts';
import { hasRules, type KnownRules } from '../journal/rules-version.ts';
import { createSegment, segmentPath } from '../journal/segment.ts';
import { readSnapshot, snapshotPath } from '../journal/snapshot.ts';
import type { RandomSource } from '../system/random-source.ts';
import type { Time } from '../system/time.ts';
import { MemberFile } from './member-file.ts';
import type { MemberList } from './member-list.ts';
import { isTrimmedAfter, type LogReader } from './shared-log.ts';
import type { SharedSnapshotStore } from './shared-snapshot-store.ts';
import {
  findNamed,
  type SharedSnapshot,
  type SnapshotCatalog,
  sha256Of,
  sharedSnapshotName,
} from './shared-snapshots.ts';

export interface SeedOptions {
  readonly disk: Disk;
  readonly folder: string;
  readonly journalId: string;
  readonly store: SharedSnapshotStore;
  readonly catalog: SnapshotCatalog;
  readonly log: LogReader;
  readonly rules: KnownRules;
  /** The last command in the database; null if unknown. */
  readonly projected: Sequence | null;
  readonly time: Time;
  readonly random: RandomSource;
  readonly logger: Logger;
  /** Absent: computed on another thread. */
  readonly sha256?: (bytes: Uint8Array) => Promise<string>;
}

const firstSegmentBytes = 1 << 20;
/** The segments before it hold the commands that the snapshot stands for. */
const ordinalAfterSnapshot = 2;

/**
 * Begins a journal that is empty, or ends before the log begins, with the newest snapshot in the
 * shared store that the log names, so that only the commands after it are needed from the log. What
 * such a folder holds is kept under other names, and the process keeps its number.
 * Does nothing to any other journal, or if no snapshot can be used.
 */
export async function seedJournal(options: SeedOptions): Promise<void> {
  const { disk, folder, catalog, log, logger } = options;
  await disk.createFolder(folder);
  const lock = await disk.lock(folder);
  try {
    const end = await findJournalEnd(options);
    if (end !== null && !(await isTrimmedAfter(log, end))) return;
    const { snapshots } = await catalog.load();
    for (const snapshot of [...snapshots].reverse()) {
      if (snapshot.position === undefined || !isProjected(snapshot, options)) continue;
      if (snapshot.sequence <= (end ?? 0)) break;
      const list = await findNamed(log, snapshot);
      if (list === null) refuse(snapshot, options);
      else if (await seedFrom(snapshot, list, options)) return;
    }
  } catch (error) {
    logger.warn({ err: error }, 'no snapshot in the shared store can be used');
  } finally {
    await lock.release();
  }
}

/** The last command of the journal; null if the folder has none. */
async function findJournalEnd({ disk, folder, time }: SeedOptions): Promise<Sequence | null> {
  const { ordinals, snapshots } = await listJournalFolder(disk, folder);
  if (ordinals.length === 0) return null;
  const start = await findReaderStart(disk, folder, snapshots.at(-1) ?? (0 as Sequence));
  const reader = new JournalReader(disk, start, time);
  try {
    await reader.read(Infinity, () => undefined);
    return (reader.position.nextSequence - 1) as Sequence;
  } finally {
    await reader.close();
  }
}

// This process could never make the outcomes before its snapshot for the database.
function isProjected({ sequence }: SharedSnapshot, { projected }: SeedOptions): boolean {
  return projected !== null && projected >= sequence;
}

function refuse({ sequence }: SharedSnapshot, { logger }: SeedOptions): void {
  logger.error({ sequence }, 'the shared log does not name this snapshot: an older one is used');
}

async function seedFrom(
  snapshot: SharedSnapshot,
  list: MemberList,
  options: SeedOptions,
): Promise<boolean> {
  const { disk, folder, journalId, store, rules, time, random, logger } = options;
  const { sequence, sha256, stateHash, chain } = snapshot;
  const bytes = await store.get(sharedSnapshotName(journalId, sequence));
  if (bytes === null || (await (options.sha256 ?? sha256Of)(bytes)) !== sha256) {
    logger.error(
      { sequence },
      'a snapshot in the shared store is missing or damaged: an older one is used',
    );
    return false;
  }
  const path = snapshotPath(folder, sequence);
  const temporary = `${path}.tmp`;
  await writeWhole(disk, temporary, bytes);
  const found = await readSnapshot(disk, temporary, time);
  const isUsable =
    found.journalId === journalId &&
    found.stateHash === stateHash &&
    hasRules(rules, found.rulesVersion);
  if (!isUsable) {
    logger.error(
      { sequence },
      'a snapshot in the shared store is not one of this exchange and version',
    );
    await disk.remove(temporary);
    return false;
  }
  await setJournalAside(sequence, options);
  await disk.rename(temporary, path);
  const member = await MemberFile.open(disk, folder, random);
  await member.beginAfter({ sequence, chain }, list);
  await member.close();
  // The last step: a folder without a segment is begun again.
  await createSegment(disk, folder, {
    journalId,
    rulesVersion: found.rulesVersion,
    ordinal: ordinalAfterSnapshot,
    bytes: firstSegmentBytes,
  });
  logger.info(
    { sequence, bytes: bytes.length },
    'the journal begins with a snapshot from the shared store',
  );
  return true;
}

// From the newest segment on, so that what an interruption leaves is a journal that ends earlier.
async function setJournalAside(
  before: Sequence,
  { disk, folder, logger }: SeedOptions,
): Promise<void> {
  const { ordinals, snapshots } = await listJournalFolder(disk, folder);
  const paths = [
    ...ordinals.map((ordinal) => segmentPath(folder, ordinal)).reverse(),
    ...snapshots.map((sequence) => snapshotPath(folder, sequence)),
  ];
  if (paths.length === 0) return;
  for (const path of paths) await disk.rename(path, `${path}.before-${before}`);
  await disk.syncFolder(folder);
  logger.warn({ before, folder }, 'the journal ends before the shared log begins: it is set aside');
}

async function writeWhole(disk: Disk, path: string, bytes: Uint8Array): Promise<void> {
  const file = await disk.create(path);
  try {
    await file.write(bytes, bytes.length, 0);
    await file.sync();
  } finally {
    await file.close();
  }
}
