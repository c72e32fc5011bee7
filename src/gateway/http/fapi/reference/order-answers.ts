import { Type } from 'typebox';
import {
  base,
  decimal,
  empty,
  flag,
  inDialect,
  list,
  object,
  price,
  symbol,
  text,
  time,
  usdt,
  whole,
  word,
} from './field-schemas.ts';
import {
  conditionalTypes,
  orderStatuses,
  orderTypes,
  priceMatches,
  selfTradeModes,
  sides,
  timesInForce,
  workingTypes,
} from './order-words.ts';

// Orders as /fapi returns them.

const shared = {
  symbol,
  side: word('The side of the order', sides),
  positionSide: word('One-way mode', ['BOTH']),
  timeInForce: word('How long the order stays in force', timesInForce),
  price: price('The limit price; 0 for orders without one, and until priceMatch has set it'),
  workingType: word('The price that a trigger watches', workingTypes),
  priceMatch: word('The priceMatch of the order', priceMatches),
  selfTradePreventionMode: word('The self-trade prevention mode', selfTradeModes),
  closePosition: flag('Closes the whole position when it triggers'),
  priceProtect: flag('The trigger waits until the last and mark prices are close'),
  reduceOnly: flag('The order can only reduce the position'),
  goodTillDate: whole('When a GTD order expires, milliseconds since 1970; otherwise 0', 0),
  updateTime: time('When the order last changed'),
} as const;

export const order = object(
  {
    orderId: whole('The number of the order', 1042),
    ...shared,
    pair: text('The market', 'BTCUSDT'),
    status: word('The status of the order', orderStatuses),
    clientOrderId: text('The client order ID, given or generated', 'bot-1:42'),
    avgPrice: price('Average fill price; 0 without a fill', '0'),
    origQty: base('The quantity of the order'),
    executedQty: base('Filled quantity', '0'),
    cumQty: base('The same', '0'),
    cumQuote: usdt('Quote amount of all fills', '0'),
    type: word('The current type: a triggered stop is LIMIT or MARKET', orderTypes),
    stopPrice: price('The trigger price; 0 without one', '0'),
    origType: word('The original type', orderTypes),
    activatePrice: Type.Optional(
      price('Trailing stops: the activation price; 0 if active immediately', '65000'),
    ),
    priceRate: Type.Optional(decimal('Trailing stops: the callback in percent', '1')),
    time: time('When the order was placed'),
    modifyId: Type.Optional(whole('The modifyId of an amendment', 7)),
  },
  'An order',
);

export const orders = (description: string) => list(order, description);

const pastOrder = object(
  {
    ...order.properties,
    cumBase: inDialect(decimal('For coin-margined contracts; always 0', '0')),
  },
  'An order',
);

/** Orders as allOrders and forceOrders return them. */
export const pastOrders = (description: string) => list(pastOrder, description);

const refusal = object(
  {
    code: whole('The code of the error', -2013),
    msg: text('The error', 'Order does not exist.'),
  },
  'The reason for the refusal',
);

export const batchAnswers = list(
  Type.Unsafe<unknown>({ anyOf: [order, refusal], description: 'An order, or its refusal' }),
  'One entry for each, in the same order',
);

const beforeAfter = (description: string, before: string, after: string) =>
  object(
    { before: decimal('Before', before), after: decimal('After', after) },
    `${description} before and after`,
  );

export const amendments = list(
  object(
    {
      amendmentId: whole('The number of the amendment', 7),
      symbol,
      pair: text('The market', 'BTCUSDT'),
      orderId: whole('The number of the order', 1042),
      clientOrderId: text('The client order id', 'bot-1:42'),
      time: time('When the order was amended'),
      modifyId: inDialect(whole('The modifyId of the amendment', 7)),
      amendment: object(
        {
          price: beforeAfter('Price', '64000.5', '63999'),
          origQty: beforeAfter('Quantity', '0.25', '0.2'),
          count: whole('The number of amendments so far', 1),
        },
        'The changed values',
      ),
    },
    'An amendment',
  ),
  'Amendments of the order, oldest first',
);

const optionalPrice = (description: string) =>
  Type.String({ description: `${description}; empty without one`, examples: [''] });

export const algoOrder = object(
  {
    algoId: whole('The number of the order, the same as orderId', 1042),
    clientAlgoId: text('The client order ID, given or generated', 'bot-1:42'),
    algoType: word('Waits for a price', ['CONDITIONAL']),
    orderType: word('The type of the order', conditionalTypes),
    quantity: base('The quantity of the order; 0 with closePosition'),
    algoStatus: word('The status of the order', [
      'NEW',
      'TRIGGERED',
      'FINISHED',
      'CANCELED',
      'REJECTED',
      'EXPIRED',
    ]),
    triggerPrice: price('The trigger price; 0 for trailing stops', '63000'),
    icebergQuantity: Type.Null({ description: 'Refused' }),
    activatePrice: optionalPrice('Trailing stops: the activation price'),
    callbackRate: optionalPrice('Trailing stops: the callback in percent'),
    createTime: time('When the order was placed'),
    triggerTime: whole('When it triggered, milliseconds since 1970; 0 before', 0),
    actualOrderId: Type.String({
      description: 'The number of the order that it placed; empty before',
      examples: [''],
    }),
    actualPrice: price('The average price of its fills', '0'),
    actualQty: base('Filled', '0'),
    actualType: Type.String({
      description: 'LIMIT or MARKET once triggered; empty before',
      examples: [''],
    }),
    tpTriggerPrice: decimal('Always 0', '0'),
    tpPrice: decimal('Always 0', '0'),
    slTriggerPrice: decimal('Always 0', '0'),
    slPrice: decimal('Always 0', '0'),
    tpOrderType: Type.String({ description: 'Always empty', examples: [''] }),
    ...shared,
  },
  'A conditional order',
);

export const algoOrders = (description: string) => list(algoOrder, description);

export const algoCanceled = object(
  {
    algoId: whole('The number of the order', 1042),
    clientAlgoId: text('The client order id', 'bot-1:42'),
    code: word('Done', ['200']),
    msg: word('Done', ['success']),
  },
  'The canceled order',
);

export const allCanceled = object(
  {
    code: whole('Done', 200),
    msg: text('Done', 'The operation of cancel all open order is done.'),
  },
  'The live orders of the market are canceled',
);

export const countdown = object(
  {
    symbol,
    countdownTime: decimal(
      'Milliseconds until all orders are canceled, as sent; 0: never',
      '30000',
    ),
  },
  'The current countdown',
);

export const operationDone = object(
  { code: whole('Done', 200), msg: word('Done', ['success']) },
  'Nothing had to be changed',
);

/** An empty object in the interface's form, the order in Binance's dialect. */
export const testedOrder = Type.Unsafe<unknown>({
  anyOf: [empty, order],
  description: 'An empty object; with FAPI_DIALECT=binance the order that it would have been',
});
