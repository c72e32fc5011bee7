import { Type } from 'typebox';
import type { FuturesReadPorts } from '../../../application/futures/futures-ports.ts';
import { listIncome } from '../../../application/futures/list-income.ts';
import { incomeTypes } from '../../../application/ports/futures-history.ts';
import { accountReads, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { marketRefusals } from '../refusals.ts';
import { decimalText, nullable, oneOf, strictObject, timeText } from '../schema.ts';
import { symbolText } from './derivative-schemas.ts';
import {
  historyWeight,
  historyWeightMax,
  offsetHistoryFields,
  readHistoryQuery,
} from './history-query.ts';

const typeText = oneOf(incomeTypes, {
  description:
    'COMMISSION: a fee; REALIZED_PNL: of a trade that closed a position; FUNDING_FEE; ' +
    'TRANSFER: from or to the spot wallet; INSURANCE_CLEAR: with the insurance fund, after ' +
    'a liquidation',
  examples: ['FUNDING_FEE'],
});

const incomeSchema = strictObject(
  {
    income_id: Type.Integer({ description: 'Unique within its type', examples: [1042] }),
    type: typeText,
    symbol: nullable(symbolText),
    amount: decimalText('Negative if it was paid', '-0.0125'),
    asset: Type.String({ description: 'Always USDT', examples: ['USDT'] }),
    trade_id: nullable(
      Type.Integer({
        description: 'The trade of a fee or a profit; otherwise null',
        examples: [1042],
      }),
    ),
    created_at: timeText('When it was booked'),
  },
  { title: 'Income' },
);

/** The changes of the caller's perp wallet. */
export function listIncomeEndpoint(ports: FuturesReadPorts): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/income',
    tag: 'Derivatives account',
    summary: 'List income',
    description:
      'Fees, funding, realized profit and transfers of the perp wallet, newest first. With ' +
      'end_time given, pages stay stable while new entries arrive.',
    weight: historyWeightMax,
    weighs: historyWeight,
    auth: accountReads,
    query: strictObject({ ...offsetHistoryFields, type: Type.Optional(typeText) }),
    answer: strictObject({
      items: Type.Array(incomeSchema, { description: 'The entries' }),
      next_offset: nullable(
        Type.Integer({
          description: 'The offset of the page after this one; null on the last page',
          examples: [100],
        }),
      ),
    }),
    reasons: marketRefusals,
    handle: async ({ caller, query }) => {
      const request = readHistoryQuery(caller.address, query);
      if (request.kind === 'refused') return request;
      return listIncome(ports, { ...request.value, type: query.type ?? null });
    },
  });
}
