import { describe, expect, it } from 'vitest';
import { fillWallet } from '../../../../test/support/fill-wallet.ts';
import { btcTerms } from '../../../../test/support/futures-fixture.ts';
import { toAmount } from '../../../domain/amount.ts';
import type { FuturesMarketId, Rate } from '../../../domain/futures-market.ts';
import type { TimestampMs } from '../../../domain/identifiers.ts';
import { leverageBrackets } from '../../../domain/leverage-brackets.ts';
import { EngineState } from '../../engine-state.ts';
import type { Rules } from '../../rules.ts';
import { FuturesMarketState } from '../markets/futures-market-state.ts';
import { FuturesSettlement } from '../orders/futures-settlement.ts';
import { shareEquity } from './share-equity.ts';

const unit = 10n ** 8n;

interface Held {
  /** USDT for a coin: of the entry and the settled price, and now. */
  readonly settled: number;
  readonly mark: number;
  /** Thousandths of a coin, each bought at the settled price. */
  readonly lots: number;
  /** The rate of the hour that is being booked, in 10^-9. */
  readonly rate?: bigint;
  readonly isDelisted?: boolean;
}

/** The shares in USDT of an account with this equity before it was moved by marks and funding. */
function sharesOf(wallet: number, held: readonly Held[], rules?: Rules): readonly number[] {
  const engine = new EngineState(rules);
  const state = engine.futures;
  const account = state.openAccount(1);
  for (const [at, { settled, mark, lots, rate = 0n, isDelisted = false }] of held.entries()) {
    const marketId = at as FuturesMarketId;
    const terms = {
      ...btcTerms,
      symbol: `M${at}USDT`,
      marketId,
      status: isDelisted ? ('delisted' as const) : ('listed' as const),
      brackets: leverageBrackets(btcTerms),
      tickLotAmount: toAmount(10_000n),
      createdAt: 0 as TimestampMs,
    };
    const market = new FuturesMarketState(terms, new FuturesSettlement(state, marketId));
    state.markets.push(market);
    const [before, now] = [BigInt(settled) * unit, BigInt(mark) * unit];
    market.indexPrice = now;
    market.markPrice = now;
    market.settledPrice = before;
    if (rate !== 0n) {
      const hour = { fundingTime: 0 as TimestampMs, nextAccountId: 1, isReported: false };
      market.sweep = { ...hour, rate: rate as Rate, markPrice: before };
      market.fundingIndex = before * rate;
      state.sweepCount += 1;
    }
    const position = account.positionIn(marketId);
    position.quantity = lots;
    position.entryNotional = (BigInt(Math.abs(lots)) * before) / 1_000n;
    account.touchStake(marketId);
  }
  fillWallet(engine, account, BigInt(wallet) * unit);
  return shareEquity(state, account).map(({ equity }) => Number(equity) / Number(unit));
}

describe('the part of the equity behind each position', () => {
  it('what is below zero is borne by the market that has lost it', () => {
    const held = [
      { settled: 30_000, mark: 30_000, lots: 1_000 },
      { settled: 1_000, mark: 900, lots: 10_000 },
    ];
    expect(sharesOf(400, held)).toEqual([0, -600]);
  });

  // 80 less funding of 90 and a fall of 0.1 are -10.1.
  const atTheHour = [
    { settled: 30_000, mark: 30_000, lots: 1_000, rate: 3_000_000n },
    { settled: 1_000, mark: 999, lots: 100 },
  ];

  it('funding of the hour is a loss of the market that charges it', () => {
    const [inFirst, inSecond] = sharesOf(80, atTheHour);
    expect(inFirst).toBeCloseTo(-10.1 * (90 / 90.1), 6);
    expect(inSecond).toBeCloseTo(-10.1 * (0.1 / 90.1), 6);
  });

  it('under rules 12 the market that moved by a tenth of a percent bears the funding of the other', () => {
    expect(sharesOf(80, atTheHour, 12)).toEqual([0, -10.1]);
  });

  it('no position bears more than it has lost; what was missing before is split by margin', () => {
    const held = [
      { settled: 30_000, mark: 30_000, lots: 1_000 },
      { settled: 1_000, mark: 999, lots: 100 },
    ];
    // 10 below zero, then 0.1 lost; maintenance margins of 120 and 0.3996.
    const [inFirst, inSecond] = sharesOf(-10, held);
    expect(inFirst).toBeCloseTo(-10 * (120 / 120.3996), 6);
    expect(inSecond).toBeCloseTo(-0.1 - 10 * (0.3996 / 120.3996), 6);
  });

  it('positions to be paid out, which need no margin, share by size what none has lost', () => {
    const held = [
      { settled: 30_000, mark: 30_000, lots: 1_000, isDelisted: true },
      { settled: 1_000, mark: 1_000, lots: 10_000, isDelisted: true },
    ];
    expect(sharesOf(-40, held)).toEqual([-30, -10]);
  });
});
