import type { FuturesState } from '../futures-state.ts';
import { changeOrders } from '../margin/account-margin.ts';
import type { FuturesMarketState } from '../markets/futures-market-state.ts';
import { type LiveOrder, leftOf } from './live-order.ts';

/** Adds a resting order's remainder to what its account's orders can still trade. */
export function addExposure(state: FuturesState, order: LiveOrder): void {
  changeExposure(state, order, leftOf(order));
}

/** Removes lots that were filled or given up. */
export function removeExposure(state: FuturesState, order: LiveOrder, lots: number): void {
  changeExposure(state, order, -lots);
}

/** What the order's remainder adds to what its account's orders can still trade, in USDT. */
export function exposureOf(market: FuturesMarketState, order: LiveOrder): bigint {
  if (order.isReduceOnly || order.price === null) return 0n;
  return market.quote(order.price, leftOf(order));
}

function changeExposure(state: FuturesState, order: LiveOrder, lots: number): void {
  if (order.isReduceOnly || order.price === null) return;
  const market = state.getMarket(order.marketId);
  const size = BigInt.asIntN(64, market.quote(order.price, Math.abs(lots)));
  const notional = lots < 0 ? BigInt.asIntN(64, 0n - size) : size;
  changeOrders(state.openAccount(order.accountId), market, order.side === 'buy', notional);
}
