import { describe, expect, it } from 'vitest';
import { limitOrder } from '../../../test/support/limit-order.ts';
import { toAmount } from '../../domain/amount.ts';
import { AssertionError } from '../../domain/assert.ts';
import type { Decimal } from '../../domain/decimal.ts';
import type {
  AccountId,
  Address,
  OrderNumber,
  Sequence,
  TimestampMs,
} from '../../domain/identifiers.ts';
import type { Lots, Ticks } from '../../domain/spot-market.ts';
import type { Command } from '../commands.ts';
import { type Engine, engineFactory } from '../engine.ts';
import { hashBytes } from './hash-bytes.ts';

const base: readonly Command[] = [
  {
    type: 'createSpotMarket',
    terms: {
      symbol: 'BTCUSDT',
      baseToken: 'BTC',
      quoteToken: 'USDT',
      tickSize: (10n ** 16n) as Decimal,
      lotSize: (10n ** 15n) as Decimal,
      minNotional: toAmount(1n),
      makerFeeBps: 10,
      takerFeeBps: 20,
    },
  },
  credit(1, 'USDT', 10n ** 12n, null),
  credit(2, 'BTC', 10n ** 12n, 'a reference ✓'),
  limitOrder({ price: 100 as Ticks, clientOrderId: 'mine' }),
  limitOrder({ price: 99 as Ticks }),
  limitOrder({ accountId: 2 as AccountId, side: 'sell', price: 100 as Ticks, quantity: 4 as Lots }),
];

function credit(account: number, token: string, units: bigint, reference: string | null): Command {
  const address = `0x${String(account).padStart(40, '0')}` as Address;
  const [actor, reason] = ['admin_api_key', null];
  return {
    type: 'creditBalance',
    address,
    token,
    amount: toAmount(units),
    actor,
    reason,
    reference,
  };
}

function cancel(orderNumber: number): Command {
  const accountId = 1 as AccountId;
  return { type: 'cancelSpotOrder', accountId, orderNumber: orderNumber as OrderNumber };
}

function engineAfter(
  commands: readonly Command[],
  engine: Engine = engineFactory.create(),
): Engine {
  for (const command of commands) {
    const sequence = (engine.sequence + 1) as Sequence;
    engine.apply(command, { sequence, timestamp: 1_750_000_000_000 as TimestampMs });
  }
  return engine;
}

describe('encodeState', () => {
  it('encodeState: a restored engine is the same, byte by byte, and continues the same way', () => {
    const live = engineAfter(base);
    const restored = engineFactory.restore(live.encodeState());
    expect(restored.encodeState()).toEqual(live.encodeState());
    const more = [cancel(1), limitOrder({ side: 'sell', price: 98 as Ticks }), cancel(2)];
    expect(engineAfter(more, restored).stateHash()).toBe(engineAfter(more, live).stateHash());
  });

  it('encodeState: a refused command shows only in sequence and time', () => {
    const refused = limitOrder({ clientOrderId: 'mine' });
    const plain = engineAfter([...base, cancel(77)]);
    const other = engineAfter([...base, refused]);
    expect(other.stateHash()).toBe(plain.stateHash());
    expect(other.stateHash()).not.toBe(engineAfter(base).stateHash());
  });

  it('encodeState: the order of credits with different references leaves no trace', () => {
    const [first, second] = [credit(1, 'USDT', 5n, 'first'), credit(1, 'USDT', 5n, 'second')];
    const oneWay = engineAfter([...base, first, second]);
    expect(engineAfter([...base, second, first]).stateHash()).toBe(oneWay.stateHash());
  });

  it.each<[string, readonly Command[]]>([
    ['an account', [{ type: 'openAccount', address: `0x${'f'.repeat(40)}` as Address }]],
    ['a token', [credit(1, 'DF', 1n, null)]],
    ['an amount of one unit', [credit(1, 'USDT', 1n, null)]],
    ['a reference', [credit(2, 'BTC', 1n, 'another')]],
    ['a status', [{ type: 'setSpotMarketStatus', symbol: 'BTCUSDT', status: 'halted' }]],
    ['an order', [limitOrder({ price: 98 as Ticks })]],
    ['a canceled order', [cancel(2)]],
    ['a client order id', [limitOrder({ price: 98 as Ticks, clientOrderId: 'x' })]],
    ['a time in force', [limitOrder({ price: 98 as Ticks, timeInForce: 'post_only' })]],
    ['order counters alone', [limitOrder({ price: 1 as Ticks, timeInForce: 'ioc' })]],
  ])('encodeState: %s changes the hash', (_name, commands) => {
    const idle = engineAfter([...base, ...commands.map(() => cancel(77))]);
    expect(engineAfter([...base, ...commands]).stateHash()).not.toBe(idle.stateHash());
  });

  it('encodeState: priority at one price is part of the state', () => {
    const [early, late] = [limitOrder({ price: 97 as Ticks }), limitOrder({ price: 96 as Ticks })];
    const oneWay = engineAfter([...base, early, late]);
    expect(engineAfter([...base, late, early]).stateHash()).not.toBe(oneWay.stateHash());
  });
});

describe('decodeState', () => {
  const bytes = engineAfter(base).encodeState();

  it('decodeState: bytes of another kind, another version or another length are refused', () => {
    const otherVersion = bytes.slice();
    otherVersion[4] = 99;
    const broken = [
      new Uint8Array(0),
      bytes.slice(1),
      otherVersion,
      bytes.slice(0, -1),
      Uint8Array.of(...bytes, 0),
    ];
    for (const each of broken) expect(() => engineFactory.restore(each)).toThrow(AssertionError);
  });

  it('decodeState: cut anywhere, the bytes are refused', () => {
    for (let length = 0; length < bytes.length; length += 1) {
      expect(() => engineFactory.restore(bytes.slice(0, length))).toThrow(AssertionError);
    }
  });

  it('decodeState: reads bytes that lie inside a larger buffer', () => {
    const larger = new Uint8Array(bytes.length + 11);
    larger.set(bytes, 5);
    const inside = larger.subarray(5, 5 + bytes.length);
    expect(engineFactory.restore(inside).stateHash()).toBe(hashBytes(bytes));
  });
});

describe('hashBytes', () => {
  it('hashBytes: one bit, one additional zero and two swapped words each change the hash', () => {
    const bytes = Uint8Array.from({ length: 100 }, (_, at) => at);
    const seen = new Set([hashBytes(bytes), hashBytes(Uint8Array.of(...bytes, 0))]);
    for (let bit = 0; bit < 800; bit += 1) {
      const flipped = bytes.slice();
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      seen.add(hashBytes(flipped));
    }
    const swapped = bytes.slice();
    swapped.copyWithin(0, 16, 32);
    swapped.set(bytes.subarray(0, 16), 16);
    seen.add(hashBytes(swapped));
    expect(seen.size).toBe(803);
  });
});
