import { formatAmount } from '../../domain/amount.ts';
import { formatDecimal } from '../../domain/decimal.ts';
import type { FuturesMarketId } from '../../domain/futures-market.ts';
import type {
  FuturesMarketCreated,
  FuturesMarketStatusChanged,
} from '../../engine/futures-events.ts';
import { integerArray, plainArray } from '../array-parameters.ts';
import {
  BatchInsert,
  integerColumn,
  numberColumn,
  textColumn,
  timeColumn,
  wordColumn,
} from '../batch-insert.ts';
import { formatRate } from '../futures/futures-market-rows.ts';
import type { PlacedEvent } from '../projector/outcome-batch.ts';
import type { Projection } from '../projector/projection.ts';

type Created = PlacedEvent<FuturesMarketCreated>;

const markets = new BatchInsert<Created>({
  table: 'futures_markets',
  columns: [
    integerColumn('market_id', ({ event }) => event.market.marketId),
    textColumn('symbol', ({ event }) => event.market.symbol),
    textColumn('base_asset', ({ event }) => event.market.baseAsset),
    numberColumn('tick_size', ({ event }) => formatDecimal(event.market.tickSize)),
    numberColumn('lot_size', ({ event }) => formatDecimal(event.market.lotSize)),
    numberColumn('min_notional', ({ event }) => formatAmount(event.market.minNotional)),
    numberColumn('max_notional', ({ event }) => formatAmount(event.market.maxNotional)),
    integerColumn('max_leverage', ({ event }) => event.market.maxLeverage),
    numberColumn('maintenance_margin_rate', ({ event }) =>
      formatRate(event.market.maintenanceMarginRate),
    ),
    integerColumn('maker_fee_bps', ({ event }) => event.market.makerFeeBps),
    integerColumn('taker_fee_bps', ({ event }) => event.market.takerFeeBps),
    wordColumn('index_price_source', ({ event }) => event.market.indexPriceSource),
    wordColumn('status', ({ event }) => event.market.status),
    timeColumn('created_at', ({ event }) => event.market.createdAt),
    integerColumn('updated_sequence', ({ outcome }) => outcome.sequence),
  ],
});

const updateStatuses = `
  UPDATE futures_markets AS market
  SET status = batch.status, updated_sequence = batch.sequence
  FROM unnest($1::bigint[], $2::text[], $3::bigint[]) AS batch (market_id, status, sequence)
  WHERE market.market_id = batch.market_id`;

export const futuresMarketsProjection: Projection = {
  name: 'futures_markets',
  async project(batch, { statements }) {
    const created = batch.eventsOf('futuresMarketCreated');
    const last = new Map<FuturesMarketId, PlacedEvent<FuturesMarketStatusChanged>>();
    for (const placed of batch.eventsOf('futuresMarketStatusChanged')) {
      last.set(placed.event.marketId, placed);
    }
    if (created.length > 0) await statements.run(markets.statement(created));
    if (last.size > 0) {
      const changes = [...last.values()];
      await statements.run({
        text: updateStatuses,
        values: [
          integerArray(changes.map(({ event }) => event.marketId)),
          plainArray(changes.map(({ event }) => event.status)),
          integerArray(changes.map(({ outcome }) => outcome.sequence)),
        ],
      });
    }
    return created.length + last.size;
  },
};
