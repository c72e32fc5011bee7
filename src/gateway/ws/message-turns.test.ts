import { beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { MessageTurns } from './message-turns.ts';

let clock: ManualClock;
let told: string[];
let turns: MessageTurns;

beforeEach(() => {
  clock = new ManualClock();
  clock.holdTurns();
  told = [];
  turns = new MessageTurns({
    clock,
    take: (data) => told.push(data.toString()),
    pause: () => told.push('pause'),
    resume: () => told.push('resume'),
  });
});

function send(from: number, to: number): void {
  for (let number = from; number <= to; number += 1) turns.push(Buffer.from(`${number}`), false);
}

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_none, at) => `${from + at}`);

describe('messages by turns', () => {
  it('eight are taken in a turn; the rest waits, and nothing more is read until it is taken', () => {
    send(1, 20);
    expect(told.splice(0)).toEqual([...numbers(1, 8), 'pause']);
    clock.endTurn();
    expect(told.splice(0)).toEqual(numbers(9, 16));
    send(21, 21);
    clock.endTurn();
    expect(told.splice(0)).toEqual([...numbers(17, 21), 'resume']);
    send(22, 24);
    expect(told.splice(0)).toEqual(numbers(22, 24));
    clock.endTurn();
    send(25, 32);
    expect(told.splice(0)).toEqual(numbers(25, 32));
  });

  it('what waits for a disconnected client is dropped', () => {
    send(1, 9);
    turns.end();
    clock.endTurn();
    expect(told).toEqual([...numbers(1, 8), 'pause']);
  });
});
