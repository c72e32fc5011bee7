import { type Static, Type } from 'typebox';
import type { AdminWritePorts } from '../../../application/admin/admin-write.ts';
import { createSpotMarket } from '../../../application/admin/create-spot-market.ts';
import { spotFeeBpsMax } from '../../../domain/fee.ts';
import { done, type Outcome, refused } from '../../../domain/outcome.ts';
import type { SpotMarketTerms } from '../../../domain/spot-market.ts';
import { administrator, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { readMarketSizes } from '../read-decimal.ts';
import { decimalInput, strictObject } from '../schema.ts';
import { engineUnavailableIsDatabaseError } from '../spot/unavailable-rows.ts';
import { tokenInput } from './admin-schemas.ts';

const feeInput = (description: string) =>
  Type.Integer({ minimum: 0, maximum: spotFeeBpsMax, description, examples: [10] });

const marketBody = strictObject({
  id: Type.String({
    description:
      'The id of the market, unique, case-sensitive: 1 to 32 letters, digits and . _ : / -, ' +
      'beginning with a letter or digit',
    examples: ['BTCUSDT'],
  }),
  base_token: tokenInput('The traded token', 'BTC'),
  quote_token: tokenInput('The token in which it is priced', 'USDT'),
  tick_size: decimalInput('Prices are multiples of it', '0.01'),
  lot_size: decimalInput('Quantities are multiples of it, at most 8 decimals', '0.00001'),
  min_notional: decimalInput('Minimum price x quantity of an order, 0 for none', '5'),
  maker_fee_bps: feeInput('The fee of a resting order in basis points; 0: free'),
  taker_fee_bps: feeInput('The fee of an arriving order in basis points; 0: free'),
});

/** Creates a spot market, tradeable at once. */
export function createMarket(ports: AdminWritePorts): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path: '/api/v1/admin/spot/markets',
    tag: 'Administration',
    summary: 'Create a spot market',
    description:
      'Creates a market with the status listed; it can be queried and traded immediately. ' +
      'tick_size x lot_size must be a multiple of 0.00000001, so that every trade settles ' +
      'exactly.',
    weight: 0,
    auth: administrator,
    body: marketBody,
    answer: strictObject({
      ok: Type.Boolean({ description: 'Always true', examples: [true] }),
      id: Type.String({ description: 'The id of the market', examples: ['BTCUSDT'] }),
    }),
    errorRows: engineUnavailableIsDatabaseError,
    reasons: ['market_exists'],
    handle: async ({ body }) => {
      const terms = readTerms(body);
      if (terms.kind === 'refused') return terms;
      const created = await createSpotMarket(ports, terms.value);
      return created.kind === 'refused' ? created : done({ ok: true, id: created.value });
    },
  });
}

function readTerms(body: Static<typeof marketBody>): Outcome<SpotMarketTerms> {
  const sizes = readMarketSizes(body);
  if (sizes.kind === 'refused') return sizes;
  if (sizes.value.minNotional < 0n) {
    return refused({ reason: 'parameter_invalid', detail: 'min_notional: must not be below 0' });
  }
  return done({
    symbol: body.id,
    baseToken: body.base_token,
    quoteToken: body.quote_token,
    ...sizes.value,
    makerFeeBps: body.maker_fee_bps,
    takerFeeBps: body.taker_fee_bps,
  });
}
