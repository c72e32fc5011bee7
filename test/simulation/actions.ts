import fc from 'fast-check';

// What the simulation does, as plain data: accounts, markets and orders are named by position and
// meant modulo what is there, so that a shrunk list of actions still makes sense.

interface PlaceAction {
  readonly kind: 'place';
  readonly account: number;
  readonly market: number;
  readonly side: 'buy' | 'sell';
  readonly type: 'limit' | 'market';
  readonly timeInForce: 'gtc' | 'ioc' | 'fok' | 'post_only';
  readonly price: number | null;
  readonly quantity: number | null;
  readonly quoteQuantity: bigint | null;
  readonly clientOrderId: string | null;
}

export type Action =
  | PlaceAction
  /** Cancels one of the live orders, as its owner or as someone else. */
  | { readonly kind: 'cancel'; readonly order: number; readonly isOwner: boolean }
  | { readonly kind: 'cancelUnknown'; readonly account: number; readonly orderNumber: number }
  | { readonly kind: 'cancelAll'; readonly account: number; readonly market: number | null }
  | {
      readonly kind: 'credit';
      readonly account: number;
      readonly token: number;
      readonly amount: bigint;
      readonly reference: string | null;
    }
  /** The account's next deposit, or one that is counted already or not due yet. */
  | {
      readonly kind: 'deposit';
      readonly account: number;
      readonly token: number;
      readonly amount: bigint;
      readonly ahead: number;
    }
  | {
      readonly kind: 'reserveWithdrawal' | 'reopenWithdrawal';
      readonly withdrawal: number;
      readonly account: number;
      readonly token: number;
      readonly amount: bigint;
    }
  | {
      readonly kind: 'completeWithdrawal' | 'releaseWithdrawal';
      readonly withdrawal: number;
    }
  | { readonly kind: 'openAccount'; readonly account: number }
  | {
      readonly kind: 'createMarket';
      readonly market: number;
      readonly base: number;
      readonly quote: number;
      readonly tickSize: string;
      readonly lotSize: string;
      readonly minNotional: bigint;
      readonly makerFeeBps: number;
      readonly takerFeeBps: number;
    }
  | { readonly kind: 'setStatus'; readonly market: number; readonly status: string }
  /** Continues with an engine made of the bytes of the one before. */
  | { readonly kind: 'restore' };

const accountsMax = 5;
export const tokens = ['USDT', 'BTC', 'ETH', 'DF'];

const safeMax = Number.MAX_SAFE_INTEGER;
const account = fc.nat({ max: accountsMax });
/** See `resolveMarket`: mostly one of the markets that are open. */
const market = fc.nat({ max: 19 });

/** Mostly close together, so that orders meet; sometimes at the ends of what a number can be. */
const price = fc.oneof(
  { weight: 30, arbitrary: fc.integer({ min: 95, max: 105 }) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 200_000 }) },
  { weight: 2, arbitrary: fc.constantFrom(1, 2, 1_000_000_000, safeMax - 1, safeMax) },
  { weight: 1, arbitrary: fc.constantFrom(0, -5, 100.5, safeMax + 1, null) },
);

const quantity = fc.oneof(
  { weight: 60, arbitrary: fc.integer({ min: 1, max: 20 }) },
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 1_000_000 }) },
  { weight: 2, arbitrary: fc.constantFrom(safeMax, 10 ** 12, 0, -1, 0.5, null) },
  { weight: 1, arbitrary: fc.constant(null) },
);

const quoteQuantity = fc.oneof(
  { weight: 20, arbitrary: fc.bigInt({ min: 1n, max: 5_000_000n }) },
  { weight: 2, arbitrary: fc.bigInt({ min: 1n, max: 1n << 63n }) },
  { weight: 1, arbitrary: fc.constantFrom(0n, -1n) },
  { weight: 8, arbitrary: fc.constant(null) },
);

const clientOrderId = fc.option(fc.constantFrom('a', 'b', 'A', 'order-1', 'order-2'), {
  freq: 2,
  nil: null,
});

const place: fc.Arbitrary<Action> = fc.record({
  kind: fc.constant('place' as const),
  account,
  market,
  side: fc.constantFrom('buy' as const, 'sell' as const),
  type: fc.oneof(
    { weight: 4, arbitrary: fc.constant('limit' as const) },
    { weight: 1, arbitrary: fc.constant('market' as const) },
  ),
  timeInForce: fc.oneof(
    { weight: 6, arbitrary: fc.constant('gtc' as const) },
    { weight: 4, arbitrary: fc.constantFrom('ioc' as const, 'fok' as const, 'post_only' as const) },
  ),
  price,
  quantity,
  quoteQuantity,
  clientOrderId,
});

const credit: fc.Arbitrary<Action> = fc.record({
  kind: fc.constant('credit' as const),
  account,
  token: fc.nat({ max: tokens.length - 1 }),
  amount: fc.oneof(
    { weight: 20, arbitrary: fc.bigInt({ min: 1n, max: 1_000_000_000_000n }) },
    { weight: 1, arbitrary: fc.constantFrom(0n, -1n, 1n << 61n, (1n << 63n) - 1n, 1n << 63n) },
  ),
  reference: fc.option(fc.constantFrom('first', 'second', 'dritte ✓'), { freq: 2, nil: null }),
});

const token = fc.nat({ max: tokens.length - 1 });
const moved = fc.oneof(
  { weight: 20, arbitrary: fc.bigInt({ min: 1n, max: 1_000_000_000n }) },
  { weight: 3, arbitrary: fc.bigInt({ min: 1n, max: 1_000_000_000_000n }) },
  { weight: 2, arbitrary: fc.constantFrom(0n, -1n, 1n << 62n, (1n << 63n) - 1n) },
);

const wallet: fc.Arbitrary<Action> = fc.oneof(
  fc.record({
    kind: fc.constant('deposit' as const),
    account,
    token,
    amount: moved,
    ahead: fc.constantFrom(0, 0, 0, 0, -1, 1),
  }),
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        'reserveWithdrawal' as const,
        'reserveWithdrawal' as const,
        'reopenWithdrawal' as const,
      ),
      withdrawal: fc.nat({ max: 30 }),
      account,
      token,
      amount: moved,
    }),
  },
  fc.record({
    kind: fc.constantFrom('completeWithdrawal' as const, 'releaseWithdrawal' as const),
    withdrawal: fc.nat({ max: 60 }),
  }),
);

const createMarket: fc.Arbitrary<Action> = fc.record({
  kind: fc.constant('createMarket' as const),
  market: fc.nat({ max: 40 }),
  base: fc.nat({ max: tokens.length - 1 }),
  quote: fc.nat({ max: tokens.length - 1 }),
  tickSize: fc.constantFrom('0.01', '1', '0.00000001', '1000000000000000000'),
  lotSize: fc.constantFrom('0.001', '1', '0.00000001', '0.000000001'),
  minNotional: fc.constantFrom(0n, 100n, 50_000_000n, -1n),
  makerFeeBps: fc.constantFrom(0, 1, 10, 9_999, 10_000, 10_001),
  takerFeeBps: fc.constantFrom(0, 3, 20, 10_000, 0.5),
});

/** One random action; orders and cancels are most of them, as on a real exchange. */
export const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 60, arbitrary: place },
  {
    weight: 14,
    arbitrary: fc.record({
      kind: fc.constant('cancel' as const),
      order: fc.nat({ max: 1_000 }),
      isOwner: fc.integer({ min: 0, max: 9 }).map((draw) => draw > 0),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('cancelUnknown' as const),
      account,
      orderNumber: fc.constantFrom(0, 1, 2, 7, 1_000_000, safeMax, -1, 0.5, 1.5, 2.5, 9.5),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('cancelAll' as const),
      account,
      market: fc.option(market, { freq: 3, nil: null }),
    }),
  },
  { weight: 8, arbitrary: credit },
  { weight: 3, arbitrary: wallet },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('openAccount' as const), account }) },
  { weight: 2, arbitrary: createMarket },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('setStatus' as const),
      market,
      status: fc.constantFrom('listed', 'listed', 'listed', 'halted', 'delisted', 'closed'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restore' as const) }) },
);

const creditAll = 1_000_000_000_000n;

/** Two markets in which the accounts can trade at once, each account with money in each token. */
export const prologue: readonly Action[] = [
  {
    kind: 'createMarket',
    market: 0,
    base: 1,
    quote: 0,
    tickSize: '0.01',
    lotSize: '0.001',
    minNotional: 200_000n,
    makerFeeBps: 10,
    takerFeeBps: 20,
  },
  {
    kind: 'createMarket',
    market: 1,
    base: 2,
    quote: 0,
    tickSize: '0.00000001',
    lotSize: '1',
    minNotional: 0n,
    makerFeeBps: 0,
    takerFeeBps: 3,
  },
  ...Array.from({ length: accountsMax }, (_, index) => index).flatMap((each) =>
    tokens.map((_, token): Action => {
      return { kind: 'credit', account: each, token, amount: creditAll, reference: null };
    }),
  ),
];
