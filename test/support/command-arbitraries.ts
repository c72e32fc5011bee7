import fc from 'fast-check';
import type { Amount } from '../../src/domain/amount.ts';
import type { Decimal } from '../../src/domain/decimal.ts';
import type { AccountId, Address, MarketId, OrderNumber } from '../../src/domain/identifiers.ts';
import type { Lots, SpotMarketStatus, Ticks } from '../../src/domain/spot-market.ts';
import { sides, spotOrderTypes, spotTimesInForce } from '../../src/domain/spot-order.ts';
import type { Command, CommandType } from '../../src/engine/commands.ts';

import { futuresCommandArbitraries } from './futures-command-arbitraries.ts';

// Every value that the types allow, far beyond what the gateway lets through.

function record<Value>(
  model: {
    readonly [Key in keyof Value]: fc.Arbitrary<Value[Key]>;
  },
): fc.Arbitrary<Value> {
  return fc.record<Value>(model, { noNullPrototype: true });
}

const wholeNumber = fc.oneof(
  fc.maxSafeNat(),
  fc.nat({ max: 300 }),
  fc.constantFrom(0, 127, 128, 2 ** 31 - 1, 2 ** 31, 2 ** 32, Number.MAX_SAFE_INTEGER),
);
const accountId = wholeNumber.map((value) => value as AccountId);
const marketId = wholeNumber.map((value) => value as MarketId);
const orderNumber = wholeNumber.map((value) => value as OrderNumber);
const wide = 1n << 200n;
const bigint = fc.oneof(
  fc.bigInt({ min: -wide, max: wide }),
  fc.bigInt({ min: 0n, max: 1n << 64n }),
  fc.constantFrom(0n, -1n, (1n << 64n) - 1n, 1n << 64n, (1n << 63n) - 1n, -(1n << 63n)),
);
const amount = bigint.map((value) => value as Amount);
const decimal = bigint.map((value) => value as Decimal);
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ maxLength: 300 }),
  fc.constantFrom('', '\0', 'ÿ', 'Ā', '\ud800', '\udc00 alone'),
);
const nullableText = fc.option(text);
const address = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}` as Address);
const status = fc.constantFrom<SpotMarketStatus>('listed', 'halted', 'delisted');

const withdrawal = { withdrawalId: text, accountId, token: text, amount };

/** One arbitrary a command type; a type without one does not compile. */
export const commandArbitraries: {
  readonly [Type in CommandType]: fc.Arbitrary<Extract<Command, { readonly type: Type }>>;
} = {
  openAccount: record({ type: fc.constant('openAccount' as const), address }),
  createSpotMarket: record({
    type: fc.constant('createSpotMarket' as const),
    terms: record({
      symbol: text,
      baseToken: text,
      quoteToken: text,
      tickSize: decimal,
      lotSize: decimal,
      minNotional: amount,
      makerFeeBps: wholeNumber,
      takerFeeBps: wholeNumber,
    }),
  }),
  setSpotMarketStatus: record({
    type: fc.constant('setSpotMarketStatus' as const),
    symbol: text,
    status,
  }),
  creditBalance: record({
    type: fc.constant('creditBalance' as const),
    address,
    token: text,
    amount,
    actor: text,
    reason: nullableText,
    reference: nullableText,
  }),
  upgradeRules: record({
    type: fc.constant('upgradeRules' as const),
    rules: wholeNumber,
  }),
  placeSpotOrder: record({
    type: fc.constant('placeSpotOrder' as const),
    accountId,
    marketId,
    side: fc.constantFrom(...sides),
    clientOrderId: nullableText,
    orderType: fc.constantFrom(...spotOrderTypes),
    timeInForce: fc.constantFrom(...spotTimesInForce),
    price: fc.option(wholeNumber.map((value) => value as Ticks)),
    quantity: fc.option(wholeNumber.map((value) => value as Lots)),
    quoteQuantity: fc.option(amount),
  }),
  cancelSpotOrder: record({
    type: fc.constant('cancelSpotOrder' as const),
    accountId,
    orderNumber,
  }),
  cancelAllSpotOrders: record({
    type: fc.constant('cancelAllSpotOrders' as const),
    accountId,
    marketId: fc.option(marketId),
  }),
  ...futuresCommandArbitraries,
  creditDeposit: record({
    type: fc.constant('creditDeposit' as const),
    address,
    token: text,
    amount,
    number: wholeNumber,
  }),
  reserveWithdrawal: record({ type: fc.constant('reserveWithdrawal' as const), ...withdrawal }),
  completeWithdrawal: record({
    type: fc.constant('completeWithdrawal' as const),
    withdrawalId: text,
  }),
  releaseWithdrawal: record({
    type: fc.constant('releaseWithdrawal' as const),
    withdrawalId: text,
  }),
  reopenWithdrawal: record({ type: fc.constant('reopenWithdrawal' as const), ...withdrawal }),
};

export const commandArbitrary: fc.Arbitrary<Command> = fc.oneof(
  ...Object.values<fc.Arbitrary<Command>>(commandArbitraries),
);
