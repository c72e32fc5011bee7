import { Type } from 'typebox';
import { amendOrder, findOwnOrder } from '../../../application/futures/amend-order.ts';
import type { FuturesPorts } from '../../../application/futures/futures-ports.ts';
import type { OrderNumber } from '../../../domain/identifiers.ts';
import { refused } from '../../../domain/outcome.ts';
import type { Reason } from '../../errors/surface.ts';
import { accountTrades, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { cutToLots, filterPrice } from '../fapi/market-filters.ts';
import { readOptional, readPositiveDecimal } from '../read-decimal.ts';
import { decimalInput, strictObject } from '../schema.ts';
import { orderParams, placedOrderSchema } from './derivative-schemas.ts';

const amendmentRefusals: readonly Reason[] = [
  'order_not_found',
  'order_not_amendable',
  'price_off_tick',
  'quantity_off_lot',
  'market_halted',
  'market_delisted',
  'market_settling',
  'index_price_stale',
  'index_price_missing',
  'notional_too_small',
  'notional_too_large',
  'position_too_large',
  'market_delisting',
  'nothing_to_reduce',
  'post_only_would_cross',
  'insufficient_margin',
  'account_in_liquidation',
  'self_trade',
];

/** Amends a resting order. */
export function amendOrderEndpoint(ports: FuturesPorts): Endpoint {
  return defineEndpoint({
    method: 'PUT',
    path: '/api/v1/orders/:order_id',
    tag: 'Derivatives trading',
    summary: 'Amend an order',
    description:
      'Changes price, quantity or both of a resting LIMIT order under the same order_id, ' +
      'behind all others at its price, and returns it in its state after matching, once that ' +
      'is durable. A refused amendment leaves the order and its place in the queue ' +
      'unchanged. ORDER_NOT_AMENDABLE: it waits for its trigger, would not change, or has ' +
      'already filled that much.',
    weight: 1,
    isOrderEntry: true,
    auth: accountTrades,
    params: orderParams,
    body: strictObject(
      {
        price: Type.Optional(
          decimalInput('The new limit price, a multiple of tick_size; absent: unchanged', '63999'),
        ),
        quantity: Type.Optional(
          decimalInput(
            'The new total quantity, including what has filled; absent: unchanged',
            '0.2',
          ),
        ),
      },
      { examples: [{ price: '63999', quantity: '0.2' }] },
    ),
    answer: placedOrderSchema,
    reasons: amendmentRefusals,
    handle: ({ caller, params, body, digest = null }) => {
      const price = readOptional(readPositiveDecimal, 'price', body.price);
      if (price.kind === 'refused') return price;
      const quantity = readOptional(readPositiveDecimal, 'quantity', body.quantity);
      if (quantity.kind === 'refused') return quantity;
      if (price.value === null && quantity.value === null) {
        const detail = 'price: price or quantity is required';
        return refused({ reason: 'parameter_invalid', detail });
      }
      const found = findOwnOrder(ports, caller.address, params.order_id as OrderNumber);
      if (found.kind === 'refused') return found;
      const { market } = found.value;
      const ticks = price.value === null ? null : filterPrice(market, price.value);
      if (price.value !== null && ticks === null) return refused({ reason: 'price_off_tick' });
      const lots = quantity.value === null ? null : cutToLots(market, quantity.value);
      if (quantity.value !== null && lots === null) return refused({ reason: 'quantity_off_lot' });
      const change = { price: ticks, quantity: lots };
      return amendOrder(ports, caller.address, found.value, change, digest);
    },
  });
}
