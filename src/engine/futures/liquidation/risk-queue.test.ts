import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { btcTerms, FuturesFixture } from '../../../../test/support/futures-fixture.ts';
import { formatAmount, toAmount } from '../../../domain/amount.ts';
import type { FuturesMarketId } from '../../../domain/futures-market.ts';
import { Engine, engineFactory } from '../../engine.ts';
import { EngineState } from '../../engine-state.ts';
import type { FuturesState } from '../futures-state.ts';
import { accountMargin } from '../margin/account-margin.ts';
import { shiftWatches, watchAccount } from './watch-account.ts';

// A mark examines only accounts whose recheck price it passes. The others have more than 5/4 of
// their maintenance margin, whatever the marks and the funding since they were judged.

const unit = 10n ** 8n;
const marketCount = 3;
const accountCount = 24;
const startPrices = [30_000, 2_000, 50];

interface Trade {
  readonly account: number;
  readonly market: number;
  readonly isBuy: boolean;
  readonly size: number;
}

const trade: fc.Arbitrary<Trade> = fc.record({
  account: fc.nat({ max: accountCount - 1 }),
  market: fc.nat({ max: marketCount - 1 }),
  isBuy: fc.boolean(),
  /** Of what the account was given, in percent. */
  size: fc.integer({ min: 1, max: 1_500 }),
});

const move = fc.record({
  /** How much the marks change, in hundredths of a percent, one per market. */
  bps: fc.array(fc.integer({ min: -1_500, max: 1_500 }), {
    minLength: marketCount,
    maxLength: marketCount,
  }),
  /** The hour's rate in 10^-9, before the next marks. */
  funding: fc.option(fc.integer({ min: -3_000_000, max: 3_000_000 }), { freq: 2, nil: null }),
});

class Story extends FuturesFixture {
  readonly state: FuturesState;

  constructor() {
    super();
    const engineState = new EngineState();
    this.engine = new Engine(engineState);
    this.state = engineState.futures;
    for (let at = 0; at < marketCount; at += 1) {
      const symbol = `M${at}USDT`;
      // The brackets begin where the positions of this test lie.
      const maxNotional = toAmount(40_000n * unit);
      this.done({ type: 'createFuturesMarket', terms: { ...btcTerms, symbol, maxNotional } });
      this.push(at, startPrices[at] ?? 0);
    }
  }

  push(market: number, price: number): void {
    const amount = toAmount(BigInt(Math.max(1, Math.round(price * 1_000_000))) * 100n);
    this.done({ type: 'setIndexPrice', symbol: `M${market}USDT`, price: amount });
  }
}

function openPositions(story: Story, trades: readonly Trade[]): void {
  const house = story.fund(1_000, 100_000_000);
  const accounts = Array.from({ length: accountCount }, (_, at) => story.fund(at + 1, 1_000));
  for (const { account, market, isBuy, size } of trades) {
    const price = startPrices[market] ?? 0;
    const quantity = Math.max(1, Math.floor((size * 10_000) / price)) / 1_000;
    const terms = { marketId: market as FuturesMarketId, price, quantity };
    const [side, other] = isBuy ? (['buy', 'sell'] as const) : (['sell', 'buy'] as const);
    if (story.refusal(story.order(house, other, terms)) !== null) continue;
    story.apply(story.order(accounts[account] ?? house, side, { ...terms, timeInForce: 'ioc' }));
    const accountId = house;
    story.done({ type: 'cancelAllFuturesOrders', accountId, marketId: null, kind: 'all' });
  }
  story.advance(0);
}

/** All accounts with no more than 5/4 of their maintenance margin, found by checking each one. */
function findInDanger({ state }: Story): readonly number[] {
  return state.accounts.flatMap((account) => {
    if (account === undefined) return [];
    const { equity, maintenance } = accountMargin(state, account);
    return maintenance > 0n && maintenance * 100n >= equity * 80n ? [account.accountId] : [];
  });
}

/** All accounts that would be judged now. */
function findWatched({ state }: Story): ReadonlySet<number> {
  const { riskQueue } = state;
  const found = new Set([...riskQueue.near, ...state.closeOuts.keys(), ...riskQueue.list().next]);
  for (const { watches, markPrice } of state.markets) {
    const mark = Number(markPrice);
    for (const { accountId, key } of watches.longs.list()) {
      if (key < watches.longShift - mark) found.add(accountId);
    }
    for (const { accountId, key } of watches.shorts.list()) {
      if (key < watches.shortShift + mark) found.add(accountId);
    }
  }
  return found;
}

function moveMarks(story: Story, bps: readonly number[]): void {
  story.state.markets.forEach((market, at) => {
    const { markPrice } = market;
    if (markPrice === null) return;
    market.markPrice = (markPrice * BigInt(10_000 + (bps[at] ?? 0))) / 10_000n + 1n;
  });
  story.state.markEpoch += 1;
}

function openHour({ state }: Story, rate: number): void {
  state.sweepCount += 1;
  for (const market of state.markets) {
    const funding = (market.markPrice ?? 0n) * BigInt(rate);
    market.fundingIndex += funding;
    shiftWatches(market, funding);
  }
}

describe('the risk queue', () => {
  it('finds the same accounts as a scan of all, whatever the marks and the funding', () => {
    let dangers = 0;
    let watched = 0;
    fc.assert(
      fc.property(
        fc.array(trade, { minLength: 10, maxLength: 40 }),
        fc.array(move, { minLength: 1, maxLength: 12 }),
        (trades, moves) => {
          const story = new Story();
          openPositions(story, trades);
          for (const { bps, funding } of moves) {
            if (funding !== null) openHour(story, funding);
            moveMarks(story, bps);
            const found = findWatched(story);
            const inDanger = findInDanger(story);
            expect(inDanger.filter((accountId) => !found.has(accountId))).toEqual([]);
            dangers += inDanger.length;
            watched += found.size;
          }
        },
      ),
      { numRuns: 60 },
    );
    expect(dangers).toBeGreaterThan(100);
    expect(watched).toBeLessThan(dangers * 10);
  });

  it('checks no account that is far from danger, and each of the others once per mark', () => {
    const story = new Story();
    const [alice, bob] = [story.fund(1, 10_000), story.fund(2, 10_000)];
    const marketId = 0 as FuturesMarketId;
    story.place(bob, 'sell', { marketId, price: 30_000, quantity: 0.1 });
    story.place(alice, 'buy', { marketId, price: 30_000, quantity: 0.1 });
    story.advance(0);
    const keys = (): unknown => story.state.markets[0]?.watches.longs.list();
    const before = keys();
    for (const price of [29_900, 31_000, 28_000, 25_000]) {
      story.push(0, price);
      expect(keys()).toEqual(before);
    }
  });

  // s = 0.8 E - M while the account is not warned: 1,486.5 x 0.8 - 108 = 1,081.2, and b = 946.05.
  it('recheck price: 0.9 BTC from 30,000 with 1,486.5: 28,948.84, from 28,900 on 28,614.99', () => {
    const story = new Story();
    const [alice, bob] = [story.fund(1, 1_500), story.fund(2, 10_000)];
    const symbol = 'WIDEUSDT';
    story.done({ type: 'createFuturesMarket', terms: { ...btcTerms, symbol } });
    const marketId = marketCount as FuturesMarketId;
    const price = toAmount(30_000n * unit);
    story.done({ type: 'setIndexPrice', symbol, price });
    story.place(bob, 'sell', { marketId, price: 30_000, quantity: 0.9 });
    story.place(alice, 'buy', { marketId, quantity: 0.9 });
    story.advance(0);
    expect(watchOf(story, marketId)).toMatch(/^28948\.8333/);
    story.done({ type: 'setIndexPrice', symbol, price: toAmount(28_900n * unit) });
    expect(watchOf(story, marketId)).toMatch(/^28614\.9833/);
  });

  // Without the part for margin calls s = E - M: 1,486.5 - 108 = 1,378.5 and b = 1,206.1875, then
  // s = 177.13. Each look comes eight times nearer to 28,462.18, where E is M.
  it('recheck price: from the maintenance margin alone: 28,659.79, from there on 28,487.57', () => {
    const story = new Story();
    const [alice, bob] = [story.fund(1, 1_500), story.fund(2, 10_000)];
    const symbol = 'WIDEUSDT';
    story.done({ type: 'createFuturesMarket', terms: { ...btcTerms, symbol } });
    const marketId = marketCount as FuturesMarketId;
    const push = (price: string): void => {
      story.done({ type: 'setIndexPrice', symbol, price: toAmount(BigInt(price) * (unit / 100n)) });
    };
    const watch = (): { slack: string; price: string } => {
      const account = story.state.openAccount(alice);
      const { equity, maintenance } = accountMargin(story.state, account);
      watchAccount(story.state, account, { loss: equity - maintenance, gain: null });
      const [price = ''] = /^\d+\.\d\d/.exec(watchOf(story, marketId)) ?? [];
      return { slack: formatAmount(toAmount(equity - maintenance)), price };
    };
    push('3000000');
    story.place(bob, 'sell', { marketId, price: 30_000, quantity: 0.9 });
    story.place(alice, 'buy', { marketId, quantity: 0.9 });
    expect(watch()).toEqual({ slack: '1378.5', price: '28659.79' });
    push('2865979');
    expect(watch()).toEqual({ slack: '177.135756', price: '28487.57' });
    push('2846219');
    expect(story.engine.futures.findCloseOut(alice)).toBeNull();
    push('2846218');
    expect(story.engine.futures.findCloseOut(alice)).not.toBeNull();
  });

  it('restored: the queue has the same watches, and finds the same accounts', () => {
    const story = new Story();
    openPositions(
      story,
      Array.from({ length: 30 }, (_, at) => {
        return {
          account: at % accountCount,
          market: at % marketCount,
          isBuy: at % 2 === 0,
          size: 900,
        };
      }),
    );
    const twin = engineFactory.restore(story.engine.encodeState());
    expect(twin.stateHash()).toBe(story.engine.stateHash());
    story.push(0, 29_000);
    const hash = story.engine.stateHash();
    const events = twin.apply(
      { type: 'setIndexPrice', symbol: 'M0USDT', price: toAmount(29_000n * unit) },
      { sequence: story.engine.sequence, timestamp: story.now as never },
    );
    expect(events.rejection).toBeNull();
    expect(twin.stateHash()).toBe(hash);
  });
});

function watchOf({ state }: Story, marketId: FuturesMarketId): string {
  const { longs, longShift } = state.getMarket(marketId).watches;
  const [watch] = longs.list();
  return formatAmount(toAmount(BigInt(longShift - (watch?.key ?? 0))));
}
