import type { FuturesView } from '../ports/exchange.ts';
import { insuranceBalance } from './insurance-fund.ts';

const unitsPerUsdt = 100_000_000;
const msPerSecond = 1_000;

/** Figures for the metrics. Money is in whole USDT, which may round. */
export interface RiskFigures {
  /** What the insurance fund holds, including what it has reserved. */
  readonly insuranceFund: number;
  /** The part reserved for close-outs in progress. */
  readonly insuranceHeld: number;
  /** Losses that nobody has paid; not negative. */
  readonly badDebt: number;
  /** Whether withdrawals wait because a loss has no payer yet. */
  readonly isGateShut: boolean;
  /** Numbers of markets that are not delisted. */
  readonly staleMarkets: number;
  readonly heldMarkets: number;
  readonly settlingMarkets: number;
  readonly accountsInLiquidation: number;
  /** How long the oldest close-out has lasted; 0 if there is none. */
  readonly oldestLiquidationSeconds: number;
}

/** The risk of all perpetuals at a time in milliseconds since 1970. */
export function measureRisk(futures: FuturesView, now: number): RiskFigures {
  const markets = futures.listFuturesMarkets().filter(({ status }) => status !== 'delisted');
  const priceStates = markets.map(({ marketId }) => futures.getFuturesPrices(marketId).priceState);
  const since = futures.closingSince;
  return {
    insuranceFund: Number(insuranceBalance(futures)) / unitsPerUsdt,
    insuranceHeld: Number(futures.insuranceHeld) / unitsPerUsdt,
    badDebt: Number(0n - futures.badDebt) / unitsPerUsdt,
    isGateShut: futures.isWithdrawalGateShut,
    staleMarkets: priceStates.filter((state) => state === 'stale').length,
    heldMarkets: priceStates.filter((state) => state === 'held').length,
    settlingMarkets: markets.filter(({ marketId }) => futures.isFuturesMarketSettling(marketId))
      .length,
    accountsInLiquidation: futures.closeOutCount,
    oldestLiquidationSeconds: since === null ? 0 : Math.max(0, now - since) / msPerSecond,
  };
}
