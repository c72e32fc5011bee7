import type pg from 'pg';
import { amountFromDecimal } from '../domain/amount.ts';
import { assert } from '../domain/assert.ts';
import { parseDecimal } from '../domain/decimal.ts';
import type { MarketId, TimestampMs, TokenId } from '../domain/identifiers.ts';
import { marketUnits, type SpotMarket, type SpotMarketStatus } from '../domain/spot-market.ts';

interface SpotMarketRow {
  market_id: number;
  symbol: string;
  base_token: string;
  quote_token: string;
  base_token_id: number;
  quote_token_id: number;
  tick_size: string;
  lot_size: string;
  min_notional: string;
  maker_fee_bps: number;
  taker_fee_bps: number;
  status: string;
  created_at: Date;
}

/** All markets in the engine's type, from the database. */
export async function selectSpotMarkets(
  client: Pick<pg.ClientBase, 'query'>,
): Promise<readonly SpotMarket[]> {
  const { rows } = await client.query<SpotMarketRow>(
    `SELECT market.*, base.token_id AS base_token_id, quote.token_id AS quote_token_id
     FROM spot_markets AS market
     JOIN tokens AS base ON base.symbol = market.base_token
     JOIN tokens AS quote ON quote.symbol = market.quote_token
     ORDER BY market.market_id`,
  );
  return rows.map(spotMarketFromRow);
}

function spotMarketFromRow(row: SpotMarketRow): SpotMarket {
  const tickSize = parseDecimal(row.tick_size);
  const lotSize = parseDecimal(row.lot_size);
  const minimum = parseDecimal(row.min_notional);
  assert(tickSize !== null && lotSize !== null && minimum !== null, 'market numbers are decimals');
  const minNotional = amountFromDecimal(minimum);
  const units = marketUnits(tickSize, lotSize);
  assert(minNotional !== null && units !== null, 'market units are exact');
  return {
    ...units,
    marketId: row.market_id as MarketId,
    symbol: row.symbol,
    baseToken: row.base_token,
    quoteToken: row.quote_token,
    baseTokenId: row.base_token_id as TokenId,
    quoteTokenId: row.quote_token_id as TokenId,
    tickSize,
    lotSize,
    minNotional,
    makerFeeBps: row.maker_fee_bps,
    takerFeeBps: row.taker_fee_bps,
    status: row.status as SpotMarketStatus,
    createdAt: row.created_at.getTime() as TimestampMs,
  };
}
