import type { ContractGuardian } from '../../../application/ports/contract-pauses.ts';
import type { WalletPauseStore } from '../../../application/wallet/pause-ports.ts';
import type { WalletReadPorts } from '../../../application/wallet/read-wallet.ts';
import type { PerpWithdrawPorts } from '../../../application/wallet/request-perp-withdrawal.ts';
import type { WithdrawPorts } from '../../../application/wallet/request-withdrawal.ts';
import { envelopeSurface } from '../../errors/envelope-errors.ts';
import { plainSurface, spotSurface } from '../../errors/plain-errors.ts';
import { getWithdrawalsPause, pauseWithdrawals } from '../admin/pause-withdrawals.ts';
import { liftWalletPause, listWalletPauses, raiseWalletPause } from '../admin/wallet-pauses.ts';
import type { SurfaceRoutes } from '../surface-routes.ts';
import { listDeposits } from './list-deposits.ts';
import { getWithdrawal, listWithdrawals } from './list-withdrawals.ts';
import {
  cancelWithdraw,
  confirmWithdraw,
  listWithdraws,
  requestWithdraw,
} from './perp-withdrawals.ts';
import { requestSpotWithdrawal } from './request-withdrawal.ts';
import { signWithdrawal } from './sign-withdrawal.ts';
import { listTransfers, requestTransfer } from './transfer.ts';

export interface WalletRoutePorts extends WithdrawPorts, PerpWithdrawPorts, WalletReadPorts {
  readonly pauses: WalletPauseStore;
  readonly guardian: ContractGuardian;
}

/** Deposits, withdrawals and transfers of both wallets. */
export function walletRoutes(ports: WalletRoutePorts): readonly SurfaceRoutes[] {
  return [
    {
      surface: spotSurface,
      endpoints: [
        requestSpotWithdrawal(ports),
        listWithdrawals(ports),
        getWithdrawal(ports),
        signWithdrawal(ports),
        listDeposits(ports),
        requestTransfer(ports),
        listTransfers(ports),
      ],
    },
    {
      surface: envelopeSurface,
      endpoints: [
        requestWithdraw(ports),
        confirmWithdraw(ports),
        cancelWithdraw(ports),
        listWithdraws(ports),
      ],
    },
    {
      surface: plainSurface,
      endpoints: [
        getWithdrawalsPause(ports),
        pauseWithdrawals(ports),
        listWalletPauses(ports),
        raiseWalletPause(ports),
        liftWalletPause(ports),
      ],
    },
  ];
}
