import type pg from 'pg';
import { assert } from '../../domain/assert.ts';
import { parseDecimal } from '../../domain/decimal.ts';
import type { MarketId } from '../../domain/identifiers.ts';
import type { SpotMarket } from '../../domain/spot-market.ts';
import { type HourPrices, recentHoursMax } from '../../programs/referral/recent-prices.ts';

interface HourRow {
  market_id: number;
  hour: string;
  low: string;
  high: string;
}

const selectHours = `
  SELECT market.market_id, extract(epoch FROM kline.open_time)::bigint / 3600 AS hour,
    kline.low, kline.high
  FROM spot_markets AS market CROSS JOIN LATERAL (
    SELECT open_time, low, high FROM spot_klines
    WHERE market_id = market.market_id AND kline_interval = '1h'
    ORDER BY open_time DESC LIMIT ${recentHoursMax}
  ) AS kline ORDER BY kline.open_time`;

/** The hours of each market that `RecentPrices` begins with, from the candles. */
export async function selectRecentPrices(
  client: Pick<pg.ClientBase, 'query'>,
  markets: ReadonlyMap<MarketId, SpotMarket>,
): Promise<ReadonlyMap<MarketId, readonly HourPrices[]>> {
  const { rows } = await client.query<HourRow>(selectHours);
  const hours = new Map<MarketId, HourPrices[]>();
  for (const { market_id, hour, low, high } of rows) {
    const marketId = market_id as MarketId;
    const market = markets.get(marketId);
    assert(market !== undefined, `market ${marketId} is in the database`);
    const prices = { hour: Number(hour), low: ticksOf(market, low), high: ticksOf(market, high) };
    const known = hours.get(marketId);
    if (known === undefined) hours.set(marketId, [prices]);
    else known.push(prices);
  }
  return hours;
}

function ticksOf({ tickSize }: SpotMarket, text: string): number {
  const price = parseDecimal(text);
  assert(price !== null, `${text} is a decimal`);
  return Number(price / tickSize);
}
