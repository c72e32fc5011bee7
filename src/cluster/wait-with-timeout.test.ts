import { expect, it } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { sleepWith } from '../system/time.ts';
import { waitWithTimeout } from './wait-with-timeout.ts';

function manualTime() {
  const clock = new ManualClock();
  const sleep = (delayMs: number, signal?: AbortSignal): Promise<void> =>
    sleepWith((ms, callback) => clock.after(ms, callback), delayMs, signal);
  return { clock, time: { sleep } };
}

const never = new Promise<void>(() => undefined);
const expired = (): Error => new Error('too late');

it.each([
  ['done', () => Promise.resolve()],
  ['failed', () => Promise.reject(new Error('failed'))],
])('the wait ends with work that is %s, and leaves no timer', async (_how, work) => {
  const { clock, time } = manualTime();
  await waitWithTimeout(work(), 100, time, expired);
  expect(clock.timerCount).toBe(0);
});

it('the wait ends with the time, as an error if it should', async () => {
  const { clock, time } = manualTime();
  const late = expect(waitWithTimeout(never, 100, time, expired)).rejects.toThrow('too late');
  const silent = waitWithTimeout(never, 100, time);
  clock.advance(100);
  await late;
  expect(await silent).toBeUndefined();
});
