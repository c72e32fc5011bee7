import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ClusterMember, credit, MemoryCluster } from '../../test/support/memory-cluster.ts';
import { MemoryDisk } from '../../test/support/memory-disk.ts';
import { RequestRepeatedError } from '../application/ports/exchange.ts';
import type { Sequence } from '../domain/identifiers.ts';
import { digestOf } from '../domain/request-digest.ts';
import { engineFactory } from '../engine/engine.ts';
import { readSnapshot, snapshotPath, writeSnapshot } from '../journal/snapshot.ts';
import { systemRandom } from '../system/random-source.ts';
import { systemTime } from '../system/system-time.ts';
import type { SharingProcess, SnapshotSharing } from './cluster-options.ts';
import { seedJournal } from './seed-journal.ts';
import type { SharedSnapshotStore } from './shared-snapshot-store.ts';
import {
  findNamed,
  type SharedSnapshot,
  type SnapshotCatalog,
  sha256Of,
  sharedSnapshotName,
} from './shared-snapshots.ts';
import { SnapshotSharer } from './snapshot-sharer.ts';
import { trimLog } from './trim-log.ts';

const folder = '/journal';
const errors: string[] = [];
const logger = pino({ level: 'error' }, { write: (line: string) => void errors.push(line) });
const snapshotEvery = 100;
const journalId = '0123456789abcdef';
/** As read by a process that has not joined. */
const hubLog = {
  load: async (position: number) =>
    position < cluster.hub.beginning ? null : (cluster.hub.entries[position - 1] ?? null),
  loadBeginning: async () => cluster.hub.beginning,
  loadEnd: async () => cluster.hub.entries.length,
};

class MemorySnapshotStore implements SharedSnapshotStore, SnapshotCatalog {
  readonly files = new Map<string, Uint8Array>();
  snapshots: readonly SharedSnapshot[] = [];
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

  async write(snapshots: readonly SharedSnapshot[], expected: number | null): Promise<boolean> {
    if (expected !== this.#revision) return false;
    this.snapshots = snapshots;
    this.#revision = (expected ?? 0) + 1;
    return true;
  }
}

let cluster: MemoryCluster;
let store: MemorySnapshotStore;
let projected: Sequence | null;
const sharers: SnapshotSharer[] = [];
const logs: SharingProcess[] = [];

beforeEach(() => {
  errors.length = 0;
  logs.length = 0;
  cluster = new MemoryCluster();
  cluster.snapshotEvery = snapshotEvery;
  store = new MemorySnapshotStore();
  projected = Number.MAX_SAFE_INTEGER as Sequence;
});
afterEach(async () => {
  await Promise.all(sharers.splice(0).map((sharer) => sharer.stop()));
  await cluster.close();
});

function sharingOn(disk: MemoryDisk): SnapshotSharing {
  const common = { disk, folder, store, catalog: store, time: systemTime, logger };
  const rules = engineFactory;
  return {
    seed: () =>
      seedJournal({
        ...common,
        log: hubLog,
        journalId,
        rules,
        projected,
        random: systemRandom,
      }),
    start: (own: SharingProcess) => {
      const sharer = new SnapshotSharer({ ...common, ...own, snapshotEvery });
      sharers.push(sharer);
      logs.push(own);
      return () => sharer.stop();
    },
  };
}

function join(disk = new MemoryDisk()): Promise<ClusterMember> {
  cluster.snapshotSharing = sharingOn(disk);
  return cluster.join(disk);
}

function isNamed({ position }: SharedSnapshot): boolean {
  return position !== undefined;
}

/** Resolves once the log names that many snapshots. */
async function lookUntilNamed(count: number): Promise<void> {
  await vi.waitUntil(async () => {
    for (const sharer of sharers) await sharer.takeTurn();
    return store.snapshots.filter(isNamed).length === count;
  });
}

/** Two processes that have taken the snapshot of the last multiple. */
async function joinTwo(commands: number) {
  const disks = [new MemoryDisk(), new MemoryDisk()];
  const [owner, standby] = [await join(disks[0]), await join(disks[1])];
  for (let count = 0; count < commands; count += 1) await standby.exchange.submit(credit());
  await owner.exchange.read(() => undefined);
  const hasSnapshot = (disk: MemoryDisk): boolean =>
    [...disk.files().keys()].some((name) => name.endsWith('.snapshot'));
  await vi.waitUntil(() => disks.every(hasSnapshot));
  return { owner, standby };
}

/** The same, once the log names the snapshot. */
async function joinTwoWithSnapshot(commands: number) {
  const members = await joinTwo(commands);
  await lookUntilNamed(1);
  return members;
}

/** The same with two snapshots. */
async function joinTwoWithTwoSnapshots(): Promise<ClusterMember> {
  const { owner, standby } = await joinTwoWithSnapshot(snapshotEvery + 20);
  for (let count = 0; count < snapshotEvery; count += 1) await standby.exchange.submit(credit());
  await lookUntilNamed(2);
  return owner;
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
    return trimLog({ log, catalog: store, loadProjected, keepMs: 24 * hourMs, time, logger });
  }

  it('is removed up to the older of two named snapshots, and a new process can join', async () => {
    const owner = await joinTwoWithTwoSnapshots();
    await trim(owner);
    const beginning = await logs.at(-1)!.log.loadBeginning();
    const first = cluster.hub.entries[beginning - 1]!;
    expect(first.lastSequence).toBe(store.snapshots[0]!.sequence);
    expect(await stateOf(await join())).toBe(await stateOf(owner));
  });

  it('stays while it is younger than LOG_KEEP_HOURS', async () => {
    const owner = await joinTwoWithTwoSnapshots();
    cluster.hub.timeOf = (position) => (position < 10 ? 0 : 30 * hourMs);
    await trim(owner);
    expect(await logs.at(-1)!.log.loadBeginning()).toBe(10);
  });

  it('stays while the database lacks it, or while it names one snapshot', async () => {
    const owner = await joinTwoWithTwoSnapshots();
    const { log } = logs.at(-1)!;
    projected = null;
    await trim(owner);
    expect(await log.loadBeginning()).toBe(1);
    projected = 20 as Sequence;
    await trim(owner);
    expect(cluster.hub.entries[(await log.loadBeginning()) - 1]!.lastSequence).toBe(20);
    store.snapshots = store.snapshots.slice(1);
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
    await trim(await joinTwoWithTwoSnapshots());
    cluster.snapshotSharing = null;
    await expect(cluster.open(away).exchange.start()).rejects.toThrow('with SNAPSHOT_STORE');
  });
});

describe('a process that was away for longer than the shared log goes back', () => {
  /** A process that has stopped, and whose next entry has been removed from the log. */
  async function stopEarly(): Promise<{ disk: MemoryDisk; number: string; owner: ClusterMember }> {
    const disk = new MemoryDisk();
    const early = await join(disk);
    for (let count = 0; count < 5; count += 1) await early.exchange.submit(credit());
    const number = early.exchange.memberFile!.member;
    await early.exchange.stop();
    const { owner } = await joinTwoWithSnapshot(snapshotEvery + 30);
    cluster.hub.trimBelow(store.snapshots[0]!.sequence);
    return { disk, number, owner };
  }

  const kept = (disk: MemoryDisk, pattern: RegExp): string[] =>
    [...disk.files().keys()].filter((name) => pattern.test(name));

  it('begins with a snapshot in its own folder, keeps its number and its old journal', async () => {
    const { disk, number, owner } = await stopEarly();
    const again = await join(disk);
    const beginning = { sequence: snapshotEvery };
    expect(again.exchange.memberFile).toMatchObject({ member: number, beginning });
    expect(kept(disk, /00000001\.segment(?!\.before-100$)/)).toEqual([]);
    await again.exchange.submit(credit());
    expect(await stateOf(again)).toBe(await stateOf(owner));
    await again.exchange.stop();
    const third = await join(new MemoryDisk(disk.files()));
    expect(third.exchange.memberFile).toMatchObject({ member: number, beginning });
    expect(await stateOf(third)).toBe(await stateOf(owner));
  });

  it('does the same if it was interrupted while it set its journal aside', async () => {
    const { disk, number, owner } = await stopEarly();
    const [segment] = kept(disk, /\.segment$/).reverse();
    await disk.rename(segment!, `${segment}.before-100`);
    const again = await join(disk);
    expect(again.exchange.memberFile).toMatchObject({ member: number });
    expect(await stateOf(again)).toBe(await stateOf(owner));
  });

  it('keeps its journal as it is if no snapshot can be used', async () => {
    const { disk } = await stopEarly();
    for (const bytes of store.files.values()) bytes[bytes.length >> 1]! ^= 1;
    await expect(join(disk)).rejects.toThrow('the shared log begins with entry');
    expect(kept(disk, /before/)).toEqual([]);
  });

  it('keeps its journal if the shared log has what follows', async () => {
    const disk = new MemoryDisk();
    await (await join(disk)).exchange.stop();
    const { owner } = await joinTwoWithSnapshot(snapshotEvery + 30);
    const again = await join(disk);
    expect(again.exchange.memberFile).toMatchObject({ beginning: null });
    expect(await stateOf(again)).toBe(await stateOf(owner));
  });
});

describe('a process that joins with an empty folder', () => {
  it('begins with a snapshot from the shared store and holds the same state', async () => {
    const { owner } = await joinTwoWithSnapshot(snapshotEvery + 30);
    // What the snapshot holds is gone from the log: only the commands after it can be read there.
    const kept = store.snapshots[0]!;
    cluster.hub.trimBelow(kept.sequence);
    const disk = new MemoryDisk();
    const late = await join(disk);
    expect(await stateOf(late)).toBe(await stateOf(owner));
    await late.exchange.submit(credit());
    expect(await stateOf(late)).toBe(await stateOf(owner));
    await late.exchange.stop();
    const again = await join(new MemoryDisk(disk.files()));
    expect(await stateOf(again)).toBe(await stateOf(owner));
    expect(again.exchange.memberFile?.beginning).toMatchObject({ sequence: kept.sequence });
  });

  it('recognizes signed requests from before the snapshot', async () => {
    const digest = digestOf('ab'.repeat(32), Date.now());
    const first = await join();
    await first.exchange.submit(credit(), digest);
    await joinTwoWithSnapshot(snapshotEvery + 5);
    const late = await join();
    expect(late.exchange.memberFile?.beginning).not.toBeNull();
    await expect(late.exchange.submit(credit(), digest)).rejects.toThrow(RequestRepeatedError);
  });

  it('uses no snapshot that the log does not name', async () => {
    const { owner } = await joinTwoWithSnapshot(snapshotEvery + 5);
    store.snapshots = store.snapshots.map(({ position: _position, ...record }) => record);
    const late = await join();
    expect(await stateOf(late)).toBe(await stateOf(owner));
    expect(late.exchange.memberFile).toMatchObject({ beginning: null });
  });

  it('uses no damaged snapshot', async () => {
    const { owner } = await joinTwoWithSnapshot(snapshotEvery + 5);
    for (const bytes of store.files.values()) bytes[bytes.length >> 1]! ^= 1;
    const late = await join();
    expect(await stateOf(late)).toBe(await stateOf(owner));
    expect(late.exchange.memberFile).toMatchObject({ beginning: null });
  });

  it('uses no snapshot that the database has not reached', async () => {
    const { owner } = await joinTwoWithSnapshot(snapshotEvery + 5);
    projected = (snapshotEvery - 1) as Sequence;
    const late = await join();
    expect(await stateOf(late)).toBe(await stateOf(owner));
    expect(late.exchange.memberFile).toMatchObject({ beginning: null });
  });
});

describe('the entry that names a snapshot', () => {
  it('has its sequence, chain, state hash and SHA-256, once two processes have the state', async () => {
    const { owner } = await joinTwoWithSnapshot(snapshotEvery + 5);
    const [record] = store.snapshots;
    const { sequence, chain, stateHash, sha256, position } = record!;
    const entries = cluster.hub.entries.filter(({ mark }) => mark?.snapshot !== undefined);
    expect(entries.map((each) => each.position)).toEqual([position]);
    expect(entries[0]!.mark!.snapshot).toEqual({ sequence, chain, stateHash, sha256 });
    expect(sequence).toBe(snapshotEvery);
    expect(chain).toBe(await logs[0]!.chain.at(sequence));
    expect(sha256).toBe(await sha256Of([...store.files.values()][0]!));
    expect(record!.provenBy).not.toBe(record!.putBy);
    expect(record!.putBy).not.toBe(owner.exchange.memberFile!.member);
  });

  it('is appended again if the log no longer has it', async () => {
    await joinTwoWithSnapshot(snapshotEvery + 5);
    const { position } = store.snapshots[0]!;
    store.snapshots = store.snapshots.map((each) => ({ ...each, position: position! - 1 }));
    expect(await findNamed(hubLog, store.snapshots[0]!)).toBeNull();
    await vi.waitUntil(async () => {
      for (const sharer of sharers) await sharer.takeTurn();
      return (await findNamed(hubLog, store.snapshots[0]!)) !== null;
    });
    expect(store.snapshots[0]!.position).toBeGreaterThan(position!);
  });

  it('changes nothing for a process that follows the log', async () => {
    const { owner, standby } = await joinTwoWithSnapshot(snapshotEvery + 5);
    await standby.exchange.submit(credit());
    expect(standby.exchange.memberFile!.list).toEqual(owner.exchange.memberFile!.list);
    expect(await stateOf(standby)).toBe(await stateOf(owner));
    expect([...owner.failures, ...standby.failures]).toEqual([]);
  });

  it('is never written for a file that another process finds damaged', async () => {
    const put = store.put.bind(store);
    store.put = (name, bytes) => put(name, bytes.with(60, bytes[60]! ^ 1));
    await joinTwo(snapshotEvery + 5);
    await vi.waitUntil(async () => {
      for (const sharer of sharers) await sharer.takeTurn();
      return errors.join().includes('missing or damaged: it is not proven');
    });
    expect(cluster.hub.entries.filter(({ mark }) => mark?.snapshot !== undefined)).toEqual([]);
    expect(store.snapshots.map(({ provenBy }) => provenBy)).toEqual([null]);
  });
});

describe('an altered snapshot with a correct checksum in the shared store', () => {
  /** Alters the newest snapshot's state; its own checksum is correct again. */
  async function forgeNewest(): Promise<SharedSnapshot> {
    const record = store.snapshots.at(-1)!;
    const name = sharedSnapshotName(journalId, record.sequence);
    const path = snapshotPath(folder, record.sequence);
    const disk = new MemoryDisk(new Map([[path, Buffer.from(store.files.get(name)!)]]));
    const snapshot = await readSnapshot(disk, path, systemTime);
    snapshot.state[snapshot.state.length >> 1]! ^= 1;
    await writeSnapshot(disk, folder, snapshot);
    await expect(readSnapshot(disk, path, systemTime)).resolves.toBeDefined();
    store.files.set(name, disk.files().get(path)!);
    return record;
  }

  it('is refused: an older one is used, with an alarm', async () => {
    const owner = await joinTwoWithTwoSnapshots();
    await forgeNewest();
    const late = await join();
    expect(late.exchange.memberFile?.beginning?.sequence).toBe(store.snapshots[0]!.sequence);
    expect(await stateOf(late)).toBe(await stateOf(owner));
    expect(errors.join()).toContain('is missing or damaged: an older one is used');
  });

  it('is refused even if its record is replaced, because the log names another file', async () => {
    const owner = await joinTwoWithTwoSnapshots();
    const record = await forgeNewest();
    const sha256 = await sha256Of(store.files.get(sharedSnapshotName(journalId, record.sequence))!);
    store.snapshots = store.snapshots.map((each) => (each === record ? { ...each, sha256 } : each));
    const late = await join();
    expect(late.exchange.memberFile?.beginning?.sequence).toBe(store.snapshots[0]!.sequence);
    expect(await stateOf(late)).toBe(await stateOf(owner));
    expect(errors.join()).toContain('the shared log does not name this snapshot');
  });
});
