import { type TObject, type TProperties, Type } from 'typebox';
import { priceStates } from '../../../domain/futures-market.ts';
import { futuresOrderStatuses, futuresOrderTypes } from '../../../domain/futures-order.ts';
import { decimalText, nullable, oneOf, strictObject, timeText } from '../schema.ts';

// Schemas of the general derivatives endpoints, filled by the views. Enum values are those of
// /fapi.

export const symbolInput = Type.String({
  description: 'The market, in any letter case',
  examples: ['BTCUSDT'],
});

export const symbolText = Type.String({ description: 'The market', examples: ['BTCUSDT'] });

export const marketParams = strictObject({ symbol: symbolInput });

export const optionalSymbol = Type.Optional(
  Type.String({
    description: 'Only this market, in any letter case; absent: all markets',
    examples: ['BTCUSDT'],
  }),
);

const listLimitMax = 500;
export const listLimitDefault = 100;

export const listLimit = Type.Optional(
  Type.Integer({
    description: 'Maximum number of items in the response',
    minimum: 1,
    maximum: listLimitMax,
    default: listLimitDefault,
  }),
);

const upper = (words: readonly string[]): readonly string[] =>
  words.map((word) => word.toUpperCase());

export const sideText = oneOf<string>(['BUY', 'SELL'], { description: 'The side of the order' });
const orderTypeText = oneOf<string>(upper(futuresOrderTypes), {
  description: 'The type of the order',
});
export const orderStatusText = oneOf<string>(upper(futuresOrderStatuses), {
  examples: ['PARTIALLY_FILLED'],
  description: 'NEW and PARTIALLY_FILLED orders are live',
});

const price = (description: string) => nullable(decimalText(description, '64000.5'));
const integer = (description: string, example: number) =>
  Type.Integer({ description, examples: [example] });

export const marketSchema = strictObject(
  {
    symbol: symbolText,
    base_asset: Type.String({ description: 'The underlying asset', examples: ['BTC'] }),
    quote_asset: Type.String({ description: 'Always USDT', examples: ['USDT'] }),
    status: oneOf<string>(['listed', 'halted', 'delisted'], {
      description: 'halted accepts no new orders; delisted is final',
    }),
    tick_size: decimalText('Prices are multiples of it', '0.1'),
    lot_size: decimalText('Quantities are rounded down to multiples of it', '0.001'),
    min_order_size_usd: decimalText('Minimum price x quantity of an order', '5'),
    max_order_size_usd: decimalText('Maximum price x quantity of an order', '10000000'),
    max_leverage: integer('The highest leverage', 100),
    maintenance_margin_rate: decimalText(
      'The maintenance margin rate of the lowest bracket',
      '0.004',
    ),
    maker_fee_bps: integer('The VIP 0 fee of a resting order, 1/10000', 2),
    taker_fee_bps: integer('The VIP 0 fee of an arriving order, 1/10000', 5),
    mark_price: price('The price that margin is computed with; null before the first'),
    index_price: price('The index price; null before the first'),
    last_price: price('The price of the last trade; null before the first'),
    funding_rate: decimalText('The next funding rate as of now', '0.0001'),
    next_funding_time: timeText('The time of the next funding'),
    is_index_stale: Type.Boolean({ description: 'Market orders wait for a fresh index price' }),
    price_state: oneOf<string>(priceStates, {
      description:
        'unpriced accepts no orders; stale and held accept only orders that reduce, at the last mark; ' +
        'final is the settlement price of a delisted market',
    }),
    settling: Type.Boolean({
      description: 'A price move is being settled; orders are refused in the meantime',
      examples: [false],
    }),
    open_interest: decimalText('All long positions together, in the base asset', '12.5'),
    max_open_interest: decimalText('Maximum value of all long positions together', '100000000'),
    delisting_at: nullable(
      timeText(
        'When the market is delisted; from 30 minutes before, only orders that reduce are accepted',
      ),
    ),
    created_at: timeText('When the market was created'),
  },
  { title: 'PerpetualMarket', description: 'A perpetual market' },
);

export const orderFields = {
  order_id: integer('The id of the order, the same as on /fapi', 1042),
  client_order_id: nullable(
    Type.String({ description: 'The client order ID', examples: ['bot-1:42'] }),
  ),
  symbol: symbolText,
  side: sideText,
  type: orderTypeText,
  time_in_force: oneOf<string>(['GTC', 'IOC', 'FOK', 'GTX', 'GTD'], {
    description: 'How long the order stays in force',
  }),
  price: price('The limit price; null for market types'),
  quantity: decimalText('In the base asset', '0.25'),
  filled_quantity: decimalText('Filled quantity, in the base asset', '0.1'),
  filled_quote_quantity: decimalText('Filled amount in USDT, without fees', '6400'),
  avg_price: price('Average fill price, truncated; null without a fill'),
  stop_price: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'The trigger price; null for other orders',
    examples: [null],
  }),
  working_type: oneOf<string>(['CONTRACT_PRICE', 'MARK_PRICE'], {
    description: 'The price that a trigger watches',
  }),
  reduce_only: Type.Boolean({ description: 'Can only reduce the position' }),
  close_position: Type.Boolean({ description: 'Closes the whole position' }),
  status: orderStatusText,
  parent_order_id: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: 'The parent order of a take profit or stop loss; otherwise null',
    examples: [null],
  }),
  origin: oneOf<string>(['user', 'liquidation', 'auto_deleveraging'], {
    description: 'The origin of the order',
  }),
  created_at: timeText('When the order was placed'),
  updated_at: timeText('When the order last changed'),
};

export const orderSchema = strictObject(orderFields, {
  title: 'PerpetualOrder',
  description: 'An order',
});

export const orderParams = strictObject({
  order_id: Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'The id of the order',
    examples: [1042],
  }),
});

export const ownTradeSchema = strictObject(
  {
    trade_id: integer('The id of the trade', 1042),
    order_id: integer("The caller's order", 1042),
    symbol: symbolText,
    side: sideText,
    role: oneOf<string>(['maker', 'taker'], {
      description: 'Maker or taker',
      examples: ['taker'],
    }),
    price: decimalText('The price of the trade', '64000'),
    quantity: decimalText('In the base asset', '0.1'),
    quote_quantity: decimalText('In USDT', '6400'),
    fee: decimalText('Paid', '3.2'),
    fee_asset: Type.String({ description: 'Always USDT', examples: ['USDT'] }),
    realized_profit: decimalText('The realized profit, without fees', '12.5'),
    created_at: timeText('When the orders met'),
  },
  { title: 'PerpetualTrade' },
);

export const positionSchema = strictObject(
  {
    symbol: symbolText,
    side: oneOf<string>(['LONG', 'SHORT', 'NONE'], { description: 'The side of the position' }),
    quantity: decimalText('In the base asset, negative for a short', '0.25'),
    entry_price: price('Average entry price'),
    mark_price: price('The price at which it is valued'),
    liquidation_price: price(
      'The mark price at which the account would be liquidated; null if there is none',
    ),
    leverage: integer('Notional over initial margin', 20),
    margin_mode: Type.String({ description: 'Always cross', examples: ['cross'] }),
    notional: decimalText('At mark price, in USDT', '16000'),
    unrealized_profit: decimalText('At mark price, in USDT', '-12.5'),
    realized_profit: decimalText('Since the position was last zero, before fees', '30'),
    initial_margin: decimalText('The margin of the position', '800'),
    order_margin: decimalText('The margin of the resting orders in the market', '40'),
    maintenance_margin: decimalText(
      'The account is liquidated when its equity is at or below it',
      '64',
    ),
    deleverage_rank: integer("0 to 4: the position's rank in auto-deleveraging, 4 is next", 1),
    updated_at: timeText('When the position last changed'),
  },
  { title: 'Position' },
);

export const placedOrderSchema = strictObject(
  {
    ...orderFields,
    fills: Type.Array(ownTradeSchema, { description: 'The immediate fills' }),
  },
  { title: 'PlacedPerpetualOrder' },
);

const levels = (description: string) =>
  Type.Array(
    Type.Array(decimalText('price, then quantity', '64000.5'), { description: 'A level' }),
    { description, examples: [[['64000.5', '0.25']]] },
  );

export const depthSchema = strictObject(
  {
    symbol: symbolText,
    last_update_id: integer('The number of the last change that is included', 1042),
    bids: levels('Highest first'),
    asks: levels('Lowest first'),
  },
  { title: 'PerpetualDepth' },
);

/** The orders that a call canceled. */
export const canceledSchema = strictObject({
  canceled: Type.Array(Type.Integer({ examples: [1042] }), {
    description: 'The ids of the canceled orders',
  }),
});

/** A page of the caller's history. */
export function pageSchema<P extends TProperties>(item: TObject<P>, description: string) {
  return strictObject({
    items: Type.Array(item, { description }),
    total: integer('Number of matching items; -1 if the page was requested by cursor', 250),
    next_cursor: nullable(
      Type.String({ description: 'The cursor of the next page; null on the last one' }),
    ),
  });
}
