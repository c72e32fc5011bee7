import { type TProperties, Type } from 'typebox';
import {
  decimal,
  empty,
  flag,
  list,
  object,
  symbol,
  text,
  time,
  whole,
  word,
} from '../../fapi/reference/field-schemas.ts';
import { base, price, quote } from './spot-amounts.ts';

// Orders and accounts of /api/v3 as the interface reference describes them.

const orderBody: TProperties = {
  symbol,
  orderId: whole('The number of the order', 1042),
  orderListId: whole('Always -1', -1),
  clientOrderId: text('The client order ID, given or generated', 'bot-1:42'),
  price: price('The limit price; 0 for market orders'),
  origQty: base('The quantity'),
  executedQty: base('Filled quantity', '0'),
  origQuoteOrderQty: quote(
    'The quote amount of a market order that was placed with one; otherwise 0',
    '0',
  ),
  cummulativeQuoteQty: quote('Quote amount of all fills', '0'),
  status: word('The status of the order', [
    'NEW',
    'PARTIALLY_FILLED',
    'FILLED',
    'CANCELED',
    'REJECTED',
    'EXPIRED',
  ]),
  timeInForce: word('How long it stays in force', ['GTC', 'IOC', 'FOK']),
  type: word('Its type', ['LIMIT', 'MARKET', 'LIMIT_MAKER']),
  side: word('The side', ['BUY', 'SELL']),
  selfTradePreventionMode: word('The self-trade prevention mode', ['EXPIRE_TAKER']),
};

const acknowledged: TProperties = {
  symbol,
  orderId: whole('The number of the order', 1042),
  orderListId: whole('Always -1', -1),
  clientOrderId: text('The client order ID, given or generated', 'bot-1:42'),
  transactTime: time('When it was accepted'),
};

const placedBody: TProperties = {
  ...orderBody,
  transactTime: time('When it was accepted'),
  workingTime: time('When it entered the book'),
};

const fill = object(
  {
    price: price('The price'),
    qty: base('The quantity'),
    commission: decimal('The fee, in commissionAsset', '0.0005'),
    commissionAsset: text('The asset that was received', 'BTC'),
    tradeId: whole('The number of the trade', 2001),
  },
  'A fill',
);

export const placedOrder = Type.Unsafe<unknown>({
  anyOf: [
    object(acknowledged, 'ACK: the order was accepted'),
    object(placedBody, 'RESULT: the immediate result'),
    object({ ...placedBody, fills: list(fill, 'The immediate fills') }, 'FULL: with its fills'),
  ],
  description: 'The order',
});

export const tested = Type.Unsafe<unknown>({
  anyOf: [
    empty,
    object(
      {
        standardCommissionForOrder: object(
          { maker: decimal('Maker rate', '0.001'), taker: decimal('Taker rate', '0.001') },
          'The rates of the market',
        ),
        taxCommissionForOrder: object(
          { maker: decimal('None', '0'), taker: decimal('None', '0') },
          'None',
        ),
        discount: object(
          {
            enabledForAccount: flag('No discount asset'),
            enabledForSymbol: flag('No discount asset'),
            discountAsset: text('None', ''),
            discount: decimal('None', '0'),
          },
          'None',
        ),
      },
      'With computeCommissionRates',
    ),
  ],
  description: 'The order is valid',
});

export const order = object(
  {
    ...orderBody,
    stopPrice: decimal('Always 0', '0'),
    icebergQty: decimal('Always 0', '0'),
    time: time('When it was placed'),
    updateTime: time('When it last changed'),
    isWorking: flag('Always true', true),
    workingTime: time('When it entered the book'),
  },
  'An order',
);

export const orders = list(order, 'Orders, oldest first');

const canceledBody: TProperties = {
  ...orderBody,
  origClientOrderId: text('The client order id', 'bot-1:42'),
  clientOrderId: text('The client id of the cancellation', 'bot-1:43'),
  transactTime: time('When it was canceled'),
};

export const canceledOrder = object(canceledBody, 'The canceled order');
export const canceledOrders = list(canceledOrder, 'The canceled orders, oldest first');

export const replaced = object(
  {
    cancelResult: word('The result of the cancellation', ['SUCCESS', 'FAILURE']),
    newOrderResult: word('The result of the new order', ['SUCCESS', 'FAILURE', 'NOT_ATTEMPTED']),
    cancelResponse: canceledOrder,
    newOrderResponse: placedOrder,
  },
  'Both succeeded',
);

const rates = (description: string) =>
  object(
    {
      maker: decimal('Maker rate', '0.001'),
      taker: decimal('Taker rate', '0.001'),
      buyer: decimal('Always 0', '0'),
      seller: decimal('Always 0', '0'),
    },
    description,
  );

export const account = object(
  {
    makerCommission: whole('The highest maker rate of any market, in hundredths of a percent', 10),
    takerCommission: whole('The highest taker rate of any market, in hundredths of a percent', 10),
    buyerCommission: whole('Always 0', 0),
    sellerCommission: whole('Always 0', 0),
    commissionRates: rates('The same as fractions'),
    canTrade: flag('Whether the account can trade', true),
    canWithdraw: flag('Whether it can withdraw', true),
    canDeposit: flag('Whether it can deposit', true),
    brokered: flag('Never'),
    requireSelfTradePrevention: flag('Whether self-trade prevention always applies', true),
    preventSor: flag('Every market has one book', true),
    updateTime: time('Now'),
    accountType: word('Spot', ['SPOT']),
    balances: list(
      object(
        {
          asset: text('The asset', 'USDT'),
          free: decimal('Available', '1250.5'),
          locked: decimal('Locked in orders and withdrawals', '100'),
        },
        'A balance',
      ),
      'Balances that have ever been other than zero',
    ),
    permissions: list(text('A permission', 'SPOT'), 'Permissions'),
    uid: whole('The number of the account; 0 before its first action', 7),
  },
  'The account',
);

export const ownTrades = list(
  object(
    {
      symbol,
      id: whole('The number of the trade', 2001),
      orderId: whole("The caller's order", 1042),
      orderListId: whole('Always -1', -1),
      price: price('The price'),
      qty: base('The quantity'),
      quoteQty: quote('Price times quantity', '16000.125'),
      commission: decimal('The fee, in commissionAsset', '0.0005'),
      commissionAsset: text('The asset that was received', 'BTC'),
      time: time('When the trade was made'),
      isBuyer: flag('Whether the caller bought', true),
      isMaker: flag('Whether the caller was the maker'),
      isBestMatch: flag('Always true', true),
    },
    'A trade',
  ),
  'Trades, oldest first',
);

export const commission = object(
  {
    symbol,
    standardCommission: rates('The rates of the market'),
    specialCommission: rates('None'),
    taxCommission: rates('None'),
    discount: object(
      {
        enabledForAccount: flag('No discount asset'),
        enabledForSymbol: flag('No discount asset'),
        discountAsset: text('None', ''),
        discount: decimal('None', '0'),
      },
      'None',
    ),
  },
  'Commission rates',
);

export const listenKey = object(
  { listenKey: text('64 characters', 'k'.repeat(64)) },
  'The key of the private streams',
);
