import { Type } from 'typebox';
import type { AdminWritePorts } from '../../../application/admin/admin-write.ts';
import { setFuturesMarketStatus } from '../../../application/futures/administer-futures.ts';
import type { TimestampMs } from '../../../domain/identifiers.ts';
import { done } from '../../../domain/outcome.ts';
import { marketParams } from '../derivatives/derivative-schemas.ts';
import { administrator, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { readPositiveAmount } from '../read-decimal.ts';
import { readTime, timeInput } from '../read-time.ts';
import { decimalInput, strictObject } from '../schema.ts';
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
      'A listed market can be halted, and a halted one listed again. Either can be delisted, ' +
      'which cancels the resting orders, settles the positions and is final. Setting the current ' +
      'status again succeeds. A delisting settles at the mean index price of the last half hour, or at ' +
      'settlement_price if that half hour has fewer than 600 seconds of index prices. With ' +
      'effective_at, the delisting begins at that time; during the 30 minutes before it, only ' +
      'orders that reduce positions are accepted. Setting listed or halted cancels it.',
    weight: 0,
    auth: administrator,
    params: marketParams,
    body: strictObject({
      status: Type.String({
        description: 'listed, halted or delisted; any other value is INVALID_STATUS',
        examples: ['halted'],
      }),
      settlement_price: Type.Optional(
        decimalInput('Price of a delisting, within 10 % of the mark price', '64000.5'),
      ),
      effective_at: timeInput('When the delisting begins; default: now'),
    }),
    answer: okSchema,
    errorRows: engineUnavailableIsDatabaseError,
    reasons: [
      'market_not_found',
      'market_status_final',
      'market_status_not_allowed',
      'settlement_price_required',
      'parameter_invalid',
    ],
    handle: async ({ params, body }) => {
      const { settlement_price: text } = body;
      const price = text === undefined ? done(null) : readPositiveAmount('settlement_price', text);
      if (price.kind === 'refused') return price;
      const effectiveAt = readTime('effective_at', body.effective_at);
      if (effectiveAt.kind === 'refused') return effectiveAt;
      const changed = await setFuturesMarketStatus(ports, params.symbol, {
        status: body.status,
        settlementPrice: price.value,
        effectiveAt: effectiveAt.value as TimestampMs | null,
      });
      return changed.kind === 'refused' ? changed : done({ ok: true });
    },
  });
}
