import { describe, expect, it } from 'vitest';
import { fillWallet } from '../../../../test/support/fill-wallet.ts';
import {
  btcTerms,
  FuturesFixture,
  futuresMarketId,
} from '../../../../test/support/futures-fixture.ts';
import { formatAmount, toAmount } from '../../../domain/amount.ts';
import type { AccountId, TimestampMs } from '../../../domain/identifiers.ts';
import { leverageBrackets } from '../../../domain/leverage-brackets.ts';
import { EngineState } from '../../engine-state.ts';
import type { FuturesAccount } from '../accounts/futures-account.ts';
import { accountMargin } from '../margin/account-margin.ts';
import { withdrawableOf } from '../margin/new-risk.ts';
import { FuturesMarketState } from '../markets/futures-market-state.ts';
import { FuturesSettlement } from '../orders/futures-settlement.ts';
import { settleAccountFunding } from './settle-funding.ts';

const unit = 10n ** 8n;
const hourMs = 3_600_000;

/** A market whose last hour has paid that much, which no account has booked yet. */
function openMarket(engine: EngineState, mark: bigint, fundingIndex: bigint): FuturesMarketState {
  const state = engine.futures;
  const market = new FuturesMarketState(
    {
      ...btcTerms,
      marketId: futuresMarketId,
      status: 'listed',
      brackets: leverageBrackets(btcTerms),
      tickLotAmount: toAmount(10_000n),
      createdAt: 0 as TimestampMs,
    },
    new FuturesSettlement(state, futuresMarketId),
  );
  state.markets.push(market);
  market.indexPrice = mark;
  market.markPrice = mark;
  market.fundingIndex = fundingIndex;
  state.sweepCount = 1;
  return market;
}

function hold(account: FuturesAccount, lots: number, entry: bigint): void {
  const position = account.positionIn(futuresMarketId);
  position.quantity = lots;
  position.entryNotional = entry;
  account.touchStake(futuresMarketId);
}

describe('funding index', () => {
  it('equity: funding that is due counts before it is booked', () => {
    // Short 1 BTC, E 121, M 125.456, funding due to it 23.99038632: E = 144.99038632 > M.
    const engine = new EngineState();
    openMarket(engine, 31_364n * unit, 31_364n * unit * 764_902n);
    const account = engine.futures.openAccount(1);
    fillWallet(engine, account, 121n * unit);
    hold(account, -1_000, 31_364n * unit);
    const { equity, maintenance } = accountMargin(engine.futures, account);
    expect(formatAmount(toAmount(equity))).toBe('144.99038632');
    expect(formatAmount(toAmount(maintenance))).toBe('125.456');
  });

  it('rounding: payers pay up and receivers get down, and the market keeps the rest', () => {
    // 3.5 units a lot: a long of 3 lots pays 11, shorts of 1 and 2 get 3 and 7; 1 is kept.
    const engine = new EngineState();
    const market = openMarket(engine, unit, 35n * 10n ** 11n);
    const accounts = [3, -1, -2].map((lots, at) => {
      const account = engine.futures.openAccount(at + 1);
      fillWallet(engine, account, 100n);
      hold(account, lots, 0n);
      settleAccountFunding(engine.futures, account);
      return account.walletBalance;
    });
    expect(accounts).toEqual([89n, 103n, 107n]);
    expect(engine.ledger.balance(engine.futures.cells.funding(market))).toBe(1n);
  });

  it('withdrawable: wallet 100, pending funding -30, margin 20: 50 may leave, not 80', () => {
    const engine = new EngineState();
    const market = openMarket(engine, 400n * unit, 30n * unit * 10n ** 9n);
    const account = engine.futures.openAccount(1);
    fillWallet(engine, account, 100n * unit);
    hold(account, 1_000, 400n * unit);
    expect(market.terms.maxLeverage).toBeGreaterThanOrEqual(20);
    const margin = accountMargin(engine.futures, account);
    expect(withdrawableOf(engine.futures, account, margin)).toBe(50n * unit);
  });
});

function begin(): { futures: FuturesFixture; payers: AccountId[]; maker: AccountId } {
  const futures = new FuturesFixture();
  futures.now = Math.ceil(futures.now / hourMs) * hourMs - 1_801_000;
  const maker = futures.fund(9, 1_000_000);
  const payers = [1, 2, 3, 4, 5].map((number) => futures.fund(number, 10_000));
  futures.setIndex(30_000);
  futures.place(maker, 'sell', { price: 30_000, quantity: 5 });
  for (const payer of payers) futures.place(payer, 'buy', { price: 30_000, quantity: 1 });
  futures.place(maker, 'buy', { price: 30_000, quantity: 5 });
  futures.watch(1_800);
  return { futures, payers, maker };
}

describe('funding at the hour', () => {
  it('funding: closing and withdrawing in the first moment of the hour still pays, 5 of 5', () => {
    const { futures, payers } = begin();
    futures.now += 1_000;
    for (const payer of payers) futures.place(payer, 'sell', { price: 30_000, quantity: 1 });
    futures.now += 60_000;
    futures.setIndex(30_000);
    // 10,000 less 15 and 6 of fees for taking in and out and 0.375 of funding.
    const left = payers.map((payer) => formatAmount(futures.wallet(payer).withdrawable));
    expect(new Set(left)).toEqual(new Set(['9969.625']));
  });

  it('funding: is announced once, before its payments, whichever command comes first', () => {
    const { futures, payers } = begin();
    futures.now += 1_000;
    const [payer] = payers as [AccountId];
    const events = futures.done(futures.order(payer, 'sell', { price: 30_000, quantity: 1 }));
    const told = [...events, ...futures.advance(1_000)]
      .map(({ type }) => type)
      .filter((type) => type === 'fundingSettled' || type === 'fundingPaid');
    expect(told).toEqual(['fundingSettled', ...Array.from({ length: 6 }, () => 'fundingPaid')]);
  });

  it('funding: a delisted market charges none', () => {
    const { futures } = begin();
    const settlementPrice = toAmount(30_000n * 10n ** 8n);
    const symbol = 'BTCUSDT';
    futures.done({ type: 'setFuturesMarketStatus', symbol, status: 'delisted', settlementPrice });
    const events = futures.advance(hourMs);
    expect(events.filter(({ type }) => type === 'fundingSettled')).toEqual([]);
  });
});
