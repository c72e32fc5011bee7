import { plainSurface } from '../../errors/plain-errors.ts';
import type { SurfaceRoutes } from '../server.ts';
import { createFuturesMarketEndpoint, type FuturesAdminPorts } from './create-futures-market.ts';
import { setFuturesMarketStatusEndpoint } from './set-futures-market-status.ts';
import { setIndexPriceEndpoint } from './set-index-price.ts';

/** The administration of perpetual markets. */
export function adminFuturesRoutes(ports: FuturesAdminPorts): SurfaceRoutes {
  const endpoints = [
    createFuturesMarketEndpoint(ports),
    setFuturesMarketStatusEndpoint(ports),
    setIndexPriceEndpoint(ports),
  ];
  return { surface: plainSurface, endpoints };
}
