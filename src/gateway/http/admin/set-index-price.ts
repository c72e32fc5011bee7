import { Type } from 'typebox';
import type { AdminWritePorts } from '../../../application/admin/admin-write.ts';
import { setIndexPrice } from '../../../application/futures/administer-futures.ts';
import { done } from '../../../domain/outcome.ts';
import { marketParams } from '../derivatives/derivative-schemas.ts';
import { administrator, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { readPositiveAmount } from '../read-decimal.ts';
import { marketRefusals } from '../refusals.ts';
import { decimalInput, strictObject } from '../schema.ts';
import { engineUnavailableIsDatabaseError } from '../spot/unavailable-rows.ts';

/** Pushes an index price. */
export function setIndexPriceEndpoint(ports: AdminWritePorts): Endpoint {
  return defineEndpoint({
    method: 'PUT',
    path: '/api/v1/admin/futures/markets/:symbol/index-price',
    tag: 'Administration',
    summary: "Set a perpetual market's index price",
    description:
      'For markets whose index price is set by an administrator (INDEX_PRICE_SOURCE=admin). ' +
      'A price older than 60 s is stale: orders that open positions are refused, ' +
      'liquidations continue at the last mark price. `held`: the price differs by more than ' +
      'index_jump_bps and waits for a second one near it, 1 to 60 s later.',
    weight: 0,
    auth: administrator,
    params: marketParams,
    body: strictObject({
      price: decimalInput('USDT for one whole base asset, at most 8 decimals', '64000.5'),
    }),
    answer: strictObject({
      ok: Type.Boolean({ description: 'Always true', examples: [true] }),
      outcome: Type.Union([Type.Literal('taken'), Type.Literal('held')], {
        description: 'Whether the price applies now or waits for its confirmation',
        examples: ['taken'],
      }),
    }),
    errorRows: engineUnavailableIsDatabaseError,
    reasons: marketRefusals,
    handle: async ({ params, body }) => {
      const price = readPositiveAmount('price', body.price);
      if (price.kind === 'refused') return price;
      const set = await setIndexPrice(ports, params.symbol, price.value);
      return set.kind === 'refused' ? set : done({ ok: true, outcome: set.value });
    },
  });
}
