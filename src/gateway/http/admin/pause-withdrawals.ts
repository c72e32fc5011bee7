import { Type } from 'typebox';
import type { ContractGuardian } from '../../../application/ports/contract-pauses.ts';
import type { PerpWithdrawalStore } from '../../../application/wallet/wallet-ports.ts';
import { done, refused } from '../../../domain/outcome.ts';
import { chainAdminErrors } from '../../errors/chain-errors.ts';
import { administrator, defineEndpoint, type Endpoint, namedError } from '../endpoint.ts';
import { strictObject } from '../schema.ts';
import { okSchema, pauseContractInput, plainTextInput } from './admin-schemas.ts';

/** Reads the pause switch of withdrawals. */
export function getWithdrawalsPause(ports: {
  readonly perpWithdrawals: PerpWithdrawalStore;
}): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/admin/withdrawals/pause',
    tag: 'Administration',
    summary: 'Whether withdrawals are paused',
    description: 'The current state of the switch.',
    weight: 0,
    auth: administrator,
    answer: strictObject({
      paused: Type.Boolean({ description: 'Whether withdrawals are paused', examples: [false] }),
    }),
    handle: async () => done({ paused: await ports.perpWithdrawals.isPaused() }),
  });
}

const vaultAlone = ['spotVault'] as const;

/** Sets the pause switch of withdrawals, one for both wallets. */
export function pauseWithdrawals(ports: {
  readonly perpWithdrawals: PerpWithdrawalStore;
  readonly guardian: ContractGuardian;
}): Endpoint {
  return defineEndpoint({
    method: 'PUT',
    path: '/api/v1/admin/withdrawals/pause',
    tag: 'Administration',
    summary: 'Pause or resume withdrawals',
    description:
      'While paused, POST /api/v1/withdraw/request returns 503 WITHDRAWALS_PAUSED and POST ' +
      '/api/v1/spot/withdraw/request 500 `signer unavailable`; cancel, confirm and history ' +
      'keep working. The switch survives a restart. A shortage of the vault turns it on as ' +
      'well. With `pause_contract` a guardian pauses the vault too, which stops what is ' +
      'already signed; only the council can undo that.',
    weight: 0,
    auth: administrator,
    namedRows: [chainAdminErrors.noGuardian],
    body: strictObject({
      paused: Type.Boolean({ description: 'Whether withdrawals are paused', examples: [true] }),
      reason: Type.Optional(
        plainTextInput(500, 'The reason, for the audit log', 'a signer is replaced'),
      ),
      pause_contract: pauseContractInput,
    }),
    answer: okSchema,
    handle: async ({ body }) => {
      const { paused: isPaused, reason = null, pause_contract: isContractPaused = false } = body;
      if (isContractPaused && !isPaused) {
        const detail = 'pause_contract: only with paused true';
        return refused({ reason: 'parameter_invalid', detail });
      }
      const contracts = isContractPaused ? vaultAlone : [];
      if (isContractPaused && !(await ports.guardian.canPause(contracts))) {
        return namedError(chainAdminErrors.noGuardian);
      }
      await ports.perpWithdrawals.setPaused({ isPaused, reason, contracts });
      if (isContractPaused) await ports.guardian.pauseRequested();
      return done({ ok: true });
    },
  });
}
