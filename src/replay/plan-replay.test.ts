import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { doInterfere, spansOf } from './book-spans.ts';
import { parseMessage, readOrderFlow } from './order-flow.ts';
import { planReplay, type ReplayAction } from './plan-replay.ts';

// A bid of 10 at 100.00 and one of 5 behind it, an ask of 7 at 100.02.
const threeOrders = [
  '34200.1,1,11,10,1000000,1,null',
  '34200.2,1,12,5,1000000,1,null',
  '34200.3,1,13,7,1000200,-1,null',
];

function plan(lines: readonly string[]) {
  const messages = lines.map((line) => {
    const message = parseMessage(line);
    if (message === null) throw new Error(line);
    return message;
  });
  return planReplay(messages, 10);
}

function summary(action: ReplayAction): string {
  const size = action.type === 'cancel' ? '' : ` ${action.size}`;
  return `${action.type} ${action.orderId} ${action.side}${size} at ${action.price}`;
}

describe('planReplay', () => {
  test('planReplay: new orders are placed in recorded order', () => {
    expect(plan(threeOrders).actions.map(summary)).toEqual([
      'place 11 buy 10 at 10000',
      'place 12 buy 5 at 10000',
      'place 13 sell 7 at 10002',
    ]);
  });

  test('planReplay: an execution is an order of the other side for its size at its price', () => {
    const { actions } = plan([...threeOrders, '34200.4,4,12,4,1000000,1,null']);
    expect(actions.slice(3).map(summary)).toEqual(['take 12 sell 4 at 10000']);
  });

  test('planReplay: an execution of an order from before the recording is sent nevertheless', () => {
    const { actions } = plan(['34200.4,4,99,4,1000000,-1,null']);
    expect(actions.map(summary)).toEqual(['take 99 buy 4 at 10000']);
  });

  test('planReplay: takers never place orders, so no trader meets its own order', () => {
    const lines = Array.from({ length: 40 }, (_, index) => [
      `34200.1,1,${index},1,1000000,1,null`,
      `34200.2,4,${index},1,1000000,1,null`,
    ]).flat();
    const { actions } = plan(lines);
    const tradersOf = (type: string) =>
      new Set(actions.filter((action) => action.type === type).map((action) => action.trader));
    expect(tradersOf('place').size).toBe(8);
    expect([...tradersOf('take')].sort()).toEqual([1, 6]);
    expect(tradersOf('place').has(1) || tradersOf('place').has(6)).toBe(false);
  });

  test('planReplay: a delete is sent by the trader who placed the order', () => {
    const { actions } = plan([...threeOrders, '34200.4,3,12,5,1000000,1,null']);
    expect(actions.slice(3).map(summary)).toEqual(['cancel 12 buy at 10000']);
    expect(actions[3]?.trader).toBe(actions[1]?.trader);
  });

  test('planReplay: a delete is sent even if the queue filled the order earlier than recorded', () => {
    const { actions } = plan([
      ...threeOrders,
      '34200.4,4,12,10,1000000,1,null',
      '34200.5,3,11,10,1000000,1,null',
    ]);
    expect(actions.slice(4).map(summary)).toEqual(['cancel 11 buy at 10000']);
  });

  test('planReplay: a partial cancel reduces the size, which later cancels account for', () => {
    const { actions, needs } = plan([...threeOrders, '34200.4,2,11,4,1000000,1,null']);
    expect(actions.slice(3).map(summary)).toEqual(['reduce 11 buy 4 at 10000']);
    expect(needs.reduce((sum, need) => sum + need.quoteCents, 0)).toBe(15 * 10_000);
  });

  test('planReplay: a partial cancel of the whole rest is a cancel', () => {
    const { actions } = plan([...threeOrders, '34200.4,2,11,10,1000000,1,null']);
    expect(actions.slice(3).map(summary)).toEqual(['cancel 11 buy at 10000']);
  });

  test('planReplay: an incoming order first cancels the orders that it would cross', () => {
    const { actions } = plan([...threeOrders, '34200.4,1,14,3,999900,-1,null']);
    expect(actions.slice(3).map(summary)).toEqual([
      'cancel 11 buy at 10000',
      'cancel 12 buy at 10000',
      'place 14 sell 3 at 9999',
    ]);
  });

  test('planReplay: an execution below the best bid cancels the bids above it first', () => {
    const { actions } = plan([
      ...threeOrders,
      '34200.4,1,15,1,999900,1,null',
      '34200.5,4,15,1,999900,1,null',
    ]);
    expect(actions.slice(4).map(summary)).toEqual([
      'cancel 11 buy at 10000',
      'cancel 12 buy at 10000',
      'take 15 sell 1 at 9999',
    ]);
  });

  test('planReplay: a cancel of an order that was canceled as crossed is left out', () => {
    const { skipped } = plan([
      ...threeOrders,
      '34200.4,1,14,3,999900,-1,null',
      '34200.5,3,11,10,1000000,1,null',
      '34200.6,3,98,10,1000000,1,null',
      '34200.7,5,0,10,1000000,1,null',
      '34200.8,6,-1,10,1000000,-1,null',
    ]);
    expect(skipped).toEqual({ other: 2, unknownOrder: 2 });
  });

  test('planReplay: the needed funds are the maximum that orders lock and trades pay at one moment', () => {
    const { needs, actions } = plan([
      '34200.1,1,11,10,1000000,1,null',
      '34200.2,3,11,10,1000000,1,null',
      '34200.3,4,77,3,1000000,1,null',
    ]);
    const [maker, , taker] = actions.map((action) => action.trader);
    expect(needs[maker ?? -1]).toEqual({ quoteCents: 100_000, base: 0 });
    expect(needs[taker ?? -1]).toEqual({ quoteCents: 0, base: 3 });
  });
});

describe('spansOf', () => {
  const { actions } = plan([
    ...threeOrders,
    '34200.4,1,14,1,1000100,1,null',
    '34200.5,4,14,1,1000100,1,null',
    '34200.6,3,12,5,1000000,1,null',
  ]);
  const [bid, samePrice, ask, better, take, cancel] = actions.map(spansOf);
  const meet = (left: typeof bid, right: typeof bid) => doInterfere(left ?? [], right ?? []);

  test('spansOf: orders of one level and orders that would cross depend on each other', () => {
    expect(meet(bid, samePrice)).toBe(true);
    expect(meet(samePrice, cancel)).toBe(true);
    expect(meet(take, bid)).toBe(false);
    expect(meet(take, better)).toBe(true);
    expect(meet(take, ask)).toBe(true);
  });

  test('spansOf: orders that cannot meet are independent', () => {
    expect(meet(bid, ask)).toBe(false);
    expect(meet(better, bid)).toBe(false);
    expect(meet(cancel, ask)).toBe(false);
  });
});

describe('readOrderFlow', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'order-flow-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  test('readOrderFlow: a plain and a gzip file hold the same messages', async () => {
    const plain = join(folder, 'flow.csv');
    const packed = join(folder, 'flow.csv.gz');
    await writeFile(plain, `${threeOrders.join('\n')}\n`);
    await writeFile(packed, gzipSync(`${threeOrders.join('\n')}\n`));
    const messages = await readOrderFlow(plain);
    expect(messages).toHaveLength(3);
    expect(messages[2]).toEqual({
      seconds: 34_200.3,
      kind: 'new',
      orderId: '13',
      size: 7,
      price: 10_002,
      side: 'sell',
    });
    expect(await readOrderFlow(packed)).toEqual(messages);
    expect(await readOrderFlow(packed, 2)).toHaveLength(2);
  });

  test('parseMessage: only a hidden execution has a price between two cents', () => {
    expect(parseMessage('34201.8,5,0,100,33584450,1,null')).toMatchObject({ kind: 'other' });
    expect(parseMessage('34201.8,1,9,100,33584450,1,null')).toBeNull();
  });

  test('readOrderFlow: names the line that is not a message, and the file that is missing', async () => {
    const path = join(folder, 'flow.csv');
    await writeFile(path, `${threeOrders[0] ?? ''}\n34200.1,9,1,1,1,1,null\n`);
    await expect(readOrderFlow(path)).rejects.toThrow('line 2 is not a message: 34200.1,9');
    await expect(readOrderFlow(join(folder, 'none.csv.gz'))).rejects.toThrow('ENOENT');
  });
});
