import type { TProperties, TSchema } from 'typebox';
import { klineIntervals } from '../../../domain/kline-interval.ts';
import {
  base,
  decimal,
  flag,
  list,
  object,
  price,
  symbol,
  text,
  time,
  usdt,
  whole,
  word,
} from '../../http/fapi/reference/field-schemas.ts';
import {
  bestPrices,
  bookLevels,
  miniTickerFields,
  tickerFields,
  transactionTime,
} from '../market-event-fields.ts';
import type { StreamName } from './stream-name.ts';

// Binance's market streams for the AsyncAPI document. market-events.ts makes the events; tests
// check what they send against these schemas.

export interface StreamDescription {
  /** The stream's name; the client chooses what is in braces. */
  readonly name: string;
  readonly summary: string;
  readonly payload: TSchema;
}

/** An event with its name and time before its own fields. */
export function event(name: string, fields: TProperties, description: string): TSchema {
  return object(
    { e: word('The name of the event', [name]), E: time('When the event was created'), ...fields },
    description,
  );
}

const amounts = { price, base, quote: usdt };
const levels = (description: string) => bookLevels(amounts, description);

const depthFields = {
  T: transactionTime,
  s: symbol,
  U: whole('The first change of the book in this event', 1043),
  u: whole('The last change of the book in this event', 1044),
  pu: whole('The u of the previous event', 1042),
};

const depth = event(
  'depthUpdate',
  { ...depthFields, b: levels('Changed bids'), a: levels('Changed asks') },
  'Changed levels; its pu is the u of the previous event',
);

const partialDepth = event(
  'depthUpdate',
  { ...depthFields, b: levels('Bids, best first'), a: levels('Asks, best first') },
  'The best levels, complete',
);

const bookTicker = event(
  'bookTicker',
  {
    u: whole('The last change of the book', 1042),
    T: transactionTime,
    s: symbol,
    ...bestPrices(amounts),
  },
  'The best prices',
);

const trade = event(
  'trade',
  {
    T: transactionTime,
    s: symbol,
    t: whole('The number of the trade', 1042),
    p: price('Price of the trade'),
    q: base('Traded'),
    X: word('How it was triggered', ['MARKET']),
    m: flag('Whether the buyer was the maker'),
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
    nq: base('The same, since nothing trades off the book'),
    f: whole('The first trade', 1042),
    l: whole('The last trade', 1043),
    T: transactionTime,
    m: flag('Whether the buyer was the maker'),
  },
  'Consecutive trades at the same price and taker side within 100 ms',
);

const markPrice = event(
  'markPriceUpdate',
  {
    s: symbol,
    p: price('Mark price'),
    ap: price('The same'),
    i: price('Index price', '64001'),
    P: price('Estimated settlement price: the index price', '64001'),
    r: decimal('The next funding rate as of now, a fraction', '0.0001'),
    T: time('The next funding'),
  },
  'Prices and funding of a market',
);

const candleTimes = {
  t: time('Open time'),
  T: time('Close time: the last millisecond'),
};
const candleFields = {
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
  q: usdt('Traded', '800000'),
  V: base('The part that takers bought', '6.5'),
  Q: usdt('The part that takers bought', '416000'),
  B: text('Unused', '0'),
};
const kline = event(
  'kline',
  { s: symbol, k: object({ ...candleTimes, s: symbol, ...candleFields }, 'The candle') },
  'The newest candle as it grows',
);
const contractType = word('The only kind of contract', ['PERPETUAL']);
const continuousKline = event(
  'continuous_kline',
  {
    ps: symbol,
    ct: contractType,
    k: object({ ...candleTimes, ...candleFields }, 'The candle'),
  },
  'The newest candle of a pair as it grows',
);

const contractInfo = event(
  'contractInfo',
  {
    s: symbol,
    ps: symbol,
    ct: contractType,
    dt: time('The delivery time: the year 2100, since perpetuals are not delivered'),
    ot: time('When it was listed'),
    cs: word('Its status now', ['TRADING', 'PENDING_TRADING', 'CLOSE']),
  },
  'A market that was listed or changed its status',
);

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
  },
  'The last 24 hours',
);

const forcedOrder = object(
  {
    s: symbol,
    S: word('The side of the order', ['BUY', 'SELL']),
    o: word('Its type', ['LIMIT', 'MARKET']),
    f: word('Its time in force', ['IOC', 'GTC']),
    q: base('Its quantity'),
    p: price('Its price'),
    ap: price('The average price of its fills'),
    X: text('Its final status', 'FILLED'),
    l: base('Quantity of the last fill'),
    z: base('Filled quantity'),
    T: transactionTime,
  },
  'The order',
);
const forceOrder = event('forceOrder', { o: forcedOrder }, 'An order that closed a position');

const market = '{symbol}@';

/** Every stream, by its kind. */
export const marketStreams: Readonly<Record<StreamName['kind'], StreamDescription>> = {
  depth: {
    name: `${market}depth[@0ms|@100ms|@250ms|@500ms]`,
    summary: 'Changes of the order book, every 250 ms without a speed',
    payload: depth,
  },
  partialDepth: {
    name: `${market}depth{levels}[@0ms|@100ms|@250ms|@500ms]`,
    summary: 'The best 5, 10 or 20 levels per side',
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
  markPrice: {
    name: `${market}markPrice[@1s]`,
    summary: 'Mark price and funding, every 3 s or every second',
    payload: markPrice,
  },
  kline: {
    name: `${market}kline_{interval}`,
    summary: 'The newest candle, at most every 250 ms; a finished one is sent again with x true',
    payload: kline,
  },
  continuousKline: {
    name: '{symbol}_perpetual@continuousKline_{interval}',
    summary: 'The same candle by the name of the pair',
    payload: continuousKline,
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
  forceOrder: {
    name: `${market}forceOrder`,
    summary: 'Liquidations of a market',
    payload: forceOrder,
  },
  allBookTickers: {
    name: '!bookTicker',
    summary: 'The best prices of all markets, whenever they change',
    payload: bookTicker,
  },
  allMarkPrices: {
    name: '!markPrice@arr[@1s]',
    summary: 'Mark price and funding of all markets that have changed',
    payload: list(markPrice, 'One entry per market'),
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
  contractInfo: {
    name: '!contractInfo',
    summary: 'Markets that are listed or change their status',
    payload: contractInfo,
  },
  allForceOrders: {
    name: '!forceOrder@arr',
    summary: 'Liquidations of all markets, one per event',
    payload: forceOrder,
  },
};
