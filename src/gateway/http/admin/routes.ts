import type { TestCreditPorts } from '../../../application/admin/credit-spot-balance.ts';
import { plainSurface } from '../../errors/plain-errors.ts';
import type { SurfaceRoutes } from '../surface-routes.ts';
import { createMarket } from './create-market.ts';
import { creditBalance } from './credit-balance.ts';
import { setMarketStatus } from './set-market-status.ts';

/** Admin endpoints for spot markets and balances. */
export function adminSpotRoutes(ports: TestCreditPorts): SurfaceRoutes {
  const endpoints = [createMarket(ports), setMarketStatus(ports), creditBalance(ports)];
  return { surface: plainSurface, endpoints };
}
