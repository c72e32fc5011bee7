import { describe, expect, it } from 'vitest';
import { StatisticsCounter } from './sequencer-statistics.ts';

const zeros = {
  waiting: 0,
  writePendingMs: 0,
  takesOnlyCancels: false,
  groups: 0,
  commands: 0,
  bytes: 0,
  writeMsTotal: 0,
  writeMsMax: 0,
  snapshots: 0,
  snapshotEncodeMs: 0,
  isSpaceMissing: false,
};

describe('the statistics of a sequencer', () => {
  it('begin with zeros, also before there is a journal', () => {
    expect(new StatisticsCounter().show(0, undefined)).toEqual(zeros);
  });

  it('add up the groups and keep the longest write', () => {
    const counter = new StatisticsCounter();
    counter.countGroup(3, 100, 2);
    counter.countGroup(1, 40, 9);
    counter.countGroup(2, 60, 4);
    expect(counter.show(0, undefined)).toEqual({
      ...zeros,
      groups: 3,
      commands: 6,
      bytes: 200,
      writeMsTotal: 15,
      writeMsMax: 9,
    });
  });

  it('count the snapshots and keep the time of the newest', () => {
    const counter = new StatisticsCounter();
    counter.countSnapshot(30);
    counter.countSnapshot(20);
    expect(counter.show(0, undefined)).toEqual({ ...zeros, snapshots: 2, snapshotEncodeMs: 20 });
  });

  it('show what waits, and the state of the disk', () => {
    const counter = new StatisticsCounter();
    counter.isSpaceMissing = true;
    // Short of space even for the smallest group.
    const journal = { writePendingMs: 70, isShort: (bytes: number) => bytes === 0 };
    expect(counter.show(5, journal)).toEqual({
      ...zeros,
      waiting: 5,
      writePendingMs: 70,
      takesOnlyCancels: true,
      isSpaceMissing: true,
    });
  });
});
