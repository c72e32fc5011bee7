import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { MemoryDisk } from '../../test/support/memory-disk.ts';
import { flowCommands, sendFlow } from '../../test/support/recorded-flow.ts';
import { addressOf } from '../../test/support/sequencer-address.ts';
import { createSequencer } from '../../test/support/sequencer-fixture.ts';
import type { AppliedCommand } from '../application/ports/exchange.ts';
import type { Sequence } from '../domain/identifiers.ts';
import { engineFactory } from '../engine/engine.ts';
import { snapshotPath } from '../journal/snapshot.ts';
import { SnapshotStore } from '../journal/snapshot-store.ts';
import { systemTime } from '../system/system-time.ts';
import { ThreadSignal } from './durable-signal.ts';
import { defaultFollowerLimits, type FollowerLimits, JournalFollower } from './journal-follower.ts';

const folder = '/journal';
const logger = pino({ level: 'silent' });
const soon = { interval: 2 };
const { signal } = new AbortController();

async function open(
  disk: MemoryDisk,
  limits: Partial<FollowerLimits> = {},
  onCaughtUp: () => void = () => undefined,
) {
  const durable = new ThreadSignal();
  const { sequencer } = createSequencer(folder, { disk, follower: durable });
  const follower = new JournalFollower({
    directory: folder,
    machines: engineFactory,
    logger,
    // The other thread has its own signal over the same memory.
    durable: new ThreadSignal(durable.memory),
    limits: { ...defaultFollowerLimits, ...limits },
    disk,
    onCaughtUp,
  });
  onTestFinished(() => follower.stop());
  void follower.run();
  await sequencer.start();
  return { sequencer, follower };
}

/** Reads as the projector does, which says what the database holds. */
async function project(
  follower: JournalFollower,
  after: number,
  through: number,
): Promise<AppliedCommand[]> {
  const outcomes: AppliedCommand[] = [];
  for (let position = after; position < through; ) {
    const batch = await follower.outcomeLog.read(position as Sequence, 100, signal);
    outcomes.push(...batch);
    position += batch.length;
    follower.outcomeLog.release(position as Sequence);
  }
  return outcomes;
}

function listSnapshots(disk: MemoryDisk): Promise<readonly Sequence[]> {
  return new SnapshotStore({
    disk,
    folder,
    machines: engineFactory,
    time: systemTime,
    logger,
  }).list();
}

test('follower: it produces the outcomes that the callers received', async () => {
  const { sequencer, follower } = await open(new MemoryDisk());
  const heard = await sendFlow(sequencer, 11, 600);
  expect(await project(follower, 0, 600)).toEqual(heard);
  const more = await sequencer.submit(flowCommands(12, 1)[0]!);
  expect(await project(follower, 600, 601)).toEqual([more]);
});

test('follower: its snapshots give the state of the engine that processed the orders', async () => {
  const disk = new MemoryDisk();
  const { sequencer, follower } = await open(disk, { snapshotEvery: 250 });
  await sendFlow(sequencer, 13, 700);
  await project(follower, 0, 700);
  await vi.waitFor(async () => expect((await listSnapshots(disk)).length).toBeGreaterThan(0), soon);
  const live = sequencer.peek((view) => view as unknown as { stateHash(): string }).stateHash();
  await follower.stop();
  const [newest] = [...(await listSnapshots(disk))].reverse();
  expect(newest).toBeGreaterThanOrEqual(250);
  await sequencer.stop();

  const again = createSequencer(folder, { disk });
  await again.sequencer.start();
  const restored = again.sequencer.peek((view) => view as unknown as { stateHash(): string });
  expect(restored.stateHash()).toBe(live);
});

test('follower: it follows the pace of the database, within its memory', async () => {
  const { sequencer, follower } = await open(new MemoryDisk(), { outcomesKeptMax: 1_200 });
  const heard = await sendFlow(sequencer, 14, 3_000);
  const first = await follower.outcomeLog.read(0 as Sequence, 5_000, signal);
  expect(first.length).toBeLessThanOrEqual(1_200);
  expect(await project(follower, 0, 3_000)).toEqual(heard);
});

test('follower: while the database is down it takes snapshots, and nothing is lost', async () => {
  const disk = new MemoryDisk();
  const limits = { outcomesKeptMax: 1_100, snapshotEvery: 1_500 };
  const { sequencer, follower } = await open(disk, limits);
  const heard = await sendFlow(sequencer, 15, 5_000);
  await vi.waitFor(async () => expect((await listSnapshots(disk)).length).toBeGreaterThan(0), soon);
  expect(await project(follower, 0, 5_000)).toEqual(heard);
});

test("follower: after a restart it continues from the database's position", async () => {
  const disk = new MemoryDisk();
  const first = await open(disk);
  const heard = await sendFlow(first.sequencer, 16, 400);
  await project(first.follower, 0, 130);
  await first.follower.stop();
  await first.sequencer.stop();
  const second = await open(disk);
  expect(await project(second.follower, 130, 400)).toEqual(heard.slice(130));
});

/** Many commands and no snapshot, as after a crash: what a stop wrote is taken away. */
async function crashWithoutSnapshot(disk: MemoryDisk, seed: number, count: number) {
  const first = await open(disk);
  const heard = await sendFlow(first.sequencer, seed, count);
  await first.follower.stop();
  await first.sequencer.stop();
  for (const sequence of await listSnapshots(disk)) {
    await disk.remove(snapshotPath(folder, sequence));
  }
  return heard;
}

test('follower: after a crash it serves a database that is ahead of its memory', async () => {
  const disk = new MemoryDisk();
  await crashWithoutSnapshot(disk, 17, 4_000);
  const { sequencer, follower } = await open(disk, { outcomesKeptMax: 500 });
  // The projector says where the database stands before the replica has begun.
  follower.outcomeLog.release(4_000 as Sequence);
  const projected = project(follower, 4_000, 4_001);
  const heard = await sequencer.submit({ type: 'openAccount', address: addressOf(1) });
  expect(await projected).toEqual([heard]);
});

test('follower: it has caught up once it has applied what the journal held at the start', async () => {
  const disk = new MemoryDisk();
  await crashWithoutSnapshot(disk, 20, 4_000);
  let caughtUp = 0;
  const { follower } = await open(disk, { outcomesKeptMax: 500 }, () => {
    caughtUp += 1;
  });
  // The database holds 1,000: the replica waits for it before it continues.
  follower.outcomeLog.release(1_000 as Sequence);
  await project(follower, 1_000, 1_200);
  expect(caughtUp).toBe(0);
  await project(follower, 1_200, 4_000);
  await vi.waitFor(() => expect(caughtUp).toBe(1), soon);
});

test('follower: after a crash it produces only what the database lacks, wherever that begins', async () => {
  const disk = new MemoryDisk();
  const heard = await crashWithoutSnapshot(disk, 18, 4_000);
  const { follower } = await open(disk, { outcomesKeptMax: 500 });
  follower.outcomeLog.release(3_650 as Sequence);
  expect(await project(follower, 3_650, 4_000)).toEqual(heard.slice(3_650));
});

test('follower: a position beyond the journal is an error, not something to wait for', async () => {
  const disk = new MemoryDisk();
  await crashWithoutSnapshot(disk, 19, 100);
  const { follower } = await open(disk);
  await expect(follower.outcomeLog.read(101 as Sequence, 10, signal)).rejects.toThrow(
    'position 101 is beyond the journal, which ends with 100',
  );
});

test('follower: a durable record that the disk has lost ends it with file and offset', async () => {
  const disk = new MemoryDisk();
  const { sequencer } = createSequencer(folder, { disk });
  await sequencer.start();
  await sendFlow(sequencer, 21, 10);
  const path = `${folder}/00000001.segment`;
  const last = disk
    .files()
    .get(path)!
    .findLastIndex((byte) => byte !== 0);
  const file = await disk.openDurable(path);
  await file.write(Buffer.alloc(1), 1, last);
  const durable = new ThreadSignal();
  durable.publish(sequencer.durableSequence);
  const options = { directory: folder, machines: engineFactory, logger, disk };
  const follower = new JournalFollower({ ...options, durable, limits: defaultFollowerLimits });
  const error: unknown = await follower.run().catch((reason: unknown) => reason);
  expect(error).toMatchObject({ name: 'JournalDamageError', file: path });
  expect(String(error)).toContain('record 10 was durable and is gone');
  await sequencer.stop();
});
