import { pino } from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import { MemoryDisk } from '../../test/support/memory-disk.ts';
import type { Sequence, TimestampMs } from '../domain/identifiers.ts';
import { snapshotPath, writeSnapshot } from '../journal/snapshot.ts';
import { systemTime } from '../system/system-time.ts';
import type { EntryMark, NamedSnapshot } from './log-entry.ts';
import { noMembers } from './member-list.ts';
import { type SharedSnapshot, sha256Of, sharedSnapshotName } from './shared-snapshots.ts';
import { SnapshotSharer, type SnapshotSharerOptions } from './snapshot-sharer.ts';

const journalId = '0123456789abcdef';
const folder = '/journal';
const list = { ...noMembers, members: ['a', 'b', 'c'] };

/** What the processes of an exchange share: the store, its records, and the log. */
class Shared {
  readonly files = new Map<string, Uint8Array>();
  readonly marks = new Map<number, EntryMark>();
  readonly named: NamedSnapshot[] = [];
  snapshots: readonly SharedSnapshot[] = [];
  revision: number | null = null;
  /** What another process does before the next write of the records. */
  beforeWrite: (() => void) | null = null;
  failure: Error | null = null;
  readonly messages: string[] = [];
}

/** A process with the snapshots in its own folder. */
class Process {
  readonly disk = new MemoryDisk();
  readonly shared: Shared;
  readonly member: string;
  isOwner = false;
  chainOf = (sequence: number): string => `chain ${sequence}`;
  turns: { every: number; ended: boolean }[] = [];
  sharer: SnapshotSharer;

  constructor(shared: Shared, member: string) {
    this.shared = shared;
    this.member = member;
    this.sharer = new SnapshotSharer(this.#options());
  }

  async write(sequence: number, stateHash = `state ${sequence}`): Promise<void> {
    await writeSnapshot(this.disk, folder, {
      journalId,
      rulesVersion: 13,
      sequence: sequence as Sequence,
      timestamp: 1_000 as TimestampMs,
      stateHash,
      state: Uint8Array.of(1, 2, sequence % 251),
      requests: Uint8Array.of(),
    });
  }

  #options(): SnapshotSharerOptions {
    const { shared } = this;
    const isOwner = (): boolean => this.isOwner;
    const options = {
      disk: this.disk,
      folder,
      journalId,
      snapshotEvery: 100,
      member: { member: this.member, list },
      isOwner,
      chain: { at: async (sequence: number) => this.chainOf(sequence) },
      log: {
        load: async (position: number) => ({ mark: shared.marks.get(position) ?? null }),
      },
      coordinator: {
        nameSnapshot: async (snapshot: NamedSnapshot) => {
          shared.named.push(snapshot);
          const position = 70 + shared.named.length;
          shared.marks.set(position, { list, isComplete: true, without: [], snapshot });
          return position;
        },
      },
      store: {
        put: async (name: string, bytes: Uint8Array) => void shared.files.set(name, bytes),
        get: async (name: string) => shared.files.get(name) ?? null,
        remove: async (name: string) => void shared.files.delete(name),
      },
      catalog: {
        load: async () => {
          if (shared.failure !== null) throw shared.failure;
          return { snapshots: shared.snapshots, revision: shared.revision };
        },
        write: async (snapshots: readonly SharedSnapshot[], expected: number | null) => {
          shared.beforeWrite?.();
          if (expected !== shared.revision) return false;
          shared.snapshots = snapshots;
          shared.revision = (shared.revision ?? 0) + 1;
          return true;
        },
      },
      time: {
        ...systemTime,
        every: (every: number) => {
          const turn = { every, ended: false };
          this.turns.push(turn);
          return () => {
            turn.ended = true;
          };
        },
      },
      logger: pino({ level: 'info' }, { write: (line: string) => void shared.messages.push(line) }),
    };
    return options as unknown as SnapshotSharerOptions;
  }
}

let shared: Shared;
let one: Process;
let other: Process;

function process(member: string): Process {
  return new Process(shared, member);
}

beforeEach(() => {
  shared = new Shared();
  one = process('a');
  other = process('b');
});

const fileOf = (sequence: number): string => sharedSnapshotName(journalId, sequence as Sequence);

async function share(sequence: number): Promise<void> {
  for (const each of [one, other]) await each.write(sequence);
  await one.sharer.takeTurn();
  await other.sharer.takeTurn();
}

describe('a snapshot that is stored for all', () => {
  it('is the newest of those that every process takes, as it stands in the folder', async () => {
    for (const sequence of [100, 200, 250]) await one.write(sequence);
    await one.sharer.takeTurn();
    const bytes = shared.files.get(fileOf(200));
    expect([...shared.files.keys()]).toEqual([fileOf(200)]);
    expect(bytes).toEqual(one.disk.files().get(snapshotPath(folder, 200 as Sequence)));
    expect(shared.snapshots).toEqual([
      {
        sequence: 200,
        stateHash: 'state 200',
        chain: 'chain 200',
        list,
        sha256: await sha256Of(bytes!),
        putBy: 'a',
        provenBy: null,
      },
    ]);
  });

  it('is not one of the owner, nor one that is no newer than those stored', async () => {
    await other.write(200);
    other.isOwner = true;
    await other.sharer.takeTurn();
    expect(shared.files.size).toBe(0);
    await one.write(200);
    await one.sharer.takeTurn();
    const third = process('c');
    await third.write(100);
    await third.sharer.takeTurn();
    expect([...shared.files.keys()]).toEqual([fileOf(200)]);
  });

  it('leaves no record, and removes none, if another process has written since', async () => {
    await one.write(100);
    shared.beforeWrite = () => void (shared.revision = 9);
    await one.sharer.takeTurn();
    expect(shared.snapshots).toEqual([]);
  });
});

describe('a snapshot in the store', () => {
  it('is proven by another process with the same state that has read the file', async () => {
    await share(100);
    expect(shared.snapshots).toMatchObject([{ sequence: 100, putBy: 'a', provenBy: 'b' }]);
  });

  it('is not proven by the process that stored it, nor by one without that snapshot', async () => {
    await one.write(100);
    await one.sharer.takeTurn();
    await one.sharer.takeTurn();
    await other.write(300);
    other.isOwner = true;
    await other.sharer.takeTurn();
    expect(shared.snapshots).toMatchObject([{ sequence: 100, provenBy: null }]);
  });

  it.each([
    ['another state', 'differs from the state', () => other.write(100, 'another state')],
    [
      'another chain',
      'differs from the state',
      async () => {
        other.chainOf = () => 'another chain';
      },
    ],
    ['no file', 'missing or damaged', async () => shared.files.clear()],
    [
      'other bytes',
      'missing or damaged',
      async () => void shared.files.set(fileOf(100), Uint8Array.of(1)),
    ],
  ])('is not proven with %s', async (_name, message, spoil) => {
    await one.write(100);
    await other.write(100);
    await one.sharer.takeTurn();
    await spoil();
    await other.sharer.takeTurn();
    expect(shared.snapshots).toMatchObject([{ provenBy: null }]);
    expect(shared.messages.join()).toContain(message);
  });

  it('is named in the log by the owner once it is proven, and again if the log lost that', async () => {
    await share(100);
    const owner = process('c');
    owner.isOwner = true;
    await owner.sharer.takeTurn();
    const { sequence, chain, stateHash, sha256 } = shared.snapshots[0]!;
    expect(shared.named).toEqual([{ sequence, chain, stateHash, sha256 }]);
    expect(shared.snapshots).toMatchObject([{ position: 71, provenBy: 'b' }]);
    await owner.sharer.takeTurn();
    expect(shared.named).toHaveLength(1);
    shared.marks.clear();
    await owner.sharer.takeTurn();
    expect(shared.named).toHaveLength(2);
  });

  it('is not named before it is proven', async () => {
    await one.write(100);
    await one.sharer.takeTurn();
    const owner = process('c');
    owner.isOwner = true;
    await owner.sharer.takeTurn();
    expect(shared.named).toEqual([]);
  });

  it('is removed once there are three newer ones, unless it is the newest named one', async () => {
    const owner = process('c');
    owner.isOwner = true;
    await share(100);
    await share(200);
    await owner.sharer.takeTurn();
    await owner.sharer.takeTurn();
    for (const sequence of [300, 400, 500]) await share(sequence);
    expect(shared.snapshots.map(({ sequence }) => sequence)).toEqual([200, 300, 400, 500]);
    expect([...shared.files.keys()]).toEqual([200, 300, 400, 500].map(fileOf));
    expect(shared.named.map(({ sequence }) => sequence)).toEqual([100, 200]);
  });
});

describe('the turns of a process', () => {
  it('come every ten seconds, one at a time, and end with it', async () => {
    await one.write(100);
    expect(one.turns).toEqual([{ every: 10_000, ended: false }]);
    const turn = one.sharer.takeTurn();
    expect(one.sharer.takeTurn()).toBe(turn);
    await one.sharer.stop();
    expect(shared.snapshots).toHaveLength(1);
    expect(one.turns).toEqual([{ every: 10_000, ended: true }]);
  });

  it('go on after one that failed', async () => {
    await one.write(100);
    shared.failure = new Error('the bucket does not answer');
    await one.sharer.takeTurn();
    expect(shared.messages.join()).toContain('cannot be used at present');
    shared.failure = null;
    await one.sharer.takeTurn();
    expect(shared.snapshots).toHaveLength(1);
  });
});
