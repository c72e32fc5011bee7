import { beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { PositionWaiters } from './position-waiters.ts';

describe('those who wait for a position of the log', () => {
  let clock: ManualClock;
  let waiters: PositionWaiters;
  const expired = (): Error => new Error('too late');
  const gap = new Error('the log does not continue');

  beforeEach(() => {
    clock = new ManualClock();
    waiters = new PositionWaiters(clock);
    waiters.advance(5);
  });

  it('go on at once where it is applied', async () => {
    expect(waiters.position).toBe(5);
    await waiters.waitFor(5, 100, expired);
    expect(clock.timerCount).toBe(0);
  });

  it('go on when it is applied, and their time ends with that', async () => {
    let reached = 0;
    const six = waiters.waitFor(6, 100, expired).then(() => (reached = 6));
    const seven = waiters.waitFor(7, 100, expired);
    waiters.advance(6);
    await six;
    expect(reached).toBe(6);
    expect(clock.timerCount).toBe(1);
    waiters.advance(7);
    await seven;
    expect(clock.timerCount).toBe(0);
  });

  it('give up after their time, unless they have none', async () => {
    const late = expect(waiters.waitFor(6, 100, expired)).rejects.toThrow('too late');
    const patient = waiters.waitFor(6, null, expired);
    clock.advance(100);
    await late;
    waiters.advance(6);
    await patient;
  });

  it('are interrupted, and so are later ones until the log is followed again', async () => {
    const waiting = expect(waiters.waitFor(6, 100, expired)).rejects.toBe(gap);
    waiters.interrupt(gap);
    await waiting;
    expect(clock.timerCount).toBe(0);
    await expect(waiters.waitFor(6, 100, expired)).rejects.toBe(gap);
    await waiters.waitFor(5, 100, expired);
    waiters.resume();
    const again = waiters.waitFor(6, 100, expired);
    waiters.advance(6);
    await again;
  });

  it('fail for good once nothing more will be applied', async () => {
    const waiting = expect(waiters.waitFor(6, 100, expired)).rejects.toBe(gap);
    waiters.fail(gap);
    await waiting;
    waiters.resume();
    await expect(waiters.waitFor(5, 100, expired)).rejects.toBe(gap);
  });
});
