import { pino } from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Sequence } from '../domain/identifiers.ts';
import type { PlacedEntry } from './log-entry.ts';
import { noMembers } from './member-list.ts';
import { findNamed, type SharedSnapshot } from './shared-snapshots.ts';
import { type TrimOptions, trimLog } from './trim-log.ts';

const snapshotEvery = 10;
const nowMs = 1_000_000;

/** As the record of a snapshot that the entry at that position names. */
function snapshotAt(position: number): SharedSnapshot {
  return {
    sequence: (position * snapshotEvery) as Sequence,
    chain: `chain ${position}`,
    stateHash: `state ${position}`,
    sha256: `file ${position}`,
    list: noMembers,
    putBy: 'a',
    provenBy: 'b',
    position,
  };
}

/** The entry with the commands up to that snapshot, stored so many minutes ago. */
function entryAt(position: number): PlacedEntry {
  const { sequence, chain, stateHash, sha256 } = snapshotAt(position);
  const snapshot = { sequence, chain, stateHash, sha256 };
  const list = { ...noMembers, members: [`member ${position}`] };
  const mark = { list, isComplete: true, without: [], snapshot };
  return { position, lastSequence: sequence, mark } as unknown as PlacedEntry;
}

const log = { load: async (position: number) => (position === 3 ? entryAt(3) : null) };

describe('a snapshot in the shared store', () => {
  it('is named by the log, with the members of that time', async () => {
    expect(await findNamed(log, snapshotAt(3))).toEqual({ ...noMembers, members: ['member 3'] });
  });

  it.each([
    { sequence: 31 as Sequence },
    { chain: 'another' },
    { stateHash: 'another' },
    { sha256: 'another' },
    { position: 4 },
  ])('is not named by an entry that differs (%o)', async (change) => {
    expect(await findNamed(log, { ...snapshotAt(3), ...change })).toBeNull();
  });

  it('is not named without a position, or by an entry without a snapshot', async () => {
    const unnamed = { ...snapshotAt(3), position: undefined } as unknown as SharedSnapshot;
    expect(await findNamed(log, unnamed)).toBeNull();
    for (const mark of [null, { list: noMembers, isComplete: true, without: [] }]) {
      const other = { load: async () => ({ ...entryAt(3), mark }) };
      expect(await findNamed(other, snapshotAt(3))).toBeNull();
    }
  });
});

describe('the beginning of the log', () => {
  let beginning: number;
  let snapshots: SharedSnapshot[];
  let projected: Sequence | null;
  let ageMs: number;
  let lines: unknown[];

  beforeEach(() => {
    beginning = 1;
    snapshots = [4, 6, 8].map(snapshotAt);
    projected = 1_000 as Sequence;
    ageMs = 100_000;
    lines = [];
  });

  /** Ten entries, one each ten seconds, the first ten times that before `nowMs`. */
  function trim(keepMs: number): Promise<void> {
    const write = (line: string): void => void lines.push(JSON.parse(line));
    const shared = {
      load: async (position: number) =>
        position < beginning || position > 10 ? null : entryAt(position),
      loadBeginning: async () => beginning,
      loadEnd: async () => 10,
      loadTime: async (position: number) =>
        position > 10 ? null : nowMs - ageMs + (position - 1) * 10_000,
      trimBelow: async (position: number) => {
        beginning = position;
      },
    };
    return trimLog({
      log: shared,
      catalog: { load: async () => ({ snapshots, revision: 1 }) },
      loadProjected: async () => projected,
      keepMs,
      time: { wallMs: () => nowMs },
      logger: pino({ base: null, timestamp: false }, { write }),
    } as unknown as TrimOptions);
  }

  it('is removed up to the entry before what the older snapshot needs', async () => {
    await trim(0);
    expect(beginning).toBe(6);
    expect(lines).toEqual([
      { level: 30, msg: 'the beginning of the shared log is removed', from: 1, to: 6 },
    ]);
    await trim(0);
    expect(lines).toHaveLength(1);
  });

  it('stays with what is younger than the time to keep', async () => {
    await trim(70_000);
    expect(beginning).toBe(4);
    await trim(70_001);
    expect(beginning).toBe(4);
    await trim(60_000);
    expect(beginning).toBe(5);
  });

  it('is removed if everything is old, and stays if everything is young', async () => {
    await trim(200_000);
    expect(beginning).toBe(1);
    ageMs = 900_000;
    await trim(200_000);
    expect(beginning).toBe(6);
  });

  it('stays with what the database lacks, or may lack', async () => {
    projected = 35 as Sequence;
    await trim(0);
    expect(beginning).toBe(3);
    projected = null;
    await trim(0);
    expect(beginning).toBe(3);
  });

  it('stays until the log names two snapshots', async () => {
    snapshots = [snapshotAt(8)];
    await trim(0);
    snapshots = [{ ...snapshotAt(4), stateHash: 'another' }, snapshotAt(8)];
    await trim(0);
    snapshots = [];
    await trim(0);
    expect([beginning, lines]).toEqual([1, []]);
  });
});
