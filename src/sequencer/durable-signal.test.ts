import { describe, expect, it } from 'vitest';
import type { Sequence } from '../domain/identifiers.ts';
import { systemTime } from '../system/system-time.ts';
import { ThreadSignal } from './durable-signal.ts';

/** Whether it resolves soon: far sooner than the time after which a waiting thread looks again. */
async function resolvesSoon(promise: Promise<void>, turns = 1_000): Promise<boolean> {
  let isResolved = false;
  void promise.then(() => {
    isResolved = true;
  });
  for (let turn = 0; turn < turns && !isResolved; turn += 1) await systemTime.yieldTurn();
  return isResolved;
}

describe('the durable sequence between threads', () => {
  it('is unknown until it is published, and any sequence can be', () => {
    const signal = new ThreadSignal();
    expect(signal.sequence).toBeNull();
    for (const sequence of [0, 1, 2 ** 40]) {
      signal.publish(sequence as Sequence);
      expect(signal.sequence).toBe(sequence);
    }
  });

  it('is the same in a signal over the same memory, which begins with what is published', () => {
    const own = new ThreadSignal();
    const before = new ThreadSignal(own.memory);
    expect(before.sequence).toBeNull();
    own.publish(7 as Sequence);
    expect([before.sequence, new ThreadSignal(own.memory).sequence]).toEqual([7, 7]);
    expect(own.sequence).toBe(7);
  });

  it('ends the wait for another sequence than the known one, in other signals too', async () => {
    const own = new ThreadSignal();
    const other = new ThreadSignal(own.memory);
    const first = other.changedFrom(null);
    own.publish(0 as Sequence);
    expect(await resolvesSoon(first)).toBe(true);
    const second = other.changedFrom(0 as Sequence);
    own.publish(1 as Sequence);
    expect(await resolvesSoon(second)).toBe(true);
  });

  it('is not waited for if it differs already', async () => {
    const signal = new ThreadSignal();
    expect(await resolvesSoon(signal.changedFrom(3 as Sequence))).toBe(true);
    signal.publish(4 as Sequence);
    expect(await resolvesSoon(signal.changedFrom(3 as Sequence))).toBe(true);
    expect(await resolvesSoon(signal.changedFrom(null))).toBe(true);
  });

  it('is waited for while it is the known one, until someone wakes the waiting', async () => {
    const signal = new ThreadSignal();
    signal.publish(4 as Sequence);
    const waiting = signal.changedFrom(4 as Sequence);
    expect(await resolvesSoon(waiting, 10)).toBe(false);
    signal.wake();
    expect(await resolvesSoon(waiting)).toBe(true);
    expect(signal.sequence).toBe(4);
  });
});
