import type { ChangeUserPorts } from '../../../application/admin/change-user.ts';
import { plainSurface } from '../../errors/plain-errors.ts';
import type { SurfaceRoutes } from '../surface-routes.ts';
import { changeUserEndpoint } from './change-user.ts';
import { createFuturesMarketEndpoint, type FuturesAdminPorts } from './create-futures-market.ts';
import {
  getInsuranceFund,
  holdWithdrawalsEndpoint,
  topUpInsuranceFundEndpoint,
} from './insurance-fund.ts';
import { setFuturesMarketStatusEndpoint } from './set-futures-market-status.ts';
import { setIndexPriceEndpoint } from './set-index-price.ts';

/** Admin endpoints for perpetual markets and VIP tiers. */
export function adminFuturesRoutes(ports: FuturesAdminPorts & ChangeUserPorts): SurfaceRoutes {
  const endpoints = [
    createFuturesMarketEndpoint(ports),
    setFuturesMarketStatusEndpoint(ports),
    setIndexPriceEndpoint(ports),
    getInsuranceFund(ports),
    topUpInsuranceFundEndpoint(ports),
    holdWithdrawalsEndpoint(ports),
    changeUserEndpoint(ports),
  ];
  return { surface: plainSurface, endpoints };
}
