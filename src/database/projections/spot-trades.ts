import { formatAmount } from '../../domain/amount.ts';
import type { SpotMarket } from '../../domain/spot-market.ts';
import type { SpotTradeExecuted } from '../../engine/events.ts';
import {
  BatchInsert,
  integerColumn,
  numberColumn,
  timeColumn,
  wordColumn,
} from '../batch-insert.ts';
import type { PlacedEvent } from '../projector/outcome-batch.ts';
import type { Projection } from '../projector/projection.ts';
import { formatPrice, formatQuantity } from './market-decimals.ts';
import { writeRows } from './write-rows.ts';

interface TradeRow extends PlacedEvent<SpotTradeExecuted> {
  readonly market: SpotMarket;
}

const trades = new BatchInsert<TradeRow>({
  table: 'spot_trades',
  columns: [
    integerColumn('trade_number', ({ event }) => event.trade.tradeNumber),
    integerColumn('trade_id', ({ event }) => event.trade.tradeId),
    integerColumn('market_id', ({ event }) => event.trade.marketId),
    numberColumn('price', ({ event, market }) => formatPrice(market, event.trade.price)),
    numberColumn('quantity', ({ event, market }) => formatQuantity(market, event.trade.quantity)),
    numberColumn('quote_quantity', ({ event }) => formatAmount(event.trade.quoteAmount)),
    wordColumn('taker_side', ({ event }) => event.trade.takerSide),
    integerColumn('maker_order_number', ({ event }) => event.trade.makerOrderNumber),
    integerColumn('taker_order_number', ({ event }) => event.trade.takerOrderNumber),
    timeColumn('maker_order_created_at', ({ event }) => event.trade.makerOrderCreatedAt),
    timeColumn('taker_order_created_at', ({ event }) => event.trade.takerOrderCreatedAt),
    integerColumn('maker_account_id', ({ event }) => event.trade.makerAccountId),
    integerColumn('taker_account_id', ({ event }) => event.trade.takerAccountId),
    numberColumn('maker_fee', ({ event }) => formatAmount(event.trade.makerFee)),
    numberColumn('taker_fee', ({ event }) => formatAmount(event.trade.takerFee)),
    timeColumn('created_at', ({ outcome }) => outcome.timestamp),
    integerColumn('sequence', ({ outcome }) => outcome.sequence),
  ],
});

export const spotTradesProjection: Projection = {
  name: 'spot_trades',
  async project(batch, { statements, directory }) {
    const rows = batch.eventsOf('spotTradeExecuted').map(({ event, outcome }) => ({
      event,
      outcome,
      market: directory.getMarket(event.trade.marketId),
    }));
    await writeRows(statements, trades, { added: rows });
    return rows.length;
  },
};
