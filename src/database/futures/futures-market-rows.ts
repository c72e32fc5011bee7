import type pg from 'pg';
import { type Amount, amountFromDecimal } from '../../domain/amount.ts';
import { assert } from '../../domain/assert.ts';
import { formatDecimal, formatScaled, parseDecimal } from '../../domain/decimal.ts';
import {
  type FuturesMarket,
  type FuturesMarketId,
  type FuturesMarketStatus,
  type IndexPriceSource,
  type Rate,
  rateScale,
} from '../../domain/futures-market.ts';
import type { TimestampMs } from '../../domain/identifiers.ts';
import { marketUnits } from '../../domain/spot-market.ts';
import type { FuturesMarketsTable } from './futures-tables.ts';

/** What rows need of a market: all but its brackets and guards, which only the engine has. */
export type StoredFuturesMarket = Omit<
  FuturesMarket,
  'brackets' | 'indexJumpBps' | 'tradeBandBps' | 'maxOpenInterest'
>;

type FuturesMarketRow = Omit<FuturesMarketsTable, 'created_at' | 'updated_sequence'> & {
  readonly created_at: Date;
};

/** All futures markets, from the database. */
export async function selectFuturesMarkets(
  client: Pick<pg.ClientBase, 'query'>,
): Promise<readonly StoredFuturesMarket[]> {
  const { rows } = await client.query<FuturesMarketRow>(
    'SELECT * FROM futures_markets ORDER BY market_id',
  );
  return rows.map(marketFromRow);
}

export function formatRate(rate: Rate): string {
  return formatScaled(rate, rateScale);
}

const decimalsPerRate = 10n ** 9n;

/** Parses a rate column; the database only contains formatted rates. */
export function rateOf(text: string): Rate {
  const value = parseDecimal(text);
  assert(value !== null && value % decimalsPerRate === 0n, `${text} in the database is a rate`);
  return (value / decimalsPerRate) as Rate;
}

function marketFromRow(row: FuturesMarketRow): StoredFuturesMarket {
  const tickSize = parseDecimal(row.tick_size);
  const lotSize = parseDecimal(row.lot_size);
  assert(tickSize !== null && lotSize !== null, 'market numbers are decimals');
  const units = marketUnits(tickSize, lotSize);
  assert(units !== null, `the units ${formatDecimal(tickSize)} x ${row.lot_size} are exact`);
  return {
    marketId: row.market_id as FuturesMarketId,
    symbol: row.symbol,
    baseAsset: row.base_asset,
    tickSize,
    lotSize,
    tickLotAmount: units.tickLotAmount,
    minNotional: amountOf(row.min_notional),
    maxNotional: amountOf(row.max_notional),
    maxLeverage: row.max_leverage,
    maintenanceMarginRate: rateOf(row.maintenance_margin_rate),
    makerFeeBps: row.maker_fee_bps,
    takerFeeBps: row.taker_fee_bps,
    indexPriceSource: row.index_price_source as IndexPriceSource,
    status: row.status as FuturesMarketStatus,
    createdAt: row.created_at.getTime() as TimestampMs,
  };
}

/** Parses an amount column, which can be negative. */
export function amountOf(text: string): Amount {
  const value = parseDecimal(text);
  const amount = value === null ? null : amountFromDecimal(value);
  assert(amount !== null, `${text} in the database is an amount`);
  return amount;
}
