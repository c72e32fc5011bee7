import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { btcTerms, FuturesFixture } from '../../../../test/support/futures-fixture.ts';
import { amountMax, toAmount } from '../../../domain/amount.ts';
import type { FuturesMarketId, FuturesMarketTerms } from '../../../domain/futures-market.ts';
import type { AccountId, Address } from '../../../domain/identifiers.ts';
import type { Lots, Ticks } from '../../../domain/spot-market.ts';
import { engineFactory } from '../../engine.ts';
import { findFuturesViolations } from '../futures-invariants.ts';
import { openValueMax, perpTokenMax } from '../risk-limits.ts';

// The largest amounts in all places at once. Cells of wallets and markets end at 2^62; before they
// get there, deposits, credits, top-ups, terms of markets and prices are refused.

const symbols = ['AUSDT', 'BUSDT', 'CUSDT'] as const;
const accountCount = 4;
const cellMax = 1n << 62n;
const smallest = { maxNotional: toAmount(10n ** 10n), maxOpenInterest: toAmount(10n ** 10n) };
const from = { actor: 'test', reason: null, reference: null } as const;

function credit(number: number, token: string, units: bigint) {
  const address = `0x${number.toString(16).padStart(40, '0')}` as Address;
  return { type: 'creditBalance', address, token, amount: toAmount(units), ...from } as const;
}

/** A third of the largest open interest, and the largest notional; C follows its book. */
function largest(symbol: string): FuturesMarketTerms {
  const indexPriceSource = symbol === 'CUSDT' ? 'book' : 'admin';
  return {
    ...btcTerms,
    symbol,
    indexPriceSource,
    maxNotional: toAmount(amountMax / 100n),
    maxOpenInterest: toAmount((openValueMax - smallest.maxOpenInterest) / 3n),
  };
}

function begin(): FuturesFixture {
  const futures = new FuturesFixture({ ...btcTerms, symbol: 'XUSDT', ...smallest });
  for (const symbol of symbols) {
    futures.done({ type: 'createFuturesMarket', terms: largest(symbol) });
  }
  const each = perpTokenMax / BigInt(accountCount + 1);
  for (let number = 1; number <= accountCount; number += 1) {
    futures.done(credit(number, 'USDT', each));
    const accountId = number as AccountId;
    const direction = 'spot_to_perp';
    const amount = toAmount(each);
    futures.done({ type: 'transferFunds', accountId, direction, amount, clientTransferId: null });
  }
  const amount = toAmount(each);
  futures.done({
    type: 'moveHouseFunds',
    amount,
    source: 'treasury',
    reason: null,
    reference: null,
  });
  return futures;
}

type Step =
  | { readonly kind: 'push'; readonly symbol: number; readonly times: number }
  | { readonly kind: 'trade'; readonly market: number; readonly by: number; readonly part: number }
  | { readonly kind: 'wait'; readonly ms: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('push' as const),
    symbol: fc.nat(1),
    times: fc.constantFrom(1, 2, 8, 1_000, 1_125, 889, 500, 125),
  }),
  fc.record({
    kind: fc.constant('trade' as const),
    market: fc.integer({ min: 1, max: symbols.length }),
    by: fc.nat(accountCount * accountCount - 1),
    part: fc.constantFrom(1, 2, 10, 1_000),
  }),
  fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(1_000, 61_000, 3_600_000) }),
);

/** One market's prices and trades at the largest sizes that it accepts, or is asked to. */
class Giants {
  readonly futures = begin();
  private readonly prices = [30_000n * 10n ** 8n, 30_000n * 10n ** 8n, 30_000n * 10n ** 8n];
  trades = 0;

  constructor() {
    for (const symbol of [0, 1]) this.run({ kind: 'push', symbol, times: 1_000 });
  }

  run(step: Step): void {
    if (step.kind === 'wait') this.futures.advance(step.ms);
    else if (step.kind === 'push') this.push(step.symbol, step.times);
    else this.trade(step.market, step.by, step.part);
    this.check();
  }

  private push(at: number, times: number): void {
    const price = ((this.prices[at] as bigint) * BigInt(times)) / 1_000n + 1n;
    const symbol = symbols[at] as string;
    const { rejection } = this.futures.apply({
      type: 'setIndexPrice',
      symbol,
      price: toAmount(price),
    });
    if (rejection === null) this.prices[at] = price;
    else expect(rejection.reason).toBe('amount_out_of_range');
    this.futures.advance(0);
  }

  private trade(market: number, by: number, part: number): void {
    const marketId = market as FuturesMarketId;
    const { markPrice } = this.futures.engine.futures.getFuturesPrices(marketId);
    const price = Number((markPrice ?? 30_000n * 10n ** 8n) / 10n ** 7n);
    const lots = Number(amountMax / 100n / 10_000n) / Math.max(price, 1) / part;
    const sides = [
      ['sell', 1 + (by % accountCount)],
      ['buy', 1 + Math.floor(by / accountCount)],
    ] as const;
    if (sides[0][1] === sides[1][1]) return;
    for (const [side, number] of sides) {
      const order = this.futures.order(number as AccountId, side, {
        marketId,
        price: 1,
        quantity: 1,
      });
      const quantity = Math.max(1, Math.floor(lots)) as Lots;
      const { events } = this.futures.apply({ ...order, price: price as Ticks, quantity });
      this.trades += events.filter(({ type }) => type === 'futuresTradeExecuted').length;
    }
  }

  private check(): void {
    const { futures } = this.futures.engine;
    const cells = symbols.flatMap((_, at) => {
      const marketId = (at + 1) as FuturesMarketId;
      return [futures.getClearing(marketId), futures.getFundingHeld(marketId)];
    });
    for (let number = 1; number <= accountCount; number += 1) {
      cells.push(futures.getPerpAccount(number as AccountId).walletBalance);
    }
    for (const cell of cells) expect(cell < cellMax && cell > 0n - cellMax).toBe(true);
  }
}

describe('the largest amounts of perpetuals', () => {
  it('no more is issued of the token than cells can hold: credits, deposits and top-ups', () => {
    const futures = new FuturesFixture();
    futures.done(credit(1, 'USDT', perpTokenMax));
    expect(futures.refusal(credit(1, 'USDT', 1n))).toBe('amount_out_of_range');
    const address = `0x${'1'.padStart(40, '0')}` as Address;
    const amount = toAmount(1n);
    const deposit = { type: 'creditDeposit', address, token: 'USDT', amount, number: 0 } as const;
    expect(futures.refusal(deposit)).toBe('amount_out_of_range');
    const given = { source: 'treasury', reason: null, reference: null } as const;
    expect(futures.refusal({ type: 'moveHouseFunds', amount, ...given })).toBe(
      'amount_out_of_range',
    );
    // Other tokens are in spot wallets only.
    futures.done(credit(1, 'BTC', amountMax));
  });

  it('prices: one at which all longs would be worth more than the limit is refused', () => {
    const giants = new Giants();
    for (let part = 0; part < 24; part += 1)
      giants.run({ kind: 'trade', market: 1, by: 1, part: 2 });
    expect(giants.trades).toBeGreaterThan(0);
    const price = toAmount(40_000_000n * 10n ** 8n);
    const push = { type: 'setIndexPrice', symbol: 'AUSDT', price } as const;
    expect(giants.futures.refusal(push)).toBe('amount_out_of_range');
  });

  it('whatever is traded at whatever price, no cell gets near its end, and no rule breaks', () => {
    let trades = 0;
    fc.assert(
      fc.property(fc.array(step, { minLength: 20, maxLength: 60 }), (steps) => {
        const giants = new Giants();
        for (const each of steps) giants.run(each);
        const { engine } = giants.futures;
        expect(findFuturesViolations(engine.futures)).toEqual([]);
        expect(engineFactory.restore(engine.encodeState()).stateHash()).toBe(engine.stateHash());
        trades += giants.trades;
      }),
      { numRuns: 40 },
    );
    expect(trades).toBeGreaterThan(100);
  });
});
