import { formatAmount } from '../../domain/amount.ts';
import { done, type Outcome } from '../../domain/outcome.ts';
import { formatTime } from '../format-time.ts';
import type { IncomeEntry, IncomeType } from '../ports/futures-history.ts';
import type { FuturesReadPorts } from './futures-ports.ts';
import { findScope, type HistoryRequest } from './list-account-history.ts';

export interface IncomeRequest extends Omit<HistoryRequest, 'cursor'> {
  /** Null: all types. */
  readonly type: IncomeType | null;
}

interface IncomeView {
  readonly income_id: number;
  readonly type: IncomeType;
  readonly symbol: string | null;
  readonly amount: string;
  readonly asset: string;
  readonly trade_id: number | null;
  readonly created_at: string;
}

export interface IncomePage {
  readonly items: readonly IncomeView[];
  readonly next_offset: number | null;
}

/**
 * The changes of the caller's perp balance, newest first.
 * @throws EngineRestartingError, DatabaseError
 */
export async function listIncome(
  ports: FuturesReadPorts,
  request: IncomeRequest,
): Promise<Outcome<IncomePage>> {
  const scope = await findScope(ports, request);
  if (scope.kind === 'refused') return scope;
  const { accountId, marketId } = scope.value;
  if (accountId === null) return done({ items: [], next_offset: null });
  const { type, startTime, endTime, limit, offset } = request;
  const { exchange, futuresHistory } = ports;
  // One more than the page holds shows whether there is another page.
  const entries = await futuresHistory.listIncome({
    accountId,
    marketId,
    type,
    startTime,
    endTime,
    offset,
    order: 'newest_first',
    limit: limit + 1,
  });
  const items = exchange.peek((view) => {
    const symbolOf = ({ marketId: id }: IncomeEntry) =>
      id === null ? null : view.futures.getFuturesMarket(id).symbol;
    return entries.slice(0, limit).map((entry) => viewIncome(entry, symbolOf(entry)));
  });
  return done({ items, next_offset: entries.length > limit ? offset + limit : null });
}

function viewIncome(entry: IncomeEntry, symbol: string | null): IncomeView {
  return {
    income_id: entry.id,
    type: entry.type,
    symbol,
    amount: formatAmount(entry.amount),
    asset: 'USDT',
    trade_id: entry.tradeId,
    created_at: formatTime(entry.createdAt),
  };
}
