import { expect, test } from 'vitest';
import { Slots } from './slots.ts';

test('Slots: limits how many run at once, and runs all, though some fail', async () => {
  const slots = new Slots(3);
  let running = 0;
  let most = 0;
  const work = async (number: number): Promise<number> => {
    running += 1;
    most = Math.max(most, running);
    await Promise.resolve();
    running -= 1;
    if (number % 5 === 0) throw new Error('failed');
    return number;
  };
  const numbers = Array.from({ length: 50 }, (_, number) => number);
  const ends = await Promise.allSettled(numbers.map((number) => slots.run(() => work(number))));
  expect(most).toBe(3);
  expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(40);
});
