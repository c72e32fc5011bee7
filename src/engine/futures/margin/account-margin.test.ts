import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fillWallet } from '../../../../test/support/fill-wallet.ts';
import { btcTerms } from '../../../../test/support/futures-fixture.ts';
import { amountMax, toAmount } from '../../../domain/amount.ts';
import { decimalOne } from '../../../domain/decimal.ts';
import type { FuturesMarketId } from '../../../domain/futures-market.ts';
import type { TimestampMs } from '../../../domain/identifiers.ts';
import { leverageBrackets } from '../../../domain/leverage-brackets.ts';
import { maintenanceMargin } from '../../../domain/margin.ts';
import { EngineState } from '../../engine-state.ts';
import type { FuturesState } from '../futures-state.ts';
import { FuturesMarketState } from '../markets/futures-market-state.ts';
import { FuturesSettlement } from '../orders/futures-settlement.ts';
import { accountMargin, equityOf, marketMargin, notionalIn } from './account-margin.ts';
import { stakeMax } from './stakes.ts';

const leverage = 20n;

function addMarket(state: FuturesState): FuturesMarketState {
  const marketId = state.markets.length as FuturesMarketId;
  const market = new FuturesMarketState(
    {
      ...btcTerms,
      marketId,
      status: 'listed',
      brackets: leverageBrackets(btcTerms),
      tickLotAmount: toAmount(1_0000n),
      createdAt: 0 as TimestampMs,
    },
    new FuturesSettlement(state, marketId),
  );
  state.markets.push(market);
  return market;
}

function bounded(value: bigint, most: bigint): bigint {
  if (value > most) return most;
  return value < -most ? -most : value;
}

const stakes = fc.record({
  lots: fc.oneof(fc.integer({ min: 1, max: 1_000_000 }), fc.integer({ min: 1, max: 2 ** 45 })),
  isLong: fc.boolean(),
  entry: fc.oneof(fc.bigInt({ min: 0n, max: 10n ** 15n }), fc.bigInt({ min: 0n, max: amountMax })),
  mark: fc.oneof(fc.bigInt({ min: 1n, max: 10n ** 14n }), fc.bigInt({ min: 1n, max: amountMax })),
});

describe('account margin', () => {
  it('account margin: small and very large positions follow the formulas, as do their sums', () => {
    const some = fc.array(stakes, { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(some, some, (first, second) => {
        const engine = new EngineState();
        const state = engine.futures;
        const account = state.openAccount(1);
        fillWallet(engine, account, 12_345n);
        // The second round meets rows that are filled already.
        for (const round of [first, second]) {
          const sums = { profit: 0n, maintenance: 0n };
          for (const [at, { lots, isLong, entry, mark }] of round.entries()) {
            const market = state.markets[at] ?? addMarket(state);
            market.markPrice = mark;
            state.markEpoch += 1;
            const position = account.positionIn(at);
            position.quantity = isLong ? lots : -lots;
            position.entryNotional = entry;
            account.touchStake(at);
            const product = BigInt(lots) * btcTerms.lotSize * mark;
            const value = product / decimalOne;
            const cost = (product + decimalOne - 1n) / decimalOne;
            const notional = bounded(cost, stakeMax);
            const profit = bounded(isLong ? value - entry : entry - cost, 1n << 61n);
            const maintenance = maintenanceMargin(market.terms.brackets, notional);
            expect(marketMargin(account, market)).toEqual({
              notional,
              unrealizedProfit: profit,
              initial: (notional + leverage - 1n) / leverage,
              maintenance,
              orders: 0n,
            });
            expect(notionalIn(account, market)).toBe(notional);
            sums.profit += profit;
            sums.maintenance += maintenance;
          }
          if (round.length < state.markets.length) continue;
          const margin = accountMargin(state, account);
          expect(margin.unrealizedProfit).toBe(sums.profit);
          expect(margin.maintenance).toBe(sums.maintenance);
          expect(equityOf(state, account)).toBe(12_345n + sums.profit);
        }
      }),
    );
  });
});
