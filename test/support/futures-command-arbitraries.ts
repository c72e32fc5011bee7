import fc from 'fast-check';
import type { Amount } from '../../src/domain/amount.ts';
import type { Decimal } from '../../src/domain/decimal.ts';
import {
  type FuturesMarketId,
  futuresMarketStatuses,
  indexPriceSources,
  type Rate,
} from '../../src/domain/futures-market.ts';
import {
  type CallbackBps,
  futuresOrderTypes,
  futuresTimesInForce,
  priceMatches,
  selfTradeModes,
  triggerPriceKinds,
} from '../../src/domain/futures-order.ts';
import type { AccountId, OrderNumber, TimestampMs } from '../../src/domain/identifiers.ts';
import type { Lots, Ticks } from '../../src/domain/spot-market.ts';
import { sides } from '../../src/domain/spot-order.ts';
import type { AttachedTrigger, FuturesCommand } from '../../src/engine/futures-commands.ts';

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
const marketId = wholeNumber.map((value) => value as FuturesMarketId);
const orderNumber = wholeNumber.map((value) => value as OrderNumber);
const ticks = wholeNumber.map((value) => value as Ticks);
const lots = wholeNumber.map((value) => value as Lots);
const time = wholeNumber.map((value) => value as TimestampMs);
const wide = 1n << 200n;
const bigint = fc.oneof(
  fc.bigInt({ min: -wide, max: wide }),
  fc.bigInt({ min: 0n, max: 1n << 64n }),
  fc.constantFrom(0n, -1n, (1n << 64n) - 1n, (1n << 63n) - 1n, -(1n << 63n)),
);
const amount = bigint.map((value) => value as Amount);
const decimal = bigint.map((value) => value as Decimal);
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constantFrom('', '\ud800'),
);
const side = fc.constantFrom(...sides);
const trigger = fc.option(
  record<AttachedTrigger>({
    stopPrice: ticks,
    triggerPriceKind: fc.constantFrom(...triggerPriceKinds),
  }),
);

/** One arbitrary a futures command type; a type without one does not compile. */
export const futuresCommandArbitraries: {
  readonly [Type in FuturesCommand['type']]: fc.Arbitrary<
    Extract<FuturesCommand, { readonly type: Type }>
  >;
} = {
  createFuturesMarket: record({
    type: fc.constant('createFuturesMarket' as const),
    terms: record({
      symbol: text,
      baseAsset: text,
      tickSize: decimal,
      lotSize: decimal,
      minNotional: amount,
      maxNotional: amount,
      maxLeverage: wholeNumber,
      maintenanceMarginRate: bigint.map((value) => value as Rate),
      makerFeeBps: wholeNumber,
      takerFeeBps: wholeNumber,
      indexPriceSource: fc.constantFrom(...indexPriceSources),
      indexJumpBps: wholeNumber,
      tradeBandBps: wholeNumber,
      maxOpenInterest: amount,
    }),
  }),
  setFuturesMarketStatus: record({
    type: fc.constant('setFuturesMarketStatus' as const),
    symbol: text,
    status: fc.constantFrom(...futuresMarketStatuses),
    settlementPrice: fc.option(amount, { nil: null }),
    effectiveAt: fc.option(wholeNumber, {
      nil: null,
    }) as fc.Arbitrary<TimestampMs | null>,
  }),
  setIndexPrice: record({
    type: fc.constant('setIndexPrice' as const),
    symbol: text,
    price: amount,
  }),
  advanceTime: record({ type: fc.constant('advanceTime' as const) }),
  transferFunds: record({
    type: fc.constant('transferFunds' as const),
    accountId,
    direction: fc.constantFrom('spot_to_perp' as const, 'perp_to_spot' as const),
    amount,
    clientTransferId: fc.option(text),
  }),
  setLeverage: record({
    type: fc.constant('setLeverage' as const),
    accountId,
    marketId,
    leverage: wholeNumber,
  }),
  setAccountFees: record({
    type: fc.constant('setAccountFees' as const),
    accountId,
    vipTier: wholeNumber,
    vipMultiplierTenths: wholeNumber,
    referralDiscountBps: wholeNumber,
  }),
  placeFuturesOrder: record({
    type: fc.constant('placeFuturesOrder' as const),
    accountId,
    marketId,
    clientOrderId: fc.option(text),
    side,
    orderType: fc.constantFrom(...futuresOrderTypes),
    timeInForce: fc.constantFrom(...futuresTimesInForce),
    price: fc.option(ticks),
    priceMatch: fc.constantFrom(...priceMatches),
    quantity: fc.option(lots),
    worstPrice: fc.option(ticks),
    stopPrice: fc.option(ticks),
    triggerPriceKind: fc.constantFrom(...triggerPriceKinds),
    activationPrice: fc.option(ticks),
    callback: fc.option(wholeNumber.map((value) => value as CallbackBps)),
    isReduceOnly: fc.boolean(),
    isClosePosition: fc.boolean(),
    isPriceProtected: fc.boolean(),
    selfTradeMode: fc.constantFrom(...selfTradeModes),
    goodTill: fc.option(time),
    isAlgo: fc.boolean(),
    takeProfit: trigger,
    stopLoss: trigger,
  }),
  amendFuturesOrder: record({
    type: fc.constant('amendFuturesOrder' as const),
    accountId,
    orderNumber,
    side: fc.option(side),
    price: fc.option(ticks),
    priceMatch: fc.constantFrom(...priceMatches),
    quantity: lots,
    modifyId: fc.option(fc.maxSafeNat()),
  }),
  cancelFuturesOrder: record({
    type: fc.constant('cancelFuturesOrder' as const),
    accountId,
    orderNumber,
  }),
  cancelAllFuturesOrders: record({
    type: fc.constant('cancelAllFuturesOrders' as const),
    accountId,
    marketId: fc.option(marketId),
    kind: fc.constantFrom('all' as const, 'algo' as const),
  }),
  setCountdownCancel: record({
    type: fc.constant('setCountdownCancel' as const),
    accountId,
    marketId,
    cancelAt: fc.option(time),
    kind: fc.constantFrom('all' as const, 'resting' as const),
  }),
  reservePerpFunds: record({
    type: fc.constant('reservePerpFunds' as const),
    accountId,
    amount,
    step: fc.constantFrom('reserve' as const, 'release' as const, 'pay_out' as const),
    reference: text,
  }),
  moveHouseFunds: record({
    type: fc.constant('moveHouseFunds' as const),
    amount,
    source: fc.constantFrom('fees' as const, 'treasury' as const),
    reason: fc.option(text),
    reference: fc.option(text),
  }),
  holdWithdrawals: record({
    type: fc.constant('holdWithdrawals' as const),
    isHeld: fc.boolean(),
    reason: fc.option(text),
  }),
};
