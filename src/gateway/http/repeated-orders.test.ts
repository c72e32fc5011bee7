import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  AnswerMemory,
  type MeasuredAnswer,
  RepeatedOrders,
  signedOrder,
} from './repeated-orders.ts';

const signature = (number: number): string =>
  createHash('sha256').update(String(number)).digest('hex');
const windowMs = 60_000;
const bucketMs = 10_000;
const begunAt = 1_700_000_000_000;

function answerOf(body: string): MeasuredAnswer {
  return { status: 200, body, bodyBytes: Buffer.byteLength(body) };
}

function open() {
  const clock = { nowMs: begunAt };
  const orders = new RepeatedOrders(new AnswerMemory(), () => clock.nowMs);
  return { clock, orders };
}

test('RepeatedOrders: orders in progress are found until each has its answer, in any order', async () => {
  const { orders } = open();
  const numbers = [1, 2, 3, 4, 5];
  const makings = numbers.map((number) => orders.begin(signedOrder(signature(number), begunAt)));
  const heard = numbers.map((number) => orders.findPending(signature(number)));
  for (const at of [2, 0, 4, 1, 3]) {
    expect(orders.findPending(signature(numbers[at]!))).toBeDefined();
    makings[at]?.finish(answerOf(`{"order":${numbers[at]}}`));
    expect(orders.findPending(signature(numbers[at]!))).toBeUndefined();
  }
  for (const [at, number] of numbers.entries()) {
    const answer = answerOf(`{"order":${number}}`);
    expect(await heard[at]).toEqual(answer);
    const { status, body } = answer;
    expect(orders.find(signedOrder(signature(number), begunAt))).toEqual({ status, body });
  }
});

test('RepeatedOrders: memory freed by an expired window holds the answers of the next ones', () => {
  const { clock, orders } = open();
  const body = 'x'.repeat(100_000);
  for (let number = 0; number < 50; number += 1) {
    clock.nowMs = begunAt + number * (windowMs + bucketMs);
    for (const part of [0, 1, 2]) {
      const order = signedOrder(signature(3 * number + part), clock.nowMs);
      orders.begin(order).finish(answerOf(`${number}:${part}${body}`));
    }
    for (const part of [0, 1, 2]) {
      const found = orders.find(signedOrder(signature(3 * number + part), clock.nowMs));
      expect(found?.body.slice(0, 8)).toBe(`${number}:${part}${body}`.slice(0, 8));
    }
  }
});

test('RepeatedOrders: an answer that arrives after its window is not kept', () => {
  const { clock, orders } = open();
  const late = orders.begin(signedOrder(signature(1), begunAt));
  clock.nowMs = begunAt + windowMs + 2 * bucketMs;
  const next = signedOrder(signature(2), clock.nowMs);
  orders.begin(next).finish(answerOf('next'));
  late.finish(answerOf('late'));
  expect(orders.find(next)).toEqual({ status: 200, body: 'next' });
  expect(orders.findPending(signature(1))).toBeUndefined();
});
