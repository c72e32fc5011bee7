import { describe, expect, it } from 'vitest';
import type { Sequence } from '../domain/identifiers.ts';
import type { AppliedCommand } from '../engine/events.ts';
import { OutcomeRing } from './outcome-ring.ts';

function outcome(sequence: number, events = 1): AppliedCommand {
  return { sequence, events: new Array(events).fill({}) } as unknown as AppliedCommand;
}

function filled(options: { max?: number; eventsMax?: number; after?: number; count: number }) {
  const { max = 4, eventsMax = 1_000, after = 0, count } = options;
  const ring = new OutcomeRing(max, eventsMax, after as Sequence);
  for (let at = 1; at <= count; at += 1) ring.push(outcome(after + at));
  return ring;
}

/** The sequences of everything that the ring holds. */
function held(ring: OutcomeRing, oldest: number): readonly number[] {
  return ring.slice(oldest - 1, 1_000).map(({ sequence }) => sequence);
}

describe('the newest outcomes', () => {
  it('are held up to their greatest number, and the oldest make room', () => {
    const ring = filled({ count: 4 });
    expect([ring.count, ring.covers(0)]).toEqual([4, true]);
    expect(held(ring, 1)).toEqual([1, 2, 3, 4]);
    ring.push(outcome(5));
    expect([ring.count, ring.covers(0), ring.covers(1)]).toEqual([4, false, true]);
    expect(held(ring, 2)).toEqual([2, 3, 4, 5]);
  });

  it('begin with the one after the given position', () => {
    const ring = filled({ after: 70, count: 0 });
    expect([ring.count, ring.covers(69), ring.covers(70)]).toEqual([0, false, true]);
    ring.push(outcome(71));
    expect([ring.count, ring.covers(69), ring.covers(70)]).toEqual([1, false, true]);
    expect(held(ring, 71)).toEqual([71]);
  });

  it('must come in order', () => {
    const ring = filled({ count: 2 });
    for (const sequence of [2, 4]) {
      expect(() => ring.push(outcome(sequence))).toThrow('an outcome is out of order');
    }
    expect(held(ring, 1)).toEqual([1, 2]);
  });

  it('are returned from a position on, at most as many as asked for', () => {
    const ring = filled({ max: 10, count: 6 });
    expect(ring.slice(2, 3).map(({ sequence }) => sequence)).toEqual([3, 4, 5]);
    expect(ring.slice(4, 3).map(({ sequence }) => sequence)).toEqual([5, 6]);
    expect(ring.slice(6, 3)).toEqual([]);
  });
});

describe('the events of the outcomes', () => {
  it('may be as many as the limit, and beyond it the oldest outcomes go', () => {
    const ring = new OutcomeRing(100, 10, 0 as Sequence);
    for (const [index, events] of [3, 3, 4].entries()) ring.push(outcome(index + 1, events));
    expect(held(ring, 1)).toEqual([1, 2, 3]);
    ring.push(outcome(4, 1));
    expect([ring.count, ring.covers(0)]).toEqual([3, false]);
    ring.push(outcome(5, 9));
    expect(ring.count).toBe(2);
    expect(held(ring, 4)).toEqual([4, 5]);
  });

  it('of the newest outcome are held even if they alone exceed it', () => {
    const ring = new OutcomeRing(100, 10, 0 as Sequence);
    ring.push(outcome(1, 2));
    ring.push(outcome(2, 50));
    expect(held(ring, 2)).toEqual([2]);
    ring.push(outcome(3, 1));
    expect(held(ring, 3)).toEqual([3]);
    expect(ring.count).toBe(1);
  });

  it('count no more once their outcome is gone', () => {
    const ring = new OutcomeRing(2, 10, 0 as Sequence);
    for (let sequence = 1; sequence <= 9; sequence += 1) ring.push(outcome(sequence, 5));
    expect(held(ring, 8)).toEqual([8, 9]);
    ring.forget(9 as Sequence);
    ring.push(outcome(10, 5));
    ring.push(outcome(11, 5));
    expect(held(ring, 10)).toEqual([10, 11]);
    expect(ring.count).toBe(2);
  });
});

describe('a position that is forgotten', () => {
  it('takes the outcomes up to it along, and no others', () => {
    const ring = filled({ count: 4 });
    ring.forget(2 as Sequence);
    expect([ring.count, ring.covers(1), ring.covers(2)]).toEqual([2, false, true]);
    expect(held(ring, 3)).toEqual([3, 4]);
    ring.forget(1 as Sequence);
    expect(ring.count).toBe(2);
  });

  it('may be the newest, or beyond it: the next outcome is then the only one', () => {
    const ring = filled({ count: 4 });
    ring.forget(4 as Sequence);
    expect([ring.count, ring.covers(3), ring.covers(4)]).toEqual([0, false, true]);
    ring.forget(9 as Sequence);
    ring.push(outcome(5));
    expect(held(ring, 5)).toEqual([5]);
    expect(ring.count).toBe(1);
  });
});
