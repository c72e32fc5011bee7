import { describe, expect, it } from 'vitest';
import { fillWallet } from '../../../../test/support/fill-wallet.ts';
import { btcTerms } from '../../../../test/support/futures-fixture.ts';
import { toAmount } from '../../../domain/amount.ts';
import type { Decimal } from '../../../domain/decimal.ts';
import type {
  FuturesMarket,
  FuturesMarketId,
  LeverageBracket,
  Rate,
} from '../../../domain/futures-market.ts';
import type { TimestampMs } from '../../../domain/identifiers.ts';
import { EngineState } from '../../engine-state.ts';
import type { FuturesState } from '../futures-state.ts';
import { accountMargin } from '../margin/account-margin.ts';
import { FuturesMarketState } from '../markets/futures-market-state.ts';
import { FuturesSettlement } from '../orders/futures-settlement.ts';
import { bankruptcyPrice } from './bankruptcy-price.ts';
import { liquidationPrice } from './liquidation-price.ts';

// The worked example of Binance's page on liquidation prices of USDT futures: a cross wallet of
// 1,535,443.01 USDT, long 3,683.979 ETH from 1,456.84 and 109.488 BTC from 32,481.98.
// https://www.binance.com/en/support/faq/b3c689c1f50a44cabb3a84e663b81d93

const unit = 100_000_000;

interface Holding {
  readonly symbol: string;
  readonly quantity: number;
  readonly entry: number;
  readonly mark: number;
  /** In thousandths, and in USDT, of the bracket that holds. */
  readonly rate: number;
  readonly amount: number;
}

const ether = { symbol: 'ETHUSDT', quantity: 3_683.979, entry: 1_456.84, mark: 1_335.18 };
const bitcoin = { symbol: 'BTCUSDT', quantity: 109.488, entry: 32_481.98, mark: 31_967.27 };

function amountOf(usdt: number): bigint {
  return BigInt(Math.round(usdt * unit));
}

function addMarket(state: FuturesState, holding: Holding): FuturesMarketState {
  const marketId = state.markets.length as FuturesMarketId;
  const bracket: LeverageBracket = {
    bracket: 1,
    maxLeverage: 20,
    notionalFloor: toAmount(0n),
    notionalCap: toAmount(1n << 62n),
    maintenanceMarginRate: BigInt(holding.rate * 1_000_000) as Rate,
    maintenanceAmount: toAmount(amountOf(holding.amount)),
  };
  const terms: FuturesMarket = {
    ...btcTerms,
    symbol: holding.symbol,
    tickSize: 10_000_000_000_000_000n as Decimal,
    lotSize: 1_000_000_000_000_000n as Decimal,
    marketId,
    status: 'listed',
    brackets: [bracket],
    tickLotAmount: toAmount(1_000n),
    createdAt: 0 as TimestampMs,
  };
  const market = new FuturesMarketState(terms, new FuturesSettlement(state, marketId));
  market.markPrice = amountOf(holding.mark);
  state.markets.push(market);
  return market;
}

function portfolio(): { state: FuturesState; eth: FuturesMarketState; btc: FuturesMarketState } {
  const engine = new EngineState();
  const state = engine.futures;
  const account = state.openAccount(1);
  fillWallet(engine, account, amountOf(1_535_443.01));
  const markets = [
    { ...ether, rate: 100, amount: 135_365 },
    { ...bitcoin, rate: 25, amount: 16_300 },
  ].map((holding) => {
    const market = addMarket(state, holding);
    const position = account.positionIn(market.terms.marketId);
    position.quantity = Math.round(holding.quantity * 1_000);
    position.entryNotional = market.quote(Math.round(holding.entry * 100), position.quantity);
    account.touchStake(market.terms.marketId);
    return market;
  });
  const [eth, btc] = markets as [FuturesMarketState, FuturesMarketState];
  return { state, eth, btc };
}

function usdtOf(price: bigint | null): string {
  return (Number(price) / unit).toFixed(2);
}

describe('liquidationPrice', () => {
  it('liquidationPrice: 1,153.26 for the ether and 26,316.89 for the bitcoin of the example', () => {
    const { state, eth, btc } = portfolio();
    const account = state.openAccount(1);
    expect(usdtOf(liquidationPrice(state, account, eth))).toBe('1153.26');
    expect(usdtOf(liquidationPrice(state, account, btc))).toBe('26316.89');
  });

  it('liquidationPrice: at that mark price equity has just come down to maintenance margin', () => {
    const { state, btc } = portfolio();
    const account = state.openAccount(1);
    const price = liquidationPrice(state, account, btc) ?? 0n;
    for (const [mark, isLiquidated] of [
      [price - 10n, true],
      [price + 10n, false],
    ] as const) {
      btc.markPrice = mark;
      state.markEpoch += 1;
      const { equity, maintenance } = accountMargin(state, account);
      expect([mark, equity <= maintenance]).toEqual([mark, isLiquidated]);
    }
  });

  it("bankruptcyPrice: closing there costs no more than the account's equity", () => {
    const { state, btc } = portfolio();
    const position = state.openAccount(1).positionIn(btc.terms.marketId);
    const equity = amountOf(100_000);
    const ticks = bankruptcyPrice(btc, position, equity);
    const value = btc.valueAt(btc.markPrice ?? 0n, position.quantity);
    expect(value - btc.quote(ticks, position.quantity)).toBeLessThanOrEqual(equity);
    expect(value - btc.quote(ticks - 1, position.quantity)).toBeGreaterThan(equity);
  });
});
