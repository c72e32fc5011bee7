import { Type } from 'typebox';
import type { FuturesReadPorts } from '../../../application/futures/futures-ports.ts';
import { loadUnifiedAccount } from '../../../application/futures/load-unified-account.ts';
import { done } from '../../../domain/outcome.ts';
import { accountReads, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { decimalText, nullable, oneOf, strictObject, timeText } from '../schema.ts';
import { positionSchema } from './derivative-schemas.ts';

/** The account from the margin's point of view. */
export function getUnifiedAccount(ports: FuturesReadPorts): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/unified/account',
    tag: 'Derivatives account',
    summary: 'Get the unified account',
    description:
      'Equity, margins and positions as of one moment. The margin of resting orders is part ' +
      'of equity and of initial_margin, and is deducted from available_balance.',
    weight: 5,
    auth: accountReads,
    answer: strictObject({
      wallet_balance: decimalText('Without unrealized profit', '1000'),
      unrealized_profit: decimalText('At mark prices', '-12.5'),
      equity: decimalText('wallet_balance + unrealized_profit', '987.5'),
      available_balance: decimalText('The margin available for new orders', '587.5'),
      withdrawable: decimalText('The amount that can be withdrawn or transferred', '587.5'),
      initial_margin: decimalText('position_margin + order_margin', '400'),
      position_margin: decimalText('Initial margin of the positions', '300'),
      order_margin: decimalText('Initial margin of the resting orders', '100'),
      maintenance_margin: decimalText(
        'The account is liquidated when its equity is at or below it',
        '24',
      ),
      uniMMR: nullable(
        decimalText(
          'equity divided by maintenance_margin, truncated; null without a position',
          '41.14583333',
        ),
      ),
      margin_mode: Type.String({ description: 'Always cross', examples: ['cross'] }),
      liquidation: nullable(
        strictObject(
          {
            number: Type.Integer({ description: 'The number of the close-out', examples: [7] }),
            stage: oneOf<string>(['orders', 'book', 'final'], {
              description:
                'The stage: its orders are canceled; parts are closed on the book; everything is closed',
            }),
            begun_at: timeText('When it began'),
          },
          { description: 'The liquidation in progress; null if there is none' },
        ),
      ),
      positions: Type.Array(positionSchema, { description: 'All open positions' }),
    }),
    handle: async ({ caller }) => done(await loadUnifiedAccount(ports, caller.address)),
  });
}
