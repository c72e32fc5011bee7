import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amountMax, toAmount } from '../../domain/amount.ts';
import type { Decimal } from '../../domain/decimal.ts';
import type { MarketId, TimestampMs, TokenId } from '../../domain/identifiers.ts';
import { Ledger } from '../ledger/ledger.ts';
import { OrderRecords } from '../storage/order-records.ts';
import { beyondRange, SpotMarketState } from './spot-market-state.ts';

const silent = { onTrade: () => undefined, onLevelChanged: () => undefined };

function marketOf(lotAmount: bigint, tickLotAmount: bigint): SpotMarketState {
  const terms = {
    symbol: 'BTCUSDT',
    baseToken: 'BTC',
    quoteToken: 'USDT',
    tickSize: 1n as Decimal,
    lotSize: 1n as Decimal,
    minNotional: toAmount(0n),
    makerFeeBps: 0,
    takerFeeBps: 0,
    marketId: 0 as MarketId,
    baseTokenId: 0 as TokenId,
    quoteTokenId: 1 as TokenId,
    status: 'listed' as const,
    lotAmount: toAmount(lotAmount),
    tickLotAmount: toAmount(tickLotAmount),
    createdAt: 0 as TimestampMs,
  };
  return new SpotMarketState(terms, silent, new OrderRecords(), new Ledger());
}

function expected(amount: bigint): bigint {
  return amount > amountMax ? beyondRange : amount;
}

/** Whole numbers of all sizes, and those around the powers of two at which arithmetic changes. */
const count = fc.oneof(
  fc.integer({ min: 1, max: 1_000 }),
  fc.maxSafeNat().map((value) => value + 1),
  fc
    .tuple(fc.integer({ min: 1, max: 53 }), fc.integer({ min: -2, max: 2 }))
    .map(([power, away]) => Math.min(Math.max(1, 2 ** power + away), Number.MAX_SAFE_INTEGER)),
);
const unit = fc.oneof(
  count.map(BigInt),
  fc.bigInt({ min: 1n, max: amountMax }),
  fc.constantFrom(1n, 1_000n, 1n << 51n, (1n << 53n) + 1n, amountMax),
);

describe('SpotMarketState', () => {
  it('quoteAmount: is price x quantity x the money of a tick and lot, exactly, or beyond range', () => {
    fc.assert(
      fc.property(count, count, unit, (price, quantity, tickLotAmount) => {
        const amount = BigInt(price) * BigInt(quantity) * tickLotAmount;
        expect(marketOf(1n, tickLotAmount).quoteAmount(price, quantity)).toBe(expected(amount));
      }),
      { numRuns: 2_000 },
    );
  });

  it('baseAmount: is quantity x the money of a lot, exactly, or beyond range', () => {
    fc.assert(
      fc.property(count, unit, (quantity, lotAmount) => {
        const amount = BigInt(quantity) * lotAmount;
        expect(marketOf(lotAmount, 1n).baseAmount(quantity)).toBe(expected(amount));
      }),
      { numRuns: 2_000 },
    );
  });

  it('quoteAmount: is exact on both sides of each border at which its arithmetic changes', () => {
    const market = marketOf(1n, 1n);
    for (const border of [2 ** 51, 2 ** 52, 2 ** 53 - 2]) {
      for (const away of [-1, 0, 1]) {
        expect(market.quoteAmount(border + away, 1)).toBe(BigInt(border + away));
        expect(market.quoteAmount(1, border + away)).toBe(BigInt(border + away));
      }
    }
    const odd = 2 ** 26 - 1;
    expect(market.quoteAmount(odd, odd)).toBe(BigInt(odd) * BigInt(odd));
    expect(marketOf(1n, amountMax).quoteAmount(1, 1)).toBe(amountMax);
    expect(marketOf(1n, amountMax).quoteAmount(2, 1)).toBe(beyondRange);
    expect(marketOf(amountMax, 1n).baseAmount(2)).toBe(beyondRange);
  });
});
