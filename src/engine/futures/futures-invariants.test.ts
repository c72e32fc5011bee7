import { describe, expect, it } from 'vitest';
import { FuturesFixture } from '../../../test/support/futures-fixture.ts';
import { type Amount, toAmount } from '../../domain/amount.ts';
import type { FuturesOrder } from '../../domain/futures-order.ts';
import type { FuturesPositionView } from '../../domain/futures-position.ts';
import type { AccountId } from '../../domain/identifiers.ts';
import type { Lots, Ticks } from '../../domain/spot-market.ts';
import { findFuturesViolations } from './futures-invariants.ts';
import type { FuturesReader } from './futures-reader.ts';

// One fact of a sound state is changed at a time, and the invariants that it breaks are named in
// full.

const unit = 10n ** 8n;
const [alice, bob, carol] = [1, 2, 3] as [AccountId, AccountId, AccountId];

/** Alice is long 0.9 BTC and bob short; carol bids for 0.1 and 0.2 below the market. */
function begin(): FuturesReader {
  const futures = new FuturesFixture();
  for (const number of [1, 2, 3]) futures.fund(number, 10_000);
  futures.setIndex(30_000);
  futures.place(bob, 'sell', { price: 30_000, quantity: 0.9 });
  futures.place(alice, 'buy', { quantity: 0.9 });
  futures.place(carol, 'buy', { price: 29_900, quantity: 0.1, clientOrderId: 'first' });
  futures.place(carol, 'buy', { price: 29_800, quantity: 0.2, clientOrderId: 'second' });
  return futures.engine.futures;
}

const sound = begin();

function violationsWith(changes: Partial<FuturesReader>): readonly string[] {
  const reader = new Proxy(sound, {
    get(target, name): unknown {
      const from = name in changes ? changes : target;
      const value: unknown = Reflect.get(from, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return findFuturesViolations(reader).map(({ invariant, detail }) => `${invariant} ${detail}`);
}

type PerpAccount = ReturnType<FuturesReader['getPerpAccount']>;

function withAccount(changed: AccountId, change: Partial<PerpAccount>): Partial<FuturesReader> {
  return {
    getPerpAccount: (id) => ({ ...sound.getPerpAccount(id), ...(id === changed ? change : {}) }),
  };
}

function withPosition(
  changed: AccountId,
  change: Partial<FuturesPositionView>,
): Partial<FuturesReader> {
  return {
    getPosition: (id, marketId) => ({
      ...sound.getPosition(id, marketId),
      ...(id === changed ? change : {}),
    }),
  };
}

/** Every view of carol's first order with the change. */
function withOrder(change: Partial<FuturesOrder>): Partial<FuturesReader> {
  const changed = (order: FuturesOrder): FuturesOrder =>
    order.clientOrderId === 'first' ? { ...order, ...change } : order;
  return {
    listRestingFuturesOrders: (marketId, side) =>
      sound.listRestingFuturesOrders(marketId, side).map(changed),
  };
}

const wallet = (id: AccountId): bigint => sound.getPerpAccount(id).walletBalance;
const amount = (value: bigint): Amount => toAmount(value);
const [first, second] = sound.listOpenFuturesOrders(carol, null);
const entries = 27_000n * unit;

const faults: readonly (readonly [string, Partial<FuturesReader>, readonly string[]])[] = [
  [
    'money that was not paid in',
    { perpFunds: amount(30_001n * unit) },
    ['M1 3000000000000 held, but 3000100000000 were paid in'],
  ],
  [
    'a reserved amount below zero',
    withAccount(carol, { reserved: amount(-1n) }),
    ['M2 account 3 has -1 reserved', 'M1 2999999999999 held, but 3000000000000 were paid in'],
  ],
  [
    'a promise of the insurance fund below zero',
    { insuranceHeld: amount(-1n) },
    [
      'M1 2999999999999 held, but 3000000000000 were paid in',
      'M9 the insurance fund holds 0, and -1 for close-outs',
    ],
  ],
  [
    'a bad debt that is a credit',
    { badDebt: amount(1n) },
    ['M1 3000000000001 held, but 3000000000000 were paid in', 'M9 a bad debt of 1'],
  ],
  [
    'fees that were paid out',
    { futuresFees: amount(-1n) },
    [
      `M1 ${3_000_000_000_000n - sound.futuresFees - 1n} held, but 3000000000000 were paid in`,
      'M2 fees of -1',
    ],
  ],
  [
    'a counter cell that is not minus the entries',
    { getClearing: () => amount(1n) },
    [
      'M1 BTCUSDT clears 1, its entries sum to 0',
      'M1 3000000000001 held, but 3000000000000 were paid in',
    ],
  ],
  [
    'an open interest that nobody holds',
    { getOpenInterest: () => 901 },
    ['M6 open interest 901 of BTCUSDT, 900 are long'],
  ],
  [
    'an equity without its pending funding',
    { getPendingFunding: (id) => amount(id === carol ? 5n : 0n) },
    [`M3 account 3 has equity ${wallet(carol)}, not ${wallet(carol) + 5n}`],
  ],
  ...(['positionMargin', 'orderMargin', 'maintenanceMargin', 'unrealizedProfit'] as const).map(
    (name): (typeof faults)[number] => {
      const value = sound.getPerpAccount(carol)[name];
      return [
        `an account's ${name} that its positions do not sum to`,
        withAccount(carol, { [name]: amount(value + 1n) }),
        [`M3 account 3 has ${name} ${value + 1n}, not ${value}`],
      ];
    },
  ),
  [
    'bids that count for less than they are',
    withPosition(carol, { bidNotional: amount(1n) }),
    ['M3 account 3 in BTCUSDT: orders of 895000000000 and 0 count as 1 and 0'],
  ],
  [
    'asks that nobody has placed',
    withPosition(carol, { askNotional: amount(1n) }),
    ['M3 account 3 in BTCUSDT: orders of 895000000000 and 0 count as 895000000000 and 1'],
  ],
  [
    'an order that is filled beyond its quantity',
    withOrder({ filledQuantity: 101 as Lots }),
    [
      'M10 the buy levels of BTCUSDT are not the sums of their orders',
      `M4 order ${first?.orderNumber}: 101 of 100 filled, new`,
    ],
  ],
  [
    'an order that is queued behind a worse price',
    withOrder({ price: 297_000 as Ticks }),
    [
      'M10 the buy levels of BTCUSDT are not the sums of their orders',
      `M11 order ${second?.orderNumber} is queued behind a worse price`,
    ],
  ],
  [
    'a reduce-only order with nothing to reduce',
    withOrder({ isReduceOnly: true }),
    [`M13 order ${first?.orderNumber} reduces 0 by 100 lots of buy`],
  ],
  [
    'orders that no number finds',
    { findOpenFuturesOrder: () => null },
    [
      `M12 order ${first?.orderNumber} cannot be found`,
      `M12 order ${second?.orderNumber} cannot be found`,
    ],
  ],
  [
    'a client order id of another order',
    { findFuturesOrderByClientId: () => first ?? null },
    ['M12 client order id second of account 3 is not unique'],
  ],
  [
    'orders that rest in no book',
    { listRestingFuturesOrders: () => [] },
    [
      'M10 the buy levels of BTCUSDT are not the sums of their orders',
      `M12 order ${first?.orderNumber} rests in no book`,
      `M12 order ${second?.orderNumber} rests in no book`,
    ],
  ],
];

describe('findFuturesViolations', () => {
  it('invariants of perpetuals: a sound state breaks none', () => {
    expect(violationsWith({})).toEqual([]);
    expect(sound.getPosition(alice, first!.marketId).entryNotional).toBe(entries);
  });

  it.each(faults)('invariants of perpetuals: %s', (_fault, changes, violations) => {
    expect(violationsWith(changes)).toEqual(violations);
  });
});
