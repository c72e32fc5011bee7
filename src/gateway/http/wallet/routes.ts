import type { WalletReadPorts } from '../../../application/wallet/read-wallet.ts';
import type { WithdrawPorts } from '../../../application/wallet/request-withdrawal.ts';
import { spotSurface } from '../../errors/plain-errors.ts';
import type { SurfaceRoutes } from '../server.ts';
import { listDeposits } from './list-deposits.ts';
import { getWithdrawal, listWithdrawals } from './list-withdrawals.ts';
import { requestSpotWithdrawal } from './request-withdrawal.ts';

export interface WalletRoutePorts extends WithdrawPorts, WalletReadPorts {}

/** The spot wallet's way to the chain and back. */
export function walletRoutes(ports: WalletRoutePorts): SurfaceRoutes {
  const endpoints = [
    requestSpotWithdrawal(ports),
    listWithdrawals(ports),
    getWithdrawal(ports),
    listDeposits(ports),
  ];
  return { surface: spotSurface, endpoints };
}
