import { pino } from 'pino';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { MemoryDisk } from '../../test/support/memory-disk.ts';
import { addressOf } from '../../test/support/sequencer-address.ts';
import { makeSequencer } from '../../test/support/sequencer-fixture.ts';
import { WatchedDisk } from '../../test/support/watched-disk.ts';
import { EngineRestartingError } from '../application/ports/exchange.ts';
import type { Sequence } from '../domain/identifiers.ts';
import { digestOf, type RequestDigest } from '../domain/request-digest.ts';
import { engineFactory } from '../engine/engine.ts';
import { SnapshotStore } from '../journal/snapshot-store.ts';
import { systemTime } from '../system/system-time.ts';
import type { DurableSignal } from './durable-signal.ts';
import { defaultFollowerLimits, type FollowerLimits, JournalFollower } from './journal-follower.ts';

const folder = '/journal';
const logger = pino({ level: 'silent' });
const { signal } = new AbortController();
const commands = 200;
const begin = 1_700_000_000_000;
const digestAt = (sequence: number): RequestDigest =>
  digestOf(sequence.toString(16).padStart(8, '0').padEnd(64, '5'), begin);

let files: Map<string, Buffer>;

beforeAll(async () => {
  const disk = new MemoryDisk();
  let now = begin;
  const { sequencer } = makeSequencer(folder, { disk, clock: { now: () => (now += 1) } });
  await sequencer.start();
  const all = Array.from({ length: commands }, (_, index) =>
    sequencer.submit({ type: 'openAccount', address: addressOf(index + 1) }, digestAt(index + 1)),
  );
  await Promise.all(all);
  files = disk.files();
  await sequencer.stop();
});

/** A follower whose time and whose sequencer the test moves. */
class Workbench implements DurableSignal {
  sequence: Sequence | null = null;
  now = 0;
  /** What it has slept for, in milliseconds. */
  readonly sleeps: number[] = [];
  /** The waits for a release that have not ended. */
  readonly releaseWaits = new Map<() => void, number>();
  readonly snapshots: number[] = [];
  caughtUp = 0;
  onTurn = (): void => undefined;
  readonly watched = new WatchedDisk(new MemoryDisk(files));
  #waiting: (() => void)[] = [];

  open(limits: Partial<FollowerLimits> = {}): JournalFollower {
    const follower = new JournalFollower({
      directory: folder,
      machines: engineFactory,
      logger,
      durable: this,
      limits: { ...defaultFollowerLimits, ...limits },
      disk: this.watched.disk,
      time: {
        ...systemTime,
        monotonicMs: () => this.now,
        sleep: async (delayMs) => void this.sleeps.push(delayMs),
        after: (delayMs, callback) => {
          this.releaseWaits.set(callback, delayMs);
          return () => void this.releaseWaits.delete(callback);
        },
        yieldTurn: () => {
          this.onTurn();
          return systemTime.yieldTurn();
        },
      },
      onSnapshot: (_state, sequence) => void this.snapshots.push(sequence),
      onCaughtUp: () => {
        this.caughtUp += 1;
      },
    });
    onTestFinished(() => follower.stop());
    return follower;
  }

  publish(sequence: number): void {
    this.sequence = sequence as Sequence;
    this.wake();
  }

  changedFrom(sequence: Sequence | null): Promise<void> {
    if (sequence !== this.sequence) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** So many more commands became durable, so long after the last ones were applied. */
  async grow(count: number, afterMs = 0): Promise<void> {
    this.now += afterMs;
    this.publish((this.sequence ?? 0) + count);
    await this.idle();
  }

  /** Until the follower waits for the sequencer or for the database. */
  async idle(): Promise<void> {
    await this.reaches(() => this.#waiting.length + this.releaseWaits.size > 0);
  }

  async reaches(condition: () => boolean): Promise<void> {
    await systemTime.yieldTurn();
    await vi.waitUntil(condition, { interval: 1 });
  }
}

let bench: Workbench;

beforeEach(() => {
  bench = new Workbench();
});

async function readAfter(follower: JournalFollower, after: number): Promise<readonly number[]> {
  const found = await follower.outcomeLog.read(after as Sequence, 1_000, signal);
  return found.map(({ sequence }) => sequence);
}

describe('a follower that gathers commands', () => {
  it('waits a moment for more, and longer while ten or more come at a time', async () => {
    void bench.open().run();
    await bench.grow(0);
    expect(bench.sleeps).toEqual([]);
    const { gatherMs, busyGatherMs } = defaultFollowerLimits;
    for (const [count, afterMs, gathered] of [
      [1, 0, gatherMs],
      [10, 0, gatherMs],
      [9, 0, busyGatherMs],
      [10, 0, gatherMs],
      // After a longer silence it is not busy any more.
      [10, busyGatherMs, busyGatherMs],
      [10, busyGatherMs + 1, gatherMs],
    ] as const) {
      bench.sleeps.length = 0;
      await bench.grow(count, afterMs);
      expect(bench.sleeps).toEqual([gathered]);
    }
  });

  it('gathers after ten or more commands even if others came while it read them', async () => {
    void bench.open().run();
    await bench.grow(0);
    for (const [count, sleeps] of [
      [10, [2, 50]],
      [9, [2]],
    ] as const) {
      bench.sleeps.length = 0;
      const during = bench.sequence! + count + 1;
      bench.onTurn = () => void (bench.sequence = during as Sequence);
      await bench.grow(count);
      expect(bench.sleeps).toEqual(sleeps);
    }
  });

  it('reads on without a pause while it is behind', async () => {
    const follower = bench.open({ outcomesKeptMax: 60, snapshotEvery: 30 });
    void follower.run();
    await bench.grow(0);
    await bench.grow(120);
    expect(bench.sleeps).toEqual([2]);
    expect(await readAfter(follower, 60)).toHaveLength(60);
  });
});

describe('a follower whose memory is full', () => {
  it('waits for the database, which says what it has taken', async () => {
    const follower = bench.open({ outcomesKeptMax: 20, snapshotEvery: 50 });
    void follower.run();
    await bench.grow(30);
    expect([...bench.releaseWaits.values()]).toEqual([1_000]);
    expect(await readAfter(follower, 0)).toHaveLength(20);
    follower.outcomeLog.release(19 as Sequence);
    await bench.idle();
    expect(bench.releaseWaits.size).toBe(1);
    follower.outcomeLog.release(20 as Sequence);
    expect(await readAfter(follower, 20)).toHaveLength(10);
    expect(bench.releaseWaits.size).toBe(0);
  });

  it('looks again after a while, and goes on once a snapshot is due', async () => {
    const follower = bench.open({ outcomesKeptMax: 20, snapshotEvery: 50 });
    void follower.run();
    await bench.grow(69);
    for (const sequence of [69, 70]) {
      bench.sequence = sequence as Sequence;
      const [lookAgain] = bench.releaseWaits.keys();
      bench.releaseWaits.clear();
      lookAgain!();
      await bench.idle();
    }
    // 50 were waiting, so it continued, with the newest 20 in memory.
    expect(await readAfter(follower, 20)).toHaveLength(20);
  });
});

describe('the snapshots of a follower', () => {
  it('are taken at the multiples, although more commands wait, with the signed requests', async () => {
    const follower = bench.open({ snapshotEvery: 30 });
    void follower.run();
    for (const [sequence, taken] of [
      [45, [30]],
      [89, [30, 60]],
      [100, [30, 60, 90]],
    ] as const) {
      bench.publish(sequence);
      await bench.reaches(() => bench.snapshots.length === taken.length);
      expect(bench.snapshots).toEqual(taken);
    }
    await follower.stop();
    const { disk } = bench.watched;
    const store = new SnapshotStore({
      disk,
      folder,
      machines: engineFactory,
      time: systemTime,
      logger,
    });
    const restored = await store.restore(100);
    expect([restored.sequence, restored.timestamp]).toEqual([90, begin + 90]);
    expect(restored.machine.findAccount(addressOf(90))).toBe(90);
    expect([1, 90, 91].map((at) => restored.requests.has(digestAt(at)))).toEqual([
      true,
      true,
      false,
    ]);
  });
});

describe('the start of a follower', () => {
  it('waits until the journal is recovered, and then says which it is', async () => {
    const follower = bench.open();
    const running = follower.run();
    expect(follower.run()).toBe(running);
    await bench.idle();
    bench.wake();
    await bench.idle();
    expect([follower.journalId, bench.caughtUp, bench.watched.opened]).toEqual([null, 0, []]);
    await bench.grow(40);
    expect(follower.journalId).toMatch(/^[0-9a-f]{16}$/);
    expect(bench.caughtUp).toBe(1);
    expect(await readAfter(follower, 0)).toHaveLength(40);
    await bench.grow(5);
    expect(bench.caughtUp).toBe(1);
  });
});

describe('the stop of a follower', () => {
  it('before the journal is recovered ends it, with nothing opened', async () => {
    const follower = bench.open();
    const running = follower.run();
    await bench.idle();
    await follower.stop();
    await running;
    expect([bench.watched.opened, bench.caughtUp]).toEqual([[], 0]);
  });

  it('ends the readers of outcomes, and leaves no file open', async () => {
    const follower = bench.open();
    const running = follower.run();
    await bench.grow(10);
    expect(bench.watched.open).toBe(1);
    const refused = expect(readAfter(follower, 10)).rejects.toThrow(EngineRestartingError);
    await follower.stop();
    await refused;
    await running;
    expect(bench.watched.open).toBe(0);
  });

  it('does not wait for the database, and what has not caught up then never has', async () => {
    const follower = bench.open({ outcomesKeptMax: 20, snapshotEvery: 50 });
    void follower.run();
    await bench.grow(30);
    expect(bench.releaseWaits.size).toBe(1);
    await follower.stop();
    expect([bench.releaseWaits.size, bench.caughtUp]).toEqual([0, 0]);
  });
});
