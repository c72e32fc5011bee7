import { getEventListeners } from 'node:events';
import { beforeEach, describe, expect, it } from 'vitest';
import { MemoryDisk } from '../../test/support/memory-disk.ts';
import { EngineRestartingError } from '../application/ports/exchange.ts';
import type { Sequence } from '../domain/identifiers.ts';
import type { AppliedCommand } from '../engine/events.ts';
import { systemTime } from '../system/system-time.ts';
import type { OutcomeHistoryOptions } from './outcome-history.ts';
import { OutcomeReader } from './outcome-reader.ts';

const { signal } = new AbortController();
const stopped = 'the engine is stopped';

function outcomes(from: number, through: number): AppliedCommand[] {
  return Array.from(
    { length: through - from + 1 },
    (_, index) => ({ sequence: from + index, events: [] }) as unknown as AppliedCommand,
  );
}

let journalEnd: Sequence | null;

/** A reader that keeps ten outcomes, over a journal that cannot be read. */
function openReader(): OutcomeReader {
  const snapshots = {
    restore: async () => {
      throw new Error('it is not in memory');
    },
  };
  const history = { disk: new MemoryDisk(), folder: '/journal', time: systemTime, snapshots };
  return new OutcomeReader({
    outcomesKeptMax: 10,
    eventsKeptMax: 1_000,
    journalEnd: () => journalEnd,
    history: history as unknown as OutcomeHistoryOptions,
  });
}

/** A reader of a journal that held so many outcomes at the start, none of them in memory. */
function openedAt(durable: number): OutcomeReader {
  const reader = openReader();
  reader.open(durable as Sequence);
  return reader;
}

async function read(
  reader: OutcomeReader,
  after: number,
  limitMax = 100,
  until = signal,
): Promise<readonly number[]> {
  const found = await reader.read(after as Sequence, limitMax, until);
  return found.map(({ sequence }) => sequence);
}

/** Whether it has not ended by now. */
async function waits(promise: Promise<unknown>): Promise<boolean> {
  promise.catch(() => undefined);
  await systemTime.yieldTurn();
  const marker = Symbol('waits');
  const first: unknown = await Promise.race([promise, Promise.resolve(marker)]).catch(() => null);
  return first === marker;
}

beforeEach(() => {
  journalEnd = null;
});

describe('the outcomes of a replay', () => {
  it('are kept if they will be among the newest at its end', () => {
    const reader = openReader();
    expect(reader.keeps(1 as Sequence)).toBe(true);
    reader.expectEnd(100);
    expect([89, 90, 91, 100].map((sequence) => reader.keeps(sequence as Sequence))).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });

  it('can be read once all of them are there', async () => {
    const reader = openReader();
    expect(reader.keptCount).toBe(0);
    for (const outcome of outcomes(3, 6)) reader.restore(outcome);
    expect(reader.keptCount).toBe(4);
    const early = read(reader, 2);
    expect(await waits(early)).toBe(true);
    reader.open(6 as Sequence);
    expect(await early).toEqual([3, 4, 5, 6]);
    // Those before them are only in the journal.
    await expect(read(reader, 1)).rejects.toThrow('it is not in memory');
  });
});

describe('a reader of outcomes', () => {
  it('waits for the next ones, and receives at most as many as it takes', async () => {
    const reader = openedAt(5);
    const waiting = [read(reader, 5), read(reader, 5, 2)];
    expect(await waits(Promise.race(waiting))).toBe(true);
    reader.push(outcomes(6, 8));
    expect(await Promise.all(waiting)).toEqual([
      [6, 7, 8],
      [6, 7],
    ]);
    expect(await read(reader, 7)).toEqual([8]);
    expect(await waits(read(reader, 8))).toBe(true);
  });

  it('of what has left memory goes to the journal', async () => {
    const reader = openedAt(0);
    reader.push(outcomes(1, 11));
    expect(reader.keptCount).toBe(10);
    expect(await read(reader, 1, 1)).toEqual([2]);
    await expect(read(reader, 0)).rejects.toThrow('it is not in memory');
  });

  it('waits if the journal is known to have more, and only then', async () => {
    const reader = openedAt(5);
    await expect(read(reader, 6)).rejects.toThrow(
      'position 6 is beyond the journal, which ends with 5',
    );
    journalEnd = 7 as Sequence;
    const waiting = read(reader, 7);
    expect(await waits(waiting)).toBe(true);
    await expect(read(reader, 8)).rejects.toThrow(
      'position 8 is beyond the journal, which ends with 7',
    );
    reader.push(outcomes(6, 7));
    expect(await waits(waiting)).toBe(true);
    reader.push(outcomes(8, 8));
    expect(await waiting).toEqual([8]);
  });
});

describe('a released position', () => {
  it('takes the outcomes up to it out of memory, and never goes back', async () => {
    const reader = openedAt(0);
    reader.push(outcomes(1, 8));
    expect(reader.released).toBe(0);
    reader.release(3 as Sequence);
    expect([reader.released, reader.keptCount]).toEqual([3, 5]);
    reader.release(2 as Sequence);
    expect([reader.released, reader.keptCount]).toEqual([3, 5]);
    expect(await read(reader, 3)).toEqual([4, 5, 6, 7, 8]);
    await expect(read(reader, 2)).rejects.toThrow('it is not in memory');
  });

  it('may come before its outcomes, which are then not kept', async () => {
    const early = openReader();
    early.release(4 as Sequence);
    early.open(0 as Sequence);
    early.push(outcomes(1, 3));
    expect(early.keptCount).toBe(0);
    early.push(outcomes(4, 6));
    expect(early.keptCount).toBe(2);
    expect(await read(early, 4)).toEqual([5, 6]);
  });
});

describe('the end', () => {
  it('of the reader comes with its signal, whenever that is', async () => {
    const reader = openedAt(1);
    const controller = new AbortController();
    const waiting = read(reader, 1, 100, controller.signal);
    const other = read(reader, 1);
    expect(await waits(waiting)).toBe(true);
    controller.abort(new Error('the projector stops'));
    await expect(waiting).rejects.toThrow('the projector stops');
    await expect(read(reader, 0, 1, controller.signal)).rejects.toThrow('the projector stops');
    reader.push(outcomes(2, 2));
    expect(await other).toEqual([2]);
  });

  it('of the log ends those that wait, and no one waits any more', async () => {
    const reader = openedAt(0);
    reader.push(outcomes(1, 2));
    const waiting = [read(reader, 2), read(reader, 2)];
    await systemTime.yieldTurn();
    const ends = Promise.allSettled(waiting);
    await reader.close();
    for (const end of await ends) {
      expect(end).toMatchObject({ status: 'rejected', reason: { message: stopped } });
      expect((end as PromiseRejectedResult).reason).toBeInstanceOf(EngineRestartingError);
    }
    await expect(read(reader, 2)).rejects.toThrow(EngineRestartingError);
    await expect(read(reader, 2)).rejects.toThrow(stopped);
    expect(await read(reader, 0)).toEqual([1, 2]);
  });

  it('leaves nothing at the signal, however the wait ended', async () => {
    const reader = openedAt(0);
    const { signal: own } = new AbortController();
    const first = read(reader, 0, 100, own);
    await systemTime.yieldTurn();
    expect(getEventListeners(own, 'abort')).toHaveLength(1);
    reader.push(outcomes(1, 1));
    await first;
    expect(getEventListeners(own, 'abort')).toHaveLength(0);
    const second = read(reader, 1, 100, own);
    const end = expect(second).rejects.toThrow(stopped);
    await systemTime.yieldTurn();
    await reader.close();
    await end;
    expect(getEventListeners(own, 'abort')).toHaveLength(0);
  });
});
