import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { zeroAmount } from '../../../domain/amount.ts';
import {
  type FuturesOrder,
  futuresOrderStatuses,
  futuresOrderTypes,
  futuresTimesInForce,
  orderOrigins,
  priceMatches,
  selfTradeModes,
  triggerPriceKinds,
} from '../../../domain/futures-order.ts';
import { sides } from '../../../domain/spot-order.ts';
import { StoredOrders } from './stored-orders.ts';

const count = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
const numberOrNull = fc.option(count);
const id = fc.integer({ min: 0, max: 300 });

const anyOrder = (
  fc.record({
    orderNumber: count,
    accountId: id,
    marketId: id,
    clientOrderId: fc.option(fc.string()),
    side: fc.constantFrom(...sides),
    type: fc.constantFrom(...futuresOrderTypes),
    timeInForce: fc.constantFrom(...futuresTimesInForce),
    price: numberOrNull,
    priceMatch: fc.constantFrom(...priceMatches),
    quantity: count,
    filledQuantity: count,
    filledQuote: fc.bigInt({ min: 0n, max: (1n << 63n) - 1n }),
    status: fc.constantFrom(...futuresOrderStatuses),
    stopPrice: numberOrNull,
    triggerPriceKind: fc.constantFrom(...triggerPriceKinds),
    activationPrice: numberOrNull,
    callback: numberOrNull,
    isReduceOnly: fc.boolean(),
    isClosePosition: fc.boolean(),
    isPriceProtected: fc.boolean(),
    selfTradeMode: fc.constantFrom(...selfTradeModes),
    goodTill: numberOrNull,
    parentOrderNumber: numberOrNull,
    isAlgo: fc.boolean(),
    origin: fc.constantFrom(...orderOrigins),
    triggeredAt: numberOrNull,
    createdAt: count,
    updatedAt: count,
  }) as unknown as fc.Arbitrary<FuturesOrder>
).map((order) => (order.filledQuantity === 0 ? { ...order, filledQuote: zeroAmount } : order));

function fill(orders: StoredOrders, { orderNumber, accountId, marketId, ...terms }: FuturesOrder) {
  return Object.assign(orders.open(orderNumber, accountId, marketId, 0), terms);
}

describe('StoredOrders', () => {
  it('StoredOrders: an order reads back as written, also as a copy and in a reused record', () => {
    fc.assert(
      fc.property(fc.array(anyOrder, { minLength: 1, maxLength: 4 }), (given) => {
        const orders = new StoredOrders();
        for (let round = 0; round < 2; round += 1) {
          const stored = given.map((order) => fill(orders, order));
          expect(stored.map((order) => order.describe())).toEqual(given);
          const copies = stored.map((order) => orders.copy(order).describe());
          expect(copies).toEqual(given.map((order) => ({ ...order, clientOrderId: null })));
          orders.recycle();
        }
      }),
    );
  });

  it('StoredOrders: live orders are found and listed as in a plain list', () => {
    const step = fc.record({
      isEnd: fc.boolean(),
      at: fc.nat(),
      account: fc.nat(2),
      id: fc.nat(9),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const orders = new StoredOrders();
        let plain: { number: number; account: number; market: number; id: string | null }[] = [];
        for (const [index, { isEnd, at, account, id: text }] of steps.entries()) {
          const number = index + 1;
          const victim = plain[at % Math.max(1, plain.length)];
          if (isEnd && victim !== undefined) {
            const ended = orders.get(victim.number);
            expect(ended !== undefined && orders.remove(ended)).toBe(true);
            plain = plain.filter((each) => each !== victim);
          } else {
            const market = at % 3;
            const isTaken = plain.some((each) => each.account === account && each.id === `${text}`);
            const order = orders.open(number, account, market, 0);
            order.clientOrderId = isTaken ? null : `${text}`;
            orders.add(order);
            plain.push({ number, account, market, id: order.clientOrderId });
          }
          if (at % 2 === 0) orders.recycle();
          const numbers = (all: readonly { orderNumber: number }[]) =>
            all.map(({ orderNumber }) => orderNumber);
          expect(numbers(orders.values())).toEqual(plain.map((each) => each.number));
          const own = plain.filter((each) => each.account === account);
          expect(numbers(orders.listOf(account))).toEqual(own.map((each) => each.number));
          expect(orders.countOf(account)).toBe(own.length);
          const here = own.filter((each) => each.market === 1).map((each) => each.number);
          expect(numbers(orders.listIn(account, 1))).toEqual(here);
          expect(orders.has(number)).toBe(plain.some((each) => each.number === number));
          const byId = own.find((each) => each.id === `${text}`);
          expect(orders.findByClientId(account, `${text}`)?.orderNumber).toBe(byId?.number);
        }
        expect(orders.size).toBe(plain.length);
      }),
    );
  });
});
