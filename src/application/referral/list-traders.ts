import { formatAmount, zeroAmount } from '../../domain/amount.ts';
import type { Address } from '../../domain/identifiers.ts';
import { formatMicroUsdt, toMicroUsdt, zeroMicroUsdt } from '../../domain/micro-usdt.ts';
import type { BusinessLine } from '../../programs/referral/share-fee.ts';
import { waitForDatabase } from '../wait-for-database.ts';
import type { LineSums, Page, PageOf, TraderRow } from './referral-ports.ts';
import { activeDays, daysBefore, type ReferralReadPorts } from './referral-use-case.ts';

export const businessFilters = ['all', 'spot', 'futures'] as const;
type BusinessFilter = (typeof businessFilters)[number];

export const timeFilters = ['all', '7d', '30d'] as const;
export type TimeFilter = (typeof timeFilters)[number];

const windowDays: Readonly<Record<TimeFilter, number | null>> = { all: null, '7d': 7, '30d': 30 };

export interface TradersQuery extends Page {
  readonly business: BusinessFilter;
  readonly time: TimeFilter;
  /** A part of an address in any letter case; empty matches all. */
  readonly search: string;
}

export interface TraderView {
  readonly address: string;
  readonly bound_at: string;
  readonly spot_volume: string;
  readonly futures_volume: string;
  readonly spot_commission: string;
  readonly futures_commission: string;
  readonly total_commission: string;
  readonly last_trade_at: string | null;
  readonly status: 'active' | 'inactive';
}

/**
 * The caller's direct traders who are not affiliates, newest first.
 * @throws DatabaseError
 */
export async function listTraders(
  ports: ReferralReadPorts,
  caller: Address,
  query: TradersQuery,
): Promise<PageOf<TraderView>> {
  await waitForDatabase(ports);
  const now = ports.now();
  const days = windowDays[query.time];
  const { items, total } = await ports.referralReader.listTraders({
    account: caller,
    page: query.page,
    pageSize: query.pageSize,
    search: query.search.toLowerCase(),
    since: days === null ? null : daysBefore(now, days),
  });
  const activeSince = daysBefore(now, activeDays);
  return { total, items: items.map((row) => viewTrader(row, query.business, activeSince)) };
}

function viewTrader(row: TraderRow, business: BusinessFilter, activeSince: Date): TraderView {
  const spot = chosen(row, 'spot', business);
  const futures = chosen(row, 'futures', business);
  const isActive = row.lastTradeAt !== null && row.lastTradeAt >= activeSince;
  return {
    address: row.address,
    bound_at: row.boundAt.toISOString(),
    spot_volume: formatAmount(spot.feeValue),
    futures_volume: formatAmount(futures.feeValue),
    spot_commission: formatMicroUsdt(spot.commission),
    futures_commission: formatMicroUsdt(futures.commission),
    total_commission: formatMicroUsdt(toMicroUsdt(spot.commission + futures.commission)),
    last_trade_at: row.lastTradeAt?.toISOString() ?? null,
    status: isActive ? 'active' : 'inactive',
  };
}

function chosen(row: TraderRow, line: BusinessLine, business: BusinessFilter): LineSums {
  return business === 'all' || business === line ? row[line] : nothing;
}

const nothing: LineSums = { feeValue: zeroAmount, commission: zeroMicroUsdt };
