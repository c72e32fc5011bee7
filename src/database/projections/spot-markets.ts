import type { AppliedCommand } from '../../application/ports.ts';
import { formatAmount } from '../../domain/amount.ts';
import { formatDecimal } from '../../domain/decimal.ts';
import type { MarketId } from '../../domain/identifiers.ts';
import type { SpotMarket, SpotMarketStatus } from '../../domain/spot-market.ts';
import { plainArray, quotedArray } from '../array-literal.ts';
import type { Projection } from '../projector/projection.ts';
import { timestampFrom } from './timestamps.ts';

const insertTokens = `
  INSERT INTO tokens (token_id, symbol)
  SELECT * FROM unnest($1::integer[], $2::text[])`;

const insertMarkets = `
  INSERT INTO spot_markets
    (market_id, symbol, base_token, quote_token, tick_size, lot_size, min_notional,
     maker_fee_bps, taker_fee_bps, status, created_at, updated_sequence)
  SELECT market_id, symbol, base_token, quote_token, tick_size, lot_size, min_notional,
     maker_fee_bps, taker_fee_bps, status, ${timestampFrom('created_at')}, updated_sequence
  FROM unnest($1::integer[], $2::text[], $3::text[], $4::text[], $5::numeric[], $6::numeric[],
     $7::numeric[], $8::integer[], $9::integer[], $10::text[], $11::bigint[], $12::bigint[])
    AS batch (market_id, symbol, base_token, quote_token, tick_size, lot_size, min_notional,
     maker_fee_bps, taker_fee_bps, status, created_at, updated_sequence)`;

const updateStatuses = `
  UPDATE spot_markets AS market
  SET status = batch.status, updated_sequence = batch.sequence
  FROM unnest($1::integer[], $2::text[], $3::bigint[]) AS batch (market_id, status, sequence)
  WHERE market.market_id = batch.market_id`;

interface StatusChange {
  readonly status: SpotMarketStatus;
  readonly sequence: number;
}

/** Tokens and markets: few and seldom, but everything else refers to them. */
export const spotMarketsProjection: Projection = {
  name: 'spot_markets',
  async project(batch, { client }) {
    const { tokens, markets, statuses } = collect(batch);
    if (tokens.size > 0) {
      const values = [plainArray([...tokens.keys()]), quotedArray([...tokens.values()])];
      await client.query(insertTokens, values);
    }
    if (markets.length > 0) await client.query(insertMarkets, marketColumns(markets));
    if (statuses.size > 0) {
      const changes = [...statuses.values()];
      await client.query(updateStatuses, [
        plainArray([...statuses.keys()]),
        plainArray(changes.map((change) => change.status)),
        plainArray(changes.map((change) => change.sequence)),
      ]);
    }
    return tokens.size + markets.length + statuses.size;
  },
};

interface CreatedMarket {
  readonly market: SpotMarket;
  readonly sequence: number;
}

function collect(batch: readonly AppliedCommand[]) {
  const tokens = new Map<number, string>();
  const markets: CreatedMarket[] = [];
  const statuses = new Map<MarketId, StatusChange>();
  for (const { events, sequence } of batch) {
    for (const event of events) {
      if (event.type === 'tokenAdded') tokens.set(event.tokenId, event.symbol);
      else if (event.type === 'spotMarketCreated') markets.push({ market: event.market, sequence });
      else if (event.type === 'spotMarketStatusChanged') {
        statuses.set(event.marketId, { status: event.status, sequence });
      }
    }
  }
  return { tokens, markets, statuses };
}

function marketColumns(created: readonly CreatedMarket[]): string[] {
  const markets = created.map(({ market }) => market);
  return [
    plainArray(markets.map((market) => market.marketId)),
    quotedArray(markets.map((market) => market.symbol)),
    quotedArray(markets.map((market) => market.baseToken)),
    quotedArray(markets.map((market) => market.quoteToken)),
    plainArray(markets.map((market) => formatDecimal(market.tickSize))),
    plainArray(markets.map((market) => formatDecimal(market.lotSize))),
    plainArray(markets.map((market) => formatAmount(market.minNotional))),
    plainArray(markets.map((market) => market.makerFeeBps)),
    plainArray(markets.map((market) => market.takerFeeBps)),
    plainArray(markets.map((market) => market.status)),
    plainArray(markets.map((market) => market.createdAt)),
    plainArray(created.map(({ sequence }) => sequence)),
  ];
}
