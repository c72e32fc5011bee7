import { type TSchema, Type } from 'typebox';
import { klineIntervals } from '../../../domain/kline-interval.ts';
import { base, price, quote } from '../../http/binance-spot/reference/spot-amounts.ts';
import {
  decimal,
  flag,
  list,
  object,
  symbol,
  text,
  time,
  whole,
  word,
} from '../../http/fapi/reference/field-schemas.ts';
import { event, type StreamDescription } from '../futures/event-schemas.ts';
import { type RollingWindow, rollingWindows } from '../futures/market-topics.ts';
import {
  bestPrices,
  bookLevels,
  miniTickerFields,
  tickerFields,
  transactionTime,
} from '../market-event-fields.ts';
import type { SpotUserEventName } from './spot-account-events.ts';
import type { SpotStreamName } from './spot-stream-name.ts';

// Binance's spot streams for the AsyncAPI document; tests check what is sent against these schemas.

const amounts = { price, base, quote };
const levels = (description: string) => bookLevels(amounts, description);

const depth = event(
  'depthUpdate',
  {
    s: symbol,
    U: whole('The first change of the book in this event', 1043),
    u: whole('The last change of the book in this event', 1044),
    b: levels('Changed bids'),
    a: levels('Changed asks'),
  },
  'Changed levels; its U is one more than the u of the previous event',
);

const partialDepth = object(
  {
    lastUpdateId: whole('The last change of the book', 1042),
    bids: levels('Bids, best first'),
    asks: levels('Asks, best first'),
  },
  'The best levels, complete',
);

const bookTicker = object(
  { u: whole('The last change of the book', 1042), s: symbol, ...bestPrices(amounts) },
  'The best prices',
);

const isMaker = flag('Whether the buyer was the maker');
const always = flag('Always true', true);
const trade = event(
  'trade',
  {
    s: symbol,
    t: whole('The number of the trade', 1042),
    p: price('Price of the trade'),
    q: base('Traded'),
    T: transactionTime,
    m: isMaker,
    M: always,
  },
  'A trade',
);
const aggregateTrade = event(
  'aggTrade',
  {
    s: symbol,
    a: whole('The number of the first trade', 1042),
    p: price('Their price'),
    q: base('Total quantity'),
    f: whole('The first trade', 1042),
    l: whole('The last trade', 1043),
    T: transactionTime,
    m: isMaker,
    M: always,
  },
  'Consecutive trades at the same price and taker side within 100 ms',
);

const candle = object(
  {
    t: time('Open time'),
    T: time('Close time: the last millisecond'),
    s: symbol,
    i: word('The interval', klineIntervals),
    f: whole('The first trade', 1001),
    L: whole('The last trade', 1042),
    o: price('The first price', '63000'),
    c: price('The last price', '64000'),
    h: price('The highest price', '64500'),
    l: price('The lowest price', '62900'),
    v: base('Traded', '12.5'),
    n: whole('Trades', 42),
    x: flag('The candle is finished'),
    q: quote('Traded', '800000'),
    V: base('The part that takers bought', '6.5'),
    Q: quote('The part that takers bought', '416000'),
    B: text('Unused', '0'),
  },
  'The candle',
);
const kline = event('kline', { s: symbol, k: candle }, 'The newest candle as it grows');

const miniTicker = event(
  '24hrMiniTicker',
  miniTickerFields(amounts),
  'The last 24 hours, in brief',
);
const ticker = event(
  '24hrTicker',
  {
    ...miniTickerFields(amounts),
    ...tickerFields(amounts),
    x: price('The last price before the 24 hours', '63000'),
    ...bestPrices(amounts),
  },
  'The last 24 hours',
);

const rolling = (window: RollingWindow): TSchema =>
  event(
    `${window}Ticker`,
    {
      ...miniTickerFields(amounts),
      p: price('Last price minus first price', '1000'),
      P: decimal('The same in percent of the first price', '1.587'),
      w: price('Average price by quantity', '63800'),
      O: time('Start of the window'),
      C: time('End of the window'),
      F: whole('The first trade', 1),
      L: whole('The last trade', 42),
      n: whole('Number of trades', 42),
    },
    'The window',
  );
const averagePrice = event(
  'avgPrice',
  {
    s: symbol,
    i: word('The interval', ['5m']),
    w: price('Quote volume over base volume; the last price if nothing traded'),
    T: time('When the last trade was made; only its minute if it was before the service started'),
  },
  'The average price',
);

const allRolling = (window: RollingWindow): StreamDescription => ({
  name: `!ticker_${window}@arr`,
  summary: `The last ${window} of all markets that have changed`,
  payload: list(rolling(window), 'One entry per market'),
});

const market = '{symbol}@';

/** Every stream of spot, by its kind. */
export const spotMarketStreams: Readonly<
  Record<Exclude<SpotStreamName['kind'], 'continuousKline'>, StreamDescription>
> = {
  depth: {
    name: `${market}depth[@100ms]`,
    summary: 'Changes of the order book, every second or every 100 ms',
    payload: depth,
  },
  partialDepth: {
    name: `${market}depth{levels}[@100ms]`,
    summary: 'The best 5, 10 or 20 levels per side, every second or every 100 ms',
    payload: partialDepth,
  },
  bookTicker: {
    name: `${market}bookTicker`,
    summary: 'The best prices, whenever they change',
    payload: bookTicker,
  },
  trade: { name: `${market}trade`, summary: 'Every trade', payload: trade },
  aggTrade: {
    name: `${market}aggTrade`,
    summary: 'Consecutive trades at the same price and taker side within 100 ms, aggregated',
    payload: aggregateTrade,
  },
  kline: {
    name: `${market}kline_{interval}`,
    summary: 'The newest candle, at most every 250 ms; a finished one is sent again with x true',
    payload: kline,
  },
  miniTicker: {
    name: `${market}miniTicker`,
    summary: 'The last 24 hours in brief, at most every second',
    payload: miniTicker,
  },
  ticker: {
    name: `${market}ticker`,
    summary: 'The last 24 hours, at most every second',
    payload: ticker,
  },
  rollingTicker: {
    name: `${market}ticker_{window}`,
    summary: 'The last hour, four hours or day, at most every second',
    payload: Type.Unsafe<unknown>({ anyOf: rollingWindows.map(rolling) }),
  },
  avgPrice: {
    name: `${market}avgPrice`,
    summary: 'The average price of five minutes, at most every second',
    payload: averagePrice,
  },
  allBookTickers: {
    name: '!bookTicker',
    summary: 'The best prices of all markets, whenever they change',
    payload: bookTicker,
  },
  allTickers: {
    name: '!ticker@arr',
    summary: 'The last 24 hours of all markets that have changed',
    payload: list(ticker, 'One entry per market'),
  },
  allMiniTickers: {
    name: '!miniTicker@arr',
    summary: 'The last 24 hours in brief, of all markets that have changed',
    payload: list(miniTicker, 'One entry per market'),
  },
  allRollingTickers_1h: allRolling('1h'),
  allRollingTickers_4h: allRolling('4h'),
  allRollingTickers_1d: allRolling('1d'),
};

const statuses = ['NEW', 'PARTIALLY_FILLED', 'FILLED', 'CANCELED', 'EXPIRED'];
const executionReport = event(
  'executionReport',
  {
    s: symbol,
    c: text('The client order ID, given or generated', 'bot-1:42'),
    S: word('The side of the order', ['BUY', 'SELL']),
    o: word('Its type', ['LIMIT', 'MARKET', 'LIMIT_MAKER']),
    f: word('How long it stays in force', ['GTC', 'IOC', 'FOK']),
    q: base('The quantity'),
    p: price('The limit; 0 for market orders'),
    P: price('Stop price: always 0', '0'),
    F: base('Iceberg quantity: always 0', '0'),
    g: whole('Order list: always -1', -1),
    C: text('The client order ID of a canceled order; otherwise empty', ''),
    x: word('The kind of event', ['NEW', 'TRADE', 'CANCELED', 'EXPIRED']),
    X: word('The status of the order after this step', statuses),
    r: word('Always NONE: refused orders cause no event', ['NONE']),
    i: whole('The number of the order', 1042),
    l: base('Filled by this step', '0'),
    z: base('Filled quantity', '0'),
    L: price('The price of the fill; 0 without a fill', '0'),
    n: decimal('The fee of the fill', '0'),
    N: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'The asset of the fee; null without a fill',
      examples: ['BTC'],
    }),
    T: transactionTime,
    t: whole('The number of the trade; -1 without one', -1),
    I: whole('The number of the step: all effects of one request share it', 1042),
    w: flag('Whether the order rests in the book'),
    m: flag('Whether the order was the maker'),
    M: flag('Always false'),
    O: time('When the order was placed'),
    Z: quote('Quote amount of all fills', '0'),
    Y: quote('Quote amount of this fill', '0'),
    Q: quote('The quote amount of a market order that was placed with one; otherwise 0', '0'),
    W: time('When the order was placed'),
    V: word('The self-trade prevention mode', ['EXPIRE_TAKER']),
  },
  'A step of an order',
);

/** Every user event of spot. */
export const spotUserEvents: Readonly<
  Record<SpotUserEventName, { readonly summary: string; readonly payload: TSchema }>
> = {
  executionReport: {
    summary: 'An order was accepted, filled, canceled, or ended',
    payload: executionReport,
  },
  balanceUpdate: {
    summary:
      'A balance changed by a deposit or a withdrawal; sent before outboundAccountPosition, which includes it',
    payload: event(
      'balanceUpdate',
      { a: text('The asset', 'BTC'), d: decimal('The amount', '-0.5'), T: transactionTime },
      'A deposit, a credit, a withdrawal that was paid, or a transfer',
    ),
  },
  outboundAccountPosition: {
    summary: 'The balances that a request changed',
    payload: event(
      'outboundAccountPosition',
      {
        u: transactionTime,
        B: list(
          object(
            {
              a: text('The asset', 'BTC'),
              f: decimal('Free', '10.5'),
              l: decimal('Locked in orders and withdrawals', '0.5'),
            },
            'A balance',
          ),
          'The current balances',
        ),
      },
      'Balances after a request',
    ),
  },
  listenKeyExpired: {
    summary: 'The key is no longer valid, and its events end',
    payload: event(
      'listenKeyExpired',
      { listenKey: text('The key', 'k'.repeat(64)) },
      'The end of the stream',
    ),
  },
  eventStreamTerminated: {
    summary: 'The API key of a subscription is no longer valid',
    payload: event('eventStreamTerminated', {}, 'The end of the subscription'),
  },
};

/** A user event as connections to the WebSocket API receive it. */
export const subscribedEvent = object(
  {
    subscriptionId: whole('The number of the subscription', 0),
    event: Type.Unsafe<unknown>({
      anyOf: Object.values(spotUserEvents).map(({ payload }) => payload),
      description: 'The event',
      examples: [{ e: 'eventStreamTerminated', E: 1_767_571_200_000 }],
    }),
  },
  'An event of a subscription',
);
