import { formatAmount } from '../../domain/amount.ts';
import type { OrderNumber, Sequence } from '../../domain/identifiers.ts';
import type { SpotOrder } from '../../domain/spot-order.ts';
import type { SpotOrderUpdated } from '../../engine/events.ts';
import { type ArrayParameter, integerArray, plainArray, quotedArray } from '../array-parameters.ts';
import type { Directory } from '../projector/directory.ts';
import type { PlacedEvent } from '../projector/outcome-batch.ts';
import type { Projection } from '../projector/projection.ts';
import { formatPrice, formatQuantity } from './market-decimals.ts';
import { timestampFrom } from './timestamps.ts';

// What an order was placed with never changes; only its progress does.
const upsertOrders = `
  INSERT INTO spot_orders
    (order_number, account_id, market_id, client_order_id, side, type, tif, price, quantity,
     quote_quantity, filled_quantity, filled_quote_quantity, status, created_at, updated_at,
     updated_sequence)
  SELECT order_number, account_id, market_id, client_order_id, side, type, tif, price, quantity,
     quote_quantity, filled_quantity, filled_quote_quantity, status,
     ${timestampFrom('created_at')}, ${timestampFrom('updated_at')}, updated_sequence
  FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::text[],
     $7::text[], $8::numeric[], $9::numeric[], $10::numeric[], $11::numeric[], $12::numeric[],
     $13::text[], $14::bigint[], $15::bigint[], $16::bigint[])
    AS batch (order_number, account_id, market_id, client_order_id, side, type, tif, price,
     quantity, quote_quantity, filled_quantity, filled_quote_quantity, status, created_at,
     updated_at, updated_sequence)
  ON CONFLICT (order_number) DO UPDATE SET
    filled_quantity = excluded.filled_quantity,
    filled_quote_quantity = excluded.filled_quote_quantity,
    status = excluded.status,
    updated_at = excluded.updated_at,
    updated_sequence = excluded.updated_sequence`;

export const spotOrdersProjection: Projection = {
  name: 'spot_orders',
  async project(batch, { statements, directory }) {
    const last = new Map<OrderNumber, PlacedEvent<SpotOrderUpdated>>();
    for (const placed of batch.eventsOf('spotOrderUpdated')) {
      last.set(placed.event.order.orderNumber, placed);
    }
    if (last.size === 0) return 0;
    const columns = new OrderColumns();
    for (const { event, outcome } of last.values()) {
      columns.add(event.order, outcome.sequence, directory);
    }
    await statements.run({ name: 'upsert-orders', text: upsertOrders, values: columns.values() });
    return last.size;
  },
};

class OrderColumns {
  readonly #numbers: number[] = [];
  readonly #accounts: number[] = [];
  readonly #markets: number[] = [];
  readonly #clientIds: (string | null)[] = [];
  readonly #sides: string[] = [];
  readonly #types: string[] = [];
  readonly #timesInForce: string[] = [];
  readonly #prices: (string | null)[] = [];
  readonly #quantities: (string | null)[] = [];
  readonly #quoteQuantities: (string | null)[] = [];
  readonly #filledQuantities: string[] = [];
  readonly #filledQuotes: string[] = [];
  readonly #statuses: string[] = [];
  readonly #createdAt: number[] = [];
  readonly #updatedAt: number[] = [];
  readonly #sequences: number[] = [];

  add(order: SpotOrder, sequence: Sequence, directory: Directory): void {
    const { price, quantity, quoteQuantity } = order;
    const market = directory.getMarket(order.marketId);
    this.#numbers.push(order.orderNumber);
    this.#accounts.push(order.accountId);
    this.#markets.push(order.marketId);
    this.#clientIds.push(order.clientOrderId);
    this.#sides.push(order.side);
    this.#types.push(order.type);
    this.#timesInForce.push(order.timeInForce);
    this.#prices.push(price === null ? null : formatPrice(market, price));
    this.#quantities.push(quantity === null ? null : formatQuantity(market, quantity));
    this.#quoteQuantities.push(quoteQuantity === null ? null : formatAmount(quoteQuantity));
    this.#filledQuantities.push(formatQuantity(market, order.filledQuantity));
    this.#filledQuotes.push(formatAmount(order.filledQuote));
    this.#statuses.push(order.status);
    this.#createdAt.push(order.createdAt);
    this.#updatedAt.push(order.updatedAt);
    this.#sequences.push(sequence);
  }

  values(): ArrayParameter[] {
    return [
      integerArray(this.#numbers),
      integerArray(this.#accounts),
      integerArray(this.#markets),
      // A client order id may be the word NULL.
      quotedArray(this.#clientIds),
      plainArray(this.#sides),
      plainArray(this.#types),
      plainArray(this.#timesInForce),
      plainArray(this.#prices),
      plainArray(this.#quantities),
      plainArray(this.#quoteQuantities),
      plainArray(this.#filledQuantities),
      plainArray(this.#filledQuotes),
      plainArray(this.#statuses),
      integerArray(this.#createdAt),
      integerArray(this.#updatedAt),
      integerArray(this.#sequences),
    ];
  }
}
