import type { Part } from '../row.ts';

// Spot and wallet.

const placed = 'spot-orders > POST /spot/orders: a limit order rests and the answer is the order';
const fees = 'spot-money > money: fees come from what is received, rounded up to the last unit';
const read = 'spot-cancels-and-reads > GET /spot/orders/:id: the live order, then the finished one';
const canceled = 'spot-cancels-and-reads > DELETE /spot/orders/:id: answers the canceled order';
const ioc = 'spot-money > money: the rest of an ioc order is unlocked and expires';
const fok =
  'spot-money > money: a fok order that cannot fill completely expires without a fill or a lock';
const marketBuy = 'spot-money > money: a market buy spends at most its quote_quantity, in whole';
const depth = 'spot-market-data > GET /spot/depth: the best levels first, at most limit of each';
const signed = 'spot-withdrawals > withdrawals: signed, then completed with the transaction';
const expired = 'spot-withdrawals > withdrawals: expired only when a confirmed block is later';
const duplicate = 'spot-orders > POST /spot/orders: 409 DUPLICATE_CLIENT_ORDER_ID while the first';

export const spotParts: readonly Part[] = [
  {
    id: 'spot-rule',
    title: 'Spot: orders',
    rows: [
      ['sides', 'Sides buy, sell', 'spot-money > money: a seller is paid the better price of the'],
      ['types', 'Types limit, market', placed, marketBuy],
      [
        'tif',
        'tif gtc (default), ioc, fok, post_only',
        'validate-spot-order > validateSpotOrder: a limit order without tif is gtc, a market order is always ioc',
        'spot-rules > post_only: rests, or is refused if it would cross',
        ioc,
        fok,
      ],
      ['market-ioc', 'Market orders are always ioc', marketBuy],
      ['state-new', 'State new', placed],
      ['state-partially_filled', 'State partially_filled', read],
      ['state-filled', 'State filled', fees],
      ['state-canceled', "State canceled: a user's cancel", canceled],
      ['state-expired', 'State expired: the unfilled rest of an ioc or market order', ioc],
      ['fields', 'An order has every field', placed],
      ['fills', 'POST also fills: price, quantity, fee, fee_token, role', fees],
      ['fees', 'Fees are taken from what is received', fees],
      ['client-id', 'client_order_id is unique among live orders: 409', duplicate],
      [
        'client-id-form',
        'at most 36 of [A-Za-z0-9._:/-]',
        "spot-orders > POST /spot/orders: INVALID_PARAMETER with a detail for { client_order_id: 'a b'",
        duplicate,
      ],
      ['fok', 'A fok order that cannot fill whole ends expired without a fill', fok],
      [
        'rest',
        'What quote_quantity cannot buy in whole lots is unlocked',
        marketBuy,
        'spot-money > money: what a market buy finds no offers for is unlocked, the order expired',
      ],
    ],
  },
  {
    id: 'spot-endpoint',
    title: 'Spot: endpoints',
    rows: [
      ['cancel', 'DELETE /spot/orders/:id answers the order', canceled],
      [
        'cancel-all',
        'DELETE /spot/orders?symbol=: {canceled: [order_id...]}',
        'spot-cancels-and-reads > DELETE /spot/orders: cancels one market or all, and returns the ids',
      ],
      [
        'open',
        'GET /spot/orders/open?symbol=',
        'spot-cancels-and-reads > GET /spot/orders/open: the live orders, oldest first',
      ],
      ['order', 'GET /spot/orders/:id', read],
      [
        'orders',
        'GET /spot/orders?symbol=&status=&limit=&cursor=: items, next_cursor',
        'spot-cancels-and-reads > GET /spot/orders: pages newest first through a cursor',
      ],
      [
        'trades',
        'GET /spot/trades?symbol=&limit=&cursor=',
        'spot-cancels-and-reads > GET /spot/trades: each side sees its own fee and role, page',
      ],
      ['own-writes', "Reads see the caller's own finished writes", read],
      [
        'balances',
        'GET /spot/balances: token, available, locked',
        'spot-money > GET /spot/balances: token, available and locked of each token',
      ],
      [
        'markets',
        'GET /spot/markets, /spot/markets/:id: creation fields plus status',
        'admin-spot > POST /admin/spot/markets: the market is listed, queryable and tradeable',
      ],
      ['depth', 'GET /spot/depth: symbol, last_update_id, bids, asks', depth],
      [
        'depth-limit',
        'limit 1-1000, default 30',
        depth,
        'spot-market-data > GET /spot/depth: a limit of 0 is INVALID_PARAMETER',
        'spot-market-data > GET /spot/depth: a limit of 1001 is INVALID_PARAMETER',
      ],
      [
        'ticker',
        'GET /spot/ticker/24hr: every field',
        'spot-market-data > GET /spot/ticker/24hr: TICKER_NOT_FOUND until the first fill',
      ],
      [
        'recent',
        'GET /spot/trades/recent?symbol=&limit=',
        'spot-market-data > GET /spot/trades/recent: newest first, with the side of the arriving',
      ],
      [
        'klines',
        'GET /spot/klines?symbol=&interval=&start_time=&end_time=',
        'spot-market-data > GET /spot/klines: candles with times in ISO 8601, bounded by time',
      ],
      [
        'transfer',
        'POST /spot/transfer: {ok, transfer_id, direction, token, amount}',
        'wallet-transfers > transfer: there and back, to the last unit',
      ],
      [
        'transfer-retry',
        'client_transfer_id makes a retry harmless',
        'wallet-transfers > transfer: a repeated client_transfer_id moves nothing and returns the first transfer',
      ],
      [
        'withdraw',
        'POST /spot/withdraw/request: every field',
        'spot-withdrawals > withdraw: locks the amount and returns what the vault requires',
      ],
      ['withdrawals', 'GET /spot/withdrawals, /:id: states signed, completed', signed],
      ['withdrawals-expired', 'expired: deadline passed on chain, amount unlocked', expired],
      [
        'transfers',
        'GET /spot/transfers, paged',
        'wallet-transfers > GET /spot/transfers: those of the caller, newest first, page by page',
      ],
      [
        'deposits',
        'GET /spot/deposits, paged',
        'spot-deposits > deposits: pages, newest first, of the caller only',
      ],
    ],
  },
];
