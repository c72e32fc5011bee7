import { formatAmount } from '../../domain/amount.ts';
import type { OrderNumber } from '../../domain/identifiers.ts';
import type { SpotMarket } from '../../domain/spot-market.ts';
import type { SpotOrderUpdated } from '../../engine/events.ts';
import {
  BatchInsert,
  integerColumn,
  numberColumn,
  replaceColumns,
  textColumn,
  timeColumn,
  wordColumn,
} from '../batch-insert.ts';
import type { PlacedEvent } from '../projector/outcome-batch.ts';
import type { Projection } from '../projector/projection.ts';
import { formatPrice, formatQuantity } from './market-decimals.ts';
import { writeRows } from './write-rows.ts';

/** An order as of the end of the batch, with the market whose units it uses. */
interface OrderRow extends PlacedEvent<SpotOrderUpdated> {
  readonly market: SpotMarket;
}

const orders = new BatchInsert<OrderRow>({
  table: 'spot_orders',
  columns: [
    integerColumn('order_number', ({ event }) => event.order.orderNumber),
    integerColumn('account_id', ({ event }) => event.order.accountId),
    integerColumn('market_id', ({ event }) => event.order.marketId),
    textColumn('client_order_id', ({ event }) => event.order.clientOrderId),
    wordColumn('side', ({ event }) => event.order.side),
    wordColumn('type', ({ event }) => event.order.type),
    wordColumn('tif', ({ event }) => event.order.timeInForce),
    numberColumn('price', ({ event: { order }, market }) =>
      order.price === null ? null : formatPrice(market, order.price),
    ),
    numberColumn('quantity', ({ event: { order }, market }) =>
      order.quantity === null ? null : formatQuantity(market, order.quantity),
    ),
    numberColumn('quote_quantity', ({ event: { order } }) =>
      order.quoteQuantity === null ? null : formatAmount(order.quoteQuantity),
    ),
    numberColumn('filled_quantity', ({ event, market }) =>
      formatQuantity(market, event.order.filledQuantity),
    ),
    numberColumn('filled_quote_quantity', ({ event }) => formatAmount(event.order.filledQuote)),
    wordColumn('status', ({ event }) => event.order.status),
    timeColumn('created_at', ({ event }) => event.order.createdAt),
    timeColumn('updated_at', ({ event }) => event.order.updatedAt),
    integerColumn('updated_sequence', ({ outcome }) => outcome.sequence),
  ],
  // An order's terms never change; only its progress does.
  onConflict: `(order_number) ${replaceColumns(
    'filled_quantity',
    'filled_quote_quantity',
    'status',
    'updated_at',
    'updated_sequence',
  )}`,
});

/** The orders of a batch, each once. */
export const spotOrdersProjection: Projection = {
  name: 'spot_orders',
  async project(batch, { statements, directory }) {
    const last = new Map<OrderNumber, OrderRow>();
    for (const { event, outcome } of batch.eventsOf('spotOrderUpdated')) {
      const { orderNumber, marketId } = event.order;
      last.set(orderNumber, { event, outcome, market: directory.getMarket(marketId) });
    }
    await writeRows(statements, orders, directory.divideOrders('spot_orders', last));
    return last.size;
  },
};
