import type { Part } from '../row.ts';

// Error codes of spot trading and the spot wallet.

const order = (title: string) => `spot-orders > POST /spot/orders: ${title}`;
const anonymous = order('without credentials 401 with an empty body');
const closed = order('409 MARKET_HALTED and 410 MARKET_DELISTED before the order is read');
const cancelId =
  'spot-cancels-and-reads > DELETE /spot/orders/:id: an id that is not a UUID, and unknown UUIDs';
const cancelTwice = 'spot-cancels-and-reads > DELETE /spot/orders/:id: answers the canceled order';
const foreign = "spot-cancels-and-reads > DELETE /spot/orders/:id: another user's live order is";
const foreignRead = "spot-cancels-and-reads > GET /spot/orders/:id: another user's order, live or";
const withdrawalIds =
  'spot-withdrawals > withdrawals: 400 invalid id, 404 not found for unknown ids';
const busy = 'spot-unavailable > overflow: POST /spot/orders and GET /spot/depth are 503';
const restarting = 'spot-unavailable > restart: POST /spot/orders and GET /spot/depth are 503';
const transferErrors =
  'wallet-transfers > transfer: malformed first, then direction, amount, token';
const chain =
  'spot-withdrawals > withdraw: chain failures in the order of the table, and none changes the balance';
const belowMinimum =
  'spot-withdrawals > withdraw: below the minimum, zero and negative: amount below';
const walletStorage = 'wallet-unavailable > wallet: ';

export const spotErrorParts: readonly Part[] = [
  {
    id: 'spot-error',
    title: 'Errors: spot endpoints',
    rows: [
      [
        'body',
        'Body {error: <STRING_CODE>} plus the HTTP status',
        order("'SELF_TRADE' for { price: '120', quantity: '2' }"),
      ],
      ['401-jwt', '401, empty body: missing JWT', anonymous],
      [
        '401-invalid-jwt',
        '401, empty body: invalid JWT',
        'tokens > a token that is run out: 401 UNAUTHORIZED',
      ],
      [
        '401-hmac',
        '401, empty body: wrong HMAC signature',
        'signatures > a signature that is of something else: 401 with an empty body',
      ],
      [
        '401-timestamp',
        '401, empty body: timestamp outside +/-60000 ms',
        'signatures > a timestamp -60001 ms off',
        'signatures > a timestamp 60001 ms off',
      ],
      [
        '403-transfer',
        '403 API Key permission denied: transfers not allowed',
        'wallet-transfers > transfer: 401 with an empty body without a token, 403 for an API key',
      ],
      [
        '403-withdraw',
        '403 API Key permission denied: withdraws not allowed',
        'spot-withdrawals > withdraw: 401 with an empty body without a valid token',
      ],
      ['FORBIDDEN', "403: cancelling another user's order", foreign],
      ['FORBIDDEN-withdrawal', "another user's withdrawal id gives 404 not found", withdrawalIds],
      [
        'MARKET_NOT_FOUND',
        '404: symbol not among spot markets',
        order("'MARKET_NOT_FOUND' for { symbol: 'NOPE', side: 'hold' }"),
        'spot-market-data > GET /spot/depth: an unknown market and a missing symbol',
      ],
      [
        'TICKER_NOT_FOUND',
        '404: symbol without ticker row; resolves after the first fill',
        'spot-market-data > GET /spot/ticker/24hr: TICKER_NOT_FOUND until the first fill',
      ],
      ['MARKET_HALTED', '409: market halted, no new orders', closed],
      ['MARKET_DELISTED', '410: market delisted (terminal)', closed],
      [
        'market.status invalid',
        '400: market row has an unrecognized status',
        order('a market row of an unrecognized status is 400 market.status invalid'),
      ],
      [
        'invalid side',
        '400: unknown side',
        order("'invalid side' for { side: 'Buy', type: 'stop'"),
      ],
      ['invalid type', '400: unknown type', order("'invalid type' for { type: 'LIMIT'")],
      ['invalid tif', '400: unknown tif; lowercase only', order("'invalid tif' for { tif: 'GTC'")],
      ['price required for limit', '400', order("'price required for limit'")],
      ['quantity required for limit', '400', order("'quantity required for limit'")],
      ['quantity required for market sell', '400', order("'quantity required for market sell'")],
      ['quote_quantity required for market buy', '400', order("'quote_quantity required for")],
      ['INVALID_TICK', '400: price not a multiple of tick_size', order("'INVALID_TICK' for")],
      ['INVALID_LOT', '400: quantity not a multiple of lot_size', order("'INVALID_LOT' for")],
      [
        'BELOW_MIN_NOTIONAL',
        '400: price x quantity < min_notional',
        order("'BELOW_MIN_NOTIONAL' for { quantity: '0.0499' }"),
      ],
      [
        'INSUFFICIENT_BALANCE',
        '400: needed lock of quote for BUY exceeds available',
        order("'INSUFFICIENT_BALANCE' for"),
      ],
      [
        'INSUFFICIENT_BALANCE-sell',
        '400: needed lock of base for SELL exceeds available',
        'spot-money > money: a resting sell locks its quantity',
      ],
      [
        'TOO_MANY_ORDERS',
        '400: the account has 1,000 open orders in the market, and this one would rest',
        order('400 TOO_MANY_ORDERS for the 1,001st that would rest'),
      ],
      [
        'POST_ONLY_REJECT',
        '400: post_only order would cross the book',
        order("'POST_ONLY_REJECT' for"),
      ],
      [
        'SELF_TRADE',
        "400: order would cross caller's own resting order (decline-taker)",
        order("'SELF_TRADE' for { price: '120', quantity: '2' }"),
        order("'SELF_TRADE' for { price: '120', quantity: '2', …(1) }"),
      ],
      ['invalid id', '400: path id is not a UUID', cancelId, withdrawalIds],
      ['ORDER_NOT_FOUND', '404: order absent', cancelId],
      ['ORDER_NOT_FOUND-terminal', '404: order terminal', cancelTwice],
      ['ORDER_NOT_FOUND-other', '404: order owned by another user', foreignRead],
      ['not found', '404: withdrawal id absent or owned by another user', withdrawalIds],
      [
        'spot trading disabled',
        '503: SPOT_TRADING_ENABLED=false',
        'spot-unavailable > disabled: placing and canceling are 503 `spot trading disabled`',
      ],
      ['ENGINE_BUSY', '503: engine backlog full (POST orders and GET depth only)', busy],
      [
        'ENGINE_BUSY-retry',
        'Retry with backoff 200 / 400 / 800 ms',
        'api-client > requestJson: retries after 429 and a busy engine, and signs the request again',
      ],
      ['ENGINE_RESTARTING', '503: recovery in progress (same two endpoints)', restarting],
      [
        'only-two',
        'The other endpoints never answer them',
        'spot-unavailable > restart: GET /spot/balances is 500 DB_ERROR',
        'spot-unavailable > restart: DELETE /spot/orders is 500 DB_ERROR',
      ],
      ['invalid direction', '400 invalid direction: <direction>', transferErrors],
      ['amount must be positive', '400: transfer amount <= 0', transferErrors],
      ['insufficient balance', '400: transfer source lacks free USDT', transferErrors],
      [
        'insufficient balance-withdraw',
        '400: withdrawal with available < amount',
        'spot-withdrawals > withdraw: more than is available: insufficient balance, and nothing',
      ],
      [
        'unsupported token',
        '400 unsupported token: <token>: transfer supports USDT',
        transferErrors,
      ],
      [
        'unsupported token-withdraw',
        "400: withdrawal supports only the wallet's list",
        'spot-withdrawals > withdraw: unsupported token, with its name, before the amount',
      ],
      ['amount below minimum', '400 amount below minimum <min>', belowMinimum],
      ['amount below minimum-zero', 'zero and negative amounts fail here too', belowMinimum],
      [
        'pending withdrawal',
        "409: a signed withdrawal at or after the contract's nonce exists",
        'spot-withdrawals > withdraw: a signed withdrawal at or after the nonce: 409 pending',
      ],
      [
        'slot conflict',
        '409: the (user, chain, nonce) slot is held by a non-expired row',
        'spot-withdrawals > withdraw: a completed withdrawal at the nonce of a lagging node: 409 slot conflict',
        'withdrawal > checkWithdrawalSlot: reserved at nonce 3 where the vault expects 3',
      ],
      ['chain query failed', '500: reading vault release nonce failed', chain],
      ['signer unavailable', '500: withdraw signer not initialized', chain],
      ['sign failed', '500: EIP-712 signing failed', chain],
      ['spot blockchain not initialized', '503: chain service not running', chain],
      [
        'DB_ERROR',
        '500: storage error on trading endpoints',
        'spot-unavailable > database down: history is 500 DB_ERROR, after MARKET_NOT_FOUND',
        'spot-unavailable > database down: a finished order cannot be distinguished from an',
      ],
      [
        'DB_ERROR-cancel',
        '500: DELETE /spot/orders/:id when the engine overflows',
        'spot-unavailable > overflow: DELETE /spot/orders/:id is 500 DB_ERROR and the order lives',
      ],
      [
        'internal error-transfer',
        '500: storage error on transfer',
        `${walletStorage}storage error on POST transfer is 500 internal error, never DB_ERROR`,
      ],
      [
        'internal error-withdraw',
        '500: storage error on withdraw',
        `${walletStorage}storage error on POST withdraw/request is 500 internal error, never`,
      ],
      [
        'internal error-withdrawals',
        '500: storage error on withdrawals',
        `${walletStorage}storage error on GET withdrawals is 500 internal error, never`,
        `${walletStorage}storage error on GET withdrawals/:id is 500 internal error, never`,
      ],
      [
        'html',
        '500 (html body): panic in the request task',
        'error-families > spot: an unexpected failure is 500 with an html body',
      ],
      [
        'cancel-all',
        'Cancel-all under engine overflow: 200 with an empty canceled array',
        'spot-unavailable > overflow: cancel-all is 200 with an empty list, and a log line',
        'spot-cancels-and-reads > DELETE /spot/orders: cancels one market or all, and returns the ids',
      ],
      ['sell', 'side sell', 'spot-money > money: a resting sell locks its quantity'],
      [
        'market',
        'type market',
        'spot-money > money: a market buy spends at most its quote_quantity',
      ],
      ['post_only', 'tif post_only', order("'POST_ONLY_REJECT' for")],
    ],
  },
];
