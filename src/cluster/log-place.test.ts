import { pino } from 'pino';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Sequence } from '../domain/identifiers.ts';
import { systemTime } from '../system/system-time.ts';
import { LogPlace } from './log-place.ts';
import { LogDiscontinuityError, type LogReplica } from './log-replica.ts';
import { LogUnreachableError } from './log-unreachable-error.ts';
import type { SharedLog } from './shared-log.ts';

const end = { end: 4, start: 'start', isOneServer: true };

/** The place of a process that has applied three of four entries, and what becomes of the fourth. */
function placeWhere(reached: Promise<void>, appliesMeanwhile = 0): LogPlace {
  const replica = { position: 3, logStart: 'start', reach: () => reached };
  const loadEndAndStart = async () => {
    replica.position += appliesMeanwhile;
    return end;
  };
  const log = { loadEndAndStart };
  return new LogPlace({
    log: log as unknown as SharedLog,
    replica: replica as unknown as LogReplica,
    sequencer: { appliedSequence: 3 as Sequence },
    time: systemTime,
    logger: pino({ level: 'silent' }),
    loadReach: async () => 0 as Sequence,
    onEpoch: () => undefined,
    onFatal: () => undefined,
  });
}

describe('LogPlace', () => {
  it('a read whose log turns out to continue differently is refused as restarting', async () => {
    const place = placeWhere(Promise.reject(new LogDiscontinuityError('entry 4 is another one')));
    const refused = { name: 'EngineRestartingError', cause: { name: 'LogDiscontinuityError' } };
    await expect(place.catchUp(100)).rejects.toMatchObject(refused);
  });

  it('a read is answered although its process applied more before the end arrived', async () => {
    await expect(placeWhere(Promise.resolve(), 2).catchUp(100)).resolves.toBeUndefined();
  });

  it('a read waits until what was in the log is applied', async () => {
    await expect(placeWhere(Promise.resolve()).catchUp(100)).resolves.toBeUndefined();
  });
});

describe('the place of a process in the log', () => {
  let now: number;
  let slept: number[];
  let whileAsleep: () => void;
  /** Of the log: the last command of each entry. */
  let lastSequences: number[];
  let start: string;
  let isOneServer: boolean;
  let failures: Error[];
  let asks: number;
  /** Of the replica. */
  let position: number;
  let isInPlace: boolean | null;
  let applied: number;
  let calls: string[];
  let reached: { position: number; timeoutMs: number | null }[];
  let isReached: boolean;
  let warnings: string[];
  let epochs: number[];
  let reach: number;
  let place: LogPlace;

  beforeEach(() => {
    now = 70_000;
    [slept, failures, calls, reached, warnings, epochs] = [[], [], [], [], [], []];
    whileAsleep = () => undefined;
    lastSequences = [1, 2, 3];
    start = 'start';
    [isOneServer, isInPlace, isReached] = [true, true, true];
    [asks, position, applied, reach] = [0, 3, 3, 0];
    const replica = {
      get position() {
        return position;
      },
      logStart: 'start',
      epoch: 7,
      isInPlace: async () => isInPlace,
      stop: async () => void calls.push('stop'),
      locate: async () => {
        calls.push('locate');
        const failure = failures.shift();
        if (failure !== undefined) throw failure;
      },
      requireTail: async (entry: { lastSequence: number } | null) =>
        void calls.push(`require the tail after ${entry?.lastSequence}`),
      start: () => void calls.push('start'),
      reach: async (to: number, timeoutMs: number, expired: () => Error) => {
        reached.push({ position: to, timeoutMs });
        if (!isReached) throw expired();
      },
      reaches: async (to: number, timeoutMs: number) => {
        reached.push({ position: to, timeoutMs });
        const was = isReached;
        isReached = true;
        return was;
      },
    };
    const log = {
      loadEndAndStart: async () => {
        asks += 1;
        const failure = failures.shift();
        if (failure !== undefined) throw failure;
        return { end: lastSequences.length, start, isOneServer };
      },
      loadEnd: async () => lastSequences.length,
      load: async (at: number) =>
        at === 0 ? null : { position: at, lastSequence: lastSequences[at - 1]! },
      forgetEnd: () => void calls.push('forget the end'),
    };
    const write = (line: string): void => {
      warnings.push((JSON.parse(line) as { msg: string }).msg);
    };
    place = new LogPlace({
      log: log as unknown as SharedLog,
      replica: replica as unknown as LogReplica,
      sequencer: {
        get appliedSequence() {
          return applied as Sequence;
        },
      },
      time: {
        monotonicMs: () => now,
        sleep: async (ms) => {
          slept.push(ms);
          whileAsleep();
        },
      },
      logger: pino({ level: 'warn' }, { write }),
      loadReach: async () => reach as Sequence,
      onEpoch: (epoch) => void epochs.push(epoch),
      onFatal: () => undefined,
    });
  });

  const found = ['stop', 'forget the end', 'locate'];
  const refused = { name: 'EngineRestartingError' };

  it('was not confirmed before the first check, and then so long ago', async () => {
    expect(place.agreementAgeMs).toBeNull();
    await place.check();
    now += 30;
    expect(place.agreementAgeMs).toBe(30);
    place.noteAgreement();
    expect(place.agreementAgeMs).toBe(0);
  });

  it('is not confirmed by a server that started again, unless it is one of several', async () => {
    start = 'later';
    await place.check();
    expect(place.agreementAgeMs).toBeNull();
    isOneServer = false;
    await place.check();
    expect(place.agreementAgeMs).toBe(0);
    expect(calls).toEqual([]);
  });

  it('is behind once entries that were there two seconds ago are not applied', async () => {
    await place.check();
    expect([place.lagEntries, place.isBehind]).toEqual([0, false]);
    lastSequences = [1, 2, 3, 4, 5];
    await place.check();
    expect(place.lagEntries).toBe(2);
    now += 2_000;
    expect(place.isBehind).toBe(false);
    lastSequences.push(6);
    await place.check();
    now += 1;
    expect([place.lagEntries, place.isBehind]).toEqual([3, true]);
    position = 5;
    expect([place.lagEntries, place.isBehind]).toEqual([1, false]);
    await place.check();
    now += 2_000;
    expect(place.isBehind).toBe(false);
    position = 8;
    expect(place.lagEntries).toBe(0);
  });

  it.each([
    ['the log has fewer entries', () => (lastSequences = [1, 2, 3, 4].slice(0, 2))],
    ['another entry is there', () => (isInPlace = false)],
  ])('is looked for if %s', async (_why, change) => {
    change();
    applied = 2;
    await place.check();
    expect(calls).toEqual([...found, 'start']);
    expect(epochs).toEqual([7]);
    expect(place.agreementAgeMs).toBeNull();
  });

  it('is where it was as long as the log does not show another entry', async () => {
    isInPlace = null;
    await place.check();
    expect(calls).toEqual([]);
    expect(place.agreementAgeMs).toBe(0);
  });

  it('is ahead of a log that has lost its end, until the log holds it again', async () => {
    lastSequences = [1, 2];
    await place.check();
    expect(place.isAhead).toBe(true);
    expect(calls).toEqual([...found, 'require the tail after 2']);
    expect(warnings).toEqual(['the shared log has fewer entries than this process']);
    await expect(place.catchUp(100)).rejects.toMatchObject(refused);
    lastSequences = [];
    await place.check();
    expect(warnings).toHaveLength(1);
    expect(calls.at(-1)).toBe('require the tail after undefined');
    lastSequences = [1, 2, 3];
    await place.check();
    expect(place.isAhead).toBe(false);
    expect(calls.at(-1)).toBe('start');
    expect(epochs).toEqual([7]);
  });

  it('is looked for after the log has continued differently, and is found by an owner', () => {
    place.lose(new LogDiscontinuityError('entry 4 is another one'));
    expect(place.isAhead).toBe(true);
    expect(warnings).toEqual(['the shared log continues differently from what is known here']);
    place.settle();
    expect(place.isAhead).toBe(false);
    expect(place.agreementAgeMs).toBe(0);
  });

  describe('for a read', () => {
    it('has to be at the end of the log in time', async () => {
      lastSequences.push(4);
      await place.catchUp(100);
      expect(reached).toEqual([{ position: 4, timeoutMs: 100 }]);
      isReached = false;
      await expect(place.catchUp(100)).rejects.toMatchObject(refused);
    });

    it('is unknown if the log does not answer, has restarted or lost entries', async () => {
      failures = [new LogUnreachableError('no answer')];
      await expect(place.catchUp(100)).rejects.toMatchObject({
        ...refused,
        cause: { message: 'no answer' },
      });
      await place.catchUp(100);
      start = 'later';
      await expect(place.catchUp(100)).rejects.toMatchObject(refused);
      start = 'start';
      lastSequences.pop();
      await expect(place.catchUp(100)).rejects.toMatchObject(refused);
    });

    it('has to be as far as the members among several servers', async () => {
      [isOneServer, start, reach] = [false, 'another', 5];
      whileAsleep = () => {
        applied += 1;
      };
      await place.catchUp(100);
      expect([applied, slept]).toEqual([5, [5, 5]]);
      reach = 6;
      whileAsleep = () => {
        now += 50;
      };
      await expect(place.catchUp(100)).rejects.toMatchObject(refused);
      expect(now).toBe(70_150);
      isOneServer = true;
      start = 'start';
      await place.catchUp(100);
    });

    it('is asked for once for all that ask while a question is under way', async () => {
      const first = place.catchUp(100);
      await vi.waitUntil(() => asks === 1);
      const others = [place.catchUp(100), place.catchUp(100)];
      await Promise.all([first, ...others]);
      expect(asks).toBe(2);
    });
  });

  describe('is entered', () => {
    const { signal } = new AbortController();

    it('at the end of the log', async () => {
      lastSequences.push(4);
      await place.enter(signal);
      expect(calls).toEqual([...found, 'start']);
      expect(reached).toEqual([{ position: 4, timeoutMs: 2_000 }]);
    });

    it('after another look if that takes more than two seconds', async () => {
      isReached = false;
      await place.enter(signal);
      expect(asks).toBe(1);
      expect(reached).toHaveLength(2);
    });

    it('at once where the log has fewer entries', async () => {
      lastSequences = [1];
      await place.enter(signal);
      expect(place.isAhead).toBe(true);
      expect(reached).toEqual([]);
    });

    it('as soon as the log answers', async () => {
      failures = [new LogUnreachableError('no answer'), new LogUnreachableError('no answer')];
      await place.enter(signal);
      expect(slept).toEqual([250, 250]);
      expect(warnings).toEqual(Array(2).fill('the shared log cannot be joined now'));
    });

    it('never, if the process stops or has another history', async () => {
      failures = [new Error('another history')];
      await expect(place.enter(signal)).rejects.toThrow('another history');
      failures = [new LogUnreachableError('no answer')];
      await expect(place.enter(AbortSignal.abort())).rejects.toThrow('no answer');
      expect(slept).toEqual([]);
    });
  });
});
