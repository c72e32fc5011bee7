import { isDeepStrictEqual } from 'node:util';
import { expect, it } from 'vitest';
import { toAmount } from '../../src/domain/amount.ts';
import type { Decimal } from '../../src/domain/decimal.ts';
import type { AccountId, Address, Sequence, TimestampMs } from '../../src/domain/identifiers.ts';
import type { Lots, Ticks } from '../../src/domain/spot-market.ts';
import type { Command, PlaceSpotOrder } from '../../src/engine/commands.ts';
import { engineFactory } from '../../src/engine/engine.ts';
import { limitOrder } from '../support/limit-order.ts';
import { NaiveEngine } from './naive-engine.ts';
import { booksOf, findBrokenRules } from './outcome-rules.ts';

const one = (10n ** 18n) as Decimal;
const [taker, near, far, full] = [1, 2, 3, 4];
const [firstMaker, makers] = [5, 40];
const price = 1_000 as Ticks;

/** The engine and its plain twin, which must give the same outcome of every command. */
class Pair {
  readonly engine = engineFactory.create();
  readonly twin = new NaiveEngine();

  apply(command: Command) {
    const sequence = (this.engine.sequence + 1) as Sequence;
    const stamp = { sequence, timestamp: 1_750_000_000_000 as TimestampMs };
    const applied = this.engine.apply(command, stamp);
    expect(isDeepStrictEqual(this.twin.apply(command, stamp), applied)).toBe(true);
    return applied;
  }

  /** A buy at any of the prices, judged by the rules of outcomes. @returns what became of it. */
  buy(account: number, quantity: number, change: Partial<PlaceSpotOrder> = {}): unknown {
    const before = booksOf(this.engine);
    const terms = { accountId: account as AccountId, price: 9_000 as Ticks, ...change };
    const applied = this.apply(limitOrder({ quantity: quantity as Lots, ...terms }));
    expect(findBrokenRules(before, applied, this.engine)).toEqual([]);
    if (applied.rejection !== null) return applied.rejection.reason;
    const last = applied.events.findLast((event) => event.type === 'spotOrderUpdated')?.order;
    return [last?.filledQuantity, last?.status];
  }

  rest(account: number, side: 'buy' | 'sell', at = price): void {
    const order = { accountId: account as AccountId, price: at, quantity: 1 as Lots };
    expect(this.apply(limitOrder({ ...order, side })).rejection).toBeNull();
  }

  open(): void {
    const minNotional = toAmount(0n);
    const [makerFeeBps, takerFeeBps] = [0, 10];
    const units = { tickSize: one, lotSize: one, minNotional, makerFeeBps, takerFeeBps };
    const names = { symbol: 'BTCUSDT', baseToken: 'BTC', quoteToken: 'USDT' };
    this.apply({ type: 'createSpotMarket', terms: { ...names, ...units } });
    for (let account = 1; account < firstMaker + makers; account += 1) {
      const address = `0x${account.toString(16).padStart(40, '0')}` as Address;
      for (const token of ['BTC', 'USDT']) {
        const money = { token, amount: toAmount(2n * 10n ** 16n), actor: 'admin_api_key' };
        this.apply({ type: 'creditBalance', address, ...money, reason: null, reference: null });
      }
    }
  }
}

function openPair(): Pair {
  const pair = new Pair();
  pair.open();
  return pair;
}

const market = { orderType: 'market', timeInForce: 'ioc', price: null } as const;

it('twin: an order looks at 1,000 others before it trades', () => {
  const pair = openPair();
  for (let at = 0; at < 2_200; at += 1) {
    if (at === 500) pair.rest(near, 'sell');
    else if (at === 2_100) pair.rest(far, 'sell');
    else pair.rest(firstMaker + (at % makers), 'sell');
  }
  for (let at = 0; at < 1_000; at += 1) pair.rest(full, 'buy', 1 as Ticks);
  expect([
    pair.buy(near, 501),
    pair.buy(near, 501, { timeInForce: 'fok' }),
    pair.buy(taker, 1_001, { timeInForce: 'fok' }),
    pair.buy(full, 1_001),
    pair.buy(taker, 1_000, { timeInForce: 'fok' }),
    pair.buy(far, 10_000),
    pair.buy(far, 1, { timeInForce: 'post_only' }),
    pair.buy(taker, 2_000),
    pair.buy(full, 10_000, market),
  ]).toEqual([
    'self_trade',
    'self_trade',
    [0, 'expired'],
    'too_many_orders',
    [1_000, 'filled'],
    [1_100, 'expired'],
    'post_only_would_cross',
    [100, 'partially_filled'],
    [0, 'expired'],
  ]);
  expect(pair.engine.findBroken()).toEqual([]);
}, 60_000);

it('twin: a market order that the book prices looks at 1,000 levels', () => {
  const pair = openPair();
  for (let at = 0; at < 2_500; at += 1) {
    pair.rest(firstMaker + (at % makers), 'sell', (price + at) as Ticks);
  }
  const unit = 10n ** 8n;
  const money = (quoteQuantity: bigint) =>
    ({ ...market, quantity: null, quoteQuantity: toAmount(quoteQuantity * unit) }) as const;
  expect([
    pair.buy(taker, 1_000, market),
    pair.buy(taker, 1_001, market),
    pair.buy(taker, 1, money(100_000_000n)),
  ]).toEqual([
    [1_000, 'filled'],
    [1_000, 'expired'],
    [500, 'expired'],
  ]);
  for (let at = 0; at < 1_500; at += 1) {
    pair.rest(firstMaker + (at % makers), 'buy', (3_000 - at) as Ticks);
  }
  const sell = { ...money(100_000_000n), side: 'sell' } as const;
  expect([
    pair.buy(taker, 1_200, { ...market, side: 'sell' }),
    pair.buy(taker, 1, { ...sell, quoteQuantity: toAmount(1_800n * unit) }),
    pair.buy(taker, 1, sell),
  ]).toEqual([
    [1_200, 'filled'],
    [1, 'filled'],
    [299, 'expired'],
  ]);
}, 60_000);
