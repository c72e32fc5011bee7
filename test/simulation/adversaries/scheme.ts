import { type Amount, toAmount } from '../../../src/domain/amount.ts';
import type { AccountId } from '../../../src/domain/identifiers.ts';
import type { Ticks } from '../../../src/domain/spot-market.ts';
import { unit, type World } from './world.ts';

/** What a group tries, a step at a time, while everyone else continues. */
export type Scheme = (world: World) => Generator<void, void, void>;

export function expectThat(isTrue: boolean, words: string): void {
  if (!isTrue) throw new Error(`expected: ${words}`);
}

export function expectSame(what: string, found: unknown, expected: unknown): void {
  if (found !== expected) {
    throw new Error(`expected: ${what} is ${String(expected)}, not ${String(found)}`);
  }
}

/** The members take out what they can, now; the whole group's gain so far, in units. */
export function takeOut(world: World, ...members: readonly AccountId[]): bigint {
  for (const member of members) if (world.withdraw(member) > 0n) world.note('out');
  return members[0] === undefined ? 0n : world.payers.gainOf(members[0]);
}

/** So many whole USDT. */
export function usdt(amount: number): Amount {
  return toAmount(BigInt(amount) * unit);
}

/** A price in whole USDT as an order names it: a tick is a tenth. */
export function ticks(price: number): Ticks {
  return (price * 10) as Ticks;
}
