import { beforeAll, describe, expect, it } from 'vitest';
import { MemoryDisk } from '../../test/support/memory-disk.ts';
import { sendFlow } from '../../test/support/recorded-flow.ts';
import { addressOf } from '../../test/support/sequencer-address.ts';
import { makeSequencer } from '../../test/support/sequencer-fixture.ts';
import { WatchedDisk } from '../../test/support/watched-disk.ts';
import { EngineRestartingError } from '../application/ports/exchange.ts';
import type { Sequence } from '../domain/identifiers.ts';
import { engineFactory } from '../engine/engine.ts';
import type { AppliedCommand } from '../engine/events.ts';
import type { Disk } from '../journal/disk.ts';
import { SnapshotStore } from '../journal/snapshot-store.ts';
import { systemTime } from '../system/system-time.ts';
import { OutcomeHistory } from './outcome-history.ts';

const folder = '/journal';
const { signal } = new AbortController();

function openHistory(disk: Disk, time = systemTime): OutcomeHistory {
  const logger = { error: () => undefined } as never;
  const snapshots = new SnapshotStore({ disk, folder, machines: engineFactory, time, logger });
  return new OutcomeHistory({ disk, folder, time, snapshots });
}

/** A history that calls back whenever its reader gives the event loop a turn. */
function openTurning(
  disk: Disk,
  onTurn: () => Promise<void>,
): { readonly history: OutcomeHistory; readonly turned: () => number } {
  let turns = 0;
  const yieldTurn = async (): Promise<void> => {
    turns += 1;
    await Promise.all([onTurn(), systemTime.yieldTurn()]);
  };
  return { history: openHistory(disk, { ...systemTime, yieldTurn }), turned: () => turns };
}

function read(
  history: OutcomeHistory,
  after: number,
  through: number,
  until = signal,
): Promise<AppliedCommand[]> {
  return history.read(after as Sequence, through, until);
}

let files: Map<string, Buffer>;
let heard: readonly AppliedCommand[];

// 400 commands with snapshots after the 100th, or a little later, and so on.
beforeAll(async () => {
  const disk = new MemoryDisk();
  const { sequencer } = makeSequencer(folder, { disk, limits: { snapshotEvery: 100 } });
  await sequencer.start();
  heard = await sendFlow(sequencer, 31, 400);
  await sequencer.stop();
  files = disk.files();
});

describe('old outcomes', () => {
  it('are made again exactly, from any position to any later one', async () => {
    const history = openHistory(new MemoryDisk(files));
    for (const [after, through] of [
      [0, 400],
      [390, 395],
      [0, 1],
      [150, 151],
      [151, 320],
      [399, 400],
    ] as const) {
      expect(await read(history, after, through)).toEqual(heard.slice(after, through));
    }
  });

  it('continue where the last read ended, without a snapshot', async () => {
    const watched = new WatchedDisk(new MemoryDisk(files));
    const history = openHistory(watched.disk);
    await read(history, 390, 392);
    const { length } = watched.opened;
    expect(watched.snapshotsOpened).toHaveLength(1);
    expect(await read(history, 392, 395)).toEqual(heard.slice(392, 395));
    // What lies between is only applied.
    expect(await read(history, 397, 399)).toEqual(heard.slice(397, 399));
    expect(watched.opened).toHaveLength(length);
  });

  it('of an earlier position are made from the snapshot before it, with one file open', async () => {
    const watched = new WatchedDisk(new MemoryDisk(files));
    const history = openHistory(watched.disk);
    await read(history, 390, 395);
    expect(await read(history, 389, 391)).toEqual(heard.slice(389, 391));
    expect(watched.snapshotsOpened).toHaveLength(2);
    expect(watched.open).toBe(1);
  });

  it('are read in turn, also by readers that ask at the same time', async () => {
    const history = openHistory(new MemoryDisk(files));
    const all = await Promise.all([0, 350, 20].map((after) => read(history, after, after + 30)));
    expect(all).toEqual([0, 350, 20].map((after) => heard.slice(after, after + 30)));
  });

  it('keep no file open while nobody needs them', async () => {
    const watched = new WatchedDisk(new MemoryDisk(files));
    const history = openHistory(watched.disk);
    await history.rest();
    await read(history, 0, 10);
    expect(watched.open).toBe(1);
    await history.rest();
    expect(watched.open).toBe(0);
    expect(await read(history, 10, 20)).toEqual(heard.slice(10, 20));
  });

  it('are made to the end although another reader does not need them any more', async () => {
    const watched = new WatchedDisk(new MemoryDisk(files));
    const { history, turned } = openTurning(watched.disk, () => history.rest());
    expect(await read(history, 0, 400)).toEqual(heard);
    expect(turned()).toBeGreaterThan(0);
    await history.rest();
    expect(watched.open).toBe(0);
  });

  it('are not made any more after the end, and no file stays open', async () => {
    const watched = new WatchedDisk(new MemoryDisk(files));
    const history = openHistory(watched.disk);
    await read(history, 0, 10);
    await history.close();
    await history.close();
    await expect(read(history, 10, 20)).rejects.toThrow(EngineRestartingError);
    expect(watched.open).toBe(0);
  });

  it('that were durable and are gone are an error with file and offset', async () => {
    const watched = new WatchedDisk(new MemoryDisk(files));
    const history = openHistory(watched.disk);
    await expect(read(history, 390, 401)).rejects.toMatchObject({
      name: 'JournalDamageError',
      message: expect.stringContaining('record 401 was durable and is gone') as unknown,
    });
    // The next read starts over.
    expect(watched.open).toBe(0);
    expect(await read(history, 390, 400)).toEqual(heard.slice(390));
  });
});

describe('a read of old outcomes that is to end', () => {
  let many: MemoryDisk;

  beforeAll(async () => {
    const disk = new MemoryDisk();
    const limits = { segmentBytesFirst: 1 << 20, segmentBytesMax: 1 << 20 };
    const { sequencer } = makeSequencer(folder, { disk, limits });
    await sequencer.start();
    const commands = Array.from({ length: 5_001 }, (_, number) =>
      sequencer.submit({ type: 'openAccount', address: addressOf(number) }),
    );
    await Promise.all(commands);
    many = new MemoryDisk(disk.files());
    await sequencer.stop();
  });

  it('makes nothing if its signal was aborted before', async () => {
    const history = openHistory(new MemoryDisk(files));
    const aborted = AbortSignal.abort(new Error('the projector stops'));
    await expect(read(history, 0, 400, aborted)).rejects.toThrow('the projector stops');
    expect(await read(history, 0, 400)).toEqual(heard);
  });

  it('ends after 5,000 commands at the latest, once its signal is aborted', async () => {
    const controller = new AbortController();
    const { history } = openTurning(many, async () => {
      controller.abort(new Error('the projector stops'));
    });
    const reading = read(history, 0, 5_001, controller.signal);
    await expect(reading).rejects.toThrow('the projector stops');
    expect(await read(history, 0, 5_001)).toHaveLength(5_001);
  });

  it('ends as soon with the log, which then has no file open', async () => {
    const watched = new WatchedDisk(many);
    const ends: Promise<void>[] = [];
    const { history } = openTurning(watched.disk, async () => void ends.push(history.close()));
    await expect(read(history, 0, 5_001)).rejects.toThrow(EngineRestartingError);
    expect(ends.length).toBeGreaterThan(0);
    await Promise.all(ends);
    expect(watched.open).toBe(0);
  });
});
