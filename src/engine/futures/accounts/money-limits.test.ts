import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { btcTerms, FuturesFixture } from '../../../../test/support/futures-fixture.ts';
import { amountMax, toAmount } from '../../../domain/amount.ts';
import type { FuturesMarketId, FuturesMarketTerms } from '../../../domain/futures-market.ts';
import type { AccountId, Address } from '../../../domain/identifiers.ts';
import type { Lots, Ticks } from '../../../domain/spot-market.ts';
import { type Engine, engineFactory } from '../../engine.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { rulesVersion } from '../../rules.ts';
import { findFuturesViolations } from '../futures-invariants.ts';
import type { FuturesState } from '../futures-state.ts';
import { entriesMax, openValueMax, perpFundsMax } from '../risk-limits.ts';

// The largest amounts in all places at once. Cells of wallets and markets end at 2^62; before they
// get there, transfers, top-ups of the fund, terms of markets and prices are refused.

const symbols = ['AUSDT', 'BUSDT', 'CUSDT'] as const;
const accountCount = 4;
const cellMax = 1n << 62n;
const smallest = { maxNotional: toAmount(10n ** 10n), maxOpenInterest: toAmount(10n ** 10n) };
const from = { actor: 'test', reason: null, reference: null } as const;

function credit(number: number, token: string, units: bigint) {
  const address = `0x${number.toString(16).padStart(40, '0')}` as Address;
  return { type: 'creditBalance', address, token, amount: toAmount(units), ...from } as const;
}

function toPerp(number: number, units: bigint) {
  const accountId = number as AccountId;
  const direction = 'spot_to_perp';
  const amount = toAmount(units);
  return { type: 'transferFunds', accountId, direction, amount, clientTransferId: null } as const;
}

function topUp(units: bigint) {
  const given = { source: 'treasury', reason: null, reference: null } as const;
  return { type: 'moveHouseFunds', amount: toAmount(units), ...given } as const;
}

/** A third of the largest open interest, and the largest notional; C follows its book. */
function largest(symbol: string): FuturesMarketTerms {
  const indexPriceSource = symbol === 'CUSDT' ? 'book' : 'admin';
  return {
    ...btcTerms,
    symbol,
    indexPriceSource,
    maxNotional: toAmount(amountMax / 100n),
    maxOpenInterest: toAmount((openValueMax[rulesVersion] - smallest.maxOpenInterest) / 3n),
  };
}

function begin(accounts: number): FuturesFixture {
  const futures = new FuturesFixture({ ...btcTerms, symbol: 'XUSDT', ...smallest });
  for (const symbol of symbols) {
    futures.done({ type: 'createFuturesMarket', terms: largest(symbol) });
  }
  const each = perpFundsMax / BigInt(accounts + 1);
  for (let number = 1; number <= accounts; number += 1) {
    futures.done(credit(number, 'USDT', each));
    futures.done(toPerp(number, each));
  }
  futures.done(topUp(each));
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

/** So many that the largest position of each is a small part of what may be open. */
const crowdCount = 16;

/** Half of them go long in two markets, and the others short, as far as they are allowed. */
const openingSteps = Array.from({ length: crowdCount * 4 }, (_none, at): Step => {
  const seller = at % (crowdCount / 2);
  const by = seller + crowdCount * (seller + crowdCount / 2);
  return { kind: 'trade', market: 1 + (Math.floor((2 * at) / crowdCount) % 2), by, part: 2 };
});

/** Positions change hands, and prices move, so that what is open costs more and is worth more. */
const pressure: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('trade' as const),
    market: fc.constantFrom(1, 2),
    by: fc.nat(crowdCount * crowdCount - 1),
    part: fc.constantFrom(1, 2),
  }),
  fc.record({
    kind: fc.constant('push' as const),
    symbol: fc.nat(1),
    times: fc.constantFrom(900, 980, 1_020, 1_100, 1_900),
  }),
  fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(1_000, 3_600_000) }),
);

interface Insides {
  readonly state: { readonly ledger: Ledger; readonly futures: FuturesState };
}

/** Every cell beside the ledger, with whole numbers that never wrap around, at each posting. */
class ExactSums {
  private readonly cells = new Map<number, bigint>();
  private readonly state: Insides['state'];
  postings = 0;
  /** The most that open positions were worth, and had cost. */
  readonly largest = { value: 0n, cost: 0n };

  constructor(engine: Engine) {
    this.state = (engine as unknown as Insides).state;
    const { ledger } = this.state;
    ledger.listener = (from, to, amount) => {
      this.postings += 1;
      this.follow(from, to, 0n - amount);
      this.follow(to, from, amount);
    };
  }

  private follow(cell: number, other: number, amount: bigint): void {
    const balance = this.state.ledger.balance(cell);
    const before = this.cells.get(cell) ?? balance - amount;
    const exact = cell === other ? before : before + amount;
    this.cells.set(cell, exact);
    expect(balance).toBe(exact);
    expect(exact < cellMax && exact > 0n - cellMax).toBe(true);
  }

  /** What all longs, and all shorts, have cost, and what they are worth now. */
  check(): void {
    const { accounts, markets, entries } = this.state.futures;
    const costs = [0n, 0n];
    for (const account of accounts) {
      for (const position of account?.positions ?? []) {
        if (position === undefined || position.quantity === 0) continue;
        const side = position.quantity > 0 ? 0 : 1;
        costs[side] = (costs[side] as bigint) + position.entryNotional;
      }
    }
    expect([...entries]).toEqual(costs);
    let value = 0n;
    for (const { lotWorth, openInterest } of markets) value += lotWorth.down(openInterest);
    // Both bounds are those of the comment on `perpFundsMax`.
    expect(value <= (openValueMax[rulesVersion] * 9n) / 8n).toBe(true);
    for (const cost of costs) {
      expect(cost <= entriesMax[rulesVersion] + (perpFundsMax * 99n) / 80n).toBe(true);
      if (cost > this.largest.cost) this.largest.cost = cost;
    }
    if (value > this.largest.value) this.largest.value = value;
  }
}

/** One market's prices and trades at the largest sizes that it accepts, or is asked to. */
class Giants {
  private readonly accounts: number;
  readonly futures: FuturesFixture;
  readonly sums: ExactSums;
  private readonly prices = [30_000n * 10n ** 8n, 30_000n * 10n ** 8n, 30_000n * 10n ** 8n];
  trades = 0;

  constructor(accounts = accountCount) {
    this.accounts = accounts;
    this.futures = begin(accounts);
    this.sums = new ExactSums(this.futures.engine);
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
      ['sell', 1 + (by % this.accounts)],
      ['buy', 1 + Math.floor(by / this.accounts)],
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
    this.sums.check();
    const { futures } = this.futures.engine;
    const cells = symbols.flatMap((_, at) => {
      const marketId = (at + 1) as FuturesMarketId;
      return [futures.getClearing(marketId), futures.getFundingHeld(marketId)];
    });
    for (let number = 1; number <= this.accounts; number += 1) {
      cells.push(futures.getPerpAccount(number as AccountId).walletBalance);
    }
    for (const cell of cells) expect(cell < cellMax && cell > 0n - cellMax).toBe(true);
  }
}

describe('the largest amounts of perpetuals', () => {
  it('perp wallets and fund hold no more than cells can: transfers, top-ups; issue is not cut', () => {
    const futures = new FuturesFixture();
    futures.done(credit(1, 'USDT', amountMax - 10n));
    futures.done(toPerp(1, perpFundsMax - 5n));
    futures.done(topUp(5n));
    for (const more of [toPerp(1, 1n), topUp(1n)]) {
      expect(futures.refusal(more)).toBe('amount_out_of_range');
    }
    futures.done({ ...toPerp(1, 2n), direction: 'perp_to_spot' });
    expect(futures.refusal(toPerp(1, 3n))).toBe('amount_out_of_range');
    futures.done(toPerp(1, 1n));
    const restored = engineFactory.restore(futures.engine.encodeState());
    futures.engine = restored;
    expect(futures.refusal(topUp(2n))).toBe('amount_out_of_range');
    futures.done(topUp(1n));
    expect(futures.engine.futures.insuranceFund).toBe(6n);
    expect(futures.refusal(credit(1, 'USDT', 5n))).toBe('amount_out_of_range');
    futures.done(credit(1, 'USDT', 4n));
  });

  it('fees that move to the fund count as well, and what the wallets paid as fees does not', () => {
    const futures = new FuturesFixture({ ...btcTerms, minNotional: toAmount(1n) });
    for (const number of [1, 2]) futures.fund(number, 1_000_000);
    futures.setIndex(30_000);
    futures.done(futures.order(1 as AccountId, 'sell', { price: 30_000, quantity: 1 }));
    futures.done(futures.order(2 as AccountId, 'buy', { price: 30_000, quantity: 1 }));
    const { futuresFees } = futures.engine.futures;
    expect(futuresFees).toBe(21n * 10n ** 8n);
    const paidIn = 2_000_000n * 10n ** 8n;
    futures.done(topUp(perpFundsMax - paidIn));
    futures.done(topUp(futuresFees - 1n));
    const fees = { ...topUp(2n), source: 'fees' } as const;
    expect(futures.refusal(fees)).toBe('amount_out_of_range');
    futures.done({ ...fees, amount: toAmount(1n) });
  });

  it('prices: a price at which all longs would be worth more than the limit is refused', () => {
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
        trades += runAll(steps).trades;
      }),
      { numRuns: 40, seed: 571 },
    );
    expect(trades).toBeGreaterThan(100);
  });

  it('in the middle of a command no sum leaves its range, at the limits of value and cost', () => {
    const largest = { value: 0n, cost: 0n };
    let postings = 0;
    fc.assert(
      fc.property(fc.array(pressure, { minLength: 30, maxLength: 60 }), (steps) => {
        const { sums } = runAll([...openingSteps, ...steps], new Giants(crowdCount));
        postings += sums.postings;
        if (sums.largest.value > largest.value) largest.value = sums.largest.value;
        if (sums.largest.cost > largest.cost) largest.cost = sums.largest.cost;
      }),
      { numRuns: 30, seed: 654 },
    );
    expect(postings).toBeGreaterThan(1_000);
    expect(largest.value > (openValueMax[rulesVersion] * 3n) / 4n).toBe(true);
    expect(largest.cost >= entriesMax[rulesVersion]).toBe(true);
  });

  it('a price that falls below a tick: no order is accepted at a price of zero', () => {
    const giants = runAll([
      { kind: 'push', symbol: 1, times: 1 },
      { kind: 'trade', market: 2, by: 11, part: 2 },
      { kind: 'push', symbol: 1, times: 1 },
      { kind: 'wait', ms: 61_000 },
      { kind: 'trade', market: 2, by: 12, part: 1_000 },
    ]);
    expect(giants.trades).toBe(1);
    const { futures } = giants.futures.engine;
    expect(futures.listOpenFuturesOrders(4 as AccountId, null)).toEqual([]);
  });
});

function runAll(steps: readonly Step[], giants = new Giants()): Giants {
  for (const each of steps) giants.run(each);
  const { engine } = giants.futures;
  expect(findFuturesViolations(engine.futures)).toEqual([]);
  expect(engineFactory.restore(engine.encodeState()).stateHash()).toBe(engine.stateHash());
  return giants;
}
