import type { FuturesState } from '../futures-state.ts';
import { type LiveOrder, leftOf } from './live-order.ts';

/** Counts a resting order's open part into what its account's orders may still trade. */
export function addExposure(state: FuturesState, order: LiveOrder): void {
  changeExposure(state, order, leftOf(order));
}

/** Takes lots out that were filled or given up. */
export function removeExposure(state: FuturesState, order: LiveOrder, lots: number): void {
  changeExposure(state, order, -lots);
}

function changeExposure(state: FuturesState, order: LiveOrder, lots: number): void {
  if (order.isReduceOnly || order.price === null) return;
  const market = state.getMarket(order.marketId);
  const account = state.openAccount(order.accountId);
  const exposure = account.exposureIn(order.marketId);
  account.touchStake(order.marketId);
  const size = market.quote(order.price, Math.abs(lots));
  const notional = lots < 0 ? 0n - size : size;
  if (order.side === 'buy') {
    exposure.bidNotional += notional;
    exposure.bidLots += lots;
  } else {
    exposure.askNotional += notional;
    exposure.askLots += lots;
  }
}
