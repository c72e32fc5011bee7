import { Type } from 'typebox';
import type { SpotTradingPorts } from '../../../application/trading/place-spot-order.ts';
import { previewSpotOrder } from '../../../application/trading/preview-spot-order.ts';
import { accountReads, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { spotOrderRefusals } from '../refusals.ts';
import { decimalText, nullable, strictObject } from '../schema.ts';
import { orderBody, readOrder } from './order-body.ts';
import { orderFields, symbolText } from './spot-schemas.ts';

const price = (description: string) => nullable(decimalText(description, '64000.5'));
const token = (description: string, example: string) =>
  Type.String({ description, examples: [example] });

/** Previews what an order would do now. */
export function previewOrder(ports: SpotTradingPorts): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path: '/api/v1/spot/orders/preview',
    tag: 'Spot trading',
    summary: 'Preview an order',
    description:
      'Walks the order book as matching would and returns what the order would fill ' +
      'immediately, at what price, slippage and fee, and how much of which token it needs. ' +
      "Nothing is placed. The order's fields are checked as when it is placed; balance, " +
      'minimum and self-trade are not.',
    weight: 5,
    auth: accountReads,
    body: orderBody,
    answer: strictObject({
      symbol: symbolText,
      side: orderFields.side,
      type: orderFields.type,
      tif: orderFields.tif,
      price: orderFields.price,
      quantity: orderFields.quantity,
      quote_quantity: orderFields.quote_quantity,
      best_price: price('The best price of the opposite side; null if nothing would fill'),
      est_avg_price: price('The average price; null if nothing would fill'),
      est_worst_price: price('The price of the last level that would be reached'),
      est_filled_quantity: decimalText(
        'The quantity that would fill immediately, in the base token',
        '0.25',
      ),
      est_notional: decimalText('The value of these fills in the quote token', '16000'),
      est_slippage: decimalText(
        'How much worse than the best price the average is, as a fraction',
        '0.0012',
      ),
      est_fee: decimalText('The taker fee of the immediate fills', '0.00025'),
      fee_token: token('The token of the fee: base for the buyer, quote for the seller', 'BTC'),
      maker_rate: decimalText("The caller's maker rate in this market", '0.001'),
      taker_rate: decimalText("The caller's taker rate in this market", '0.001'),
      needed: decimalText('The amount that the order spends or sets aside', '16000'),
      needed_token: token('The token of needed and available', 'USDT'),
      available: decimalText("The caller's available amount of it", '20000'),
    }),
    reasons: spotOrderRefusals,
    handle: ({ caller, body }) => {
      const request = readOrder(body);
      if (request.kind === 'refused') return request;
      return previewSpotOrder(ports, caller.address, request.value);
    },
  });
}
