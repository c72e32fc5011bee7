import { hash } from 'node:crypto';
import type { Logger } from 'pino';
import type { Sequence } from '../domain/identifiers.ts';
import type { Disk } from '../journal/disk.ts';
import { listJournalFolder } from '../journal/journal-folder.ts';
import { hasRules, type KnownRules } from '../journal/other-rules.ts';
import { createSegment } from '../journal/segment.ts';
import { readSnapshot, snapshotPath } from '../journal/snapshot.ts';
import type { Chance } from '../system/chance.ts';
import type { Time } from '../system/time.ts';
import { type KeptSnapshot, type KeptSnapshotStore, shelfName } from './kept-snapshots.ts';
import { MemberFile } from './member-file.ts';
import type { SnapshotShelf } from './snapshot-shelf.ts';

export interface SeedOptions {
  readonly disk: Disk;
  readonly folder: string;
  readonly journalId: string;
  readonly shelf: SnapshotShelf;
  readonly store: KeptSnapshotStore;
  readonly rules: KnownRules;
  /** The last command in the database; null if unknown. */
  readonly projected: Sequence | null;
  readonly time: Time;
  readonly chance: Chance;
  readonly logger: Logger;
}

const firstSegmentBytes = 1 << 20;
/** The segments before it hold the commands that the snapshot stands for. */
const ordinalAfterSnapshot = 2;

/**
 * Begins an empty journal's folder with the newest proven snapshot on the shelf, so that only the
 * commands after it are needed from the shared log. Does nothing if the folder has a journal, or
 * if no snapshot can be used: the journal then begins with the log.
 */
export async function seedJournal(options: SeedOptions): Promise<void> {
  const { disk, folder, store, logger } = options;
  await disk.createFolder(folder);
  const lock = await disk.lock(folder);
  try {
    if ((await listJournalFolder(disk, folder)).ordinals.length > 0) return;
    const { snapshots } = await store.load();
    for (const snapshot of [...snapshots].reverse()) {
      if (snapshot.provenBy === null || !isProjected(snapshot, options)) continue;
      if (await seedFrom(snapshot, options)) return;
    }
  } catch (error) {
    logger.warn({ err: error }, 'no snapshot of the shelf can be used');
  } finally {
    await lock.release();
  }
}

// This process could never make the outcomes before its snapshot for the database.
function isProjected({ sequence }: KeptSnapshot, { projected }: SeedOptions): boolean {
  return projected !== null && projected >= sequence;
}

async function seedFrom(snapshot: KeptSnapshot, options: SeedOptions): Promise<boolean> {
  const { disk, folder, journalId, shelf, rules, time, chance, logger } = options;
  const { sequence, sha256, stateHash, chain, list } = snapshot;
  const bytes = await shelf.get(shelfName(journalId, sequence));
  if (bytes === null || hash('sha256', bytes, 'hex') !== sha256) {
    logger.error(
      { sequence },
      'a snapshot on the shelf is missing or damaged: an older one is used',
    );
    return false;
  }
  const path = snapshotPath(folder, sequence);
  await writeWhole(disk, path, bytes);
  const found = await readSnapshot(disk, path, time);
  const isUsable =
    found.journalId === journalId &&
    found.stateHash === stateHash &&
    hasRules(rules, found.rulesVersion);
  if (!isUsable) {
    logger.error({ sequence }, 'a snapshot on the shelf is not one of this exchange and version');
    await disk.remove(path);
    return false;
  }
  const member = await MemberFile.open(disk, folder, chance);
  await member.beginAfter({ sequence, chain }, list);
  await member.close();
  // The last step: a folder without a segment is begun again.
  await createSegment(disk, folder, {
    journalId,
    rulesVersion: found.rulesVersion,
    ordinal: ordinalAfterSnapshot,
    bytes: firstSegmentBytes,
  });
  logger.info({ sequence, bytes: bytes.length }, 'the journal begins with a snapshot of the shelf');
  return true;
}

async function writeWhole(disk: Disk, path: string, bytes: Uint8Array): Promise<void> {
  const temporary = `${path}.tmp`;
  const file = await disk.create(temporary);
  try {
    await file.write(bytes, bytes.length, 0);
    await file.sync();
  } finally {
    await file.close();
  }
  await disk.rename(temporary, path);
}
