import fc from 'fast-check';
import type { FuturesMarketStatus } from '../../../src/domain/futures-market.ts';
import {
  type FuturesOrderType,
  type FuturesTimeInForce,
  type PriceMatch,
  priceMatches,
  type SelfTradeMode,
  selfTradeModes,
  type TriggerPriceKind,
  triggerPriceKinds,
} from '../../../src/domain/futures-order.ts';
import { type Side, sides } from '../../../src/domain/spot-order.ts';

// What the futures simulation does, as plain data: accounts, markets and orders are named by
// position and meant modulo what is there, prices as distances from the market's base price.

export interface PlaceAction {
  readonly kind: 'place';
  readonly account: number;
  readonly market: number;
  readonly side: Side;
  readonly type: FuturesOrderType;
  readonly timeInForce: FuturesTimeInForce;
  readonly price: number;
  readonly priceMatch: PriceMatch;
  readonly quantity: number;
  readonly worst: number | null;
  readonly stop: number;
  readonly watched: TriggerPriceKind;
  readonly activation: number | null;
  readonly callback: number;
  readonly isReduceOnly: boolean;
  readonly isClosePosition: boolean;
  readonly isPriceProtected: boolean;
  readonly isAlgo: boolean;
  readonly selfTradeMode: SelfTradeMode;
  readonly clientOrderId: string | null;
  readonly takeProfit: number | null;
  readonly stopLoss: number | null;
  /** From now on, of gtd orders. */
  readonly lifeMs: number;
}

export type FuturesAction =
  | PlaceAction
  | {
      readonly kind: 'amend';
      readonly order: number;
      readonly price: number;
      readonly priceMatch: PriceMatch;
      readonly quantity: number;
      readonly side: Side | null;
    }
  | { readonly kind: 'cancel'; readonly order: number; readonly isOwner: boolean }
  | {
      readonly kind: 'cancelAll';
      readonly account: number;
      readonly market: number | null;
      readonly isAlgo: boolean;
    }
  | {
      readonly kind: 'transfer';
      readonly account: number;
      readonly isToPerp: boolean;
      readonly amount: bigint;
      readonly clientTransferId: string | null;
    }
  | {
      readonly kind: 'reserve';
      readonly account: number;
      readonly step: 'reserve' | 'release' | 'pay_out';
      readonly reference: number;
      readonly amount: bigint;
    }
  | {
      readonly kind: 'leverage';
      readonly account: number;
      readonly market: number;
      readonly leverage: number;
    }
  | {
      readonly kind: 'fees';
      readonly account: number;
      readonly tenths: number;
      readonly discountBps: number;
    }
  | { readonly kind: 'house'; readonly isFromFees: boolean; readonly amount: bigint }
  | { readonly kind: 'index'; readonly market: number; readonly price: number }
  | { readonly kind: 'status'; readonly market: number; readonly status: FuturesMarketStatus }
  /** Lets that much time pass, and then has the engine act on it. */
  | { readonly kind: 'wait'; readonly ms: number }
  | {
      readonly kind: 'countdown';
      readonly account: number;
      readonly market: number;
      readonly ms: number;
    }
  | { readonly kind: 'restore' };

export const accountsUsed = 6;
const usdt = 100_000_000n;

const account = fc.nat({ max: accountsUsed - 1 });
const market = fc.nat({ max: 1 });
const near = fc.integer({ min: -12, max: 12 });
const far = fc.integer({ min: -40, max: 40 });
const anyPrice = fc.oneof({ weight: 9, arbitrary: near }, { weight: 1, arbitrary: far });

/** Mostly none, and rarely a level that small books do not have. */
const priceMatch: fc.Arbitrary<PriceMatch> = fc.oneof(
  { weight: 30, arbitrary: fc.constant('none' as const) },
  { weight: 4, arbitrary: fc.constantFrom('opponent' as const, 'queue' as const) },
  { weight: 2, arbitrary: fc.constantFrom('opponent_5' as const, 'queue_5' as const) },
  { weight: 1, arbitrary: fc.constantFrom(...priceMatches) },
);

const quantity = fc.oneof(
  { weight: 20, arbitrary: fc.integer({ min: 1, max: 30 }) },
  { weight: 2, arbitrary: fc.integer({ min: 31, max: 400 }) },
  { weight: 1, arbitrary: fc.constantFrom(100_000, 10 ** 10) },
);

function seldom<Value>(value: Value, other: Value, parts: number): fc.Arbitrary<Value> {
  return fc.nat({ max: parts }).map((draw) => (draw === 0 ? other : value));
}

const type: fc.Arbitrary<FuturesOrderType> = fc.oneof(
  { weight: 12, arbitrary: fc.constant('limit' as const) },
  { weight: 5, arbitrary: fc.constant('market' as const) },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      'stop' as const,
      'take_profit' as const,
      'stop_market' as const,
      'take_profit_market' as const,
      'trailing_stop_market' as const,
    ),
  },
);

const place: fc.Arbitrary<FuturesAction> = fc.record({
  kind: fc.constant('place' as const),
  account,
  market,
  side: fc.constantFrom(...sides),
  type,
  timeInForce: fc.oneof(
    { weight: 8, arbitrary: fc.constant('gtc' as const) },
    {
      weight: 4,
      arbitrary: fc.constantFrom('ioc' as const, 'fok' as const, 'gtx' as const, 'gtd' as const),
    },
  ),
  price: anyPrice,
  priceMatch,
  quantity,
  worst: fc.option(near, { freq: 2, nil: null }),
  stop: far,
  watched: fc.constantFrom(...triggerPriceKinds),
  activation: fc.option(far, { nil: null }),
  callback: fc.constantFrom(10, 50, 100, 500),
  isReduceOnly: fc.nat({ max: 3 }).map((draw) => draw === 0),
  isClosePosition: seldom(false, true, 5),
  isPriceProtected: seldom(false, true, 3),
  isAlgo: fc.boolean(),
  selfTradeMode: fc.constantFrom(...selfTradeModes),
  clientOrderId: fc.option(fc.constantFrom('a', 'b', 'c', 'd'), { freq: 2, nil: null }),
  takeProfit: seldom<number | null>(null, 15, 4),
  stopLoss: seldom<number | null>(null, -15, 4),
  lifeMs: fc.integer({ min: 1, max: 20_000 }),
});

const manage: fc.Arbitrary<FuturesAction> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('amend' as const),
      order: fc.nat({ max: 1_000 }),
      price: anyPrice,
      priceMatch,
      quantity,
      side: fc.option(fc.constantFrom(...sides), { freq: 2, nil: null }),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('cancel' as const),
      order: fc.nat({ max: 1_000 }),
      isOwner: seldom(true, false, 10),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('cancelAll' as const),
      account,
      market: fc.option(market, { nil: null }),
      isAlgo: fc.boolean(),
    }),
  },
);

const amount = fc.oneof(
  { weight: 8, arbitrary: fc.bigInt({ min: 1n, max: 60n * usdt }) },
  { weight: 1, arbitrary: fc.constantFrom(0n, -1n, 1n << 62n) },
);

const money: fc.Arbitrary<FuturesAction> = fc.oneof(
  fc.record({
    kind: fc.constant('transfer' as const),
    account,
    isToPerp: fc.boolean(),
    amount,
    clientTransferId: fc.option(fc.constantFrom('x', 'y'), { freq: 2, nil: null }),
  }),
  fc.record({
    kind: fc.constant('reserve' as const),
    account,
    step: fc.constantFrom('reserve' as const, 'release' as const, 'pay_out' as const),
    reference: fc.nat({ max: 3 }),
    amount,
  }),
  fc.record({
    kind: fc.constant('leverage' as const),
    account,
    market,
    leverage: fc.constantFrom(1, 2, 5, 10, 20, 50, 51, 0, 1.5),
  }),
  fc.record({
    kind: fc.constant('fees' as const),
    account,
    tenths: fc.integer({ min: 5, max: 10 }),
    discountBps: fc.constantFrom(0, 333, 1_000, 10_000),
  }),
  fc.record({
    kind: fc.constant('house' as const),
    isFromFees: fc.boolean(),
    amount: fc.oneof(fc.bigInt({ min: -1n, max: usdt / 10n }), fc.constant(1n << 62n)),
  }),
);

const time: fc.Arbitrary<FuturesAction> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('index' as const), market, price: anyPrice }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      ms: fc.oneof(
        { weight: 8, arbitrary: fc.integer({ min: 1, max: 2_000 }) },
        { weight: 1, arbitrary: fc.integer({ min: 1, max: 4_000_000 }) },
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('countdown' as const),
      account,
      market,
      ms: fc.integer({ min: 0, max: 3_000 }),
    }),
  },
);

/** One random action; orders, amendments and cancels are most of them. */
export const futuresAction: fc.Arbitrary<FuturesAction> = fc.oneof(
  { weight: 60, arbitrary: place },
  { weight: 22, arbitrary: manage },
  { weight: 10, arbitrary: money },
  { weight: 14, arbitrary: time },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('status' as const),
      market,
      status: fc.nat({ max: 15 }).map((draw) => (draw === 0 ? 'halted' : 'listed')),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restore' as const) }) },
);

/** Large positions, prices that jump, and time that passes: what gets accounts liquidated. */
export const stressAction: fc.Arbitrary<FuturesAction> = fc.oneof(
  {
    weight: 30,
    arbitrary: fc
      .record({ action: place, quantity: fc.integer({ min: 20, max: 500 }) })
      .map(({ action, quantity: lots }) => ({
        ...(action as PlaceAction),
        quantity: lots,
        isReduceOnly: false,
      })),
  },
  { weight: 10, arbitrary: futuresAction },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('leverage' as const),
      account,
      market,
      leverage: fc.constantFrom(20, 50),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constant('index' as const), market, price: far }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      ms: fc.integer({ min: 1, max: 900 }),
    }),
  },
);
