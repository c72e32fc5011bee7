import { beforeEach, describe, expect, test } from 'vitest';
import {
  alice,
  bob,
  exampleSpotMarket,
  ScriptedExchange,
} from '../../../test/support/scripted-exchange.ts';
import type { Amount } from '../../domain/amount.ts';
import type { AccountId, MarketId, OrderNumber, TimestampMs } from '../../domain/identifiers.ts';
import { formatOrderId } from '../../domain/order-id.ts';
import type { Lots, Ticks } from '../../domain/spot-market.ts';
import type { SpotOrder } from '../../domain/spot-order.ts';
import { EngineBusyError, EngineRestartingError } from '../ports/exchange.ts';
import { cancelAllSpotOrders } from './cancel-all-spot-orders.ts';
import { cancelSpotOrder } from './cancel-spot-order.ts';

const order: SpotOrder = {
  orderNumber: 7 as OrderNumber,
  accountId: 1 as AccountId,
  marketId: 0 as MarketId,
  clientOrderId: null,
  side: 'buy',
  type: 'limit',
  timeInForce: 'gtc',
  price: 10_000 as Ticks,
  quantity: 10_000 as Lots,
  quoteQuantity: null,
  filledQuantity: 0 as Lots,
  filledQuote: 0n as Amount,
  status: 'new',
  createdAt: 1_700_000_000_000 as TimestampMs,
  updatedAt: 1_700_000_000_000 as TimestampMs,
};
const canceled: SpotOrder = { ...order, status: 'canceled' };

let exchange: ScriptedExchange;
const warnings: string[] = [];
const ports = () => ({
  exchange,
  isSpotTradingEnabled: true,
  log: { warn: (_details: object, message: string) => void warnings.push(message) },
});

beforeEach(() => {
  exchange = new ScriptedExchange();
  exchange.scripted.accounts.set(alice, 1 as AccountId).set(bob, 2 as AccountId);
  exchange.scripted.markets.push(exampleSpotMarket());
  exchange.scripted.orders.push(order);
  exchange.answer = () => ({ events: [{ type: 'spotOrderUpdated', order: canceled }] });
  warnings.length = 0;
});

describe('cancelSpotOrder', () => {
  test('cancelSpotOrder: returns the order as it is after the cancel', async () => {
    const outcome = await cancelSpotOrder(ports(), alice, formatOrderId(order).toUpperCase());
    expect(outcome).toMatchObject({
      kind: 'done',
      value: { order_id: formatOrderId(order), status: 'canceled', price: '100', quantity: '1' },
    });
    expect(exchange.submitted).toEqual([{ type: 'cancelSpotOrder', accountId: 1, orderNumber: 7 }]);
  });

  test('cancelSpotOrder: reports that the order belongs to another account', async () => {
    exchange.answer = () => ({ rejection: { reason: 'order_not_owned' } });
    const outcome = await cancelSpotOrder(ports(), bob, formatOrderId(order));
    expect(outcome).toEqual({ kind: 'refused', rejection: { reason: 'order_not_owned' } });
  });

  test('cancelSpotOrder: an id with the right number and a different time is unknown', async () => {
    const forged = formatOrderId({ ...order, createdAt: (order.createdAt + 1) as TimestampMs });
    const outcome = await cancelSpotOrder(ports(), alice, forged);
    expect(outcome).toEqual({ kind: 'refused', rejection: { reason: 'order_not_found' } });
    expect(exchange.submitted).toEqual([]);
  });

  test('cancelSpotOrder: a UUID that no order can have is not found', async () => {
    const outcome = await cancelSpotOrder(ports(), alice, '9b2e4f5a-1111-4222-8333-444455556666');
    expect(outcome).toEqual({ kind: 'refused', rejection: { reason: 'order_not_found' } });
  });

  test('cancelSpotOrder: an order that just ended is reported as ended only once that is durable', async () => {
    exchange.scripted.orders.length = 0;
    exchange.readError = new EngineBusyError('full');
    await expect(cancelSpotOrder(ports(), alice, formatOrderId(order))).rejects.toThrow('full');
  });

  test('cancelSpotOrder: refused while spot trading is disabled', async () => {
    const outcome = await cancelSpotOrder(
      { exchange, isSpotTradingEnabled: false },
      alice,
      formatOrderId(order),
    );
    expect(outcome).toEqual({ kind: 'refused', rejection: { reason: 'spot_trading_disabled' } });
  });
});

describe('cancelAllSpotOrders', () => {
  test('cancelAllSpotOrders: answers with the ids that it canceled', async () => {
    const outcome = await cancelAllSpotOrders(ports(), alice, 'BTCUSDT');
    expect(outcome).toEqual({ kind: 'done', value: { canceled: [formatOrderId(order)] } });
    expect(exchange.submitted).toEqual([
      { type: 'cancelAllSpotOrders', accountId: 1, marketId: 0 },
    ]);
  });

  test('cancelAllSpotOrders: without a symbol it covers every market', async () => {
    await cancelAllSpotOrders(ports(), alice, null);
    expect(exchange.submitted).toEqual([
      { type: 'cancelAllSpotOrders', accountId: 1, marketId: null },
    ]);
  });

  test('cancelAllSpotOrders: an engine overflow returns an empty list and is logged', async () => {
    exchange.answer = () => new EngineBusyError('full');
    const outcome = await cancelAllSpotOrders(ports(), alice, null);
    expect(outcome).toEqual({ kind: 'done', value: { canceled: [] } });
    expect(warnings).toEqual([
      'cancel-all returned what it canceled so far: the engine queue is full',
    ]);
  });

  test('cancelAllSpotOrders: repeats until nothing is left, and returns all numbers', async () => {
    const numbers = [7, 8, 9] as OrderNumber[];
    const orders = numbers.map((orderNumber) => ({ ...canceled, orderNumber }));
    const left = [...orders];
    exchange.answer = () => {
      const event = { type: 'spotOrderUpdated', order: left.shift() ?? canceled } as const;
      return { events: left.length > 0 ? [event, { type: 'workDue' }] : [event] };
    };
    const outcome = await cancelAllSpotOrders(ports(), alice, null);
    expect(outcome).toEqual({ kind: 'done', value: { canceled: orders.map(formatOrderId) } });
    expect(exchange.submitted).toHaveLength(3);
  });

  test('cancelAllSpotOrders: an overflow in between returns what was canceled', async () => {
    exchange.answer = () => {
      exchange.answer = () => new EngineBusyError('full');
      return { events: [{ type: 'spotOrderUpdated', order: canceled }, { type: 'workDue' }] };
    };
    const outcome = await cancelAllSpotOrders(ports(), alice, null);
    expect(outcome).toEqual({ kind: 'done', value: { canceled: [formatOrderId(order)] } });
    expect(warnings).toEqual([
      'cancel-all returned what it canceled so far: the engine queue is full',
    ]);
  });

  test('cancelAllSpotOrders: a restarting engine is an error, not an empty list', async () => {
    exchange.answer = () => new EngineRestartingError('replaying');
    await expect(cancelAllSpotOrders(ports(), alice, null)).rejects.toThrow(EngineRestartingError);
  });

  test('cancelAllSpotOrders: an unknown symbol is refused', async () => {
    const outcome = await cancelAllSpotOrders(ports(), alice, '__proto__');
    expect(outcome).toEqual({ kind: 'refused', rejection: { reason: 'market_not_found' } });
  });

  test('cancelAllSpotOrders: a caller without an account has nothing to cancel', async () => {
    exchange.scripted.accounts.clear();
    const outcome = await cancelAllSpotOrders(ports(), alice, null);
    expect(outcome).toEqual({ kind: 'done', value: { canceled: [] } });
    expect(exchange.submitted).toEqual([]);
  });
});
