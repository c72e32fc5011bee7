import type { FaucetPorts } from '../../../application/wallet/draw-from-faucet.ts';
import { plainSurface } from '../../errors/plain-errors.ts';
import type { SurfaceRoutes } from '../server.ts';
import { drawTestMoney } from './draw-test-money.ts';

/** The faucet of test networks. */
export function faucetRoutes(ports: FaucetPorts): SurfaceRoutes {
  return { surface: plainSurface, endpoints: [drawTestMoney(ports)] };
}
