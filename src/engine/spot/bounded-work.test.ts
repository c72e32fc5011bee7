import { beforeEach, describe, expect, it } from 'vitest';
import { limitOrder } from '../../../test/support/limit-order.ts';
import { flowAddress } from '../../../test/support/spot-flow.ts';
import { toAmount } from '../../domain/amount.ts';
import type { Decimal } from '../../domain/decimal.ts';
import type { AccountId, Sequence, TimestampMs } from '../../domain/identifiers.ts';
import type { Lots, Ticks } from '../../domain/spot-market.ts';
import type { Command, PlaceSpotOrder } from '../commands.ts';
import { Engine } from '../engine.ts';
import { EngineState } from '../engine-state.ts';
import type { Rules } from '../rules.ts';

const one = (10n ** 18n) as Decimal;
const [taker, owner] = [1, 2];
const [firstMaker, makers] = [3, 20];

let state: EngineState;
let engine: Engine;

beforeEach(() => begin(13));

function begin(rules: Rules): void {
  state = new EngineState(rules);
  engine = new Engine(state);
  const units = { tickSize: one, lotSize: one, minNotional: toAmount(0n) };
  const fees = { makerFeeBps: 0, takerFeeBps: 0 };
  const terms = { symbol: 'BTCUSDT', baseToken: 'BTC', quoteToken: 'USDT', ...units, ...fees };
  apply({ type: 'createSpotMarket', terms });
  for (let account = 1; account < firstMaker + makers; account += 1) {
    for (const token of ['BTC', 'USDT']) {
      const money = { token, amount: toAmount(2n * 10n ** 16n), actor: 'admin_api_key' };
      const address = flowAddress(account);
      apply({ type: 'creditBalance', address, ...money, reason: null, reference: null });
    }
  }
}

function apply(command: Command) {
  const sequence = (engine.sequence + 1) as Sequence;
  return engine.apply(command, { sequence, timestamp: 1_750_000_000_000 as TimestampMs });
}

/** Rests that many sells of one lot each. */
function restMany(count: number, priceOf = (_at: number) => 1_000): void {
  for (let at = 0; at < count; at += 1) {
    const accountId = (firstMaker + (at % makers)) as AccountId;
    const terms = { price: priceOf(at) as Ticks, quantity: 1 as Lots };
    expect(apply(limitOrder({ accountId, side: 'sell', ...terms })).rejection).toBeNull();
  }
}

/** What became of a buy at 5,000 or less: the lots that it bought and its status, or why not. */
function buy(account: number, quantity: number, change: Partial<PlaceSpotOrder> = {}): unknown {
  const terms = { accountId: account as AccountId, price: 5_000 as Ticks, ...change };
  const { rejection, events } = apply(limitOrder({ quantity: quantity as Lots, ...terms }));
  if (rejection !== null) return rejection.reason;
  const last = events.findLast((event) => event.type === 'spotOrderUpdated')?.order;
  return [last?.filledQuantity, last?.status];
}

const market = { orderType: 'market', timeInForce: 'ioc', price: null } as const;

describe('makers that one spot order meets', () => {
  const limits: readonly [string, Partial<PlaceSpotOrder>][] = [
    ['a limit order', {}],
    ['an immediate-or-cancel order', { timeInForce: 'ioc' }],
    ['a market order', market],
  ];

  it.each(limits)('are 10,000 at most of %s, and the rest of it expires', (_, change) => {
    restMany(10_050);
    expect(buy(taker, 10_050, change)).toEqual([10_000, 'expired']);
    expect(buy(taker, 50, change)).toEqual([50, 'filled']);
    expect(engine.findBroken()).toEqual([]);
  });

  it('were all of them under rules 12', () => {
    begin(12);
    restMany(10_050);
    expect(buy(taker, 10_050)).toEqual([10_050, 'filled']);
  });

  it('are counted: a command with more of them breaks a rule', () => {
    restMany(1);
    state.tradeNumber -= 10_000;
    const { book } = state.getSpotMarket(0);
    const add = book.add.bind(book);
    book.add = (...args) => {
      state.tradeNumber += 10_000;
      return add(...args);
    };
    expect(() => buy(taker, 1)).toThrow('work-bounded: 10001 spot trades in one command');
  });
});

describe('what a spot order looks at before it trades', () => {
  it.each([
    [13, [0, 'expired']],
    [12, [1_001, 'filled']],
  ] as const)('under rules %i a fill-or-kill order over 1,001 makers is %j', (rules, outcome) => {
    begin(rules);
    restMany(2_001);
    expect(buy(taker, 1_001, { timeInForce: 'fok' })).toEqual(outcome);
    expect(buy(taker, 1_000, { timeInForce: 'fok' })).toEqual([1_000, 'filled']);
  });

  it.each([
    [13, [1_000, 'expired']],
    [12, 'self_trade'],
  ] as const)('under rules %i an order whose own is the 1,001st is %j', (rules, outcome) => {
    begin(rules);
    restMany(1_000);
    apply(limitOrder({ accountId: owner as AccountId, side: 'sell', price: 1_000 as Ticks }));
    expect(buy(owner, 1_001)).toEqual(outcome);
    if (rules === 13) expect(buy(owner, 1)).toBe('self_trade');
    expect(engine.listOpenOrders(owner as AccountId, null)).toHaveLength(1);
  });

  it.each([
    [13, [1_000, 'expired']],
    [12, [1_001, 'filled']],
  ] as const)('under rules %i a market buy over 1,001 levels is %j', (rules, outcome) => {
    const money = toAmount(10n ** 16n);
    const sizes = [{}, { quantity: null, quoteQuantity: money }] as const;
    for (const size of sizes) {
      begin(rules);
      restMany(1_001, (at) => 1_000 + at);
      // The money is more than the asks cost, so without a limit all of them are bought.
      const isWhole = rules === 12 && size === sizes[0];
      expect(buy(taker, 1_001, { ...market, ...size })).toEqual(
        isWhole ? outcome : [outcome[0], 'expired'],
      );
    }
  });
});
