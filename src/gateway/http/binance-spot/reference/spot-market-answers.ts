import { type TProperties, type TSchema, Type } from 'typebox';
import {
  decimal,
  empty,
  flag,
  list,
  listOfArrays,
  object,
  symbol,
  text,
  time,
  whole,
  word,
} from '../../fapi/reference/field-schemas.ts';
import { base, price, quote } from './spot-amounts.ts';

// Market data of /api/v3 as the interface reference describes it; contract tests check against it.

export { empty };

export const serverTime = object({ serverTime: time('The service clock') }, 'The time');

const level = Type.Unsafe<unknown>({
  type: 'array',
  prefixItems: [price('The price'), base('The quantity at that price')],
  items: false,
  minItems: 2,
  examples: [['64000.5', '0.25']],
  description: 'Price and quantity',
});

export const depth = object(
  {
    lastUpdateId: whole('The last change of the book that is included', 1027),
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
      time: time('When the trade was made'),
      isBuyerMaker: flag('Whether the buyer was the maker'),
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
      T: time('When the first trade was made'),
      m: flag('Whether the buyer was the maker'),
      M: flag('Always true', true),
    },
    'Trades at one price and of one taker side within 100 ms',
  ),
  'Oldest first',
);

const candleFields = [
  time('Open time'),
  ...['Open', 'High', 'Low', 'Close'].map((name) => price(name)),
  base('Volume'),
  time('Close time'),
  quote('Quote volume'),
  whole('Number of trades', 12),
  base('Bought by takers'),
  quote('The quote amount that takers paid'),
  text('Nothing', '0'),
];

export const klines = listOfArrays(candleFields, {
  item:
    'Open time, open, high, low, close, volume, close time, quote volume, number of trades, ' +
    'base and quote volume that takers bought, and 0',
  list: 'Candles, oldest first',
});

export const averagePrice = object(
  {
    mins: whole('Length in minutes', 5),
    price: price(
      'Quote volume divided by base volume of those minutes; the last price if nothing traded',
    ),
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
  openTime: time('Start of the day'),
  closeTime: time('End of the window'),
  firstId: whole('The first trade; -1 without one', 2001),
  lastId: whole('The last trade; -1 without one', 2042),
  count: whole('Number of trades', 42),
};

const spanTicker: TProperties = {
  ...miniTicker,
  priceChange: decimal('Last price minus first price', '-12.5'),
  priceChangePercent: decimal('The same in percent', '-0.02'),
  weightedAvgPrice: price('Quote volume divided by base volume'),
};

const fullTicker: TProperties = {
  ...spanTicker,
  prevClosePrice: price('The last price before the day'),
  lastQty: base('The quantity of the last trade'),
  bidPrice: price('The best bid; 0 if there is none'),
  bidQty: base('The quantity at that price'),
  askPrice: price('The best ask; 0 if there is none'),
  askQty: base('The quantity at that price'),
};

const oneOrMany = (item: TSchema, description: string): TSchema =>
  Type.Unsafe<unknown>({
    anyOf: [item, Type.Array(item, { description: 'Of several markets' })],
    description,
  });

const tickerOver = (span: string): TSchema =>
  Type.Unsafe<unknown>({
    anyOf: [
      object(spanTicker, `${span} of a market`),
      object(miniTicker, 'The same with type=MINI'),
      list(object(spanTicker, `${span} of a market`), 'Of several markets'),
      list(object(miniTicker, 'The same with type=MINI'), 'Of several markets'),
    ],
    description: span,
  });

export const rollingTicker = tickerOver('The window');
export const tradingDayTicker = tickerOver('The day of the time zone');

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
      bidPrice: price('The best bid; 0 if there is none'),
      bidQty: base('The quantity at that price'),
      askPrice: price('The best ask; 0 if there is none'),
      askQty: base('The quantity at that price'),
    },
    'The best prices',
  ),
  'Best prices',
);

const filter = object(
  {
    filterType: word('Which filter', [
      'PRICE_FILTER',
      'LOT_SIZE',
      'MARKET_LOT_SIZE',
      'NOTIONAL',
      'MAX_NUM_ORDERS',
    ]),
    minPrice: Type.Optional(price('The lowest price', '0.01')),
    maxPrice: Type.Optional(price('The highest price', '1000000000')),
    tickSize: Type.Optional(price('Prices are multiples of it', '0.01')),
    minQty: Type.Optional(base('The smallest quantity', '0.00001')),
    maxQty: Type.Optional(base('The largest quantity', '1000000000')),
    stepSize: Type.Optional(base('Quantities are multiples of it', '0.00001')),
    minNotional: Type.Optional(quote('Minimum price times quantity', '5')),
    applyMinToMarket: Type.Optional(flag('Whether it applies to market orders', true)),
    maxNotional: Type.Optional(quote('Maximum price times quantity', '1000000000')),
    applyMaxToMarket: Type.Optional(flag('Whether it applies to market orders')),
    avgPriceMins: Type.Optional(whole('0: market orders are checked at the best price', 0)),
    maxNumOrders: Type.Optional(whole('Maximum number of open orders of an account', 1_000)),
  },
  'A filter',
);

const precision = (description: string) => whole(description, 8);

export const exchangeInfo = object(
  {
    timezone: text('Time zone of all times', 'UTC'),
    serverTime: time('The service clock'),
    rateLimits: list(
      object(
        {
          rateLimitType: word('What is counted', ['REQUEST_WEIGHT', 'ORDERS']),
          interval: word('The unit of the interval', ['MINUTE', 'SECOND']),
          intervalNum: whole('The number of units', 1),
          limit: whole('The maximum', 2400),
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
          status: word('TRADING, or the reason for not trading', ['TRADING', 'HALT', 'BREAK']),
          baseAsset: text('The traded token', 'BTC'),
          baseAssetPrecision: precision('Decimals of the base asset'),
          quoteAsset: text('The token in which it is priced', 'USDT'),
          quotePrecision: precision('Decimals of the quote asset'),
          quoteAssetPrecision: precision('The same'),
          baseCommissionPrecision: precision('Decimals of commission in the base asset'),
          quoteCommissionPrecision: precision('Decimals of commission in the quote asset'),
          orderTypes: list(text('An order type', 'LIMIT'), 'Order types'),
          icebergAllowed: flag('No iceberg orders'),
          ocoAllowed: flag('No order lists'),
          otoAllowed: flag('No order lists'),
          opoAllowed: flag('No order lists'),
          quoteOrderQtyMarketAllowed: flag('Market orders can be placed by quote amount', true),
          allowTrailingStop: flag('No trailing stops'),
          cancelReplaceAllowed: flag('Orders can be replaced', true),
          amendAllowed: flag('Orders are replaced, not amended'),
          pegInstructionsAllowed: flag('No pegged orders'),
          isSpotTradingAllowed: flag('Whether the market trades', true),
          isMarginTradingAllowed: flag('No margin on spot'),
          filters: list(filter, 'Filters'),
          permissions: list(text('A permission', 'SPOT'), 'Empty, as in permissionSets'),
          permissionSets: list(list(text('A permission', 'SPOT'), 'One set'), 'Who can trade'),
          defaultSelfTradePreventionMode: word('The self-trade prevention mode', ['EXPIRE_TAKER']),
          allowedSelfTradePreventionModes: list(text('A mode', 'EXPIRE_TAKER'), 'Modes'),
        },
        'A market',
      ),
      'Markets',
    ),
  },
  'Limits and markets with their filters',
);
