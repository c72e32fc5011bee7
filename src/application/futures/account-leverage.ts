import { type Amount, amountMax, formatAmount, toAmount } from '../../domain/amount.ts';
import type { FuturesMarket } from '../../domain/futures-market.ts';
import type { AccountId, Address } from '../../domain/identifiers.ts';
import { maxNotionalAt } from '../../domain/leverage-brackets.ts';
import { initialMarginRate, valueUp } from '../../domain/margin.ts';
import { done, type Outcome, refused } from '../../domain/outcome.ts';
import type { Exchange, FuturesView } from '../ports/exchange.ts';
import { openAccount } from '../trading/open-account.ts';
import { formatRate } from './futures-views.ts';

/** Account 0 belongs to nobody: it has the leverages of an account that never set any. */
const nobody = 0 as AccountId;

export interface LeverageView {
  readonly symbol: string;
  readonly leverage: number;
  readonly max_leverage: number;
  readonly max_notional: string | null;
}

/**
 * Sets the caller's leverage in a market, which later orders use.
 * @throws EngineBusyError, EngineRestartingError: nothing was changed.
 */
export async function changeLeverage(
  exchange: Exchange,
  caller: Address,
  market: FuturesMarket,
  leverage: number,
): Promise<Outcome<LeverageView>> {
  const isInRange = leverage >= 1 && leverage <= market.maxLeverage;
  if (!isInRange) return refused({ reason: 'leverage_out_of_range' });
  const accountId = await openAccount(exchange, caller);
  const { marketId } = market;
  const command = { type: 'setLeverage', accountId, marketId, leverage } as const;
  const applied = await exchange.submit(command);
  if (applied.rejection !== null) return refused(applied.rejection);
  return done(viewLeverage(market, leverage));
}

/**
 * The caller's leverage in one market, or in all (null).
 * @throws EngineBusyError, EngineRestartingError
 */
export async function listLeverages(
  exchange: Exchange,
  caller: Address,
  symbol: string | null,
): Promise<Outcome<readonly LeverageView[]>> {
  return exchange.read((view) => {
    const markets = listMarkets(view.futures.listFuturesMarkets(), symbol);
    if (markets.kind === 'refused') return markets;
    const accountId = view.findAccount(caller) ?? nobody;
    return done(
      markets.value.map((market) =>
        viewLeverage(market, view.futures.getLeverage(accountId, market.marketId)),
      ),
    );
  });
}

export interface MarketBracketsView {
  readonly symbol: string;
  /** Of all longs at the mark price; null before the first price. */
  readonly open_interest_value: string | null;
  /** The open interest from which margins rise. */
  readonly margin_raised_from: string;
  readonly max_open_interest: string;
  readonly brackets: readonly {
    readonly bracket: number;
    readonly max_leverage: number;
    readonly notional_floor: string;
    readonly notional_cap: string | null;
    readonly initial_margin_rate: string;
    readonly maintenance_margin_rate: string;
    readonly maintenance_amount: string;
  }[];
}

/**
 * The leverage brackets of one market, or of all (null).
 * @throws EngineBusyError, EngineRestartingError
 */
export async function listLeverageBrackets(
  exchange: Exchange,
  symbol: string | null,
): Promise<Outcome<readonly MarketBracketsView[]>> {
  return exchange.read((view) => {
    const markets = listMarkets(view.futures.listFuturesMarkets(), symbol);
    return markets.kind === 'refused'
      ? markets
      : done(markets.value.map((market) => viewBrackets(market, view.futures)));
  });
}

function listMarkets(
  all: readonly FuturesMarket[],
  symbol: string | null,
): Outcome<readonly FuturesMarket[]> {
  if (symbol === null) return done(all);
  const asked = all.filter((market) => market.symbol === symbol.toUpperCase());
  return asked.length === 0 ? refused({ reason: 'market_not_found' }) : done(asked);
}

function viewLeverage(market: FuturesMarket, leverage: number): LeverageView {
  return {
    symbol: market.symbol,
    leverage,
    max_leverage: market.maxLeverage,
    max_notional: formatCap(maxNotionalAt(market.brackets, leverage)),
  };
}

function viewBrackets(market: FuturesMarket, futures: FuturesView): MarketBracketsView {
  const { symbol, brackets, maxOpenInterest } = market;
  const { markPrice } = futures.getFuturesPrices(market.marketId);
  const size = BigInt(futures.getOpenInterest(market.marketId)) * market.lotSize;
  const openInterest = valueUp(size, markPrice ?? 0n);
  return {
    symbol,
    open_interest_value: markPrice === null ? null : formatAmount(toAmount(openInterest)),
    margin_raised_from: formatAmount(toAmount(maxOpenInterest / 2n)),
    max_open_interest: formatAmount(maxOpenInterest),
    brackets: brackets.map((bracket) => ({
      bracket: bracket.bracket,
      max_leverage: bracket.maxLeverage,
      notional_floor: formatAmount(bracket.notionalFloor),
      notional_cap: formatCap(bracket.notionalCap),
      initial_margin_rate: formatRate(
        initialMarginRate(bracket.maxLeverage, openInterest, maxOpenInterest),
      ),
      maintenance_margin_rate: formatRate(bracket.maintenanceMarginRate),
      maintenance_amount: formatAmount(bracket.maintenanceAmount),
    })),
  };
}

/** Null if nothing limits it but the range of amounts. */
function formatCap(cap: Amount): string | null {
  return cap >= amountMax ? null : formatAmount(cap);
}
