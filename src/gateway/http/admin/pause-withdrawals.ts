import { Type } from 'typebox';
import type { PerpWithdrawalStore } from '../../../application/wallet/wallet-ports.ts';
import { done } from '../../../domain/outcome.ts';
import { administrator, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { strictObject } from '../schema.ts';
import { okSchema, plainTextInput } from './admin-schemas.ts';

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

/** Sets the pause switch of withdrawals, one for both wallets. */
export function pauseWithdrawals(ports: {
  readonly perpWithdrawals: PerpWithdrawalStore;
}): Endpoint {
  return defineEndpoint({
    method: 'PUT',
    path: '/api/v1/admin/withdrawals/pause',
    tag: 'Administration',
    summary: 'Pause or resume withdrawals',
    description:
      'While paused, POST /api/v1/withdraw/request answers 503 WITHDRAWALS_PAUSED and POST ' +
      '/api/v1/spot/withdraw/request 500 `signer unavailable`; cancel, confirm and history ' +
      'keep working. The switch survives a restart. A shortage of the vault turns it on as ' +
      'well.',
    weight: 0,
    auth: administrator,
    body: strictObject({
      paused: Type.Boolean({ description: 'Whether withdrawals are paused', examples: [true] }),
      reason: Type.Optional(plainTextInput(500, 'Why, for the audit', 'a signer is replaced')),
    }),
    answer: okSchema,
    handle: async ({ body }) => {
      await ports.perpWithdrawals.setPaused(body.paused, body.reason ?? null);
      return done({ ok: true });
    },
  });
}
