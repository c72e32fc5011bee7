import { Type } from 'typebox';
import type { AdminWritePorts } from '../../../application/admin/admin-write.ts';
import { setSpotMarketStatus } from '../../../application/admin/set-spot-market-status.ts';
import { done } from '../../../domain/outcome.ts';
import { administrator, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { strictObject } from '../schema.ts';
import { symbolText } from '../spot/spot-schemas.ts';
import { engineUnavailableIsDatabaseError } from '../spot/unavailable-rows.ts';
import { okSchema } from './admin-schemas.ts';

/** Halts, relists or delists a spot market. */
export function setMarketStatus(ports: AdminWritePorts): Endpoint {
  return defineEndpoint({
    method: 'PUT',
    path: '/api/v1/admin/spot/markets/:id/status',
    tag: 'Administration',
    summary: "Set a spot market's status",
    description:
      'A listed market can be halted, and a halted one listed again. Either can be delisted, ' +
      'which cancels the resting orders and is final. Setting the current status again succeeds.',
    weight: 0,
    auth: administrator,
    params: strictObject({ id: symbolText }),
    body: strictObject({
      status: Type.String({
        description: 'listed, halted or delisted; any other value is INVALID_STATUS',
        examples: ['halted'],
      }),
    }),
    answer: okSchema,
    errorRows: engineUnavailableIsDatabaseError,
    reasons: ['market_not_found', 'market_status_final', 'market_status_not_allowed'],
    handle: async ({ params, body }) => {
      const changed = await setSpotMarketStatus(ports, params.id, body.status);
      return changed.kind === 'refused' ? changed : done({ ok: true });
    },
  });
}
