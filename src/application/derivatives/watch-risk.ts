import type { FuturesView } from '../ports.ts';
import { insuranceBalance } from './insurance-fund.ts';

const unitsPerUsdt = 100_000_000;
const msPerSecond = 1_000;

/** Figures for the metrics: numbers of markets and accounts, USDT, seconds. */
export function measureRisk(futures: FuturesView, now: number) {
  const markets = futures.listFuturesMarkets().filter(({ status }) => status !== 'delisted');
  const states = markets.map(({ marketId }) => futures.getFuturesPrices(marketId).priceState);
  const since = futures.closingSince;
  return {
    insuranceFund: Number(insuranceBalance(futures)) / unitsPerUsdt,
    insuranceHeld: Number(futures.insuranceHeld) / unitsPerUsdt,
    badDebt: Number(0n - futures.badDebt) / unitsPerUsdt,
    isGateShut: futures.isWithdrawalGateShut,
    staleMarkets: states.filter((state) => state === 'stale').length,
    heldMarkets: states.filter((state) => state === 'held').length,
    settlingMarkets: markets.filter(({ marketId }) => futures.isFuturesMarketSettling(marketId))
      .length,
    accountsInLiquidation: futures.closeOutCount,
    oldestLiquidationSeconds: since === null ? 0 : Math.max(0, now - since) / msPerSecond,
  };
}
