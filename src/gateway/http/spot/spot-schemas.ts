import { Type } from 'typebox';
import {
  sides,
  spotOrderStatuses,
  spotOrderTypes,
  spotTimesInForce,
} from '../../../domain/spot-order.ts';
import { decimalText, nullable, oneOf, strictObject, timeText } from '../schema.ts';

// Orders, trades and lists of the spot endpoints; the views fill these shapes.

const exampleOrderId = '019b8c5e-a400-7000-8000-00000000002a';

export const orderIdText = Type.String({
  description: 'The id of the order, a UUID',
  examples: [exampleOrderId],
});

export const symbolText = Type.String({
  description: 'The id of the market, case-sensitive',
  examples: ['BTCUSDT'],
});

export const optionalSymbol = Type.Optional(
  Type.String({
    description: 'Only this market, case-sensitive; absent: all markets',
    examples: ['BTCUSDT'],
  }),
);

const listLimitMax = 500;
export const listLimitDefault = 100;

export const pageFields = {
  limit: Type.Optional(
    Type.Integer({
      description: 'Maximum number of items in the response',
      minimum: 1,
      maximum: listLimitMax,
      default: listLimitDefault,
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      description: 'The next_cursor of the previous page; absent: the first page',
      examples: ['MTc2NzU3MTIwMDAwMDoxMDQy'],
      minLength: 1,
    }),
  ),
};

export const listLimit = pageFields.limit;

const nextCursor = nullable(
  Type.String({ description: 'The cursor of the next page; null on the last one' }),
);

/** The form of client order ids. */
export const clientOrderIdPattern = '^[A-Za-z0-9._:/-]{1,36}$';

export const orderFields = {
  order_id: orderIdText,
  client_order_id: nullable(
    Type.String({
      description: 'The client order ID; null if none was given',
      examples: ['bot-1:42'],
    }),
  ),
  symbol: symbolText,
  side: oneOf<string>(sides, {
    description: 'The side: whether the order buys or sells the base token',
  }),
  type: oneOf<string>(spotOrderTypes, { description: 'The type of the order' }),
  tif: oneOf<string>(spotTimesInForce, {
    description: 'The time in force; market orders are ioc',
  }),
  price: nullable(decimalText('The limit price; null for a market order', '64000.5')),
  quantity: nullable(decimalText('In the base token; null for a market buy', '0.25')),
  quote_quantity: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'The quote amount that a market buy may spend; otherwise null',
    examples: [null],
  }),
  filled_quantity: decimalText('Volume in the base token', '0.1'),
  filled_quote_quantity: decimalText('Filled amount in the quote token, without fees', '6400'),
  avg_price: nullable(
    decimalText(
      'filled_quote_quantity divided by filled_quantity, truncated; null without a fill',
      '64000',
    ),
  ),
  status: oneOf<string>(spotOrderStatuses, {
    examples: ['partially_filled'],
    description:
      'new and partially_filled orders rest in the book; the unfilled part of an ioc, fok or ' +
      'market order is expired',
  }),
  created_at: timeText('When the order was placed'),
  updated_at: timeText('When the order last changed'),
};

export const fillFields = {
  trade_id: Type.String({ description: 'The id of the trade', examples: ['1042'] }),
  price: decimalText('The price of the trade', '64000'),
  quantity: decimalText('Volume in the base token', '0.1'),
  fee: decimalText('Deducted from the amount received', '0.0001'),
  fee_token: Type.String({
    description: 'The token of the fee: base for the buyer, quote for the seller',
    examples: ['BTC'],
  }),
  role: oneOf(['maker', 'taker'], {
    description: 'Maker or taker',
    examples: ['taker'],
  }),
};

export const orderSchema = strictObject(orderFields, {
  title: 'SpotOrder',
  description: 'An order',
});

export const placedOrderSchema = strictObject(
  {
    ...orderFields,
    fills: Type.Array(strictObject(fillFields), { description: 'The immediate fills' }),
  },
  { title: 'PlacedSpotOrder' },
);

export const orderListSchema = strictObject({
  items: Type.Array(orderSchema, { description: 'The orders' }),
  next_cursor: nextCursor,
});

export const tradeListSchema = strictObject({
  items: Type.Array(
    strictObject({
      ...fillFields,
      order_id: orderIdText,
      symbol: symbolText,
      side: oneOf<string>(sides, { description: "The side of the caller's order" }),
      quote_quantity: decimalText('Volume in the quote token', '6400'),
      created_at: timeText('When the orders met'),
    }),
    { description: 'The trades, newest first' },
  ),
  next_cursor: nextCursor,
});
