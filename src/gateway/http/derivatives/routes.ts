import type { FuturesPorts } from '../../../application/futures/futures-ports.ts';
import type { FeeInfoPorts } from '../../../application/futures/load-fee-info.ts';
import { envelopeSurface } from '../../errors/envelope-errors.ts';
import type { SurfaceRoutes } from '../surface-routes.ts';
import { amendOrderEndpoint } from './amend-order.ts';
import { cancelAllOrdersEndpoint } from './cancel-all-orders.ts';
import { cancelOrderEndpoint } from './cancel-order.ts';
import { getDepth } from './get-depth.ts';
import { getExternalTicker } from './get-external-ticker.ts';
import { getFeeInfo } from './get-fee-info.ts';
import { getFundingRates } from './get-funding-rates.ts';
import { getMarket } from './get-market.ts';
import { getUnifiedAccount } from './get-unified-account.ts';
import { leverageEndpoints } from './leverage-endpoints.ts';
import { listTrades } from './list-account-trades.ts';
import { listBalances } from './list-balances.ts';
import { listEquityHistoryEndpoint } from './list-equity-history.ts';
import { listIncomeEndpoint } from './list-income.ts';
import { listLiquidations } from './list-liquidations.ts';
import { listMarketKlines } from './list-market-klines.ts';
import { listMarketTrades } from './list-market-trades.ts';
import { listMarkets } from './list-markets.ts';
import { listOpenOrders } from './list-open-orders.ts';
import { listOrders } from './list-orders.ts';
import { listPositions } from './list-positions.ts';
import { listTrends } from './list-trends.ts';
import { placeOrderEndpoint } from './place-order.ts';
import { previewOrderEndpoint } from './preview-order.ts';
import { setMarginMode } from './set-margin-mode.ts';
import { triggerOrderEndpoints } from './trigger-order-endpoints.ts';

/** Derivatives on the general endpoints. */
export function derivativeRoutes(ports: FeeInfoPorts & FuturesPorts): SurfaceRoutes {
  const endpoints = [
    placeOrderEndpoint(ports),
    amendOrderEndpoint(ports),
    cancelOrderEndpoint(ports),
    cancelAllOrdersEndpoint(ports),
    previewOrderEndpoint(ports),
    listOrders(ports, '/api/v1/orders'),
    listOrders(ports, '/api/v1/account/orders'),
    listOpenOrders(ports),
    listPositions(ports),
    listBalances(ports),
    listTrades(ports),
    listIncomeEndpoint(ports),
    listEquityHistoryEndpoint(ports),
    listLiquidations(ports),
    ...triggerOrderEndpoints(ports),
    getFeeInfo(ports),
    setMarginMode(),
    ...leverageEndpoints(ports),
    getUnifiedAccount(ports),
    listMarkets(ports),
    getMarket(ports),
    getDepth(ports),
    listMarketTrades(ports),
    listMarketKlines(ports),
    listTrends(ports),
    getExternalTicker(ports),
    getFundingRates(ports),
  ];
  return { surface: envelopeSurface, endpoints };
}
