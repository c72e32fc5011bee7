import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { btcTerms, FuturesFixture } from '../../../../test/support/futures-fixture.ts';
import { FuturesStateFixture } from '../../../../test/support/futures-state-fixture.ts';
import { toAmount } from '../../../domain/amount.ts';
import type { FuturesMarketId } from '../../../domain/futures-market.ts';
import type { AccountId, Sequence, TimestampMs } from '../../../domain/identifiers.ts';
import type { Command } from '../../commands.ts';
import { Engine } from '../../engine.ts';
import { EngineState } from '../../engine-state.ts';
import type { AppliedCommand, EngineEvent } from '../../events.ts';
import { type Rules, rulesVersion } from '../../rules.ts';

const unit = 10n ** 8n;
const house = 1 as AccountId;
const hourMs = 3_600_000;

class Watched extends FuturesStateFixture {
  push(price: number): readonly EngineEvent[] {
    const cents = BigInt(Math.round(price * 100));
    return this.done({
      type: 'setIndexPrice',
      symbol: 'BTCUSDT',
      price: toAmount((cents * unit) / 100n),
    });
  }
}

/** 200 accounts are long 0.9 BTC from 30,000 with 1,486.5 USDT each. */
function manyLongs(rules: Rules) {
  const futures = new Watched(rules);
  futures.fund(house, 10_000_000);
  const longs = Array.from({ length: 200 }, (_, at) => futures.fund(at + 2, 1_500));
  futures.push(30_000);
  for (const long of longs) {
    futures.place(house, 'sell', { price: 30_000, quantity: 0.9 });
    futures.place(long, 'buy', { quantity: 0.9 });
  }
  futures.advance(0);
  const taken = vi.spyOn(futures.state.riskQueue, 'take');
  return {
    futures,
    /** How many accounts are judged, and how many get a margin call, while the marks are pushed. */
    judgedAt: (marks: readonly number[]) => {
      taken.mockClear();
      const calls = marks.flatMap((price) => {
        const events = [...futures.push(price)];
        const { sequence } = futures.engine;
        events.push(...futures.advance(0));
        expect(futures.engine.sequence).toBe(sequence + 1);
        return events.filter(({ type }) => type === 'marginCallRaised');
      });
      const judged = taken.mock.results.filter(({ value }) => value !== 0).length;
      return { judged, calls: calls.length };
    },
  };
}

describe('the book stage', () => {
  // 0.357 BTC from 30,000 with 745 USDT. At 28,040 they are 10,010.28, E is 39.93 and M 40.05.
  it('ends at the mark at which all positions are worth 10,000 or less', () => {
    const futures = new Watched();
    const [long, other] = [futures.fund(2, 745), futures.fund(house, 10_000)];
    futures.push(30_000);
    futures.place(other, 'sell', { price: 30_000, quantity: 0.357 });
    futures.place(long, 'buy', { quantity: 0.357 });
    futures.push(28_040);
    const stage = () => futures.engine.futures.findCloseOut(long)?.stage ?? null;
    expect(stage()).toBe('book');
    futures.push(28_012);
    expect(stage()).toBe('book');
    // 9,998.86, with 28.5 of E: more than two thirds of M, 26.67.
    futures.push(28_008);
    expect(stage()).toBeNull();
    expect(futures.position(long).quantity).toBe(0);
  });
});

describe('under a margin call', () => {
  // 0.9 BTC from 30,000 with 1,486.5 USDT. At 28,490 E is 127.5 and M is 102.564. s is 24.936 and
  // b 21.819, for the loss; (3 M - 2 E) / 2 is 26.346, and b 23.05275, for the gain.
  it('recheck prices at 28,490: 28,465.76 for E - M, and 28,515.61 for the end of the call', () => {
    const futures = new Watched();
    const [long, other] = [futures.fund(2, 1_500), futures.fund(house, 10_000)];
    futures.push(30_000);
    futures.place(other, 'sell', { price: 30_000, quantity: 0.9 });
    futures.place(long, 'buy', { quantity: 0.9 });
    futures.push(28_490);
    const { longs, shorts, longShift, shortShift } = futures.state.getMarket(0).watches;
    const below = longShift - longs.keyOf(long);
    const above = shorts.keyOf(long) - shortShift;
    expect([below, above].map((price) => (price / 10 ** 8).toFixed(2))).toEqual([
      '28465.76',
      '28515.61',
    ]);
    const callsAt = (price: number) => {
      futures.push(price);
      return futures.state.accounts[long]?.isWarned;
    };
    // At 28,519.45 E is 3/2 M.
    expect([callsAt(28_519), callsAt(28_519.5), callsAt(28_491), callsAt(28_490)]).toEqual([
      true,
      false,
      false,
      true,
    ]);
  });
});

describe('accounts close to their maintenance margin', () => {
  const called = [28_480, 28_481, 28_479, 28_482, 28_478, 28_484, 28_480];

  it('under a margin call: 200 accounts cost one check each, and none at the next marks', () => {
    const { futures, judgedAt } = manyLongs(rulesVersion);
    expect(judgedAt([28_480]).judged).toBe(200);
    expect(judgedAt(called)).toEqual({ judged: 0, calls: 0 });
    // Where E is M, at 28,462.18, all are closed.
    expect(judgedAt([28_470, 28_463, 28_462.19]).judged).toBeLessThanOrEqual(3 * 200);
    expect(futures.state.closeOuts.size).toBe(0);
    futures.push(28_462.18);
    futures.advance(0);
    expect(futures.state.closeOuts.size + futures.state.closeOutNumber).toBeGreaterThan(200);
  });

  it('under rules 12 each of them costs a check at every mark', () => {
    const { judgedAt } = manyLongs(12);
    judgedAt([28_480]);
    expect(judgedAt(called).judged).toBe(2 * 200 * called.length);
  });

  // 0.8 E is M at 28,490.79, and E is 3/2 M at 28,519.45.
  it('a mark that goes back and forth over the level of a call raises one call', () => {
    const { judgedAt } = manyLongs(rulesVersion);
    expect(judgedAt([28_490])).toEqual({ judged: 200, calls: 200 });
    const around = Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? 28_492 : 28_490));
    expect(judgedAt(around)).toEqual({ judged: 0, calls: 0 });
  });
});

const symbols = ['AUSDT', 'BUSDT'];
const accountCount = 12;

const action = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('approach' as const),
      account: fc.nat({ max: accountCount - 1 }),
      /** The ratio of maintenance margin to equity that the mark is moved to, in percent. */
      ratio: fc.integer({ min: 60, max: 160 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('push' as const),
      market: fc.nat({ max: 1 }),
      bps: fc.oneof(
        fc.integer({ min: -60, max: 60 }),
        fc.integer({ min: -200, max: 200 }),
        fc.integer({ min: -2_500, max: 2_500 }),
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      ms: fc.constantFrom(200, 1_000, 1_000, 5_000, 61_000),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('trade' as const),
      account: fc.nat({ max: accountCount - 1 }),
      market: fc.nat({ max: 1 }),
      isBuy: fc.boolean(),
      /** In percent of the account's initial funds. */
      size: fc.integer({ min: 1, max: 2_000 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('hour' as const),
      /** The average premium of each market, in 10^-9. */
      premiums: fc.tuple(
        fc.integer({ min: -60_000_000, max: 60_000_000 }),
        fc.integer({ min: -60_000_000, max: 60_000_000 }),
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('move' as const),
      account: fc.nat({ max: accountCount - 1 }),
      isIn: fc.boolean(),
      usdt: fc.integer({ min: 1, max: 3_000 }),
    }),
  },
);

type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

/** Two engines with the same commands, of which one judges all accounts in every scan. */
class Pair {
  readonly #watched = new EngineState();
  readonly #all = new EngineState();
  readonly #engines = [new Engine(this.#watched, 'stop'), new Engine(this.#all, 'stop')];
  readonly #accounts: AccountId[] = [];
  readonly #prices = [30_000, 50];
  readonly seen = new Map<string, number>();
  readonly judged = [0, 0];
  #now = 1_700_000_000_000;

  constructor() {
    symbols.forEach((symbol, at) => {
      const maxNotional = toAmount(800_000n * unit);
      this.apply({ type: 'createFuturesMarket', terms: { ...btcTerms, symbol, maxNotional } });
      this.push(at, 0);
    });
    const both = [10_000, 1_000_000].flatMap((usdt) => Array<number>(accountCount).fill(usdt));
    const fixture = new FuturesFixture();
    fixture.apply = (command) => this.apply(command);
    fixture.engine = this.#engines[0] as Engine;
    for (const [at, usdt] of both.entries()) this.#accounts.push(fixture.fund(at + 1, usdt));
    this.order = fixture.order.bind(fixture);
    for (let account = 0; account < accountCount; account += 1) {
      const [market, isBuy] = [account % 2, account % 4 < 2];
      this.trade({ kind: 'trade', account, market, isBuy, size: 1_700 + 20 * account });
    }
    [this.#watched, this.#all].forEach(({ futures: { riskQueue } }, at) => {
      const take = riskQueue.take.bind(riskQueue);
      riskQueue.take = () => {
        const accountId = take();
        if (accountId !== 0) this.judged[at] = (this.judged[at] ?? 0) + 1;
        return accountId;
      };
    });
  }

  private readonly order: FuturesFixture['order'];

  do(action: Action): void {
    switch (action.kind) {
      case 'push':
        return this.push(action.market, action.bps);
      case 'approach':
        return this.approach(action);
      case 'wait':
        this.#now += action.ms;
        return this.advance();
      case 'hour':
        return this.openHour(action.premiums);
      case 'move': {
        const accountId = this.#accounts[action.account] as AccountId;
        const amount = toAmount(BigInt(action.usdt) * unit);
        const direction = action.isIn ? 'spot_to_perp' : 'perp_to_spot';
        this.apply({
          type: 'transferFunds',
          accountId,
          direction,
          amount,
          clientTransferId: null,
        });
        return this.advance();
      }
      default:
        return this.trade(action);
    }
  }

  private trade({ account, market, isBuy, size }: Action & { kind: 'trade' }): void {
    // Each account has a rich one that trades with it.
    const maker = this.#accounts[account + accountCount] as AccountId;
    const taker = this.#accounts[account] as AccountId;
    const price = this.#prices[market] ?? 0;
    const quantity = Math.max(1, Math.floor((size * 100_000) / price)) / 1_000;
    const terms = { marketId: market as FuturesMarketId, price, quantity };
    const [side, other] = isBuy ? (['buy', 'sell'] as const) : (['sell', 'buy'] as const);
    this.apply(this.order(maker, other, terms));
    this.apply(this.order(taker, side, { ...terms, timeInForce: 'ioc' }));
    this.apply({ type: 'cancelAllFuturesOrders', accountId: maker, marketId: null, kind: 'all' });
    this.advance();
  }

  /** Moves a mark so that the account's margin is about the given one. */
  private approach({ account, ratio }: Action & { kind: 'approach' }): void {
    const { futures } = this.#engines[0] as Engine;
    const accountId = this.#accounts[account] as AccountId;
    const { equity, maintenanceMargin } = futures.getPerpAccount(accountId);
    const missing = Number((maintenanceMargin * 100n) / BigInt(ratio) - equity) / Number(unit);
    const [position] = futures.listPositions(accountId).filter(({ quantity }) => quantity !== 0);
    if (position === undefined) return;
    const price = this.#prices[position.marketId] ?? 0;
    const change = missing / (position.quantity / 1_000) / price;
    this.push(position.marketId, Math.max(-5_000, Math.min(change * 10_000, 5_000)));
  }

  private push(market: number, bps: number): void {
    const price = Math.max(1, (this.#prices[market] ?? 0) * (1 + bps / 10_000));
    const rounded = Math.round(price * 10) / 10;
    const amount = toAmount(BigInt(Math.round(rounded * 10)) * (unit / 10n));
    const symbol = symbols[market] as string;
    if (this.apply({ type: 'setIndexPrice', symbol, price: amount }).rejection === null) {
      this.#prices[market] = rounded;
    }
    this.advance();
  }

  /** The next hour, with the premiums of one that was sampled each second. */
  private openHour(premiums: readonly number[]): void {
    for (const { futures } of [this.#watched, this.#all]) {
      for (const [at, market] of futures.markets.entries()) {
        market.premiumCount = 3_600;
        market.premiumSum = BigInt(premiums[at] ?? 0) * 3_600n;
      }
    }
    this.#now = (Math.floor(this.#now / hourMs) + 1) * hourMs;
    for (const market of symbols.keys()) this.push(market, 0);
  }

  private advance(): void {
    while (this.apply({ type: 'advanceTime' }).events.some(isWorkDue));
    expect(this.#engines[0]?.findBroken()).toEqual([]);
  }

  private apply(command: Command): AppliedCommand {
    const { futures } = this.#all;
    for (const account of futures.accounts) {
      if (account !== undefined) futures.riskQueue.touch(account.accountId);
    }
    const [watched, all] = this.#engines.map((engine) => {
      const sequence = (engine.sequence + 1) as Sequence;
      return engine.apply(command, { sequence, timestamp: this.#now as TimestampMs });
    }) as [AppliedCommand, AppliedCommand];
    expect(watched).toEqual(all);
    for (const event of watched.events) {
      const name = event.type === 'liquidationProgressed' ? event.stage : event.type;
      this.seen.set(name, (this.seen.get(name) ?? 0) + 1);
    }
    return watched;
  }
}

function isWorkDue({ type }: { readonly type: string }): boolean {
  return type === 'timedWorkDue';
}

describe('watches', () => {
  it('give the same events as judging every account in every scan, at the same command', () => {
    const seen = new Map<string, number>();
    const judged = [0, 0];
    const actions = fc.array(action, { minLength: 40, maxLength: 80, size: 'max' });
    fc.assert(
      fc.property(actions, (all) => {
        const pair = new Pair();
        for (const each of all) pair.do(each);
        for (const [name, count] of pair.seen) seen.set(name, (seen.get(name) ?? 0) + count);
        pair.judged.forEach((count, at) => {
          judged[at] = (judged[at] ?? 0) + count;
        });
      }),
      // Judging all can leave work although nobody is due: these runs contain no such command.
      { numRuns: 60, seed: 20_260_401 },
    );
    for (const name of ['marginCallRaised', 'book', 'final', 'fundingPaid']) {
      expect([name, seen.get(name) ?? 0]).not.toEqual([name, 0]);
    }
    expect(judged[0]).toBeLessThan((judged[1] ?? 0) / 4);
  });
});
