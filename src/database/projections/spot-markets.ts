import { formatAmount } from '../../domain/amount.ts';
import { formatDecimal } from '../../domain/decimal.ts';
import type { MarketId } from '../../domain/identifiers.ts';
import type { SpotMarketStatus } from '../../domain/spot-market.ts';
import type { SpotMarketCreated } from '../../engine/events.ts';
import { type ArrayParameter, integerArray, plainArray, quotedArray } from '../array-parameters.ts';
import type { OutcomeBatch, PlacedEvent } from '../projector/outcome-batch.ts';
import type { Projection } from '../projector/projection.ts';
import { timestampFrom } from './timestamps.ts';

const insertTokens = `
  INSERT INTO tokens (token_id, symbol)
  SELECT * FROM unnest($1::bigint[], $2::text[])`;

const insertMarkets = `
  INSERT INTO spot_markets
    (market_id, symbol, base_token, quote_token, tick_size, lot_size, min_notional,
     maker_fee_bps, taker_fee_bps, status, created_at, updated_sequence)
  SELECT market_id, symbol, base_token, quote_token, tick_size, lot_size, min_notional,
     maker_fee_bps, taker_fee_bps, status, ${timestampFrom('created_at')}, updated_sequence
  FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::numeric[], $6::numeric[],
     $7::numeric[], $8::bigint[], $9::bigint[], $10::text[], $11::bigint[], $12::bigint[])
    AS batch (market_id, symbol, base_token, quote_token, tick_size, lot_size, min_notional,
     maker_fee_bps, taker_fee_bps, status, created_at, updated_sequence)`;

const updateStatuses = `
  UPDATE spot_markets AS market
  SET status = batch.status, updated_sequence = batch.sequence
  FROM unnest($1::bigint[], $2::text[], $3::bigint[]) AS batch (market_id, status, sequence)
  WHERE market.market_id = batch.market_id`;

interface StatusChange {
  readonly status: SpotMarketStatus;
  readonly sequence: number;
}

/** Tokens and markets: few and rare, but everything else references them. */
export const spotMarketsProjection: Projection = {
  name: 'spot_markets',
  async project(batch, { statements }) {
    const tokens = batch.eventsOf('tokenAdded').map(({ event }) => event);
    const markets = batch.eventsOf('spotMarketCreated');
    const statuses = lastStatuses(batch);
    if (tokens.length > 0) {
      const values = [
        integerArray(tokens.map((token) => token.tokenId)),
        quotedArray(tokens.map((token) => token.symbol)),
      ];
      await statements.run({ text: insertTokens, values });
    }
    if (markets.length > 0)
      await statements.run({ text: insertMarkets, values: marketColumns(markets) });
    if (statuses.size > 0) {
      const changes = [...statuses.values()];
      await statements.run({
        text: updateStatuses,
        values: [
          integerArray([...statuses.keys()]),
          plainArray(changes.map((change) => change.status)),
          integerArray(changes.map((change) => change.sequence)),
        ],
      });
    }
    return tokens.length + markets.length + statuses.size;
  },
};

function lastStatuses(batch: OutcomeBatch): ReadonlyMap<MarketId, StatusChange> {
  const statuses = new Map<MarketId, StatusChange>();
  for (const { event, outcome } of batch.eventsOf('spotMarketStatusChanged')) {
    statuses.set(event.marketId, { status: event.status, sequence: outcome.sequence });
  }
  return statuses;
}

function marketColumns(created: readonly PlacedEvent<SpotMarketCreated>[]): ArrayParameter[] {
  const markets = created.map(({ event }) => event.market);
  return [
    integerArray(markets.map((market) => market.marketId)),
    quotedArray(markets.map((market) => market.symbol)),
    quotedArray(markets.map((market) => market.baseToken)),
    quotedArray(markets.map((market) => market.quoteToken)),
    plainArray(markets.map((market) => formatDecimal(market.tickSize))),
    plainArray(markets.map((market) => formatDecimal(market.lotSize))),
    plainArray(markets.map((market) => formatAmount(market.minNotional))),
    integerArray(markets.map((market) => market.makerFeeBps)),
    integerArray(markets.map((market) => market.takerFeeBps)),
    plainArray(markets.map((market) => market.status)),
    integerArray(markets.map((market) => market.createdAt)),
    integerArray(created.map(({ outcome }) => outcome.sequence)),
  ];
}
