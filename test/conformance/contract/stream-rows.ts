import type { Part } from '../row.ts';

// WebSocket: general streams, order entry, Binance's streams.

const protocol = (title: string) => `ws-protocol > ws: ${title}`;
const gapless =
  'ws-orderbook > orderbook: a snapshot comes first, then changed levels with prev_seq';
const slow =
  'ws-slow-consumer > slow consumer: is sent resync and starts over, costs bounded memory,';
const placed =
  'ws-order-entry > order.place, order.status, order.modify and order.cancel, each signed';
const session =
  'ws-order-entry > session.logon once, then unsigned requests; session.status shows the key';
const open = 'ws-order-entry > public methods need no key';
const facts =
  'ws-futures-streams > trade, aggTrade, bookTicker, kline and markPrice report what happened';
const more = (title: string) => `ws-futures-market-streams > ${title}`;
const partial = (levels: number) => more(`partial depth: the best ${levels} levels of each side`);
const tickers = more('tickers: ticker and miniTicker of one market, and of all markets in a list');
const forced = more("forced orders: sent on the market's and on the common stream, after");
const user = (path: string) => `ws-futures-streams > user stream: ${path}`;
const takes = (path: string) => `ws-futures-streams > futures streams: ${path} accepts SUBSCRIBE`;

export const streamParts: readonly Part[] = [
  {
    id: 'streams',
    title: 'Streams',
    rows: [
      ['ping', 'A server ping every 20 s', 'ws-limits > ws: the server pings every 20 s, and an'],
      ['silent', 'A client silent for 60 s is closed', 'ws-limits > ws: a client silent for 60 s'],
      [
        'auth-key',
        'auth with listenKey',
        'ws-private > ws: a listen key signs in if the service has listen keys',
      ],
      [
        'auth-token',
        'auth with token',
        'ws-private > ws: auth is answered with the address and the',
      ],
      ['subscribe', 'subscribe, unsubscribe', protocol('subscribe and unsubscribe are confirmed')],
      ['id', 'id', protocol('a ping message is answered with a pong that echoes the id')],
      ['market', 'market: futures', 'ws-perpetuals > ws orderbook of a perpetual: a snapshot'],
      ['error', 'Server: error', protocol('{"type":"shout","id":3} is answered with the error')],
      ['orderbook', 'orderbook: snapshot, then changed levels, gapless seq and prev_seq', gapless],
      ['orderbook-zero', 'quantity "0" deletes', 'ws-orderbook > orderbook: a removed level is'],
      ['resync', 'A client that receives resync gets a fresh snapshot', slow],
      ['trades', 'trades', 'ws-market-data > trades: the snapshot holds the newest trades oldest'],
      ['ticker', 'ticker', 'ws-market-data > ticker: null before the first trade, then 24 hours'],
      ['kline', 'kline takes interval', 'ws-market-data > kline: every interval is served'],
      [
        'mark_price',
        'mark_price',
        'ws-perpetuals > ws mark_price: the current prices, then each change; perpetuals only',
      ],
      [
        'balances',
        'balances',
        'ws-private > balances: the snapshot is followed by the changes in the database',
      ],
      [
        'orders',
        'orders: spot and perp',
        'ws-perpetuals > ws orders and positions: live perpetuals',
      ],
      ['positions', 'positions', 'ws-perpetuals > ws orders and positions: live perpetuals first'],
      [
        'vip_tier',
        'vip_tier',
        "ws-vip-tier > ws: vip_tier begins with the account's tier, then sends each change once",
      ],
      [
        'first',
        'The first snapshot comes before any update and within 100 ms under load',
        'ws-snapshot > orderbook: the first snapshot comes within 100 ms under load, before any',
      ],
      ['slow', 'A consumer too slow gets resync, and never slows the others', slow],
      [
        'slow-closed',
        'if it stays behind, it is closed with 1013',
        'ws-slow-consumer > slow consumer: a client that stays slow for 10 s is closed with 1013',
      ],
    ],
  },
  {
    id: 'order-entry',
    title: 'Order entry over WebSocket',
    rows: [
      ['orders', 'order.place, order.modify, order.cancel, order.status', placed],
      ['session', 'session.logon and session.status; logged on once', session],
      ['account', 'account.balance, account.position', session],
      ['public', 'ticker.price, depth, time, ping', open],
      ['signed', "Each request is signed as Binance's WebSocket API is", placed],
    ],
  },
  {
    id: 'fapi-stream',
    title: "Binance's streams",
    rows: [
      [
        'paths',
        '/ws, each also under /public, /market and /private',
        takes('/ws'),
        takes('/public/ws'),
        takes('/market/ws'),
        takes('/private/ws'),
      ],
      ['stream', '/stream?streams=', takes('/stream')],
      ['user', '/ws/<listenKey>, /ws?listenKey=', user('/ws/kkk'), user('/private/ws?listenKey=')],
      ['methods', 'SUBSCRIBE, UNSUBSCRIBE, LIST_SUBSCRIPTIONS', takes('/public/ws')],
      ['trades', 'aggTrade, trade', facts],
      ['bookTicker', 'bookTicker', facts],
      ['markPrice', 'markPrice', facts],
      ['kline', 'kline', facts],
      ['depth', 'depth', 'ws-futures-streams > depth: U, u and pu are contiguous with the REST'],
      ['partial-depth', 'partial depth 5/10/20', partial(5), partial(10), partial(20)],
      ['ticker', 'ticker, miniTicker', tickers],
      ['arr', 'the !...@arr forms', tickers, forced],
      ['forceOrder', 'forceOrder', forced],
      ['MARGIN_CALL', 'MARGIN_CALL', forced],
      ['ORDER_TRADE_UPDATE', 'ORDER_TRADE_UPDATE', user('/ws/kkk')],
      ['ACCOUNT_UPDATE', 'ACCOUNT_UPDATE', user('/ws/kkk')],
      [
        'ALGO_UPDATE',
        'ALGO_UPDATE',
        user('leverage is ACCOUNT_CONFIG_UPDATE, a conditional order'),
      ],
      ['ACCOUNT_CONFIG_UPDATE', 'ACCOUNT_CONFIG_UPDATE', user('leverage is ACCOUNT_CONFIG_UPDATE')],
      ['listenKeyExpired', 'listenKeyExpired', user('an expired key is listenKeyExpired')],
    ],
  },
];
