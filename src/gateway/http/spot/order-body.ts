import { type Static, Type } from 'typebox';
import type { SpotOrderRequest } from '../../../application/trading/validate-spot-order.ts';
import { done, type Outcome } from '../../../domain/outcome.ts';
import { readOptional, readPositiveAmount, readPositiveDecimal } from '../read-decimal.ts';
import { nullable, strictObject } from '../schema.ts';
import { clientOrderIdPattern, symbolText } from './spot-schemas.ts';

const exampleOrder = {
  symbol: 'BTCUSDT',
  side: 'buy',
  type: 'limit',
  tif: 'gtc',
  price: '64000.5',
  quantity: '0.25',
  client_order_id: 'bot-1:42',
};

// Enum values are checked by the rules of the market and not here, so that a wrong one gets its own
// error, in the error table's order. Null means absent.
export const orderBody = strictObject(
  {
    symbol: symbolText,
    side: optionalWord('buy or sell', 'buy'),
    type: optionalWord('limit or market', 'limit'),
    tif: optionalWord('gtc (default), ioc, fok or post_only; market orders are always ioc', 'gtc'),
    price: optionalDecimal('Limit orders only; a multiple of tick_size', '64000.5'),
    quantity: optionalDecimal('All orders except market buys; a multiple of lot_size', '0.25'),
    quote_quantity: optionalDecimal(
      'Market buys only; the amount to spend, at most 8 decimals',
      '500',
    ),
    client_order_id: Type.Optional(
      nullable(
        Type.String({
          description: 'The client order ID, unique among live orders',
          pattern: clientOrderIdPattern,
          examples: ['bot-1:42'],
        }),
      ),
    ),
  },
  { examples: [exampleOrder] },
);

/** The order of a body, or the first number in it that is malformed. */
export function readOrder(body: Static<typeof orderBody>): Outcome<SpotOrderRequest> {
  const price = readOptional(readPositiveDecimal, 'price', body.price);
  if (price.kind === 'refused') return price;
  const quantity = readOptional(readPositiveDecimal, 'quantity', body.quantity);
  if (quantity.kind === 'refused') return quantity;
  const quoteQuantity = readOptional(readPositiveAmount, 'quote_quantity', body.quote_quantity);
  if (quoteQuantity.kind === 'refused') return quoteQuantity;
  return done({
    symbol: body.symbol,
    side: body.side ?? null,
    type: body.type ?? null,
    timeInForce: body.tif ?? null,
    price: price.value,
    quantity: quantity.value,
    quoteQuantity: quoteQuantity.value,
    clientOrderId: body.client_order_id ?? null,
  });
}

function optionalWord(description: string, example: string) {
  return Type.Optional(nullable(Type.String({ description, examples: [example] })));
}

function optionalDecimal(description: string, example: string) {
  return Type.Optional(
    Type.Unsafe<string | number | null>({
      type: ['string', 'number', 'null'],
      maxLength: 50,
      description,
      examples: [example],
    }),
  );
}
