import { Type } from 'typebox';
import { previewOrder } from '../../../application/futures/preview-order.ts';
import type { Exchange } from '../../../application/ports/exchange.ts';
import { accountTrades, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { readOptional, readPositiveDecimal } from '../read-decimal.ts';
import { perpetualOrderRefusals } from '../refusals.ts';
import { decimalInput, decimalText, nullable, oneOf, strictObject } from '../schema.ts';
import { sideText, symbolInput, symbolText } from './derivative-schemas.ts';
import { readMaxSlippage } from './read-max-slippage.ts';

const orderKinds = ['MARKET', 'LIMIT'] as const;
const price = (description: string) => nullable(decimalText(description, '64000.5'));

const examplePreview = {
  symbol: 'BTCUSDT',
  side: 'BUY',
  type: 'MARKET',
  quantity: '0.25',
  max_slippage: '0.005',
};

/** Previews what an order would do now. */
export function previewOrderEndpoint({ exchange }: { readonly exchange: Exchange }): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path: '/api/v1/orders/preview',
    tag: 'Derivatives trading',
    summary: 'Preview an order',
    description:
      'Walks the order book as matching would and returns what the order would fill ' +
      'immediately, with price, slippage, fee and margin. Nothing is placed. A market order ' +
      'that the book would fill at a worse price than max_slippage allows, or not ' +
      'completely, is refused with SLIPPAGE_EXCEEDED.',
    weight: 5,
    auth: accountTrades,
    body: strictObject(
      {
        symbol: symbolInput,
        side: sideText,
        type: Type.Optional(oneOf(orderKinds, { description: 'Absent: MARKET' })),
        quantity: decimalInput('In the base asset; rounded down to the lot', '0.25'),
        price: Type.Optional(decimalInput('For a LIMIT order', '64000.5')),
        max_slippage: Type.Optional(decimalInput('A fraction of the best price', '0.005')),
        reduceOnly: Type.Optional(Type.Boolean({ description: 'Has no effect here' })),
      },
      { examples: [examplePreview] },
    ),
    answer: strictObject({
      symbol: symbolText,
      side: sideText,
      type: oneOf<string>(orderKinds, { description: 'The type of the order' }),
      quantity: decimalText('The quantity that would be placed', '0.25'),
      price: price('The limit price; null for a market order'),
      best_price: price('The best price of the opposite side; null if nothing would fill'),
      est_avg_price: price('The average price; null if nothing would fill'),
      est_worst_price: price('The price of the last level that would be reached'),
      est_filled_quantity: decimalText('The quantity that would fill immediately', '0.25'),
      est_notional: decimalText('The value of these fills in USDT', '16000'),
      est_slippage: decimalText('Slippage from the best price, as a fraction', '0.0012'),
      max_slippage: nullable(decimalText('As requested', '0.005')),
      est_fee: decimalText('The taker fee of the immediate fills', '8'),
      taker_rate: decimalText('The taker rate that is charged on the notional', '0.0005'),
      leverage: Type.Integer({
        description: "The caller's leverage in this market",
        examples: [20],
      }),
      est_initial_margin: decimalText('The margin that the order needs', '800'),
      available_balance: decimalText('The available margin of the caller', '1000'),
      mark_price: price('The mark price'),
      est_liquidation_price: price('The liquidation price after this fill; null if none'),
    }),
    reasons: perpetualOrderRefusals,
    handle: ({ caller, body }) => {
      const quantity = readPositiveDecimal('quantity', body.quantity);
      if (quantity.kind === 'refused') return quantity;
      const limit = readOptional(readPositiveDecimal, 'price', body.price);
      if (limit.kind === 'refused') return limit;
      const maxSlippage = readMaxSlippage(body.max_slippage);
      if (maxSlippage.kind === 'refused') return maxSlippage;
      return previewOrder(exchange, caller.address, {
        symbol: body.symbol,
        side: body.side,
        type: body.type ?? 'MARKET',
        quantity: quantity.value,
        price: limit.value,
        maxSlippage: maxSlippage.value,
      });
    },
  });
}
