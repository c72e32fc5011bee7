import { Type } from 'typebox';
import type { AdminWritePorts } from '../../../application/admin/admin-write.ts';
import { setFuturesMarketStatus } from '../../../application/derivatives/administer-futures.ts';
import { done } from '../../../domain/outcome.ts';
import { marketParams } from '../derivatives/derivative-schemas.ts';
import { administrator, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { strictObject } from '../schema.ts';
import { engineUnavailableIsDatabaseError } from '../spot/unavailable-rows.ts';
import { okSchema } from './admin-schemas.ts';

/** Halts, relists or delists a perpetual market. */
export function setFuturesMarketStatusEndpoint(ports: AdminWritePorts): Endpoint {
  return defineEndpoint({
    method: 'PUT',
    path: '/api/v1/admin/futures/markets/:symbol/status',
    tag: 'Administration',
    summary: "Set a perpetual market's status",
    description:
      'listed and halted change into each other, both into delisted, which cancels the resting ' +
      'orders and is final. Setting the status that the market has succeeds.',
    weight: 0,
    auth: administrator,
    params: marketParams,
    body: strictObject({
      status: Type.String({
        description: 'listed, halted or delisted; anything else is INVALID_STATUS',
        examples: ['halted'],
      }),
    }),
    answer: okSchema,
    errorRows: engineUnavailableIsDatabaseError,
    reasons: [
      ...(['market_not_found', 'market_status_final', 'market_status_not_allowed'] as const),
      'market_settling',
    ],
    handle: async ({ params, body }) => {
      const changed = await setFuturesMarketStatus(ports, params.symbol, body.status);
      return changed.kind === 'refused' ? changed : done({ ok: true });
    },
  });
}
