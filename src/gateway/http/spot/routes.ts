import type { SpotTickerPorts } from '../../../application/market-data/load-spot-ticker.ts';
import type { CancelAllPorts } from '../../../application/trading/cancel-all-spot-orders.ts';
import { spotSurface } from '../../errors/plain-errors.ts';
import type { SurfaceRoutes } from '../surface-routes.ts';
import { cancelAllOrders } from './cancel-all-orders.ts';
import { cancelOrder } from './cancel-order.ts';
import { getDepth } from './get-depth.ts';
import { getMarket } from './get-market.ts';
import { getOrder } from './get-order.ts';
import { getTicker } from './get-ticker.ts';
import { listBalances } from './list-balances.ts';
import { listKlines } from './list-klines.ts';
import { listMarkets } from './list-markets.ts';
import { listOpenOrders } from './list-open-orders.ts';
import { listOrders } from './list-orders.ts';
import { listRecentTrades } from './list-recent-trades.ts';
import { listTrades } from './list-trades.ts';
import { listTrends } from './list-trends.ts';
import { placeOrder } from './place-order.ts';
import { previewOrder } from './preview-order.ts';

export interface SpotRoutePorts extends CancelAllPorts, SpotTickerPorts {}

/** Spot trading, balances and market data. */
export function spotRoutes(ports: SpotRoutePorts): SurfaceRoutes {
  const endpoints = [
    placeOrder(ports),
    previewOrder(ports),
    cancelOrder(ports),
    cancelAllOrders(ports),
    listOpenOrders(ports),
    getOrder(ports),
    listOrders(ports),
    listTrades(ports),
    listBalances(ports),
    listMarkets(ports),
    getMarket(ports),
    getDepth(ports),
    getTicker(ports),
    listRecentTrades(ports),
    listKlines(ports),
    listTrends(ports),
  ];
  return { surface: spotSurface, endpoints };
}
