import { expect, test, vi } from 'vitest';
import { MemoryDisk, systemError } from '../../test/support/memory-disk.ts';
import { flowCommands, sendFlow } from '../../test/support/recorded-flow.ts';
import { addressOf } from '../../test/support/sequencer-address.ts';
import { createSequencer } from '../../test/support/sequencer-fixture.ts';
import { type AppliedCommand, EngineRestartingError } from '../application/ports/exchange.ts';
import type { Sequence } from '../domain/identifiers.ts';
import type { Sequencer } from './sequencer.ts';
import type { SequencerLimits } from './sequencer-options.ts';

const folder = '/journal';
const { signal } = new AbortController();

async function open(disk: MemoryDisk, limits: Partial<SequencerLimits> = {}) {
  const fixture = createSequencer(folder, { disk, limits });
  await fixture.sequencer.start();
  return fixture;
}

/** Reads from the position to the end, as the projector does. */
async function readAll(
  sequencer: Sequencer,
  after: number,
  limitMax: number,
): Promise<AppliedCommand[]> {
  const outcomes: AppliedCommand[] = [];
  let position = after;
  while (position < sequencer.durableSequence) {
    const batch = await sequencer.outcomeLog.read(position as Sequence, limitMax, signal);
    expect(batch.length).toBeGreaterThan(0);
    expect(batch.length).toBeLessThanOrEqual(limitMax);
    outcomes.push(...batch);
    position += batch.length;
  }
  return outcomes;
}

test('outcomeLog: returns recent outcomes and waits for the next one', async () => {
  const { sequencer } = await open(new MemoryDisk());
  const [first] = await sendFlow(sequencer, 1, 1);
  const waiting = sequencer.outcomeLog.read(1 as Sequence, 10, signal);
  const second = await sequencer.submit({ type: 'openAccount', address: addressOf(77) });
  expect(await waiting).toEqual([second]);
  expect(await sequencer.outcomeLog.read(0 as Sequence, 10, signal)).toEqual([first, second]);
  expect(await sequencer.outcomeLog.read(0 as Sequence, 1, signal)).toEqual([first]);
});

test('outcomeLog: a reader that waits ends with its signal, or with the engine', async () => {
  const { sequencer } = await open(new MemoryDisk());
  const controller = new AbortController();
  const aborted = sequencer.outcomeLog.read(0 as Sequence, 10, controller.signal);
  const stopped = sequencer.outcomeLog.read(0 as Sequence, 10, signal);
  controller.abort(new Error('the projector stops'));
  await expect(aborted).rejects.toThrow('the projector stops');
  await expect(sequencer.outcomeLog.read(0 as Sequence, 1, controller.signal)).rejects.toThrow(
    'the projector stops',
  );
  const refused = expect(stopped).rejects.toThrow(EngineRestartingError);
  await sequencer.stop();
  await refused;
});

test('outcomeLog: outcomes that left memory are reproduced exactly', async () => {
  const { sequencer } = await open(new MemoryDisk(), { outcomesKeptMax: 40, snapshotEvery: 300 });
  const outcomes = await sendFlow(sequencer, 2, 1_000);
  expect(outcomes.some((applied) => applied.rejection !== null)).toBe(true);
  expect(outcomes.flatMap((applied) => applied.events).length).toBeGreaterThan(1_000);
  for (const [after, limit] of [
    [0, 1_000],
    [0, 7],
    [299, 100],
    [300, 100],
    [955, 10],
    [987, 3],
  ] as const) {
    expect(await readAll(sequencer, after, limit)).toEqual(outcomes.slice(after));
  }
});

test('outcomeLog: while history is read, trading continues and its outcomes follow', async () => {
  const { sequencer } = await open(new MemoryDisk(), { outcomesKeptMax: 30 });
  const outcomes = await sendFlow(sequencer, 3, 400);
  const commands = flowCommands(3, 700).slice(400);
  const reading = readAll(sequencer, 0, 25);
  for (const command of commands) outcomes.push(await sequencer.submit(command));
  const early = await reading;
  expect(early).toEqual(outcomes.slice(0, early.length));
  expect(early.length).toBeGreaterThanOrEqual(400);
  expect(await readAll(sequencer, early.length, 25)).toEqual(outcomes.slice(early.length));
});

test('outcomeLog: readers at different places do not disturb each other', async () => {
  const { sequencer } = await open(new MemoryDisk(), { outcomesKeptMax: 10, snapshotEvery: 100 });
  const outcomes = await sendFlow(sequencer, 4, 300);
  const all = await Promise.all([0, 250, 120].map((after) => readAll(sequencer, after, 30)));
  expect(all).toEqual([0, 250, 120].map((after) => outcomes.slice(after)));
});

test('outcomeLog: after a restart everything is still there, including what was never read', async () => {
  const disk = new MemoryDisk();
  const limits = { outcomesKeptMax: 50, snapshotEvery: 150 };
  const first = await open(disk, limits);
  const outcomes = await sendFlow(first.sequencer, 5, 500);
  const killed = new MemoryDisk(disk.files());
  await first.sequencer.stop();
  for (const left of [killed, new MemoryDisk(disk.files())]) {
    const { sequencer } = await open(left, limits);
    expect(await readAll(sequencer, 0, 64)).toEqual(outcomes);
    expect(await readAll(sequencer, 470, 64)).toEqual(outcomes.slice(470));
  }
});

test('outcomeLog: what was replayed at the start comes from memory', async () => {
  const disk = new MemoryDisk();
  const first = await open(disk);
  const outcomes = await sendFlow(first.sequencer, 6, 60);
  const left = new MemoryDisk(disk.files());
  const { sequencer } = await open(left);
  let reads = 0;
  left.fault = (operation) => {
    if (operation === 'read') reads += 1;
  };
  expect(await readAll(sequencer, 0, 100)).toEqual(outcomes);
  expect(reads).toBe(0);
});

test('outcomeLog: it waits until recovery is over', async () => {
  const disk = new MemoryDisk();
  const first = await open(disk);
  const outcomes = await sendFlow(first.sequencer, 7, 20);
  const second = createSequencer(folder, { disk: new MemoryDisk(disk.files()) }).sequencer;
  const early = second.outcomeLog.read(0 as Sequence, 100, signal);
  await second.start();
  expect(await early).toEqual(outcomes);
});

test('outcomeLog: a position beyond the journal means that the disk lost durable data', async () => {
  const { sequencer } = await open(new MemoryDisk());
  await sendFlow(sequencer, 8, 3);
  await expect(sequencer.outcomeLog.read(4 as Sequence, 10, signal)).rejects.toThrow(
    'position 4 is beyond the journal, which ends with 3',
  );
});

test('outcomeLog: a failure while history is read is reported, and the next read starts over', async () => {
  const disk = new MemoryDisk();
  const { sequencer } = await open(disk, { outcomesKeptMax: 10 });
  const outcomes = await sendFlow(sequencer, 9, 200);
  disk.fault = (operation) => {
    if (operation === 'read') throw systemError('EIO');
  };
  const failed = sequencer.outcomeLog.read(0 as Sequence, 10, signal);
  await expect(failed).rejects.toMatchObject({ code: 'EIO' });
  disk.fault = () => {};
  expect(await readAll(sequencer, 0, 50)).toEqual(outcomes);
});

test('outcomeLog: memory is bounded by the number of events too', async () => {
  const disk = new MemoryDisk();
  const { sequencer } = await open(disk, { outcomesKeptMax: 1_000, eventsKeptMax: 30 });
  const outcomes = await sendFlow(sequencer, 10, 200);
  let reads = 0;
  disk.fault = (operation) => {
    if (operation === 'read') reads += 1;
  };
  expect(await readAll(sequencer, 198, 10)).toEqual(outcomes.slice(198));
  expect(reads).toBe(0);
  expect(await readAll(sequencer, 100, 200)).toEqual(outcomes.slice(100));
  expect(reads).toBeGreaterThan(0);
});

test('snapshots: the newest two stay, and the newest one at or before the released position', async () => {
  const disk = new MemoryDisk();
  const limits = { snapshotEvery: 50, outcomesKeptMax: 10 };
  const { sequencer, log } = await open(disk, limits);
  const snapshots = (): number[] =>
    [...disk.files().keys()]
      .filter((path) => path.endsWith('.snapshot'))
      .map((path) => Number.parseInt(path.slice(folder.length + 1), 10))
      .sort((first, second) => first - second);
  const commands = flowCommands(11, 800);
  const outcomes: AppliedCommand[] = [];
  const trade = async (count: number): Promise<void> => {
    const written = log.filter((line) => line.msg === 'snapshot written').length;
    for (let sent = 0; sent < count; sent += 1) {
      outcomes.push(await sequencer.submit(commands[outcomes.length]!));
    }
    await vi.waitFor(() => {
      const now = log.filter((line) => line.msg === 'snapshot written').length;
      expect(now - written).toBe(Math.floor(count / 50));
    });
  };
  for (let round = 0; round < 4; round += 1) await trade(50);
  // Nothing is released: the beginning of the journal is the base, and two snapshots are enough.
  expect(snapshots()).toEqual([150, 200]);
  sequencer.outcomeLog.release(170 as Sequence);
  for (let round = 0; round < 3; round += 1) await trade(50);
  expect(snapshots()).toEqual([150, 300, 350]);
  sequencer.outcomeLog.release(349 as Sequence);
  sequencer.outcomeLog.release(20 as Sequence);
  await trade(50);
  expect(snapshots()).toEqual([300, 350, 400]);
  await sequencer.stop();
  // A restart knows a lower bound of what was released, and so keeps what is needed for the rest.
  const restarted = await open(disk, limits);
  expect(await readAll(restarted.sequencer, 349, 20)).toEqual(outcomes.slice(349));
  for (const command of commands.slice(400, 520)) await restarted.sequencer.submit(command);
  await restarted.sequencer.stop();
  expect(snapshots().slice(0, 1)).toEqual([300]);
  expect(snapshots()).toHaveLength(3);
});
