import { type Static, type TObject, Type } from 'typebox';
import type { HistoryRequest } from '../../../application/futures/list-account-history.ts';
import type { Address } from '../../../domain/identifiers.ts';
import { done, type Outcome } from '../../../domain/outcome.ts';
import type { Weighs } from '../endpoint.ts';
import { readTimeRange, timeInput } from '../read-time.ts';
import { listLimit, listLimitDefault, optionalSymbol } from './derivative-schemas.ts';

const offsetMax = 1_000_000;

/** The parameters of a history that is paged by offset only. */
export const offsetHistoryFields = {
  symbol: optionalSymbol,
  start_time: timeInput('Start time, inclusive'),
  end_time: timeInput('End time, inclusive; at most 7 days after start_time'),
  limit: listLimit,
  offset: Type.Optional(
    Type.Integer({
      description: 'Number of items to skip; slow beyond 5000, use cursor instead',
      minimum: 0,
      maximum: offsetMax,
      default: 0,
    }),
  ),
};

/** The parameters of a page of the caller's history. */
export const historyFields = {
  ...offsetHistoryFields,
  cursor: Type.Optional(
    Type.String({
      description:
        'The next_cursor of the previous page, empty for the first page; total is then -1',
      examples: ['MTc2NzU3MTIwMDAwMDoxMDQy'],
    }),
  ),
};

const rowsPerWeight = 1_000;
const statusWeight = 40;

/**
 * A page without a cursor reads all rows, to count them, and once more those that it skips; one of
 * a status reads all orders of other statuses in between.
 */
export const historyWeight: Weighs = ({ cursor, offset, status }) => {
  const weight = cursor === undefined ? 20 + Math.ceil(skipped(offset) / rowsPerWeight) : 5;
  return status === undefined ? weight : Math.max(weight, statusWeight);
};

/** The weight of the last page that an offset can reach. */
export const historyWeightMax = 20 + offsetMax / rowsPerWeight;

/** A malformed offset is refused. */
function skipped(offset: unknown): number {
  const rows = Number(offset ?? 0);
  return rows > 0 && rows <= offsetMax ? rows : 0;
}

export function readHistoryQuery(
  address: Address,
  query: Static<TObject<typeof historyFields>>,
): Outcome<HistoryRequest> {
  const range = readTimeRange(query);
  if (range.kind === 'refused') return range;
  return done({
    address,
    symbol: query.symbol ?? null,
    ...range.value,
    limit: query.limit ?? listLimitDefault,
    offset: query.offset ?? 0,
    cursor: query.cursor ?? null,
  });
}
