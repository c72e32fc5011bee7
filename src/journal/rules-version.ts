import type { Sequence } from '../domain/identifiers.ts';
import type { Command } from '../engine/commands.ts';
import type { StateMachineFactory } from '../engine/state-machine.ts';
import type { Disk } from './disk.ts';
import { findReaderStart, listJournalFolder } from './journal-folder.ts';
import { openIfPresent } from './journal-reader.ts';
import { readSegmentHeader, type SegmentHeader, segmentPath } from './segment.ts';

/** The versions of the rules that a program has: these and all between. */
export type KnownRules = Pick<StateMachineFactory, 'oldestRules' | 'newestRules'>;

/** Only a program with other rules can apply the records. */
export class RulesVersionError extends Error {
  override readonly name = 'RulesVersionError';
}

/** Whether the program has that version of the rules. */
export function hasRules({ oldestRules, newestRules }: KnownRules, version: number): boolean {
  return version >= oldestRules && version <= newestRules;
}

/**
 * The version of the rules that the record needs and the program lacks; null if it can be applied.
 * The state names the rules by which a record is applied, its segment only those with which the
 * segment begins.
 */
export function findMissingRules(
  known: KnownRules,
  command: Command,
  segment: SegmentHeader,
): number | null {
  if (!hasRules(known, segment.rulesVersion)) return segment.rulesVersion;
  if (command.type !== 'upgradeRules') return null;
  return command.rules > known.newestRules ? command.rules : null;
}

/** @throws RulesVersionError if the record needs rules that the program lacks. */
export function requireRules(
  known: KnownRules,
  command: Command,
  sequence: Sequence,
  segment: SegmentHeader,
): void {
  const missing = findMissingRules(known, command, segment);
  if (missing === null) return;
  throw new RulesVersionError(
    `record ${sequence} was applied by version ${missing} of the rules and this program has ` +
      `versions ${known.oldestRules} to ${known.newestRules}: ${upgradePath(known, missing)}`,
  );
}

/**
 * The version of the rules at the journal's end, if the program lacks it; null if it has them, or
 * the journal has no record.
 */
export async function findOtherRules(
  disk: Disk,
  folder: string,
  known: KnownRules,
): Promise<number | null> {
  if (!(await hasSegments(disk, folder))) return null;
  const start = await findReaderStart(disk, folder, Number.MAX_SAFE_INTEGER as Sequence);
  const file = await openIfPresent(disk, segmentPath(folder, start.ordinal));
  if (file === null) return null;
  try {
    const header = await readSegmentHeader(file);
    return hasRules(known, header.rulesVersion) ? null : header.rulesVersion;
  } finally {
    await file.close();
  }
}

async function hasSegments(disk: Disk, folder: string): Promise<boolean> {
  await disk.createFolder(folder);
  return (await listJournalFolder(disk, folder)).ordinals.length > 0;
}

/** What to do if only a program with that version of the rules can apply the records. */
export function upgradePath(known: KnownRules, version: number): string {
  if (version > known.newestRules) return 'start a program that has it';
  return (
    `start a program that has version ${version} of the rules, wait until /readyz answers 200, ` +
    'stop it with SIGTERM, then start this one'
  );
}
