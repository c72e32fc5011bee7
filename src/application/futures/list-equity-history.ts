import { formatAmount } from '../../domain/amount.ts';
import type { Address } from '../../domain/identifiers.ts';
import { klineCloseTime, klineOpenTime } from '../../domain/kline-interval.ts';
import { formatTime } from '../format-time.ts';
import { waitForDatabase } from '../wait-for-database.ts';
import { type EquityInterval, type EquityPeriod, equityByPeriod } from './account-equity.ts';
import type { FuturesReadPorts } from './futures-ports.ts';

/** One period in USDT; the balances are as of `end_time`. */
export interface EquityPeriodView {
  readonly start_time: string;
  readonly end_time: string;
  readonly equity: string;
  readonly wallet_balance: string;
  readonly unrealized_profit: string;
  readonly profit: string;
  readonly realized_profit: string;
  readonly funding: string;
  readonly fees: string;
  readonly transfers: string;
}

export interface EquityRequest {
  readonly address: Address;
  readonly interval: EquityInterval;
  /** The number of periods, the current one included. */
  readonly limit: number;
}

/**
 * The caller's equity and profit by UTC hour or day, newest first; the current period ends now.
 * @throws EngineRestartingError, DatabaseError
 */
export async function listEquityHistory(
  { exchange, barrier, futuresHistory, now }: FuturesReadPorts,
  { address, interval, limit }: EquityRequest,
): Promise<readonly EquityPeriodView[]> {
  const accountId = exchange.peek((view) => view.findAccount(address));
  await waitForDatabase({ exchange, barrier });
  if (accountId === null) return [];
  const time = now();
  const openTime = klineOpenTime(interval, time);
  const lengthMs = klineCloseTime(interval, openTime) + 1 - openTime;
  const last = openTime / lengthMs;
  const first = last - limit + 1;
  const filter = { accountId, address, interval, firstPeriod: first };
  const records = await futuresHistory.loadEquityRecords(filter);
  return equityByPeriod(records, { first, last }).map((each) => {
    const start = each.period * lengthMs;
    return viewPeriod(each, { start, end: Math.min(start + lengthMs, time) });
  });
}

function viewPeriod(
  each: EquityPeriod,
  { start, end }: { readonly start: number; readonly end: number },
): EquityPeriodView {
  return {
    start_time: formatTime(start),
    end_time: formatTime(end),
    equity: formatAmount(each.equity),
    wallet_balance: formatAmount(each.walletBalance),
    unrealized_profit: formatAmount(each.unrealizedProfit),
    profit: formatAmount(each.profit),
    realized_profit: formatAmount(each.realizedProfit),
    funding: formatAmount(each.funding),
    fees: formatAmount(each.fees),
    transfers: formatAmount(each.transfers),
  };
}
