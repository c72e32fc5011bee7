import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ClusterMember, credit, MemoryCluster } from '../../test/support/memory-cluster.ts';
import { MemoryDisk } from '../../test/support/memory-disk.ts';
import { RequestRepeatedError } from '../application/ports.ts';
import type { Sequence } from '../domain/identifiers.ts';
import { digestOf } from '../domain/request-digest.ts';
import { engineFactory } from '../engine/engine.ts';
import { systemChance } from '../system/chance.ts';
import { systemTime } from '../system/system-time.ts';
import type { ShelfUse, SnapshotOwner } from './cluster-options.ts';
import type { KeptSnapshot, KeptSnapshotStore } from './kept-snapshots.ts';
import { seedJournal } from './seed-journal.ts';
import { SnapshotKeeper } from './snapshot-keeper.ts';
import type { SnapshotShelf } from './snapshot-shelf.ts';
import { trimLog } from './trim-log.ts';

const folder = '/journal';
const logger = pino({ level: 'silent' });
const snapshotEvery = 100;

class MemoryShelf implements SnapshotShelf, KeptSnapshotStore {
  readonly files = new Map<string, Uint8Array>();
  snapshots: readonly KeptSnapshot[] = [];
  #revision: number | null = null;

  async put(name: string, bytes: Uint8Array): Promise<void> {
    this.files.set(name, Uint8Array.from(bytes));
  }

  async get(name: string): Promise<Uint8Array | null> {
    return this.files.get(name) ?? null;
  }

  async remove(name: string): Promise<void> {
    this.files.delete(name);
  }

  async load() {
    return { snapshots: this.snapshots, revision: this.#revision };
  }

  async write(snapshots: readonly KeptSnapshot[], expected: number | null): Promise<boolean> {
    if (expected !== this.#revision) return false;
    this.snapshots = snapshots;
    this.#revision = (expected ?? 0) + 1;
    return true;
  }
}

let cluster: MemoryCluster;
let shelf: MemoryShelf;
let projected: Sequence | null;
const keepers: SnapshotKeeper[] = [];
const logs: SnapshotOwner[] = [];

beforeEach(() => {
  cluster = new MemoryCluster();
  cluster.snapshotEvery = snapshotEvery;
  shelf = new MemoryShelf();
  projected = Number.MAX_SAFE_INTEGER as Sequence;
});
afterEach(async () => {
  await Promise.all(keepers.splice(0).map((keeper) => keeper.stop()));
  await cluster.close();
});

function shelfUse(disk: MemoryDisk): ShelfUse {
  const common = { disk, folder, shelf, store: shelf, time: systemTime, logger };
  const rules = engineFactory;
  return {
    seed: () =>
      seedJournal({
        ...common,
        journalId: '0123456789abcdef',
        rules,
        projected,
        chance: systemChance,
      }),
    keep: (own: SnapshotOwner) => {
      const keeper = new SnapshotKeeper({ ...common, ...own, snapshotEvery });
      keepers.push(keeper);
      logs.push(own);
      return () => keeper.stop();
    },
  };
}

function join(disk = new MemoryDisk()): Promise<ClusterMember> {
  cluster.shelf = shelfUse(disk);
  return cluster.join(disk);
}

/** Two processes whose snapshot of the last multiple is proven. */
async function joinTwoWithSnapshot(commands: number) {
  const disks = [new MemoryDisk(), new MemoryDisk()];
  const [owner, standby] = [await join(disks[0]), await join(disks[1])];
  for (let count = 0; count < commands; count += 1) await standby.exchange.submit(credit());
  await owner.exchange.read(() => undefined);
  const hasSnapshot = (disk: MemoryDisk): boolean =>
    [...disk.files().keys()].some((name) => name.endsWith('.snapshot'));
  await vi.waitUntil(() => disks.every(hasSnapshot));
  await vi.waitUntil(async () => {
    for (const keeper of keepers) await keeper.look();
    return shelf.snapshots.some(({ provenBy }) => provenBy !== null);
  });
  return { owner, standby };
}

function stateOf({ exchange }: ClusterMember): Promise<string> {
  return exchange.read((view) => (view as unknown as { stateHash(): string }).stateHash());
}

describe('the beginning of the shared log', () => {
  const hourMs = 3_600_000;

  function trim(owner: ClusterMember, wallMs = 48 * hourMs): Promise<void> {
    const { log } = logs.at(-1)!;
    expect(owner.exchange.isOwner).toBe(true);
    const loadProjected = async () => projected;
    const time = { wallMs: () => wallMs };
    return trimLog({ log, store: shelf, loadProjected, keepMs: 24 * hourMs, time, logger });
  }

  async function withTwoSnapshots(): Promise<ClusterMember> {
    const { owner, standby } = await joinTwoWithSnapshot(snapshotEvery + 20);
    for (let count = 0; count < snapshotEvery; count += 1) await standby.exchange.submit(credit());
    await vi.waitUntil(async () => {
      for (const keeper of keepers) await keeper.look();
      return shelf.snapshots.filter(({ provenBy }) => provenBy !== null).length === 2;
    });
    return owner;
  }

  it('is removed up to the older of two proven snapshots, and a new process can join', async () => {
    const owner = await withTwoSnapshots();
    await trim(owner);
    const beginning = await logs.at(-1)!.log.loadBeginning();
    const first = cluster.hub.entries[beginning - 1]!;
    expect(first.lastSequence).toBe(shelf.snapshots[0]!.sequence);
    expect(await stateOf(await join())).toBe(await stateOf(owner));
  });

  it('stays while it is younger than LOG_KEEP_HOURS', async () => {
    const owner = await withTwoSnapshots();
    cluster.hub.timeOf = (position) => (position < 10 ? 0 : 30 * hourMs);
    await trim(owner);
    expect(await logs.at(-1)!.log.loadBeginning()).toBe(10);
  });

  it('stays while the database lacks it, or with one proven snapshot', async () => {
    const owner = await withTwoSnapshots();
    const { log } = logs.at(-1)!;
    projected = null;
    await trim(owner);
    expect(await log.loadBeginning()).toBe(1);
    projected = 20 as Sequence;
    await trim(owner);
    expect(cluster.hub.entries[(await log.loadBeginning()) - 1]!.lastSequence).toBe(20);
    shelf.snapshots = shelf.snapshots.slice(1);
    projected = Number.MAX_SAFE_INTEGER as Sequence;
    const before = await log.loadBeginning();
    await trim(owner);
    expect(await log.loadBeginning()).toBe(before);
  });

  it('is needed by a process that was away for too long: it ends and says what to do', async () => {
    const away = new MemoryDisk();
    const early = await join(away);
    await early.exchange.submit(credit());
    await early.exchange.stop();
    await trim(await withTwoSnapshots());
    cluster.shelf = null;
    await expect(cluster.open(away).exchange.start()).rejects.toThrow('move its data folder away');
  });
});

describe('a process that joins with an empty folder', () => {
  it('begins with a snapshot of the shelf and holds the same state', async () => {
    const { owner } = await joinTwoWithSnapshot(snapshotEvery + 30);
    // What the snapshot holds is gone from the log: only the commands after it can be read there.
    const kept = shelf.snapshots[0]!;
    cluster.hub.trimBelow(kept.sequence);
    const disk = new MemoryDisk();
    const late = await join(disk);
    expect(await stateOf(late)).toBe(await stateOf(owner));
    await late.exchange.submit(credit());
    expect(await stateOf(late)).toBe(await stateOf(owner));
    await late.exchange.stop();
    const again = await join(new MemoryDisk(disk.files()));
    expect(await stateOf(again)).toBe(await stateOf(owner));
    expect(again.exchange.notes?.beginning).toMatchObject({ sequence: kept.sequence });
  });

  it('recognizes signed requests from before the snapshot', async () => {
    const digest = digestOf('ab'.repeat(32), Date.now());
    const first = await join();
    await first.exchange.submit(credit(), digest);
    await joinTwoWithSnapshot(snapshotEvery + 5);
    const late = await join();
    expect(late.exchange.notes?.beginning).not.toBeNull();
    await expect(late.exchange.submit(credit(), digest)).rejects.toThrow(RequestRepeatedError);
  });

  it('uses no snapshot that only one process vouches for', async () => {
    const { owner } = await joinTwoWithSnapshot(snapshotEvery + 5);
    shelf.snapshots = shelf.snapshots.map((each) => ({ ...each, provenBy: null }));
    const late = await join();
    expect(await stateOf(late)).toBe(await stateOf(owner));
    expect(late.exchange.notes).toMatchObject({ beginning: null });
  });

  it('uses no damaged snapshot', async () => {
    const { owner } = await joinTwoWithSnapshot(snapshotEvery + 5);
    for (const bytes of shelf.files.values()) bytes[bytes.length >> 1]! ^= 1;
    const late = await join();
    expect(await stateOf(late)).toBe(await stateOf(owner));
    expect(late.exchange.notes).toMatchObject({ beginning: null });
  });

  it('uses no snapshot that the database has not reached', async () => {
    const { owner } = await joinTwoWithSnapshot(snapshotEvery + 5);
    projected = (snapshotEvery - 1) as Sequence;
    const late = await join();
    expect(await stateOf(late)).toBe(await stateOf(owner));
    expect(late.exchange.notes).toMatchObject({ beginning: null });
  });
});
