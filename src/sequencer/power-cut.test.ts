import { expect, test } from 'vitest';
import { Random } from '../../bench/workload/random.ts';
import { DiskCrash, type Draw, MemoryDisk } from '../../test/support/memory-disk.ts';
import { flowCommands, hashesOf, liveHash } from '../../test/support/recorded-flow.ts';
import { makeSequencer } from '../../test/support/sequencer-fixture.ts';
import type { Command } from '../engine/commands.ts';

// A power cut at every operation of a busy run: the run passes through segments being prepared and
// entered, snapshots being written and removed, and the stop at its end.

const folder = '/journal';
const commands = flowCommands(5, 420);
const hashes = hashesOf(commands, 1_700_000_000_000);
const limits = { snapshotEvery: 120 };

/** Sends the commands in bursts; returns the highest sequence that was acknowledged. */
async function run(disk: MemoryDisk): Promise<number> {
  const { sequencer } = makeSequencer(folder, { disk, limits });
  let acknowledged = 0;
  const send = async (command: Command): Promise<void> => {
    const { sequence } = await sequencer.submit(command);
    acknowledged = Math.max(acknowledged, sequence);
  };
  try {
    await sequencer.start();
    for (let at: number = sequencer.durableSequence; at < commands.length; at += 30) {
      await Promise.all(commands.slice(at, at + 30).map(send));
      sequencer.outcomeLog.release(sequencer.durableSequence);
    }
  } catch (error) {
    expect(disk.hasCrashed, String(error)).toBe(true);
  }
  await Promise.allSettled([sequencer.stop()]);
  return acknowledged;
}

async function expectRecovered(disk: MemoryDisk, acknowledged: number): Promise<void> {
  const { sequencer } = makeSequencer(folder, { disk, limits });
  await sequencer.start();
  const { durableSequence } = sequencer;
  expect(durableSequence).toBeGreaterThanOrEqual(acknowledged);
  expect(liveHash(sequencer)).toBe(hashes[durableSequence]);
  await Promise.all(commands.slice(durableSequence).map((command) => sequencer.submit(command)));
  expect(liveHash(sequencer)).toBe(hashes[commands.length]);
  await sequencer.stop();
}

function crashAt(disk: MemoryDisk, change: number): void {
  disk.fault = (_operation, _path, count) => {
    if (count === change) throw new DiskCrash('the power is gone');
  };
}

function drawOf(seed: number): Draw {
  const random = new Random(seed);
  return (limit) => random.nextBits() % limit;
}

test('power cut: at every operation of a run, no acknowledged command is lost', async () => {
  const whole = new MemoryDisk();
  expect(await run(whole)).toBe(commands.length);
  expect(whole.changes).toBeGreaterThan(60);
  for (let change = 1; change <= whole.changes; change += 1) {
    const disk = new MemoryDisk();
    crashAt(disk, change);
    const acknowledged = await run(disk);
    await expectRecovered(disk.afterPowerCut(drawOf(change)), acknowledged);
  }
});

test('power cut: a second one during recovery from the first loses nothing either', async () => {
  for (let seed = 1; seed <= 60; seed += 1) {
    const draw = drawOf(1_000 + seed);
    const first = new MemoryDisk();
    crashAt(first, 20 + draw(60));
    const acknowledged = await run(first);
    const second = first.afterPowerCut(draw);
    crashAt(second, 1 + draw(6));
    const recovered = await run(second);
    await expectRecovered(second.afterPowerCut(draw), Math.max(acknowledged, recovered));
  }
});

test('power cut: a disk that lost durable data is detected by the snapshot', async () => {
  const disk = new MemoryDisk();
  await run(disk);
  const files = disk.files();
  for (const [path, bytes] of files) if (path.endsWith('.segment')) bytes.fill(0, 512);
  const { sequencer } = makeSequencer(folder, { disk: new MemoryDisk(files), limits });
  await expect(sequencer.start()).rejects.toThrow(/is missing, though snapshot 420 has it/);
  await sequencer.stop();
});
