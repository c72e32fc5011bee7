import { describe, expect, it } from 'vitest';
import { toAmount } from '../domain/amount.ts';
import { parseDecimal } from '../domain/decimal.ts';
import type { AccountId, Address, MarketId, Sequence, TimestampMs } from '../domain/identifiers.ts';
import type { Lots, Ticks } from '../domain/spot-market.ts';
import type { Command, PlaceSpotOrder } from './commands.ts';
import { engineFactory } from './engine.ts';
import type { StateMachine } from './state-machine.ts';

const unit = 100_000_000n;

function decimal(text: string) {
  const value = parseDecimal(text);
  if (value === null) throw new Error(text);
  return value;
}

function address(digit: number): Address {
  return `0x${String(digit).repeat(40)}` as Address;
}

function send(engine: StateMachine, command: Command) {
  const sequence = (engine.sequence + 1) as Sequence;
  return engine.apply(command, { sequence, timestamp: (1_000 + sequence) as TimestampMs });
}

function credit(engine: StateMachine, digit: number, token: string, amount: bigint) {
  return send(engine, {
    type: 'creditBalance',
    address: address(digit),
    token,
    amount: toAmount(amount * unit),
    actor: 'admin_api_key',
    reason: null,
    reference: null,
  });
}

function place(engine: StateMachine, order: Partial<PlaceSpotOrder>) {
  return send(engine, {
    type: 'placeSpotOrder',
    accountId: 1 as AccountId,
    marketId: 0 as MarketId,
    side: 'buy',
    clientOrderId: null,
    orderType: 'limit',
    timeInForce: 'gtc',
    price: 100 as Ticks,
    quantity: 10 as Lots,
    quoteQuantity: null,
    ...order,
  });
}

function exchange(): StateMachine {
  const engine = engineFactory.create();
  send(engine, {
    type: 'createSpotMarket',
    terms: {
      symbol: 'BTCUSDT',
      baseToken: 'BTC',
      quoteToken: 'USDT',
      tickSize: decimal('0.01'),
      lotSize: decimal('0.001'),
      minNotional: toAmount(0n),
      makerFeeBps: 10,
      takerFeeBps: 20,
    },
  });
  credit(engine, 1, 'USDT', 1_000n);
  credit(engine, 2, 'BTC', 5n);
  return engine;
}

describe('Engine', () => {
  it('Engine: a resting buy locks price times quantity, a cancel releases it', () => {
    const engine = exchange();
    const placed = place(engine, {});
    expect(placed.rejection).toBeNull();
    expect(placed.events.map(({ type }) => type)).toEqual([
      'spotOrderUpdated',
      'bookLevelChanged',
      'balanceChanged',
    ]);
    const locked = 100n * 10n * 1_000n;
    expect(engine.listBalances(1 as AccountId)).toEqual([
      { tokenId: 1, available: 1_000n * unit - locked, locked },
    ]);
    const order = engine.listOpenOrders(1 as AccountId, null)[0];
    if (order === undefined) throw new Error('the order rests');
    send(engine, {
      type: 'cancelSpotOrder',
      accountId: 1 as AccountId,
      orderNumber: order.orderNumber,
    });
    expect(engine.listBalances(1 as AccountId)).toEqual([
      { tokenId: 1, available: 1_000n * unit, locked: 0n },
    ]);
  });

  it('Engine: a trade pays each side what it receives less its fee', () => {
    const engine = exchange();
    place(engine, {});
    const sold = place(engine, { accountId: 2 as AccountId, side: 'sell', quantity: 4 as Lots });
    expect(sold.events.map(({ type }) => type)).toEqual([
      'spotTradeExecuted',
      'spotOrderUpdated',
      'spotOrderUpdated',
      'bookLevelChanged',
      'balanceChanged',
      'balanceChanged',
      'balanceChanged',
      'balanceChanged',
    ]);
    const base = 4n * 100_000n;
    const quote = 4n * 100n * 1_000n;
    expect(engine.listBalances(1 as AccountId)).toEqual([
      { tokenId: 0, available: base - base / 1_000n, locked: 0n },
      { tokenId: 1, available: 1_000n * unit - 1_000_000n, locked: 1_000_000n - quote },
    ]);
    expect(engine.listBalances(2 as AccountId)).toEqual([
      { tokenId: 0, available: 5n * unit - base, locked: 0n },
      { tokenId: 1, available: quote - quote / 500n, locked: 0n },
    ]);
  });

  it('Engine: an order that would meet its own account is refused and changes nothing', () => {
    const engine = exchange();
    place(engine, {});
    credit(engine, 1, 'BTC', 1n);
    const before = engine.listBalances(1 as AccountId);
    const refused = place(engine, { side: 'sell' });
    expect(refused.rejection).toEqual({ reason: 'self_trade' });
    expect(refused.events).toEqual([]);
    expect(engine.listBalances(1 as AccountId)).toEqual(before);
  });

  it('Engine: a restored engine has the same hash and goes on the same way', () => {
    const engine = exchange();
    place(engine, { clientOrderId: 'first' });
    const restored = engineFactory.restore(engine.encodeState());
    expect(restored.stateHash()).toBe(engine.stateHash());
    const order = { accountId: 2 as AccountId, side: 'sell' as const };
    expect(place(restored, order)).toEqual(place(engine, order));
    expect(restored.stateHash()).toBe(engine.stateHash());
    expect(restored.getDepth(0 as MarketId, 5)).toEqual({ lastUpdateId: 2, bids: [], asks: [] });
  });
});
