import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { btcTerms } from '../../../../test/support/futures-fixture.ts';
import { toAmount } from '../../../domain/amount.ts';
import type { FuturesMarketId } from '../../../domain/futures-market.ts';
import type { TimestampMs } from '../../../domain/identifiers.ts';
import { leverageBrackets } from '../../../domain/leverage-brackets.ts';
import { EngineState } from '../../engine-state.ts';
import { rulesVersion } from '../../rules.ts';
import type { FuturesState } from '../futures-state.ts';
import { FuturesMarketState } from '../markets/futures-market-state.ts';
import { FuturesSettlement } from '../orders/futures-settlement.ts';
import { entriesMax as entriesMaxes, openValueMax as openValueMaxes } from '../risk-limits.ts';
import { openInterestRoom } from './open-value.ts';

const entriesMax = entriesMaxes[rulesVersion];
const openValueMax = openValueMaxes[rulesVersion];
const price = 30_000n * 10n ** 8n;

function addMarket(state: FuturesState, maxOpenInterest: bigint): FuturesMarketState {
  const marketId = state.markets.length as FuturesMarketId;
  const terms = { ...btcTerms, maxOpenInterest: toAmount(maxOpenInterest) };
  const market = new FuturesMarketState(
    {
      ...terms,
      symbol: `M${marketId}USDT`,
      marketId,
      status: 'listed',
      brackets: leverageBrackets(terms),
      tickLotAmount: toAmount(10_000n),
      createdAt: 0 as TimestampMs,
    },
    new FuturesSettlement(state, marketId),
  );
  state.markets.push(market);
  market.markPrice = price;
  return market;
}

function begin(maxima: readonly bigint[]): FuturesState {
  const state = new EngineState().futures;
  for (const each of maxima) addMarket(state, each);
  return state;
}

const valueOf = ({ openInterest }: FuturesMarketState): bigint =>
  (BigInt(openInterest) * price) / 1_000n;

describe('the open interest of all markets together', () => {
  it('each market can go to its maximum if all of them are within the limit', () => {
    const state = begin([openValueMax / 2n, openValueMax / 2n]);
    for (const market of state.markets) {
      expect(openInterestRoom(state, market)).toBe(market.openInterestMax);
      market.openInterest = market.openInterestMax;
    }
    expect(state.markets.map((market) => openInterestRoom(state, market))).toEqual([0, 0]);
  });

  it('the share follows the mark price and the number of markets', () => {
    const state = begin([openValueMax, openValueMax, openValueMax, openValueMax]);
    const [first, second] = state.markets as [FuturesMarketState, FuturesMarketState];
    first.openInterest = openInterestRoom(state, first);
    const share = (markets: bigint, mark: bigint) =>
      Number(((openValueMax / 2n / markets) * 1_000n) / mark);
    expect(openInterestRoom(state, second)).toBe(share(4n, price));
    second.markPrice = 2n * price;
    expect(openInterestRoom(state, second)).toBe(share(4n, 2n * price));
    addMarket(state, openValueMax);
    expect(openInterestRoom(state, second)).toBe(share(5n, 2n * price));
  });

  it('rules 11: the open interest of others is no limit', () => {
    const state = new EngineState(11).futures;
    for (let count = 0; count < 4; count += 1) addMarket(state, openValueMax);
    const [first, second] = state.markets as [FuturesMarketState, FuturesMarketState];
    first.openInterest = first.openInterestMax;
    expect(openInterestRoom(state, second)).toBe(second.openInterestMax);
  });

  it.each([
    ['longs', 0],
    ['shorts', 1],
  ])('nothing is opened once all %s have cost what they may', (_name, side) => {
    const state = begin([openValueMax]);
    const market = state.markets[0] as FuturesMarketState;
    state.entries[side] = entriesMax - 1n;
    expect(openInterestRoom(state, market)).toBe(market.openInterestMax);
    state.entries[side] = entriesMax;
    expect(openInterestRoom(state, market)).toBe(0);
    market.openInterest = market.openInterestMax + 1;
    expect(openInterestRoom(state, market)).toBe(-1);
  });

  it('otherwise a market goes beyond its share of half the limit only while the sum is below', () => {
    const state = begin([openValueMax, openValueMax, openValueMax, openValueMax]);
    const [first, second] = state.markets as [FuturesMarketState, FuturesMarketState];
    const half = openInterestRoom(state, first);
    expect((BigInt(half) * price) / 1_000n).toBeLessThanOrEqual(openValueMax / 2n);
    first.openInterest = half;
    expect(openInterestRoom(state, first)).toBe(0);
    const share = openInterestRoom(state, second);
    expect(share).toBe(Math.floor(half / 4));
    second.openInterest = share;
    expect(openInterestRoom(state, second)).toBe(0);
  });

  it('is never worth more than the limit, whichever markets grow in whatever order', () => {
    const growth = fc.record({ market: fc.nat(29), part: fc.constantFrom(1, 2, 3, 100) });
    fc.assert(
      fc.property(fc.array(growth, { minLength: 40, maxLength: 120 }), (steps) => {
        const state = begin(Array.from({ length: 30 }, () => openValueMax / 3n));
        for (const { market: at, part } of steps) {
          const market = state.markets[at] as FuturesMarketState;
          market.openInterest += Math.floor(openInterestRoom(state, market) / part);
        }
        const sum = state.markets.reduce((total, market) => total + valueOf(market), 0n);
        expect(sum).toBeLessThanOrEqual(openValueMax);
        expect(sum).toBeGreaterThan(0n);
      }),
    );
  });
});
