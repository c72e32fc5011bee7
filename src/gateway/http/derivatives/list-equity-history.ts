import { Type } from 'typebox';
import { equityIntervals } from '../../../application/futures/account-equity.ts';
import type { FuturesReadPorts } from '../../../application/futures/futures-ports.ts';
import { listEquityHistory } from '../../../application/futures/list-equity-history.ts';
import { done } from '../../../domain/outcome.ts';
import { accountReads, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { decimalText, oneOf, strictObject, timeText } from '../schema.ts';

const intervalDefault = '1d';
const periodsDefault = 30;
const periodsMax = 366;

const periodSchema = strictObject(
  {
    start_time: timeText('Start of the UTC hour or day'),
    end_time: timeText('End of the period; for the current one: now'),
    equity: decimalText('wallet_balance + unrealized_profit at the end', '1012.5'),
    wallet_balance: decimalText('At the end, without unrealized profit', '1000'),
    unrealized_profit: decimalText('At the last mark prices of the period', '12.5'),
    profit: decimalText('The change of equity without transfers', '15.25'),
    realized_profit: decimalText('The profit of trades that closed positions', '5'),
    funding: decimalText('Negative if it was paid', '-0.25'),
    fees: decimalText('Negative if they were paid', '-1.5'),
    transfers: decimalText(
      'Incoming minus outgoing transfers, including withdrawals and clearing',
      '100',
    ),
  },
  { title: 'EquityPeriod' },
);

/** The caller's equity over time. */
export function listEquityHistoryEndpoint(ports: FuturesReadPorts): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/account/equity-history',
    tag: 'Derivatives account',
    summary: 'Equity and profit over time',
    description:
      'Equity of the perp account at the end of each UTC hour or day, and the profit within it, ' +
      'newest first. Funding counts when it is booked. Periods before the first movement are ' +
      'omitted.',
    weight: 100,
    auth: accountReads,
    query: strictObject({
      interval: Type.Optional(
        oneOf(equityIntervals, {
          description: 'The length of a period',
          default: intervalDefault,
        }),
      ),
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: periodsMax,
          default: periodsDefault,
          description: 'Number of periods, the current one included',
          examples: [periodsDefault],
        }),
      ),
    }),
    answer: strictObject({ items: Type.Array(periodSchema, { description: 'The periods' }) }),
    handle: async ({ caller, query: { interval = intervalDefault, limit = periodsDefault } }) => {
      const { address } = caller;
      return done({ items: [...(await listEquityHistory(ports, { address, interval, limit }))] });
    },
  });
}
