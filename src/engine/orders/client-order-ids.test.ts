import { describe, expect, it } from 'vitest';
import { buySide } from '../book/order-book.ts';
import { ClientOrderIds, firstSeed, hashClientOrderId } from './client-order-ids.ts';
import { OpenOrders } from './open-orders.ts';

function keep(orders: OpenOrders, orderNumber: number, account: number, id: string): number {
  const slot = orders.open({
    orderNumber,
    account,
    marketId: 0,
    side: buySide,
    price: 1,
    quantity: 1,
    policy: 'rest',
    timeInForce: 0,
    createdAt: 0,
    baseCell: 0,
    quoteCell: 1,
    clientOrderId: id,
    clientHash: 0,
  });
  orders.keep(slot);
  return slot;
}

function add(ids: ClientOrderIds, slot: number, account: number, id: string): void {
  ids.add(slot, ids.hash(account, id));
}

function has(ids: ClientOrderIds, account: number, id: string): boolean {
  return ids.has(ids.hash(account, id), account, id);
}

describe('ClientOrderIds', () => {
  it('ClientOrderIds: an id belongs to one account and to one letter case', () => {
    const orders = new OpenOrders();
    const ids = new ClientOrderIds(orders);
    const slot = keep(orders, 1, 5, 'Order-1');
    add(ids, slot, 5, 'Order-1');
    expect(has(ids, 5, 'Order-1')).toBe(true);
    const others = [has(ids, 6, 'Order-1'), has(ids, 5, 'order-1'), has(ids, 5, '')];
    expect(others).toEqual([false, false, false]);
    ids.remove(slot);
    expect(has(ids, 5, 'Order-1')).toBe(false);
  });

  it('ClientOrderIds: knows what a Map would while thousands come and go', () => {
    const orders = new OpenOrders();
    const ids = new ClientOrderIds(orders);
    const plain = new Map<string, number>();
    let draw = 77;
    for (let step = 1; step <= 20_000; step += 1) {
      draw = (Math.imul(draw, 1_664_525) + 1_013_904_223) >>> 0;
      const account = 1 + (draw % 7);
      const id = `id-${(draw >>> 8) % 900}`;
      const key = `${account}:${id}`;
      const known = plain.get(key);
      if (has(ids, account, id) !== (known !== undefined)) throw new Error(`${key} at ${step}`);
      if (known === undefined) {
        const slot = keep(orders, step, account, id);
        add(ids, slot, account, id);
        plain.set(key, slot);
      } else {
        ids.remove(known);
        orders.drop(known);
        plain.delete(key);
      }
    }
    const missing = [...plain.keys()].filter((key) => {
      const [account = '', id = ''] = key.split(':');
      return !has(ids, Number(account), id);
    });
    expect(missing).toEqual([]);
    expect(plain.size).toBeGreaterThan(1_000);
  });

  it('ClientOrderIds: ids chosen to collide are spread by another seed', () => {
    const orders = new OpenOrders();
    const ids = new ClientOrderIds(orders);
    const chosen = collidingIds(1, 200);
    for (const [at, id] of chosen.entries()) add(ids, keep(orders, at + 1, 1, id), 1, id);
    expect(ids.seed).not.toBe(firstSeed);
    expect(
      new Set(chosen.map((id) => hashClientOrderId(1, id, ids.seed) & 1_023)).size,
    ).toBeGreaterThan(150);
    expect(chosen.every((id) => has(ids, 1, id))).toBe(true);
  });
});

/** Ids that all start at the same few places of a table under the first seed. */
function collidingIds(account: number, count: number): string[] {
  const found: string[] = [];
  for (let draw = 0; found.length < count; draw += 1) {
    const id = `x${draw.toString(36)}`;
    if ((hashClientOrderId(account, id, firstSeed) & 1_023) < 8) found.push(id);
  }
  return found;
}
