import { formatAmount } from '../../domain/amount.ts';
import type { OrderNumber } from '../../domain/identifiers.ts';
import type { Ticks } from '../../domain/spot-market.ts';
import type { FuturesOrderUpdated } from '../../engine/futures-events.ts';
import {
  type BatchColumn,
  BatchInsert,
  flagColumn,
  integerColumn,
  numberColumn,
  optionalTimeColumn,
  replaceColumns,
  signedColumn,
  textColumn,
  timeColumn,
  wordColumn,
} from '../batch-insert.ts';
import type { StoredFuturesMarket } from '../futures/futures-market-rows.ts';
import type { Directory } from '../projector/directory.ts';
import type { PlacedEvent } from '../projector/outcome-batch.ts';
import type { Projection } from '../projector/projection.ts';
import { formatPrice, formatQuantity } from './market-decimals.ts';
import { writeRows } from './write-rows.ts';

/** An order as of the end of the batch, with the market whose units it uses. */
interface OrderRow extends PlacedEvent<FuturesOrderUpdated> {
  readonly market: StoredFuturesMarket;
}

// The last argument of a column is the value of most orders, the table's default.
const orders = new BatchInsert<OrderRow>({
  table: 'futures_orders',
  columns: [
    integerColumn('order_number', ({ event }) => event.order.orderNumber),
    integerColumn('account_id', ({ event }) => event.order.accountId),
    integerColumn('market_id', ({ event }) => event.order.marketId),
    textColumn('client_order_id', ({ event }) => event.order.clientOrderId),
    wordColumn('side', ({ event }) => event.order.side),
    wordColumn('type', ({ event }) => event.order.type),
    wordColumn('time_in_force', ({ event }) => event.order.timeInForce),
    priceColumn('price', ({ event }) => event.order.price),
    wordColumn('price_match', ({ event }) => event.order.priceMatch, 'none'),
    numberColumn('quantity', ({ event, market }) => formatQuantity(market, event.order.quantity)),
    numberColumn('filled_quantity', ({ event, market }) =>
      formatQuantity(market, event.order.filledQuantity),
    ),
    numberColumn('filled_quote', ({ event }) => formatAmount(event.order.filledQuote)),
    wordColumn('status', ({ event }) => event.order.status),
    priceColumn('stop_price', ({ event }) => event.order.stopPrice, null),
    wordColumn('trigger_price_kind', ({ event }) => event.order.triggerPriceKind, 'contract'),
    priceColumn('activation_price', ({ event }) => event.order.activationPrice, null),
    signedColumn('callback_bps', ({ event }) => event.order.callback),
    flagColumn('is_reduce_only', ({ event }) => event.order.isReduceOnly, false),
    flagColumn('is_close_position', ({ event }) => event.order.isClosePosition, false),
    flagColumn('is_price_protected', ({ event }) => event.order.isPriceProtected, false),
    wordColumn('self_trade_mode', ({ event }) => event.order.selfTradeMode, 'expire_taker'),
    optionalTimeColumn('good_till', ({ event }) => event.order.goodTill),
    signedColumn('parent_order_number', ({ event }) => event.order.parentOrderNumber),
    flagColumn('is_algo', ({ event }) => event.order.isAlgo, false),
    wordColumn('origin', ({ event }) => event.order.origin, 'user'),
    wordColumn('end_reason', ({ event }) => event.end),
    optionalTimeColumn('triggered_at', ({ event }) => event.order.triggeredAt),
    timeColumn('created_at', ({ event }) => event.order.createdAt),
    timeColumn('updated_at', ({ event }) => event.order.updatedAt),
    integerColumn('updated_sequence', ({ outcome }) => outcome.sequence),
  ],
  // The columns that an amendment, a trigger or a fill can change; the others never change.
  onConflict: `(order_number) ${replaceColumns(
    'type',
    'price',
    'price_match',
    'quantity',
    'filled_quantity',
    'filled_quote',
    'status',
    'stop_price',
    'activation_price',
    'end_reason',
    'triggered_at',
    'updated_at',
    'updated_sequence',
  )}`,
});

/** The orders of a batch, each once; a trigger order and the order it becomes are one order. */
export const futuresOrdersProjection: Projection = {
  name: 'futures_orders',
  async project(batch, { statements, directory }) {
    const last = new Map<OrderNumber, PlacedEvent<FuturesOrderUpdated>>();
    for (const placed of batch.eventsOf('futuresOrderUpdated')) {
      last.set(placed.event.order.orderNumber, placed);
    }
    const { known, added } = directory.divideOrders('futures_orders', last);
    const rowsOf = (some: typeof known) => some.map((placed) => rowOf(placed, directory));
    await writeRows(statements, orders, { added: rowsOf(added), known: rowsOf(known) });
    return last.size;
  },
};

interface Amendment extends OrderRow {
  /** The order's previous state; null if it is only in the table, not in the batch. */
  readonly before: FuturesOrderUpdated['order'] | null;
}

// Written before the orders themselves, so that their table still contains the previous state.
const insertAmendments = (names: readonly string[], arrays: readonly string[]): string => `
  INSERT INTO futures_order_amendments
    (order_number, account_id, market_id, price_before, price_after, quantity_before,
     quantity_after, created_at, sequence, modify_id)
  SELECT batch.order_number, batch.account_id, batch.market_id,
    CASE WHEN has_before THEN price_before ELSE stored.price END, price_after,
    CASE WHEN has_before THEN quantity_before ELSE stored.quantity END, quantity_after,
    to_timestamp(amended_at / 1000.0::float8), batch.sequence, modify_id
  FROM unnest(${arrays.join(', ')}) WITH ORDINALITY AS batch (${names.join(', ')}, place)
  LEFT JOIN futures_orders AS stored ON stored.order_number = batch.order_number
  ORDER BY place`;

const amendmentColumns: readonly BatchColumn<Amendment>[] = [
  integerColumn('order_number', ({ event }) => event.order.orderNumber),
  integerColumn('account_id', ({ event }) => event.order.accountId),
  integerColumn('market_id', ({ event }) => event.order.marketId),
  flagColumn('has_before', ({ before }) => before !== null),
  priceColumn('price_before', ({ before }) => before?.price ?? null),
  priceColumn('price_after', ({ event }) => event.order.price),
  numberColumn('quantity_before', ({ before, market }) =>
    before === null ? null : formatQuantity(market, before.quantity),
  ),
  numberColumn('quantity_after', ({ event, market }) =>
    formatQuantity(market, event.order.quantity),
  ),
  integerColumn('amended_at', ({ outcome }) => outcome.timestamp),
  integerColumn('sequence', ({ outcome }) => outcome.sequence),
  signedColumn('modify_id', ({ outcome: { command } }) =>
    command.type === 'amendFuturesOrder' ? command.modifyId : null,
  ),
];

const amendmentText = insertAmendments(
  amendmentColumns.map(({ name }) => name),
  amendmentColumns.map(({ type }, index) => `$${index + 1}::${type}[]`),
);

/** Each amendment with the order's terms before and after it. */
export const futuresAmendmentsProjection: Projection = {
  name: 'futures_order_amendments',
  async project(batch, { statements, directory }) {
    const known = new Map<OrderNumber, FuturesOrderUpdated['order']>();
    const amendments: Amendment[] = [];
    for (const placed of batch.eventsOf('futuresOrderUpdated')) {
      const { order, cause } = placed.event;
      if (cause === 'amended') {
        const before = known.get(order.orderNumber) ?? null;
        amendments.push({ ...rowOf(placed, directory), before });
      }
      known.set(order.orderNumber, order);
    }
    if (amendments.length === 0) return 0;
    const values = amendmentColumns.map(({ encode }) => encode(amendments));
    await statements.run({ name: 'insert-amendments', text: amendmentText, values });
    return amendments.length;
  },
};

function rowOf(placed: PlacedEvent<FuturesOrderUpdated>, directory: Directory): OrderRow {
  const { event, outcome } = placed;
  return { event, outcome, market: directory.getFuturesMarket(event.order.marketId) };
}

function priceColumn<R extends OrderRow>(
  name: string,
  of: (row: R) => Ticks | null,
  usual?: null,
): BatchColumn<R> {
  const text = (row: R): string | null => {
    const price = of(row);
    return price === null ? null : formatPrice(row.market, price);
  };
  return numberColumn(name, text, usual);
}
