import { Type } from 'typebox';
import type { Exchange } from '../../../application/ports/exchange.ts';
import { listSpotBalances } from '../../../application/wallet/list-spot-balances.ts';
import { done } from '../../../domain/outcome.ts';
import { accountReads, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { decimalText, strictObject } from '../schema.ts';
import { engineUnavailableIsDatabaseError } from './unavailable-rows.ts';

/** The caller's spot balances, from the engine's live state. */
export function listBalances({ exchange }: { readonly exchange: Exchange }): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/spot/balances',
    tag: 'Spot wallet',
    summary: 'List balances',
    description:
      'Every token that the caller has ever held, with the amount locked by open orders.',
    weight: 2,
    auth: accountReads,
    answer: strictObject({
      items: Type.Array(
        strictObject({
          token: Type.String({ description: 'The symbol of the token', examples: ['USDT'] }),
          available: decimalText('Free to trade or withdraw', '1000'),
          locked: decimalText('Held by open orders', '250.5'),
        }),
        { description: 'The balances' },
      ),
    }),
    errorRows: engineUnavailableIsDatabaseError,
    handle: async ({ caller }) => done({ items: await listSpotBalances(exchange, caller.address) }),
  });
}
