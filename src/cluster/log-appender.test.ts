import { beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { chainHash, ReplicaWorld } from '../../test/support/replica-world.ts';
import type { Sequence } from '../domain/identifiers.ts';
import type { ChainPoint } from './chain.ts';
import type { EpochParts } from './epoch-parts.ts';
import { LogAppender, type LogAppenderOptions } from './log-appender.ts';
import { type EntryMark, entryId, type LogPosition, type Origin } from './log-entry.ts';
import { LogUnreachableError } from './log-unreachable-error.ts';
import { noMembers } from './member-list.ts';
import {
  type AppendableEntry,
  FencedError,
  LogBehindError,
  LogRestartedError,
} from './shared-log.ts';

const origins: readonly Origin[] = [{ process: 'a', request: 41, place: 0 }];
const outcomeTimeoutMs = 12_000;

/** The bytes of an entry with that many records after those of the one before. */
function groupsOf(...counts: readonly number[]): readonly Uint8Array[] {
  const world = new ReplicaWorld();
  for (const count of counts) world.append(count);
  return world.entries.map(({ group }) => group);
}

describe('the appends of an owner', () => {
  let clock: ManualClock;
  let newest: ChainPoint;
  let last: LogPosition;
  let stored: AppendableEntry[];
  let failures: Error[];
  let slept: number[];
  let givenUp: number;
  let noted: unknown[];
  let promised: number;
  let claimed: number | null;
  let logEnd: { readonly end: number; readonly start: string; readonly isOneServer: boolean };
  let written: number;
  let started: number[];
  let stopped: number;
  let appender: LogAppender;
  /** Holds appends under way. */
  let gate: Promise<void>;

  beforeEach(() => {
    clock = new ManualClock();
    newest = { sequence: 0, chain: chainHash.first };
    last = { position: 0, id: null };
    [stored, failures, slept, noted, started] = [[], [], [], [], []];
    [givenUp, promised, claimed, written, stopped] = [0, 0, 1, 0, 0];
    logEnd = { end: 0, start: 'second', isOneServer: true };
    gate = Promise.resolve();
    const options = {
      server: {
        takeOrigins: (first: number, through: number) => {
          noted.push({ taken: [first, through] });
          return origins;
        },
        stop: () => void (stopped += 1),
        start: (epoch: number) => void started.push(epoch),
      },
      origins: { note: (first: number, of: unknown) => void noted.push({ first, of }) },
      sequencer: {
        get writtenSequence() {
          return written;
        },
        rules: 13,
        giveUpUnwritten: () => void (givenUp += 1),
      },
      confirmed: () => 5 as Sequence,
      time: {
        after: (ms: number, callback: () => void) => clock.after(ms, callback),
        sleep: async (ms: number) => void slept.push(ms),
      },
      epochParts: () => parts(),
    };
    appender = new LogAppender(options as unknown as LogAppenderOptions);
  });

  function parts(): EpochParts {
    const own = {
      log: {
        append: async (entry: AppendableEntry, after: LogPosition) => {
          expect(after).toEqual(last);
          await gate;
          const failure = failures.shift();
          if (failure !== undefined) throw failure;
          stored.push({ ...entry, group: Uint8Array.from(entry.group) });
          const position = after.position + 1;
          return { position, id: entryId('own', entry.epoch, position) };
        },
        loadEndAndStart: async () => logEnd,
        loadEnd: async () => logEnd.end,
        load: async () => ({ id: last.id, lastSequence: newest.sequence }),
      },
      replica: {
        get last() {
          return last;
        },
        get position() {
          return last.position;
        },
        skipTo: (place: LogPosition) => {
          last = place;
        },
      },
      chain: {
        get newest() {
          return newest;
        },
        extendedBy: (group: Uint8Array) => chainHash.extendBy(newest, group),
        advance: (chains: readonly string[]) => {
          const sequence = newest.sequence + chains.length;
          newest = { sequence, chain: chains.at(-1) ?? newest.chain };
        },
      },
      epochs: { load: async () => claimed },
      member: { promised: { epoch: promised }, list: noMembers },
    };
    return own as unknown as EpochParts;
  }

  it('are refused before an epoch begins and after it has ended', async () => {
    const [group] = groupsOf(1);
    const refusal = 'this process does not own the exchange';
    await expect(appender.appendGroup(group!)).rejects.toBeInstanceOf(FencedError);
    appender.begin({ epoch: 1, logStart: 'first' });
    await appender.end();
    await expect(appender.appendGroup(group!)).rejects.toThrow(refusal);
    expect(stored).toEqual([]);
  });

  it('say of a group everything that the others need', async () => {
    appender.begin({ epoch: 1, logStart: 'first' });
    const [one, two] = groupsOf(2, 1);
    await appender.appendGroup(one!);
    const between = newest.chain;
    expect(newest.sequence).toBe(2);
    await appender.appendGroup(two!);
    expect(stored).toEqual([
      {
        epoch: 1,
        logStart: 'first',
        rulesVersion: 13,
        lastSequence: 2,
        origins,
        group: Uint8Array.from(one!),
        confirmed: 5,
        isRestoring: false,
        mark: null,
        chain: { before: chainHash.first, after: between },
      },
      expect.objectContaining({
        lastSequence: 3,
        chain: { before: between, after: newest.chain },
      }),
    ]);
    expect(noted).toEqual([
      { taken: [1, 2] },
      { first: 1, of: origins },
      { taken: [3, 3] },
      { first: 3, of: origins },
    ]);
    expect(last).toEqual({ position: 2, id: 'own-1-2' });
  });

  it('of a mark leave the history as it is, and return the position', async () => {
    appender.begin({ epoch: 1, logStart: 'first' });
    await appender.appendGroup(groupsOf(2)[0]!);
    const { chain } = newest;
    const mark: EntryMark = { list: noMembers, isComplete: true, without: [] };
    expect(await appender.appendMark(mark)).toBe(2);
    expect(stored[1]).toMatchObject({
      epoch: 1,
      lastSequence: 2,
      mark,
      chain: { before: chain, after: chain },
    });
    expect(stored[1]!.group).toHaveLength(0);
    expect(newest).toEqual({ sequence: 2, chain });
  });

  it('follow one another, and an epoch ends after those under way', async () => {
    let open: () => void = () => undefined;
    gate = new Promise((resolve) => {
      open = resolve;
    });
    appender.begin({ epoch: 1, logStart: 'first' });
    const [one, two] = groupsOf(1, 1);
    const appended = [appender.appendGroup(one!), appender.appendGroup(two!)];
    const ended = appender.end();
    const refused = expect(appender.appendMark({} as EntryMark)).rejects.toThrow(FencedError);
    open();
    await Promise.all([...appended, ended, refused]);
    expect(stored.map(({ lastSequence }) => lastSequence)).toEqual([1, 2]);
  });

  it('go on after one that failed', async () => {
    appender.begin({ epoch: 1, logStart: 'first' });
    failures = [new Error('the message is too large')];
    const [one] = groupsOf(1);
    await expect(appender.appendGroup(one!)).rejects.toThrow('the message is too large');
    expect(newest.sequence).toBe(0);
    await appender.appendGroup(one!);
    expect(stored).toHaveLength(1);
  });

  it('tell callers that have waited twelve seconds that their outcome is unknown', async () => {
    let open: () => void = () => undefined;
    gate = new Promise((resolve) => {
      open = resolve;
    });
    appender.begin({ epoch: 1, logStart: 'first' });
    const appended = appender.appendGroup(groupsOf(1)[0]!);
    clock.advance(outcomeTimeoutMs - 1);
    expect(givenUp).toBe(0);
    clock.advance(1);
    expect(givenUp).toBe(1);
    open();
    await appended;
    await appender.appendGroup(groupsOf(1, 1)[1]!);
    expect(clock.timerCount).toBe(0);
  });

  it('end with a promise to a later epoch', async () => {
    appender.begin({ epoch: 1, logStart: 'first' });
    promised = 2;
    await expect(appender.appendGroup(groupsOf(1)[0]!)).rejects.toBeInstanceOf(FencedError);
    expect(stored).toEqual([]);
  });

  describe('after a restart of the server', () => {
    beforeEach(async () => {
      appender.begin({ epoch: 1, logStart: 'first' });
      await appender.appendGroup(groupsOf(1)[0]!);
      logEnd = { end: 1, start: 'second', isOneServer: true };
      written = 1;
      failures = [new LogRestartedError('the server has restarted')];
    });

    it('go on in the same epoch if nothing is missing', async () => {
      await appender.appendGroup(groupsOf(1, 1)[1]!);
      expect(stored.map(({ epoch, logStart }) => [epoch, logStart])).toEqual([
        [1, 'first'],
        [1, 'second'],
      ]);
      expect([slept, started, stopped]).toEqual([[], [], 0]);
    });

    it.each([
      ['another epoch is claimed', () => (claimed = 2)],
      ['this process has promised another epoch', () => (promised = 2)],
    ])('end if %s', async (_why, change) => {
      logEnd = { ...logEnd, end: 0 };
      change();
      const ended = appender.appendGroup(groupsOf(1, 1)[1]!);
      await expect(ended).rejects.toBeInstanceOf(FencedError);
      expect(stored).toHaveLength(1);
    });

    it('try again 100 ms later while the server does not answer', async () => {
      const { end } = logEnd;
      let isAway = true;
      Object.defineProperty(logEnd, 'end', {
        get: () => {
          if (!isAway) return end;
          isAway = false;
          failures = [new LogRestartedError('the server has restarted')];
          throw new LogUnreachableError('the server is away');
        },
      });
      await appender.appendGroup(groupsOf(1, 1)[1]!);
      expect(slept).toEqual([100]);
      expect(stored).toHaveLength(2);
    });
  });

  it('that another process precedes tell so, with their reason', async () => {
    appender.begin({ epoch: 1, logStart: 'first' });
    claimed = 2;
    const reason = new FencedError('another process has appended');
    failures = [reason];
    await expect(appender.appendGroup(groupsOf(1)[0]!)).rejects.toMatchObject({
      message: 'another process owns it',
      cause: reason,
    });
  });

  it('to servers that lack what is before have an unknown outcome', async () => {
    appender.begin({ epoch: 1, logStart: 'first' });
    claimed = 2;
    const behind = new LogBehindError('the leader lacks an entry');
    failures = [behind];
    await expect(appender.appendGroup(groupsOf(1)[0]!)).rejects.toBe(behind);
  });

  describe('confirm the end of the log', () => {
    it('with an entry where it is missing, or the server has restarted', async () => {
      appender.begin({ epoch: 1, logStart: 'first' });
      await appender.confirmEnd({ end: 3, start: 'first', isOneServer: true }, 3);
      expect(stored).toEqual([]);
      await appender.confirmEnd({ end: 2, start: 'first', isOneServer: true }, 3);
      expect(stored).toHaveLength(1);
      await appender.confirmEnd({ end: 3, start: 'second', isOneServer: true }, 3);
      expect(stored).toHaveLength(2);
      expect(stored[1]).toMatchObject({ mark: null, origins: [] });
      await appender.appendMark({ list: noMembers, isComplete: true, without: [] });
      expect(stored[2]!.logStart).toBe('first');
    });

    it('once for each of several servers that a connection leads to', async () => {
      appender.begin({ epoch: 1, logStart: 'first' });
      const other = { end: 3, start: 'second', isOneServer: false };
      await appender.confirmEnd(other, 3);
      await appender.confirmEnd(other, 3);
      expect(stored).toHaveLength(1);
    });

    it('only in an epoch of this process', async () => {
      await appender.confirmEnd({ end: 0, start: 'second', isOneServer: true }, 3);
      expect(stored).toEqual([]);
    });
  });
});
