import type { Part } from '../row.ts';

// What clients of Binance call and hear beyond the paths that the interface names.

const statistics = (title: string) => `fapi-statistics > ${title}`;
const files = (title: string) => `fapi-downloads > ${title}`;
const market = (title: string) => `binance-spot-market-data > ${title}`;
const orders = (title: string) => `binance-spot-orders > ${title}`;
const spotStreams = (title: string) => `ws-spot-streams > spot streams: ${title}`;
const spotUser = (title: string) => `ws-spot-streams > spot user data: ${title}`;
const streams = (title: string) => `ws-futures-streams > ${title}`;
const user = (title: string) => `ws-user-events > user stream: ${title}`;
const dialect = (title: string) => `fapi-dialect > dialect: ${title}`;
const longShort = statistics('long and short: of all accounts, and of the fifth with the largest');
const noSchedule = statistics(
  'assetIndex and tradingSchedule: margin is USDT only, and markets trade at all hours',
);
const priceCandles = statistics('markPriceKlines and premiumIndexKlines: without a book the mark');
const apart = dialect('conditional orders exist on the algo endpoints only');
const tickers = market('tickers: the day, the last price, the best prices and the average');
const trades = market('trades, historicalTrades and aggTrades: oldest first');
const cancelReplace = orders(
  'STOP_ON_FAILURE places nothing if the cancel fails; ALLOW_FAILURE does',
);
const account = orders('account shows balances, and zero ones only on request');
const past = orders(
  'allOrders and myTrades start at an id or a time, or show the newest, oldest first',
);
const steps = spotUser('an order’s steps, then its balances, by listen key');

export const binanceClientParts: readonly Part[] = [
  {
    id: 'futures-data',
    title: '/fapi and /futures/data: candles of prices, statistics, indexes',
    rows: [
      ['indexPriceKlines', 'indexPriceKlines', statistics('indexPriceKlines: open, high, low and')],
      ['markPriceKlines', 'markPriceKlines, premiumIndexKlines', priceCandles],
      [
        'openInterestHist',
        'openInterestHist',
        statistics('openInterestHist: open interest at the'),
      ],
      ['long-short', 'top and global ratios of accounts and positions', longShort],
      [
        'takers',
        'takerlongshortRatio',
        statistics('takerlongshortRatio: takers bought 3 and sold 0.5'),
      ],
      ['basis', 'basis', statistics('basis: the last price against the index of the same time')],
      ['delivery-price', 'delivery-price', statistics('delivery-price: perpetuals are never')],
      [
        'constituents',
        'constituents',
        statistics("constituents: the price's source, with its whole weight"),
      ],
      ['assetIndex', 'assetIndex, tradingSchedule', noSchedule],
      [
        'not-found',
        'What nobody serves below /futures/data has code and msg',
        statistics('errors and unknown paths are reported by code and msg'),
      ],
    ],
  },
  {
    id: 'downloads',
    title: '/fapi: history as files',
    rows: [
      ['trades', 'trade/asyn', files('trade/asyn: a file of the caller’s own trades')],
      ['orders', 'order/asyn', files('order/asyn: a file of the caller’s own orders')],
      ['income', 'income/asyn', files('income/asyn: a file of fees, profits and transfers')],
      ['owner', "A file is its account's", files('downloads: a file belongs to its account')],
      [
        'crash',
        'A run cut off leaves no file',
        files('downloads: an interrupted run leaves no file, and the next one creates it'),
      ],
      ['span', 'At most 366 days', files('downloads: both times are needed, at most 366 days')],
      ['ten', 'Ten at a time', files('downloads: an account has at most ten at a time')],
    ],
  },
  {
    id: 'dialect',
    title: 'FAPI_DIALECT=binance',
    rows: [
      ['refusals', 'Refusals in its numbers', dialect('refusals of orders have Binance’s codes')],
      ['batch', 'In batches too', dialect('a batch refuses each order with the same codes')],
      ['apart', 'Conditional orders apart', apart],
      ['countdown', 'The countdown too', dialect('countdownCancelAll leaves conditional orders')],
      ['fields', 'Documented fields', dialect('answers have the fields of Binance’s documents')],
      ['modifyId', 'modifyId in answer and history', dialect('modifyId is returned with the')],
      [
        'access',
        'code and msg for failed authentication',
        dialect('failed authentication has code'),
      ],
      ['test', 'order/test answers the order', dialect('order/test answers with the order')],
      [
        'filters',
        'PERCENT_PRICE and MAX_NUM_ALGO_ORDERS',
        dialect('exchangeInfo has PERCENT_PRICE'),
      ],
    ],
  },
  {
    id: 'futures-streams',
    title: "Streams of futures in Binance's manner",
    rows: [
      ['unknown', 'Unknown ones spoil nothing', streams('futures streams: an unknown stream is')],
      [
        'silent',
        'assetIndex is silent',
        streams('futures streams: asset indexes and trading hours are accepted and stay silent'),
      ],
      [
        'rpi',
        'rpiDepth is refused politely,',
        streams('futures streams: rpiDepth is refused, and other streams of the URL are served'),
      ],
      [
        'kline',
        'continuousKline, contractInfo',
        streams('continuousKline names the pair, contract'),
      ],
      ['algo', 'ALGO_UPDATE once each', user('a conditional order is TRIGGERING, TRIGGERED, an')],
      ['lite', 'TRADE_LITE where it is named', user('TRADE_LITE before ORDER_TRADE_UPDATE for')],
      ['funding', 'a.S on funding', user('funding is ACCOUNT_UPDATE with its market in S')],
      [
        'trailing',
        'AP and cr of trailing stops',
        user('a trailing stop has AP and cr, other orders'),
      ],
      ['modifyId', 'M of an amendment', user('an amendment has its modifyId in M')],
    ],
  },
  {
    id: 'binance-spot',
    title: '/api/v3',
    rows: [
      ['general', 'ping, time', market('ping and time')],
      ['exchangeInfo', 'exchangeInfo', market('exchangeInfo: all, one or some markets, with the')],
      ['depth', 'depth', market('depth: levels best first, on the counter of the streams')],
      ['trades', 'trades, historicalTrades, aggTrades', trades],
      ['klines', 'klines, uiKlines', market('klines: taker buy volume is listed with the volume')],
      ['tickers', 'ticker/24hr, price, bookTicker, avgPrice', tickers],
      ['day', 'ticker/tradingDay', market('ticker/tradingDay: the day of UTC or of another time')],
      [
        'window',
        'ticker',
        market('rolling tickers: without a market, with a wrong window or zone'),
      ],
      ['order', 'order: POST, GET, DELETE', orders('a LIMIT order is answered FULL, and is read')],
      ['test', 'order/test', orders('order/test checks parameters and filters and places nothing')],
      ['cancelReplace', 'order/cancelReplace', cancelReplace],
      ['lists', 'allOrders, myTrades', past],
      ['account', 'account', account],
      ['listen-keys', 'userDataStream', market('listen keys: issued again the same, renewed,')],
      [
        'access',
        'Keys and signatures',
        market("a key and its signature are accepted; refusals carry Binance's codes"),
      ],
      ['token', 'A token counts for nothing', market('a token is ignored')],
    ],
  },
  {
    id: 'binance-spot-streams',
    title: 'Streams and WebSocket API of /api/v3',
    rows: [
      ['depth', 'depth', spotStreams('depth continues from the snapshot without a gap, in')],
      ['windows', 'ticker_1h, avgPrice', spotStreams('rolling windows and the average price of')],
      ['unknown', 'Unknown ones are silent', spotStreams('an unknown stream stays silent, as do')],
      ['report', 'executionReport, outboundAccountPosition', steps],
      ['ends', 'CANCELED, EXPIRED', spotUser('CANCELED and EXPIRED end an order')],
      ['balance', 'balanceUpdate', spotUser('incoming money is sent before the balance that')],
      ['key', 'A revoked listen key', spotUser('a revoked listen key is reported')],
      ['subscribe', 'userDataStream.subscribe', spotUser('subscriptions are counted, listed and')],
      [
        'api',
        'One signed order is one order',
        'ws-spot-streams > spot WebSocket API: the same signed order is one order, refusals are',
      ],
    ],
  },
];
