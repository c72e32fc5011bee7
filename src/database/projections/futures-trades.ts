import { formatAmount } from '../../domain/amount.ts';
import type { FuturesTradeExecuted } from '../../engine/futures-events.ts';
import {
  BatchInsert,
  flagColumn,
  integerColumn,
  numberColumn,
  timeColumn,
  wordColumn,
} from '../batch-insert.ts';
import type { StoredFuturesMarket } from '../futures/futures-market-rows.ts';
import type { PlacedEvent } from '../projector/outcome-batch.ts';
import type { Projection } from '../projector/projection.ts';
import { formatPrice, formatQuantity } from './market-decimals.ts';
import { writeRows } from './write-rows.ts';

interface TradeRow extends PlacedEvent<FuturesTradeExecuted> {
  readonly market: StoredFuturesMarket;
}

const trades = new BatchInsert<TradeRow>({
  table: 'futures_trades',
  columns: [
    integerColumn('trade_number', ({ event }) => event.trade.tradeNumber),
    integerColumn('trade_id', ({ event }) => event.trade.tradeId),
    integerColumn('market_id', ({ event }) => event.trade.marketId),
    numberColumn('price', ({ event, market }) => formatPrice(market, event.trade.price)),
    numberColumn('quantity', ({ event, market }) => formatQuantity(market, event.trade.quantity)),
    numberColumn('quote_quantity', ({ event }) => formatAmount(event.trade.quoteAmount)),
    wordColumn('taker_side', ({ event }) => event.trade.takerSide),
    flagColumn('is_off_book', ({ event }) => event.trade.isOffBook),
    integerColumn('maker_order_number', ({ event }) => event.trade.maker.orderNumber),
    integerColumn('taker_order_number', ({ event }) => event.trade.taker.orderNumber),
    integerColumn('maker_account_id', ({ event }) => event.trade.maker.accountId),
    integerColumn('taker_account_id', ({ event }) => event.trade.taker.accountId),
    numberColumn('maker_fee', ({ event }) => formatAmount(event.trade.maker.fee)),
    numberColumn('taker_fee', ({ event }) => formatAmount(event.trade.taker.fee)),
    numberColumn('maker_profit', ({ event }) => formatAmount(event.trade.maker.realizedProfit)),
    numberColumn('taker_profit', ({ event }) => formatAmount(event.trade.taker.realizedProfit)),
    timeColumn('created_at', ({ outcome }) => outcome.timestamp),
    integerColumn('sequence', ({ outcome }) => outcome.sequence),
  ],
});

/** Every match with its result for both sides; fees and realized profit are read from here. */
export const futuresTradesProjection: Projection = {
  name: 'futures_trades',
  async project(batch, { statements, directory }) {
    const rows = batch.eventsOf('futuresTradeExecuted').map((placed) => ({
      ...placed,
      market: directory.getFuturesMarket(placed.event.trade.marketId),
    }));
    await writeRows(statements, trades, { added: rows });
    return rows.length;
  },
};
