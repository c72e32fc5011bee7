import { type TProperties, type TSchema, Type } from 'typebox';
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

// Answers of /api/v3 as the reader of the interface sees them; contract tests hold to them.

export { empty };

const quote = (description: string, example = '64000.5') =>
  decimal(`${description}, in the quote asset`, example);
const base = (description: string, example = '0.25') =>
  decimal(`${description}, in the base asset`, example);
const price = (description: string, example = '64000.5') =>
  decimal(`${description}, of the quote asset for one of the base asset`, example);

export const serverTime = object({ serverTime: time('The service clock') }, 'The time');

const level = Type.Unsafe<unknown>({
  type: 'array',
  prefixItems: [price('The price'), base('What rests there')],
  items: false,
  minItems: 2,
  description: 'Price and quantity',
});

export const depth = object(
  {
    lastUpdateId: whole('The last change of the book that this holds', 1027),
    bids: list(level, 'Best first'),
    asks: list(level, 'Best first'),
  },
  'The book',
);

export const marketTrades = list(
  object(
    {
      id: whole('The number of the trade', 2001),
      price: price('The price'),
      qty: base('The quantity'),
      quoteQty: quote('Price times quantity', '16000.125'),
      time: time('When it was made'),
      isBuyerMaker: flag('Whether the buyer rested'),
      isBestMatch: flag('Always true', true),
    },
    'A trade',
  ),
  'Trades, oldest first',
);

export const aggregateTrades = list(
  object(
    {
      a: whole('The number of its first trade', 2001),
      p: price('The price'),
      q: base('The quantity'),
      f: whole('The first trade', 2001),
      l: whole('The last trade', 2003),
      T: time('When the first was made'),
      m: flag('Whether the buyer rested'),
      M: flag('Always true', true),
    },
    'Trades of one price and one taker side within 100 ms',
  ),
  'Oldest first',
);

export const klines = list(
  Type.Unsafe<unknown>({
    type: 'array',
    description:
      'Open time, open, high, low, close, volume, close time, quote volume, number of trades, ' +
      'base and quote volume that takers bought, and 0',
    prefixItems: [
      time('Open time'),
      ...['Open', 'High', 'Low', 'Close'].map((name) => price(name)),
      base('Volume'),
      time('Close time'),
      quote('Quote volume'),
      whole('Number of trades', 12),
      base('Bought by takers'),
      quote('What takers paid for it'),
      text('Nothing', '0'),
    ],
    items: false,
    minItems: 12,
  }),
  'Candles, oldest first',
);

export const averagePrice = object(
  {
    mins: whole('Over how many minutes', 5),
    price: price('Quote over base volume of those minutes; the last price where nothing traded'),
    closeTime: whole(
      'When the last trade was made, milliseconds since 1970; 0 before the first',
      0,
    ),
  },
  'The average price',
);

const miniTicker: TProperties = {
  symbol,
  openPrice: price('The first price of the day'),
  highPrice: price('The highest'),
  lowPrice: price('The lowest'),
  lastPrice: price('The last'),
  volume: base('Volume'),
  quoteVolume: quote('Quote volume'),
  openTime: time('Where the day begins'),
  closeTime: time('Where it ends'),
  firstId: whole('Its first trade; -1 without one', 2001),
  lastId: whole('Its last trade; -1 without one', 2042),
  count: whole('How many trades', 42),
};

const fullTicker: TProperties = {
  ...miniTicker,
  priceChange: decimal('Last less first price', '-12.5'),
  priceChangePercent: decimal('The same in percent', '-0.02'),
  weightedAvgPrice: price('Quote over base volume'),
  prevClosePrice: price('The last price before the day'),
  lastQty: base('The quantity of the last trade'),
  bidPrice: price('The best bid; 0 without one'),
  bidQty: base('What rests there'),
  askPrice: price('The best offer; 0 without one'),
  askQty: base('What rests there'),
};

const oneOrMany = (item: TSchema, description: string): TSchema =>
  Type.Unsafe<unknown>({
    anyOf: [item, Type.Array(item, { description: 'Of several markets' })],
    description,
  });

export const dayTicker = Type.Unsafe<unknown>({
  anyOf: [
    object(fullTicker, 'The day of a market'),
    object(miniTicker, 'The same with type=MINI'),
    list(object(fullTicker, 'The day of a market'), 'Of several markets'),
    list(object(miniTicker, 'The same with type=MINI'), 'Of several markets'),
  ],
  description: 'The last 24 hours',
});

export const priceTicker = oneOrMany(
  object({ symbol, price: price('The last price; 0 before the first trade') }, 'A price'),
  'Last prices',
);

export const bookTicker = oneOrMany(
  object(
    {
      symbol,
      bidPrice: price('The best bid; 0 without one'),
      bidQty: base('What rests there'),
      askPrice: price('The best offer; 0 without one'),
      askQty: base('What rests there'),
    },
    'The best prices',
  ),
  'Best prices',
);

const filter = object(
  {
    filterType: word('Which filter', ['PRICE_FILTER', 'LOT_SIZE', 'MARKET_LOT_SIZE', 'NOTIONAL']),
    minPrice: Type.Optional(price('The lowest price', '0.01')),
    maxPrice: Type.Optional(price('The highest price', '1000000000')),
    tickSize: Type.Optional(price('Prices are its multiples', '0.01')),
    minQty: Type.Optional(base('The smallest quantity', '0.00001')),
    maxQty: Type.Optional(base('The largest quantity', '1000000000')),
    stepSize: Type.Optional(base('Quantities are its multiples', '0.00001')),
    minNotional: Type.Optional(quote('The least of price times quantity', '5')),
    applyMinToMarket: Type.Optional(flag('Whether market orders are held to it', true)),
    maxNotional: Type.Optional(quote('The most of price times quantity', '1000000000')),
    applyMaxToMarket: Type.Optional(flag('Whether market orders are held to it')),
    avgPriceMins: Type.Optional(whole('Market orders are judged by the best price: 0', 0)),
  },
  'A filter',
);

const precision = (description: string) => whole(description, 8);

export const exchangeInfo = object(
  {
    timezone: text('Of all times', 'UTC'),
    serverTime: time('The service clock'),
    rateLimits: list(
      object(
        {
          rateLimitType: word('What is counted', ['REQUEST_WEIGHT', 'ORDERS']),
          interval: word('Over what', ['MINUTE', 'SECOND']),
          intervalNum: whole('How many of these', 1),
          limit: whole('The most', 2400),
        },
        'A limit',
      ),
      'Limits',
    ),
    exchangeFilters: list(empty, 'None'),
    symbols: list(
      object(
        {
          symbol,
          status: word('TRADING, or why not', ['TRADING', 'HALT', 'BREAK']),
          baseAsset: text('What is traded', 'BTC'),
          baseAssetPrecision: precision('Decimals of the base asset'),
          quoteAsset: text('What it is paid with', 'USDT'),
          quotePrecision: precision('Decimals of the quote asset'),
          quoteAssetPrecision: precision('The same'),
          baseCommissionPrecision: precision('Decimals of commission in the base asset'),
          quoteCommissionPrecision: precision('Decimals of commission in the quote asset'),
          orderTypes: list(text('An order type', 'LIMIT'), 'Order types'),
          icebergAllowed: flag('No iceberg orders'),
          ocoAllowed: flag('No order lists'),
          otoAllowed: flag('No order lists'),
          opoAllowed: flag('No order lists'),
          quoteOrderQtyMarketAllowed: flag('Market orders may be given by money', true),
          allowTrailingStop: flag('No trailing stops'),
          cancelReplaceAllowed: flag('Orders may be replaced', true),
          amendAllowed: flag('Orders are replaced, not amended'),
          pegInstructionsAllowed: flag('No pegged orders'),
          isSpotTradingAllowed: flag('Whether the market trades', true),
          isMarginTradingAllowed: flag('No margin on spot'),
          filters: list(filter, 'Filters'),
          permissions: list(text('A permission', 'SPOT'), 'Empty, as in permissionSets'),
          permissionSets: list(list(text('A permission', 'SPOT'), 'One set'), 'Who may trade'),
          defaultSelfTradePreventionMode: word('Own orders never meet', ['EXPIRE_TAKER']),
          allowedSelfTradePreventionModes: list(text('A mode', 'EXPIRE_TAKER'), 'Modes'),
        },
        'A market',
      ),
      'Markets',
    ),
  },
  'Limits and markets with their filters',
);

const orderBody: TProperties = {
  symbol,
  orderId: whole('The number of the order', 1042),
  orderListId: whole('Always -1', -1),
  clientOrderId: text("The client's own name of the order, or a generated one", 'bot-1:42'),
  price: price('The limit; 0 for market orders'),
  origQty: base('The quantity'),
  executedQty: base('Filled so far', '0'),
  origQuoteOrderQty: quote('The money of a market order that was given so; else 0', '0'),
  cummulativeQuoteQty: quote('What the fills came to', '0'),
  status: word('Where the order stands', [
    ...['NEW', 'PARTIALLY_FILLED', 'FILLED', 'CANCELED', 'REJECTED', 'EXPIRED'],
  ]),
  timeInForce: word('How long it stands', ['GTC', 'IOC', 'FOK']),
  type: word('Its type', ['LIMIT', 'MARKET', 'LIMIT_MAKER']),
  side: word('What it does', ['BUY', 'SELL']),
  selfTradePreventionMode: word('Own orders never meet', ['EXPIRE_TAKER']),
};

const acknowledged: TProperties = {
  symbol,
  orderId: whole('The number of the order', 1042),
  orderListId: whole('Always -1', -1),
  clientOrderId: text("The client's own name of the order, or a generated one", 'bot-1:42'),
  transactTime: time('When it was taken'),
};

const placedBody: TProperties = {
  ...orderBody,
  transactTime: time('When it was taken'),
  workingTime: time('Since when it works'),
};

const fill = object(
  {
    price: price('The price'),
    qty: base('The quantity'),
    commission: decimal('What was charged, in commissionAsset', '0.0005'),
    commissionAsset: text('The asset that was received', 'BTC'),
    tradeId: whole('The number of the trade', 2001),
  },
  'A fill',
);

export const placedOrder = Type.Unsafe<unknown>({
  anyOf: [
    object(acknowledged, 'ACK: that the order was taken'),
    object(placedBody, 'RESULT: what became of it at once'),
    object({ ...placedBody, fills: list(fill, 'What it traded at once') }, 'FULL: with its fills'),
  ],
  description: 'The order',
});

export const tested = Type.Unsafe<unknown>({
  anyOf: [
    empty,
    object(
      {
        standardCommissionForOrder: object(
          { maker: decimal('Of makers', '0.001'), taker: decimal('Of takers', '0.001') },
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
  description: 'Nothing was wrong with the order',
});

export const order = object(
  {
    ...orderBody,
    stopPrice: decimal('Always 0', '0'),
    icebergQty: decimal('Always 0', '0'),
    time: time('When it was placed'),
    updateTime: time('When it last changed'),
    isWorking: flag('Always true', true),
    workingTime: time('Since when it works'),
  },
  'An order',
);

export const orders = list(order, 'Orders, oldest first');

const canceledBody: TProperties = {
  ...orderBody,
  origClientOrderId: text("The client's name of the order", 'bot-1:42'),
  clientOrderId: text('The name of the cancel', 'bot-1:43'),
  transactTime: time('When it was canceled'),
};

export const canceledOrder = object(canceledBody, 'The canceled order');
export const canceledOrders = list(canceledOrder, 'What was canceled, oldest first');

export const replaced = object(
  {
    cancelResult: word('How the cancel went', ['SUCCESS', 'FAILURE']),
    newOrderResult: word('How the new order went', ['SUCCESS', 'FAILURE', 'NOT_ATTEMPTED']),
    cancelResponse: canceledOrder,
    newOrderResponse: placedOrder,
  },
  'Both done',
);

const rates = (description: string) =>
  object(
    {
      maker: decimal('Of makers', '0.001'),
      taker: decimal('Of takers', '0.001'),
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
    canTrade: flag('Whether the account may trade', true),
    canWithdraw: flag('Whether it may withdraw', true),
    canDeposit: flag('Whether it may deposit', true),
    brokered: flag('Never'),
    requireSelfTradePrevention: flag('Own orders never meet', true),
    preventSor: flag('There is one book a market', true),
    updateTime: time('Now'),
    accountType: word('Spot', ['SPOT']),
    balances: list(
      object(
        {
          asset: text('The asset', 'USDT'),
          free: decimal('Available', '1250.5'),
          locked: decimal('In orders and withdrawals', '100'),
        },
        'A balance',
      ),
      'Balances that ever were other than zero',
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
      commission: decimal('What was charged, in commissionAsset', '0.0005'),
      commissionAsset: text('The asset that was received', 'BTC'),
      time: time('When it was made'),
      isBuyer: flag('Whether the caller bought', true),
      isMaker: flag('Whether the caller’s order rested'),
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
  'What trading costs',
);

export const listenKey = object(
  { listenKey: text('64 characters', 'k'.repeat(64)) },
  'The key of the private streams',
);
