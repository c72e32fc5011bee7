import { describe, expect, it } from 'vitest';
import { limitOrder } from '../../test/support/limit-order.ts';
import { toAmount } from '../domain/amount.ts';
import { AssertionError } from '../domain/assert.ts';
import { parseDecimal } from '../domain/decimal.ts';
import type {
  AccountId,
  Address,
  MarketId,
  OrderNumber,
  Sequence,
  TimestampMs,
  TokenId,
} from '../domain/identifiers.ts';
import type { Lots, Ticks } from '../domain/spot-market.ts';
import type { Command, PlaceSpotOrder } from './commands.ts';
import { type Engine, engineFactory } from './engine.ts';
import { checkInvariants } from './invariants.ts';
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

function wideAddress(account: number): Address {
  return `0x${String(account).padStart(40, 'a')}` as Address;
}

function credit(engine: StateMachine, digit: number, token: string, amount: bigint) {
  return creditAddress(engine, address(digit), token, amount);
}

function creditAddress(engine: StateMachine, to: Address, token: string, amount: bigint) {
  return send(engine, {
    type: 'creditBalance',
    address: to,
    token,
    amount: toAmount(amount * unit),
    actor: 'admin_api_key',
    reason: null,
    reference: null,
  });
}

function place(engine: StateMachine, order: Partial<PlaceSpotOrder>) {
  return send(engine, limitOrder(order));
}

function exchange(): Engine {
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

  it('Engine: an order that would trade with its own account is refused and changes nothing', () => {
    const engine = exchange();
    place(engine, {});
    credit(engine, 1, 'BTC', 1n);
    const before = engine.listBalances(1 as AccountId);
    const refused = place(engine, { side: 'sell' });
    expect(refused.rejection).toEqual({ reason: 'self_trade' });
    expect(refused.events).toEqual([]);
    expect(engine.listBalances(1 as AccountId)).toEqual(before);
  });

  it('Engine: a restored engine has the same hash and continues the same way', () => {
    const engine = exchange();
    place(engine, { clientOrderId: 'first' });
    const restored = engineFactory.restore(engine.encodeState());
    expect(restored.stateHash()).toBe(engine.stateHash());
    const order = { accountId: 2 as AccountId, side: 'sell' as const };
    expect(place(restored, order)).toEqual(place(engine, order));
    expect(restored.stateHash()).toBe(engine.stateHash());
    expect(restored.getDepth(0 as MarketId, 5)).toEqual({ lastUpdateId: 2, bids: [], asks: [] });
  });

  it('Engine: accounts, tokens and markets are found by name and by number', () => {
    const engine = exchange();
    expect(engine.findAccount(address(2))).toBe(2);
    expect(engine.findAccount(address(3))).toBeNull();
    expect(engine.getAddress(2 as AccountId)).toBe(address(2));
    expect(engine.findToken('USDT')).toBe(1);
    expect(engine.findToken('usdt')).toBeNull();
    expect(engine.getTokenSymbol(1 as TokenId)).toBe('USDT');
    expect(engine.findSpotMarket('BTCUSDT')).toBe(engine.getSpotMarket(0 as MarketId));
    expect(engine.findSpotMarket('btcusdt')).toBeNull();
    expect(engine.findOpenOrder(1 as OrderNumber)).toBeNull();
    expect(engine.listOpenOrders(77 as AccountId, null)).toEqual([]);
    expect(() => engine.getSpotMarket(7 as MarketId)).toThrow('there is no such spot market');
  });

  it('Engine: depth is cut to the levels asked for, best first', () => {
    const engine = exchange();
    for (const price of [98, 100, 99]) place(engine, { price: price as Ticks });
    const prices = (levels: number) =>
      engine.getDepth(0 as MarketId, levels).bids.map(({ price }) => price);
    expect([prices(0), prices(2), prices(9)]).toEqual([[], [100, 99], [100, 99, 98]]);
  });

  it('Engine: a stamp out of sequence or back in time stops it', () => {
    const engine = exchange();
    const command: Command = { type: 'openAccount', address: address(9) };
    const [sequence, timestamp] = [engine.sequence, 2_000 as TimestampMs];
    const apply = (offset: number, time: number) =>
      engine.apply(command, {
        sequence: (sequence + offset) as Sequence,
        timestamp: time as TimestampMs,
      });
    expect(() => apply(0, timestamp)).toThrow(AssertionError);
    expect(() => apply(2, timestamp)).toThrow(AssertionError);
    expect(() => apply(1, 1)).toThrow(AssertionError);
    expect(apply(1, timestamp).rejection).toBeNull();
  });

  it('Engine: takes no command after one that threw in the middle', () => {
    const engine = exchange();
    const broken = { type: 'sellTheHouse' } as never;
    expect(() => send(engine, broken)).toThrow(AssertionError);
    expect(() => place(engine, {})).toThrow('stopped in the middle of an earlier command');
  });

  it('Engine: hundreds of accounts and tokens, thousands of orders, saved and delisted', () => {
    const engine = exchange();
    for (let account = 0; account < 400; account += 1) {
      creditAddress(engine, wideAddress(account), 'USDT', 1_000n);
      creditAddress(engine, wideAddress(account), `TOKEN${account % 60}`, 1n);
    }
    for (let index = 0; index < 4_000; index += 1) {
      const accountId = engine.findAccount(wideAddress(index % 400)) ?? (0 as AccountId);
      const price = (1 + ((index * 7_919) % 90_000)) as Ticks;
      place(engine, { accountId, price, quantity: 1 as Lots, clientOrderId: `order ${index}` });
    }
    checkInvariants(engine);
    const restored = engineFactory.restore(engine.encodeState());
    expect(restored.stateHash()).toBe(engine.stateHash());
    const delist: Command = { type: 'setSpotMarketStatus', symbol: 'BTCUSDT', status: 'delisted' };
    const owners = new Set<AccountId>();
    let isDone = false;
    while (!isDone) {
      const { events } = send(restored, delist);
      expect(events).toEqual(send(engine, delist).events);
      const changed = events.flatMap((event) =>
        event.type === 'balanceChanged' ? [event.accountId] : [],
      );
      expect(changed).toEqual([...changed].sort((left, right) => left - right));
      for (const owner of changed) owners.add(owner);
      isDone = !events.some((event) => event.type === 'workDue');
    }
    expect(owners.size).toBe(400);
    checkInvariants(restored);
  });
});
