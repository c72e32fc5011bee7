import type { Sequence } from '../domain/identifiers.ts';
import type { Command } from '../engine/commands.ts';
import type { StateMachineFactory } from '../engine/state-machine.ts';
import type { Disk } from './disk.ts';
import { findReaderStart, listJournalFolder } from './journal-folder.ts';
import { openIfPresent } from './journal-reader.ts';
import { readSegmentHeader, type SegmentHeader, segmentPath } from './segment.ts';

export type KnownRules = Pick<StateMachineFactory, 'oldestRules' | 'newestRules'>;

/** Whether this program has that version of the rules. */
export function hasRules({ oldestRules, newestRules }: KnownRules, version: number): boolean {
  return version >= oldestRules && version <= newestRules;
}

/**
 * Whether this program can apply a record of the segment. The state names the rules by which it is
 * applied; the segment names those with which it begins.
 */
export function canApply(known: KnownRules, command: Command, segment: SegmentHeader): boolean {
  if (!hasRules(known, segment.rulesVersion)) return false;
  return command.type !== 'upgradeRules' || command.rules <= known.newestRules;
}

/**
 * The version of the rules that applied the newest records, if it differs from this program's; null
 * if it is the same, or the journal has no record.
 */
export async function findOtherRules(
  disk: Disk,
  folder: string,
  rulesVersion: number,
): Promise<number | null> {
  if (!(await hasSegments(disk, folder))) return null;
  const start = await findReaderStart(disk, folder, Number.MAX_SAFE_INTEGER as Sequence);
  const file = await openIfPresent(disk, segmentPath(folder, start.ordinal));
  if (file === null) return null;
  try {
    const header = await readSegmentHeader(file);
    return header.rulesVersion === rulesVersion ? null : header.rulesVersion;
  } finally {
    await file.close();
  }
}

async function hasSegments(disk: Disk, folder: string): Promise<boolean> {
  await disk.createFolder(folder);
  return (await listJournalFolder(disk, folder)).ordinals.length > 0;
}

/** What to do if only another version of the rules can apply the records that are needed. */
export function wayBackTo(version: number): string {
  return (
    `start the program with version ${version} of the rules, wait until /readyz answers 200, ` +
    'stop it with SIGTERM, then start this one'
  );
}
