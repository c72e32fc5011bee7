import type { Part } from '../row.ts';

// Endpoints of spot and of derivatives.

const placed = 'spot-orders > POST /spot/orders: a limit order rests and the answer is the order';
const lowercase = "spot-orders > POST /spot/orders: 'invalid tif' for { tif: 'GTC', price: null }";
const marketBuy = 'spot-money > money: a market buy spends at most its quote_quantity, in whole';
const canceledAll = 'spot-cancels-and-reads > DELETE /spot/orders: cancels one market or all';
const transferred = 'wallet-transfers > transfer: there and back, to the last unit';
const transferErrors =
  'wallet-transfers > transfer: malformed first, then direction, amount, token';
const withdrawn =
  'spot-withdrawals > withdraw: locks the amount and returns what the vault requires';
const listenKey =
  'fapi-access > listenKey: 64 characters, one per account, the same one while it is valid';
const binanceKey = 'binance > binance: the listen key is 64 characters, one an account, and ends';
const listenKeyLife = 'fapi-access > listenKey: lives 3600 seconds, and again after each use';
const listenKeySigned =
  'fapi-access > listenKey: without a signature only if FAPI_LISTEN_KEY_UNSIGNED is set';
const marginType = 'fapi-account > marginType: GET is always CROSSED, POST CROSSED changes nothing';
const exchangeInfo = 'fapi-market-data > exchangeInfo: each market with PRICE_FILTER, LOT_SIZE';
const markets = 'derivatives-market-data > markets: each carries min_order_size_usd, lot_size';
const modified = 'fapi-order-rules > modify: the margin is frozen again and the orderId stays';
const amended =
  'fapi-order-changes > amend: price and quantity change under the same orderId; side may';
const cascade = (path: string) =>
  `fapi-order-rules > cancel: canceling a parent cancels its TP/SL trigger orders, by DELETE ${path}`;
const released = 'fapi-order-rules > cancel: batch-cancel and cancel-all release the frozen margin';
const anonymousFees = 'derivatives-fees > fee-info: an anonymous call answers the full VIP table';
const volumes =
  'derivatives-fees > fee-info: volume that reaches a tier upgrades at once, and its rates are charged';
const leverage =
  'fapi-account > leverage: an integer or its text is stored for the account and market';
const dual =
  'fapi-account > positionSide/dual: true is -4059; false is accepted, as a boolean or as text';
const paging = (list: string) =>
  `derivatives-paging > ${list}: cursor gives next_cursor and a total of -1, offset the total`;
const farPage = (list: string) =>
  `derivatives-paging > ${list}: offset beyond 5000 is still accepted, and the cursor gets there`;
const paused = 'perp-withdrawals > pause: 503 WITHDRAWALS_PAUSED on request only';
const unified = 'derivatives-account > unified: with resting orders beside a position, equity and';
const anyCase = (letters: string) =>
  `derivatives-market-data > markets/:symbol: the symbol is accepted in any letter case (${letters})`;
const margin = (body: string) => `derivatives-account > margin-mode: ${body} is accepted`;

export const tradingEndpointParts: readonly Part[] = [
  {
    id: 'spot',
    title: 'Spot trading and wallet',
    rows: [
      ['post-order', 'POST /spot/orders: side, type, tif, price, quantity, symbol', placed],
      ['post-order-quote', 'POST /spot/orders: quote_quantity', marketBuy],
      ['post-order-tif', 'tif: lowercase values only', lowercase],
      [
        'delete-order',
        'DELETE /spot/orders/:id cancels one order',
        'spot-cancels-and-reads > DELETE /spot/orders/:id: answers the canceled order, and 404',
      ],
      [
        'delete-order-id',
        ':id is a UUID',
        'spot-cancels-and-reads > DELETE /spot/orders/:id: an id that is not a UUID, and unknown UUIDs',
      ],
      ['delete-orders', 'DELETE /spot/orders: 200 with a canceled array', canceledAll],
      [
        'depth',
        'GET /spot/depth: order book depth; symbol parameter',
        'spot-market-data > GET /spot/depth: the best levels first, at most limit of each side',
        'spot-market-data > GET /spot/depth: an unknown market and a missing symbol',
      ],
      [
        'ticker',
        'GET /spot/ticker/24hr: query symbol',
        'spot-market-data > GET /spot/ticker/24hr: TICKER_NOT_FOUND until the first fill',
      ],
      ['transfer', 'POST /spot/transfer: direction spot_to_perp and its reverse', transferred],
      ['transfer-token', 'POST /spot/transfer: amount, token (USDT only)', transferErrors],
      [
        'transfer-jwt',
        'POST /spot/transfer: JWT only',
        'wallet-transfers > transfer: 401 with an empty body without a token, 403 for an API key',
      ],
      ['withdraw', 'POST /spot/withdraw/request: token, amount', withdrawn],
      [
        'withdraw-jwt',
        'POST /spot/withdraw/request: JWT only',
        'spot-withdrawals > withdraw: 401 with an empty body without a valid token',
      ],
      [
        'withdraw-signature',
        'It returns an EIP-712 signature for the vault',
        withdrawn,
        'typed-data > typedData: both structs hash as EIP-712 says',
        'signing > vaultSigner: it knows the vault, its tokens and its nonces',
      ],
      [
        'withdrawals',
        'Wallet-side endpoints /spot/withdraw*, /spot/withdrawals*',
        'spot-withdrawals > withdrawals: signed, then completed with the transaction',
        "spot-withdrawals > withdrawals: pages of the caller's, newest first; one that was never signed is not shown",
      ],
    ],
  },
  {
    id: 'fapi',
    title: 'Derivatives (/fapi) and related',
    rows: [
      ['listenKey', 'POST listenKey issues a 64-character key, idempotent', listenKey, binanceKey],
      ['listenKey-put', 'PUT listenKey renews; TTL 3600 s', listenKeyLife],
      ['listenKey-delete', 'DELETE listenKey revokes', 'fapi-access > listenKey: a revoked key is'],
      ['listenKey-one', 'One active key per user', listenKey],
      ['listenKey-hmac', 'listenKey: HMAC', listenKeySigned],
      ['marginType-get', 'GET marginType always returns CROSSED', marginType],
      ['marginType-cross', 'POST marginType CROSSED is idempotent', marginType],
      ['marginType-isolated', 'POST marginType ISOLATED yields -4046', marginType],
      [
        'marginType-hmac',
        'marginType: HMAC',
        'fapi-access > auth: every account endpoint requires key and signature',
      ],
      [
        'exchangeInfo',
        'filters: PRICE_FILTER, LOT_SIZE, MARKET_LOT_SIZE, MIN_NOTIONAL',
        exchangeInfo,
      ],
      ['markets', 'GET /api/v1/markets: min_order_size_usd, lot_size, tick_size', markets],
      [
        'order',
        'POST /fapi/v1/order places an order',
        'fapi-orders > order: the answer has every field, its quantity truncated to the lot',
      ],
      ['modify', 'PUT /fapi/v1/order: cancel and re-place, the orderId stays', amended, modified],
      ['modify-margin', 'The margin is re-frozen', modified],
      ['modify-side', 'side is optional and defaults to the original side', amended],
      [
        'cancel',
        'DELETE /fapi/v1/order cancels, trigger orders too',
        'fapi-order-changes > cancel: answers the canceled order, by number or by client id',
        'fapi-batches > algo: ordinary trigger orders and algo orders are the same orders, visible through both',
      ],
      [
        'cancel-all',
        'DELETE /fapi/v1/allOpenOrders cancels, trigger orders too',
        'fapi-order-changes > cancel-all: frozen margin is released, trigger orders go too',
      ],
      [
        'cancel-batch',
        'DELETE /fapi/v1/batchOrders cancels, trigger orders too',
        'fapi-batches > batch cancel: by numbers or client ids, spelled in any letter case',
      ],
      [
        'cascade',
        'Cancelling a parent cascades to its TP/SL trigger orders',
        cascade('order'),
        cascade('allOpenOrders'),
        cascade('batchOrders'),
      ],
      ['released', 'Frozen margin is released on cancel-all and batch-cancel', released],
      ['get-orders', 'GET /orders', 'derivatives-account > orders: by status and symbol, with the'],
      [
        'get-open-orders',
        'GET /orders/open',
        'derivatives-account > orders/open: resting orders and waiting triggers',
      ],
      [
        'get-positions',
        'GET /positions/active',
        'derivatives-account > positions: only non-zero ones; a short one is negative',
      ],
      ['fee-info', 'GET /account/fee-info anonymous: VIP table, VIP 0 baseline', anonymousFees],
      ['fee-info-tier', 'Authenticated: current tier', volumes],
      ['fee-info-volume', 'Authenticated: 14-day and 30-day rolling volume', volumes],
      [
        'fee-info-downgrade',
        'Authenticated: pending downgrade',
        'derivatives-fees > fee-info: a pending downgrade with the UTC midnight at which it applies',
      ],
      [
        'fee-info-stack',
        'Authenticated: combined discount stack',
        'derivatives-fees > fee-info: the discount stack combines VIP and referral',
      ],
      [
        'vip-tiers',
        'VIP 0 to VIP 5 by 14-day rolling volume',
        anonymousFees,
        'update-vip-tiers > load: 14 and 30 days of volume, as fee-info shows them',
      ],
      [
        'margin-mode',
        'POST /account/margin-mode: JWT',
        'derivatives-account > margin-mode: takes a JWT only',
      ],
      [
        'margin-mode-alias',
        'Body field mode is accepted as alias of margin_mode',
        margin('{"mode":"cross"}'),
        margin('{"margin_mode":"cross"}'),
      ],
      ['leverage', 'POST /fapi/v1/leverage: int or numeric string', leverage],
      [
        'leverage-kept',
        'Persisted per (user, symbol), applied to later orders that omit leverage',
        'fapi-order-rules > leverage: stored per user and symbol, and used by later orders that omit it',
      ],
      ['dual', 'POST /fapi/v1/positionSide/dual: true is rejected with -4059', dual],
      ['dual-form', 'The field accepts bool or string', dual],
      [
        'positionRisk',
        'GET /fapi/v2/positionRisk is an alias of the v1 route',
        'fapi-account > positionRisk: v2 is an alias of v1, with leverage as text',
      ],
      [
        'commissionRate',
        'GET /fapi/v1/commissionRate: base rate x discount_multiplier',
        'fapi-account > commissionRate: base rate x discount multiplier',
      ],
      [
        'ticker',
        'GET /fapi/v1/ticker/24hr',
        'fapi-market-data > tickers: an object for one symbol',
      ],
      [
        'income',
        'GET /fapi/v1/income combines fees, funding and realized PnL',
        'fapi-income > income: combines fees, funding and realized PnL',
      ],
      ['account-trades', 'GET /account/trades: cursor, next_cursor, total -1', paging('trades')],
      ['account-orders', 'GET /account/orders: cursor, next_cursor, total -1', paging('orders')],
      [
        'offset',
        'Legacy offset is still accepted, also beyond 5000',
        farPage('trades'),
        farPage('orders'),
      ],
      [
        'withdraw-paused',
        'POST /withdraw/request: 503 with WITHDRAWALS_PAUSED while paused',
        paused,
      ],
      ['withdraw-others', 'Cancel, confirm and history are unaffected by the pause', paused],
      [
        'preview',
        'POST /orders/preview: est_slippage from a real order book scan',
        'derivatives-preview > preview: est_slippage comes from a real scan of the order book',
      ],
      [
        'max_slippage',
        'max_slippage is enforced before a market order reaches the matching engine',
        'derivatives-orders > orders: max_slippage stops a market order before it reaches',
      ],
      [
        'slippage-exceeded',
        'Exceeding yields SLIPPAGE_EXCEEDED',
        'derivatives-preview > preview: within max_slippage it succeeds, beyond it 400 SLIPPAGE_EXCEEDED',
      ],
      ['unified-equity', 'GET /unified/account: margin of resting orders in equity', unified],
      [
        'unified-available',
        'and in the available balance',
        unified,
        'derivatives-account > unified: margin of resting orders is in equity and taken off',
      ],
      ['unified-uniMMR', 'and in uniMMR', unified],
      [
        'external-ticker',
        'GET /external/markets/:symbol/ticker: next_funding_time is the next full UTC hour',
        'derivatives-market-data > ticker: next_funding_time is the next full UTC hour',
      ],
      [
        'letter-case',
        'GET /funding-rates/:symbol, /markets/:symbol/...: symbol in any letter case',
        anyCase('upper'),
        anyCase('lower'),
        anyCase('mixed'),
      ],
      [
        'api-orders',
        'POST /api/v1/orders: the reduceOnly rule applies as on /fapi',
        'derivatives-orders > orders: reduceOnly is capped to the position and never opens one',
      ],
    ],
  },
];
