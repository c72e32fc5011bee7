import { type TSchema, Type } from 'typebox';
import {
  base,
  decimal,
  flag,
  inDialect,
  list,
  listOfArrays,
  object,
  oneOrList,
  price,
  symbol,
  text,
  time,
  usdt,
  whole,
  word,
} from './field-schemas.ts';

// Answers of /fapi's market data.

const level = Type.Unsafe<unknown>({
  type: 'array',
  description: 'Price and quantity',
  prefixItems: [price('Price'), base('Quantity')],
  items: false,
  minItems: 2,
  examples: [['64000.5', '0.25']],
});

export const serverTime = object({ serverTime: time('The clock of the service') }, 'The time');

export const depth = object(
  {
    lastUpdateId: whole(
      'The last change of the book, on the same counter as the depth streams',
      1042,
    ),
    E: time('When the response was created'),
    T: time('When the response was created'),
    bids: list(level, 'Bids, highest first'),
    asks: list(level, 'Asks, lowest first'),
  },
  'The best levels of both sides',
);

export const marketTrades = list(
  object(
    {
      id: whole('The number of the trade', 1042),
      price: price('Price of the trade'),
      qty: base('Traded'),
      quoteQty: usdt('Price times quantity', '16000.125'),
      time: time('When the orders met'),
      isBuyerMaker: flag('Whether the buyer was the maker'),
      isRPITrade: flag('Always false'),
    },
    'A trade',
  ),
  'Trades, oldest first',
);

export const aggregateTrades = list(
  object(
    {
      a: whole('The number of the first trade', 1042),
      p: price('Their price'),
      q: base('Total quantity'),
      nq: base('The same, since nothing trades off the book'),
      f: whole('The first trade', 1042),
      l: whole('The last trade', 1043),
      T: time('When the orders met'),
      m: flag('Whether the buyer was the maker'),
    },
    'Consecutive trades at the same price and taker side within 100 ms',
  ),
  'Aggregates, oldest first',
);

const candleFields: readonly TSchema[] = [
  time('Open time'),
  price('First price', '63000'),
  price('Highest price', '64500'),
  price('Lowest price', '62900'),
  price('Last price', '64000'),
  base('Traded', '12.5'),
  time('Close time: the last millisecond'),
  usdt('Traded', '800000'),
  whole('Trades', 1042),
  base('The part that takers bought', '6.5'),
  usdt('The part that takers bought', '416000'),
  text('Unused', '0'),
];

export const klines = listOfArrays(candleFields, {
  item:
    'Open time, open, high, low, close, volume, close time, quote volume, trades, ' +
    'taker buy volume, taker buy quote volume, unused',
  list: 'Candles, oldest first; intervals without trades have none',
});

export const openInterest = object(
  {
    openInterest: base('The sum of all long positions', '125.5'),
    symbol,
    time: time('When the response was created'),
  },
  'Open interest',
);

const rate = (description: string, example = '0.0001') =>
  decimal(`${description}, as a fraction`, example);

export const premiumIndex = oneOrList(
  object(
    {
      symbol,
      markPrice: price('Mark price; 0 before the first'),
      indexPrice: price('Index price; 0 before the first', '64001'),
      estimatedSettlePrice: price('The index price', '64001'),
      lastFundingRate: rate('The next funding rate as of now'),
      interestRate: rate('Interest component of the rate', '0.0001'),
      nextFundingTime: time('The next full UTC hour'),
      time: time('When the response was created'),
    },
    'Prices and funding of a market',
  ),
  'Prices and funding',
);

export const fundingRates = list(
  object(
    {
      symbol,
      fundingRate: rate('What was charged'),
      fundingTime: time('When it was charged'),
      markPrice: price('Mark price at that time'),
      rateType: inDialect(word('The rate of every hour', ['Regular'])),
    },
    'One funding',
  ),
  'Past rates, oldest first',
);

export const fundingInfo = list(
  object(
    {
      symbol,
      adjustedFundingRateCap: rate('The highest rate', '0.003'),
      adjustedFundingRateFloor: rate('The lowest rate', '-0.003'),
      fundingIntervalHours: whole('Hours between two funding payments', 1),
      disclaimer: flag('Always false'),
    },
    'Terms of a market',
  ),
  'One entry per market',
);

export const dayTicker = oneOrList(
  object(
    {
      symbol,
      priceChange: price('Last price minus first price', '1000.5'),
      priceChangePercent: decimal('The same in percent of the first price', '1.588'),
      weightedAvgPrice: price('Average price by quantity', '63800'),
      lastPrice: price('Price of the last trade'),
      lastQty: base('Quantity of the last trade'),
      openPrice: price('The first price', '63000'),
      highPrice: price('The highest price', '64500'),
      lowPrice: price('The lowest price', '62900'),
      volume: base('Traded', '12.5'),
      quoteVolume: usdt('Traded', '800000'),
      openTime: time('Start of the 24 hours'),
      closeTime: time('End of the window'),
      firstId: whole('The first trade; 0 without one', 1),
      lastId: whole('The last trade; 0 without one', 1042),
      count: whole('Trades', 1042),
    },
    'The last 24 hours of a market',
  ),
  'The last 24 hours; zeros before the first trade',
);

export const priceTicker = oneOrList(
  object(
    {
      symbol,
      price: price('Price of the last trade; before the first trade the mark price, or 0'),
      time: time('When the response was created'),
    },
    'The last price of a market',
  ),
  'The last price',
);

export const bookTicker = oneOrList(
  object(
    {
      symbol,
      bidPrice: price('The highest bid; 0 without one', '64000'),
      bidQty: base('The quantity at that price'),
      askPrice: price('The lowest ask; 0 without one', '64001'),
      askQty: base('The quantity at that price'),
      time: time('When the response was created'),
      lastUpdateId: whole('The last change of the book', 1042),
    },
    'The best prices of a market',
  ),
  'The best prices',
);

export const rateLimits = list(
  object(
    {
      rateLimitType: word('What is counted', ['REQUEST_WEIGHT', 'ORDERS']),
      interval: word('The unit of the span', ['MINUTE', 'SECOND']),
      intervalNum: whole('The number of intervals in the window', 1),
      limit: whole('The maximum within the window', 2400),
    },
    'A limit',
  ),
  'The limits on requests',
);

const filter = Type.Unsafe<unknown>({
  type: 'object',
  description:
    'PRICE_FILTER, LOT_SIZE, MARKET_LOT_SIZE, MAX_NUM_ORDERS, MAX_NUM_ALGO_ORDERS, ' +
    'MIN_NOTIONAL, PERCENT_PRICE',
  properties: {
    filterType: text('The type of the filter', 'PRICE_FILTER'),
    minPrice: price('PRICE_FILTER: the lowest price', '0.1'),
    maxPrice: price('PRICE_FILTER: the highest price', '1000000000'),
    tickSize: price('PRICE_FILTER: prices are multiples of it', '0.1'),
    minQty: base('LOT_SIZE, MARKET_LOT_SIZE: the minimum', '0.001'),
    maxQty: base('LOT_SIZE, MARKET_LOT_SIZE: the maximum', '1000000000'),
    stepSize: base('LOT_SIZE, MARKET_LOT_SIZE: quantities are multiples of it', '0.001'),
    limit: whole('MAX_NUM_ORDERS: live orders of an account in the market', 200),
    notional: usdt('MIN_NOTIONAL: the minimum price times quantity', '5'),
    maxNotional: usdt('MIN_NOTIONAL: the maximum price times quantity', '100000000'),
    multiplierUp: decimal('PERCENT_PRICE: highest price over the mark price', '1.05'),
    multiplierDown: decimal('PERCENT_PRICE: lowest price over the mark price', '0.95'),
    multiplierDecimal: Type.Union([text('', '4'), whole('', 4)], {
      description: 'PERCENT_PRICE: decimals of the two',
      examples: ['4'],
    }),
  },
  required: ['filterType'],
  additionalProperties: false,
  examples: [
    { filterType: 'PRICE_FILTER', minPrice: '0.1', maxPrice: '1000000000', tickSize: '0.1' },
  ],
});

export const exchangeInfo = object(
  {
    timezone: word('Time zone of all times', ['UTC']),
    serverTime: time('The clock of the service'),
    futuresType: word('Margin is in USDT', ['U_MARGINED']),
    rateLimits,
    exchangeFilters: list(Type.Unsafe<unknown>({}), 'Always empty'),
    assets: list(
      object(
        {
          asset: text('The asset', 'USDT'),
          marginAvailable: flag('Whether the asset can be margin', true),
          autoAssetExchange: decimal('Always 0', '0'),
        },
        'An asset',
      ),
      'The margin assets',
    ),
    symbols: list(
      object(
        {
          symbol,
          pair: text('The same', 'BTCUSDT'),
          contractType: word('Perpetual', ['PERPETUAL']),
          deliveryDate: whole(
            'Perpetuals are not delivered: a time far in the future, in milliseconds',
            4_133_404_800_000,
          ),
          onboardDate: time('When the market was created'),
          status: word(
            'TRADING is listed, PENDING_TRADING halted, CLOSE delisted; SETTLING while a price ' +
              'move or the positions of a delisted market are settled',
            ['TRADING', 'PENDING_TRADING', 'SETTLING', 'CLOSE'],
          ),
          maintMarginPercent: decimal('Lowest maintenance margin, in percent', '0.4'),
          requiredMarginPercent: decimal('Margin at the largest leverage, in percent', '1'),
          baseAsset: text('The traded token', 'BTC'),
          quoteAsset: text('The asset of prices', 'USDT'),
          marginAsset: text('The margin asset', 'USDT'),
          pricePrecision: whole('Decimals of prices', 1),
          quantityPrecision: whole('Decimals of quantities', 3),
          baseAssetPrecision: whole('Decimals of the base asset', 8),
          quotePrecision: whole('Decimals of USDT', 8),
          underlyingType: word('The group of the underlying', ['COIN']),
          underlyingSubType: list(text('A group', 'PoW'), 'Always empty'),
          settlePlan: whole('Always 0', 0),
          triggerProtect: decimal(
            'Maximum distance of the last price from the mark price, a fraction',
            '0.05',
          ),
          liquidationFee: decimal('Of the liquidated notional, a fraction', '0.0125'),
          marketTakeBound: decimal(
            'Maximum distance from the mark price at which market orders trade',
            '0.05',
          ),
          filters: list(filter, 'The filters for orders'),
          orderTypes: list(text('A type', 'LIMIT'), 'Types of orders'),
          timeInForce: list(text('A time in force', 'GTC'), 'Times in force'),
        },
        'A market',
      ),
      'The markets',
    ),
  },
  'Limits, assets and markets',
);

export const insuranceFund = oneOrList(
  object(
    {
      symbols: list(symbol, 'The markets that share the fund'),
      assets: list(
        object(
          {
            asset: word('The asset', ['USDT']),
            marginBalance: usdt('The balance of the fund'),
            updateTime: time('When the response was created'),
          },
          'An asset of the fund',
        ),
        'The assets of the fund',
      ),
    },
    'The insurance fund',
  ),
  'The insurance fund; with a symbol, only the entry',
);

export const adlRisk = oneOrList(
  object(
    {
      symbol,
      adlRisk: word('The risk level, from the ratio of the insurance fund to all positions', [
        'low',
        'medium',
        'high',
      ]),
      updateTime: time('When the response was created'),
    },
    'The risk of a market',
  ),
  'The risk of auto-deleveraging',
);
