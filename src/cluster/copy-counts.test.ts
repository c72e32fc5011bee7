import { beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.ts';
import type { Sequence } from '../domain/identifiers.ts';
import { sleepWith } from '../system/time.ts';
import { CopyTracker } from './copy-tracker.ts';
import type { JournalReport } from './journal-report.ts';
import { type MemberList, noMembers } from './member-list.ts';
import { FencedError } from './shared-log.ts';

const three: MemberList = { ...noMembers, epoch: 1, members: ['a', 'b', 'c'], copies: 2 };

function chainAt(sequence: number): string {
  return `chain ${sequence}`;
}

describe('the journals that hold a command', () => {
  let clock: ManualClock;
  let list: MemberList;
  let promised: number;
  let written: number;
  let openEpoch: number;
  let newest: number;
  let announced: JournalReport[];
  let unknown: number;
  let repeat: { readonly everyMs: number; readonly run: () => void } | null;
  let report: (report: JournalReport) => void;
  let tracker: CopyTracker;

  beforeEach(() => {
    clock = new ManualClock();
    list = three;
    [promised, openEpoch, written, newest, unknown] = [1, 1, 10, 10, 0];
    announced = [];
    repeat = null;
    const after = (ms: number, callback: () => void): (() => void) => clock.after(ms, callback);
    tracker = new CopyTracker({
      link: {
        announce: (own) => void announced.push(own),
        onReport: (listener) => {
          report = listener;
        },
      },
      member: {
        member: 'a',
        get list() {
          return list;
        },
        get promised() {
          return { epoch: promised, process: 'p' };
        },
      } as unknown as ConstructorParameters<typeof CopyTracker>[0]['member'],
      chain: {
        get newest() {
          return { sequence: newest, chain: chainAt(newest) };
        },
        keptAt: (sequence) => (sequence <= newest && sequence > 2 ? chainAt(sequence) : null),
      },
      time: {
        monotonicMs: () => clock.elapsed(),
        sleep: (ms, signal) => sleepWith(after, ms, signal),
        every: (everyMs, run) => {
          repeat = { everyMs, run };
          return () => {
            repeat = null;
          };
        },
      },
      written: () => written as Sequence,
      openEpoch: () => openEpoch,
      onUnknown: () => void (unknown += 1),
    });
  });

  function hold(sequence: number, rest: Partial<JournalReport> = {}): void {
    const chain = chainAt(sequence);
    report({ member: 'b', epoch: 1, sequence, chain, promised: 1, ...rest });
  }

  /** Whether the command may be acknowledged at once. */
  function isHeld(sequence: number): boolean {
    return tracker.confirm(sequence as Sequence) === null;
  }

  it('are not counted where there are no members, or one is enough', () => {
    list = noMembers;
    written = 0;
    expect(isHeld(10)).toBe(true);
    expect(tracker.confirmed).toBe(0);
    list = { ...three, members: ['a', 'b'], copies: 1 };
    expect(isHeld(10)).toBe(false);
    written = 10;
    expect(isHeld(10)).toBe(true);
    expect(tracker.confirmed).toBe(10);
    expect(announced).toEqual([]);
  });

  it('are this one, unless it is no member, has not written or has promised a later epoch', () => {
    hold(10);
    expect(isHeld(10)).toBe(true);
    newest = written = 11;
    hold(11);
    promised = 2;
    expect(isHeld(11)).toBe(false);
    promised = 1;
    written = 10;
    expect(isHeld(11)).toBe(false);
    written = 11;
    list = { ...three, members: ['b', 'c', 'd'] };
    expect(isHeld(11)).toBe(false);
    list = three;
    expect(isHeld(11)).toBe(true);
  });

  it('are those of others with the same history up to there', () => {
    expect(isHeld(10)).toBe(false);
    hold(9);
    expect(isHeld(10)).toBe(false);
    expect(isHeld(9)).toBe(true);
    hold(10, { chain: 'another history' });
    expect(isHeld(10)).toBe(false);
    hold(10, { member: 'c' });
    expect(isHeld(10)).toBe(true);
  });

  it('count once this process has the commands that another one reports', () => {
    written = 12;
    hold(12);
    expect(isHeld(12)).toBe(false);
    newest = 12;
    expect(isHeld(12)).toBe(true);
  });

  it('do not count less because an earlier report comes late', () => {
    hold(10);
    hold(5);
    expect(isHeld(10)).toBe(true);
  });

  it('count in the epoch that is open here, or a later one', () => {
    openEpoch = promised = 2;
    hold(10);
    expect(isHeld(10)).toBe(false);
    hold(10, { epoch: 2, promised: 2 });
    expect(isHeld(10)).toBe(true);
    newest = written = 11;
    hold(11, { epoch: 1 });
    expect(isHeld(11)).toBe(false);
    hold(11, { epoch: 3, promised: 3 });
    expect(isHeld(11)).toBe(true);
  });

  it('do not count after a promise to a later epoch, nor by a report of this process', () => {
    hold(10, { promised: 2 });
    hold(10, { member: 'a' });
    written = 9;
    hold(9);
    expect(isHeld(10)).toBe(false);
  });

  it('confirm what waits, in its order', async () => {
    const order: number[] = [];
    const waits = [9, 10].map((sequence) =>
      tracker.confirm(sequence as Sequence)!.then(() => order.push(sequence)),
    );
    hold(9);
    await waits[0];
    expect(order).toEqual([9]);
    expect(tracker.confirmed).toBe(9);
    tracker.noteConfirmed(10 as Sequence);
    await waits[1];
    expect(order).toEqual([9, 10]);
    tracker.noteConfirmed(4 as Sequence);
    expect(tracker.confirmed).toBe(10);
    expect(tracker.whenCopied(10 as Sequence)).toBeNull();
  });

  it('are told what this one holds, by its newest chain', () => {
    void tracker.confirm(10 as Sequence);
    const own = { member: 'a', epoch: 1, sequence: 10, chain: chainAt(10), promised: 1 };
    expect(announced).toEqual([own]);
    newest = 20;
    tracker.announce();
    expect(announced[1]).toEqual(own);
    written = 30;
    tracker.announce();
    expect(announced[2]).toEqual({ ...own, sequence: 20, chain: chainAt(20) });
    written = 2;
    tracker.announce();
    list = { ...three, members: ['b', 'c', 'd'] };
    written = 20;
    tracker.announce();
    expect(announced).toHaveLength(3);
  });

  it('are told that also while the list changes', () => {
    const before = { members: ['a'], copies: 1 };
    list = { ...three, members: ['a', 'b'], copies: 1, before };
    void tracker.confirm(10 as Sequence);
    expect(announced).toHaveLength(1);
  });

  it('are told again every 250 ms, until the end', () => {
    expect(repeat?.everyMs).toBe(250);
    repeat?.run();
    expect(announced).toHaveLength(1);
    tracker.stop();
    expect(repeat).toBeNull();
  });

  it('are counted again with each repetition', async () => {
    const waiting = tracker.whenCopied(10 as Sequence);
    expect(waiting).not.toBeNull();
    list = { ...three, copies: 1 };
    repeat?.run();
    await waiting;
    expect(tracker.confirmed).toBe(10);
  });

  it('are too few for two seconds before the exchange stalls', () => {
    expect(tracker.isStalled).toBe(false);
    void tracker.confirm(10 as Sequence);
    clock.advance(2_000);
    expect(tracker.isStalled).toBe(false);
    clock.advance(1);
    expect(tracker.isStalled).toBe(true);
    hold(10);
    expect(tracker.isStalled).toBe(false);
  });

  it('are too few for twelve seconds before an outcome is unknown', () => {
    repeat?.run();
    void tracker.confirm(10 as Sequence);
    clock.advance(12_000);
    repeat?.run();
    expect(unknown).toBe(0);
    clock.advance(1);
    repeat?.run();
    expect(unknown).toBe(1);
  });

  it('are lost to the owner if it is stalled and they have promised a later epoch', () => {
    hold(1, { promised: 2 });
    hold(1, { member: 'c', promised: 1 });
    expect(() => tracker.requireCounted(1)).not.toThrow();
    void tracker.confirm(10 as Sequence);
    clock.advance(2_001);
    expect(() => tracker.requireCounted(2)).not.toThrow();
    expect(() => tracker.requireCounted(1)).toThrow(FencedError);
    expect(() => tracker.requireCounted(1)).toThrow('members have promised epoch 2');
  });

  it('are waited for up to two seconds by a read', async () => {
    await tracker.reach(0 as Sequence);
    const reached = tracker.reach(10 as Sequence);
    hold(10);
    await reached;
    expect(clock.timerCount).toBe(0);
    newest = written = 11;
    const refused = expect(tracker.reach(11 as Sequence)).rejects.toMatchObject({
      name: 'EngineRestartingError',
    });
    clock.advance(2_000);
    await refused;
  });

  it('are remembered by their newest ten thousand reports ahead of this one', () => {
    written = 20_000;
    hold(11);
    for (let sequence = 12; sequence <= 10_011; sequence += 1) hold(sequence);
    newest = 11;
    expect(isHeld(11)).toBe(false);
    newest = 12;
    expect(isHeld(12)).toBe(true);
  });
});
