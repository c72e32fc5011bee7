import { Type } from 'typebox';
import { listAccountBalances } from '../../../application/futures/list-account-balances.ts';
import type { Exchange } from '../../../application/ports/exchange.ts';
import { done } from '../../../domain/outcome.ts';
import { accountReads, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { decimalText, nullable, oneOf, strictObject } from '../schema.ts';

const ofPerp = (description: string) =>
  nullable(decimalText(`${description}; null for a spot balance`, '1000'));

/** The caller's balances, in the perp wallet and in the spot wallet. */
export function listBalances({ exchange }: { readonly exchange: Exchange }): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/account/balances',
    tag: 'Derivatives account',
    summary: 'List balances of both wallets',
    description:
      'The perp wallet first, then every spot balance that has ever been other than zero. ' +
      'The balances channel publishes their changes.',
    weight: 1,
    auth: accountReads,
    answer: Type.Array(
      strictObject({
        market: oneOf(['spot', 'futures'], { description: 'The wallet' }),
        token: Type.String({ description: 'The token', examples: ['USDT'] }),
        available: decimalText(
          'The part that is not locked; the margin of positions is not deducted',
          '1000',
        ),
        locked: decimalText('Set aside for orders (spot) or withdrawals', '25'),
        wallet_balance: ofPerp('Without unrealized profit'),
        unrealized_profit: ofPerp('At mark prices'),
        equity: ofPerp('wallet_balance + unrealized_profit'),
        available_balance: ofPerp('The margin available for new orders'),
      }),
      { description: 'The balances' },
    ),
    handle: async ({ caller }) => done(await listAccountBalances(exchange, caller.address)),
  });
}
