import type { Sequence, TimestampMs } from '../domain/identifiers.ts';
import type { Command } from '../engine/commands.ts';
import type { StateMachine, StateMachineFactory } from '../engine/state-machine.ts';
import type { Time } from '../system/time.ts';
import type { Disk } from './disk.ts';
import { JournalDamageError } from './journal-damage.ts';
import { listJournalFolder } from './journal-folder.ts';
import { JournalReader, readFirstSequence } from './journal-reader.ts';
import { examineTail, type TornTail } from './journal-tail.ts';
import { findMissingRules } from './rules-version.ts';
import { readSegmentHeader, type SegmentHeader, segmentPath } from './segment.ts';
import { readSnapshot, snapshotPath } from './snapshot.ts';

export interface JournalRecord {
  readonly sequence: Sequence;
  readonly timestamp: TimestampMs;
  readonly command: Command;
}

export interface JournalSummary {
  readonly segments: number;
  /** Null if the journal holds no record. */
  readonly firstSequence: Sequence | null;
  readonly lastSequence: Sequence | null;
  /** What the next start cuts off: the remains of a write that was never acknowledged. */
  readonly tornTail: TornTail | null;
}

export interface ReadOptions {
  readonly disk: Disk;
  readonly folder: string;
  readonly time: Time;
}

/**
 * Visits every record of a journal that no process is writing, and changes nothing.
 * @throws JournalDamageError naming file and offset.
 */
export async function readJournal(
  { disk, folder, time }: ReadOptions,
  visit: (record: JournalRecord, segment: SegmentHeader) => void,
): Promise<JournalSummary> {
  const { ordinals } = await listJournalFolder(disk, folder);
  const [ordinal] = ordinals;
  if (ordinal === undefined) {
    throw new JournalDamageError(segmentPath(folder, 1), 0, 'the journal has no segment');
  }
  const { journalId, sequence } = await readBeginning(disk, folder, ordinal);
  const skipThrough = (sequence - 1) as Sequence;
  const reader = new JournalReader(
    disk,
    { folder, journalId, ordinal, sequence, skipThrough },
    time,
  );
  let lastSequence: Sequence | null = null;
  try {
    await reader.read(Number.MAX_SAFE_INTEGER, (command, at, timestamp, segment) => {
      lastSequence = at;
      visit({ sequence: at, timestamp, command }, segment);
    });
  } finally {
    await reader.close();
  }
  const tornTail = await examineTail(disk, folder, reader.position);
  const firstSequence = lastSequence === null ? null : sequence;
  return { segments: ordinals.length, firstSequence, lastSequence, tornTail };
}

export interface VerifyOptions extends ReadOptions {
  readonly machines: StateMachineFactory;
}

export interface VerifiedJournal extends JournalSummary {
  /** Snapshots whose bytes are sound. */
  readonly snapshots: number;
  /**
   * How many of those have a state that a replay of the journal from the beginning reached again.
   */
  readonly snapshotsReplayed: number;
  /**
   * Of the state after the last record; null if these rules cannot replay everything from record 1.
   */
  readonly stateHash: string | null;
}

/**
 * Reads every record and snapshot. A journal that begins with record 1 is also replayed and must
 * give each snapshot's state; those states and the last one have to pass the full audit.
 * @throws JournalDamageError, SnapshotError
 */
export async function verifyJournal(options: VerifyOptions): Promise<VerifiedJournal> {
  const { disk, folder, machines } = options;
  const hashes = await readSnapshotHashes(options);
  let machine = machines.create();
  machine.recomputeLedger();
  let snapshotsReplayed = 0;
  const summary = await readJournal(options, ({ command, sequence, timestamp }, segment) => {
    // This program cannot reproduce what other rules applied, nor anything after it.
    if (machine.sequence !== sequence - 1) return;
    if (findMissingRules(machines, command, segment) !== null) return;
    if (sequence === 1) {
      machine = machines.create(segment.rulesVersion);
      machine.recomputeLedger();
    }
    machine.replay(command, { sequence, timestamp });
    const expected = hashes.get(sequence);
    if (expected === undefined) return;
    if (machine.stateHash() !== expected) {
      const path = snapshotPath(folder, sequence);
      throw new JournalDamageError(path, 0, 'replaying the journal gives a different state');
    }
    requireSound(machine, snapshotPath(folder, sequence));
    snapshotsReplayed += 1;
  });
  const isReplayed = summary.firstSequence === 1 && machine.sequence === summary.lastSequence;
  const stateHash = isReplayed ? machine.stateHash() : null;
  if (isReplayed) requireSound(machine, folder);
  await requireRecordsOfSnapshots(disk, folder, summary.lastSequence);
  return { ...summary, snapshots: hashes.size, snapshotsReplayed, stateHash };
}

/**
 * @throws JournalDamageError: the records are sound, but the state that these rules derive from
 * them is not.
 */
function requireSound(machine: StateMachine, path: string): void {
  const [broken] = machine.findBroken();
  if (broken !== undefined) throw new JournalDamageError(path, 0, `the audit found ${broken}`);
}

async function readBeginning(
  disk: Disk,
  folder: string,
  ordinal: number,
): Promise<{ readonly journalId: string; readonly sequence: Sequence }> {
  const file = await disk.openForReading(segmentPath(folder, ordinal));
  try {
    const { journalId } = await readSegmentHeader(file);
    return { journalId, sequence: (await readFirstSequence(file)) ?? (1 as Sequence) };
  } finally {
    await file.close();
  }
}

/** The state hash that a replay has to reach at each snapshot. */
async function readSnapshotHashes(options: VerifyOptions): Promise<Map<Sequence, string>> {
  const { disk, folder, time, machines } = options;
  const hashes = new Map<Sequence, string>();
  for (const sequence of (await listJournalFolder(disk, folder)).snapshots) {
    const { state, stateHash } = await readSnapshot(disk, snapshotPath(folder, sequence), time);
    // This version encodes the state of an older one differently.
    const isOlder = !machines.isOfThisVersion(state) && machines.hashState(state) === stateHash;
    hashes.set(sequence, isOlder ? machines.restore(state).stateHash() : stateHash);
  }
  return hashes;
}

async function requireRecordsOfSnapshots(
  disk: Disk,
  folder: string,
  lastSequence: Sequence | null,
): Promise<void> {
  const { ordinals, snapshots } = await listJournalFolder(disk, folder);
  // A journal may begin after a snapshot, without a record yet.
  if (lastSequence === null && (ordinals[0] ?? 1) > 1) return;
  const newest = snapshots.at(-1);
  if (newest === undefined || newest <= (lastSequence ?? 0)) return;
  const finding = `record ${newest} is missing, though this snapshot has it`;
  throw new JournalDamageError(snapshotPath(folder, newest), 0, finding);
}
