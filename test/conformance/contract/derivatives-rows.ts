import type { Part } from '../row.ts';

// Derivatives.

const order = (title: string) => `fapi-orders > order: ${title}`;
const trades = 'fapi-market-data > trades: recent ones oldest first, from an id on, and aggregated';
const tickers = 'fapi-market-data > tickers: an object for one symbol, a list for all';
const canceled =
  'fapi-order-changes > cancel: answers the canceled order, by number or by client id';
const stored = order('query and all-orders show the same stored average price');
const oneStore =
  'fapi-batches > algo: ordinary trigger orders and algo orders are the same orders, visible through both';
const modes = 'binance > binance: one-way mode, cross margin and single-asset margin are read';
const liquidated = 'fapi-liquidations > liquidation: open orders are canceled, the position is';
const deleveraged = 'fapi-liquidations > liquidation: without a book the profitable side is';
const ranked = 'fapi-liquidations > deleveraging: more profit and leverage are closed first, and';
const funded = 'fapi-liquidations > funding: at each full UTC hour, longs and shorts sum to zero';
const stale =
  'fapi-order-rules > order: -2010 for an order that opens while the index price is stale';
const depthAndMore = 'derivatives-market-data > depth, trades, klines and ticker show the trades';
const amended = (title: string) => `derivatives-amendments > amend: ${title}`;
const leverage = (title: string) => `derivatives-leverage > leverage: ${title}`;
const history = (title: string) => `derivatives-history > ${title}`;
const anonymous = 'derivatives-fees > fee-info: an anonymous call answers the full VIP table';

export const derivativesParts: readonly Part[] = [
  {
    id: 'futures-endpoint',
    title: '/fapi: endpoints',
    rows: [
      ['ping', 'ping, time', 'fapi-market-data > ping and time'],
      ['exchangeInfo', 'exchangeInfo', 'fapi-market-data > exchangeInfo: each market with PRICE'],
      [
        'depth',
        'depth',
        'fapi-market-data > depth: levels best first, with the update id of the streams',
      ],
      ['trades', 'trades, historicalTrades, aggTrades', trades],
      [
        'klines',
        'klines',
        'fapi-market-data > klines: twelve values per candle; -1120 for an unknown interval',
      ],
      ['premiumIndex', 'premiumIndex', 'fapi-market-data > premiumIndex: mark and index price'],
      ['fundingRate', 'fundingRate', funded, 'fapi-market-data > fundingRate and fundingInfo'],
      ['tickers', 'ticker/24hr, ticker/price, ticker/bookTicker', tickers],
      [
        'openInterest',
        'openInterest',
        'fapi-market-data > openInterest is the sum of all longs; symbols are accepted in any letter case',
      ],
      [
        'order',
        'order: POST, PUT, DELETE, GET',
        order('the answer has every field'),
        canceled,
        stored,
      ],
      ['order-test', 'order/test', order('test checks like placing, and places nothing')],
      [
        'batchOrders',
        'batchOrders: POST, PUT, DELETE',
        'fapi-batches > batch: 200 with orders and errors mixed, each in its position',
        'fapi-batches > batch: orders are amended, each on its own',
        'fapi-batches > batch cancel: by numbers or client ids, spelled in any letter case',
      ],
      [
        'allOpenOrders',
        'allOpenOrders',
        'fapi-order-changes > cancel-all: frozen margin is released, trigger orders go too',
      ],
      [
        'openOrder',
        'openOrder',
        'fapi-order-changes > amend: a refused amendment leaves the order untouched',
      ],
      ['openOrders', 'openOrders', 'fapi-batches > batch: orders rest in the book in the order'],
      ['allOrders', 'allOrders', 'fapi-account > allOrders: from an order on, from a time on, or'],
      ['userTrades', 'userTrades', 'fapi-account > userTrades: each field of a trade, and only'],
      [
        'countdown',
        'countdownCancelAll',
        'binance > binance: the countdown cancels all orders unless it is set again',
        'fapi-order-changes > countdown: 0 stops it; the time comes back as text; -1102 without it',
      ],
      ['algo', 'algoOrder, openAlgoOrders, allAlgoOrders (CONDITIONAL)', oneStore],
      [
        'account',
        'account (v2, v3)',
        'fapi-account > account: totals add up in v2 and v3; v3 lists only markets with positions or orders',
      ],
      ['balance', 'balance (v2, v3)', 'fapi-account > balance: one entry for USDT, the same in v1'],
      [
        'positionRisk',
        'positionRisk (v1, v2, v3)',
        'fapi-account > positionRisk: v2 is an alias of v1, with leverage as text',
        'fapi-account > positionRisk: v3 lists positions and ordered markets, with their margins',
      ],
      [
        'leverage',
        'leverage',
        'fapi-account > leverage: an integer or its text is stored for the account and market',
      ],
      ['modes', 'marginType, positionSide/dual, multiAssetsMargin', modes],
      [
        'brackets',
        'leverageBracket',
        'fapi-account > leverageBracket: floors equal the caps below, and ratios are numbers',
      ],
      ['commissionRate', 'commissionRate', 'fapi-account > commissionRate: base rate x discount'],
      ['income', 'income', 'fapi-income > income: combines fees, funding and realized PnL'],
      ['adlQuantile', 'adlQuantile', ranked],
      ['forceOrders', 'forceOrders', liquidated, deleveraged],
      [
        'listenKey',
        'listenKey',
        'fapi-access > listenKey: 64 characters, one per account, the same one while it is valid',
      ],
      [
        'ccxt',
        'An unmodified ccxt binanceusdm can trade',
        'ccxt > ccxt: a market order fills; account, positions, trades and income show it',
        'ccxt > ccxt: an order is placed, read, amended under the same id, and canceled',
      ],
      [
        'clients',
        'Other Binance USD-M clients with only the base URLs changed',
        'binance > binance: a market order fills; account, positions, trades and income show it',
        'streams > binance: the user stream shows own orders and fills',
        'official-sdk > official SDK: orders are placed, amended, batched and canceled',
        'community-clients > binance-api-node: trades, reads its account, and sees its fills',
        'community-clients > node-binance-api: trades, reads its account, and sees its fills',
      ],
    ],
  },
  {
    id: 'futures-rule',
    title: '/fapi: rules',
    rows: [
      [
        'types',
        'LIMIT, MARKET, STOP, TAKE_PROFIT and the two aliases',
        order('the answer has every field'),
        order('STOP_LIMIT and TAKE_PROFIT_LIMIT are STOP and TAKE_PROFIT'),
      ],
      [
        'types-market',
        'STOP_MARKET, TAKE_PROFIT_MARKET',
        'fapi-order-rules > rule 4: closePosition is accepted for STOP_MARKET and TAKE_PROFIT_MARKET, without a quantity',
      ],
      [
        'trailing',
        'TRAILING_STOP_MARKET',
        'fapi-batches > algo: a trailing stop accepts activatePrice or activationPrice, and a callback in percent',
        'fapi-trailing-stops > trailing stop: waits for its activation price, follows the best',
      ],
      ['order-id', 'orderId is an integer', order('the answer has every field')],
      ['one-store', 'Trigger orders live in one store, seen through both paths', oneStore],
      ['GTX', 'Order would immediately match and take.', order('-2010 for a GTX order that would')],
      ['lot', 'Quantity is cut down to the lot grid', order('the answer has every field')],
      ['lot-nothing', 'if nothing is left: -1013 LOT_SIZE', order('-1013 names the filter')],
      [
        'max-notional',
        'MAX_NOTIONAL stands in exchangeInfo as maxNotional of MIN_NOTIONAL',
        'fapi-market-data > exchangeInfo: each market with PRICE_FILTER, LOT_SIZE',
      ],
      [
        'modify',
        'A modify that could not be re-placed leaves the original order untouched',
        'fapi-order-changes > amend: a refused amendment leaves the order untouched',
        'futures-rules > amend: an order that cannot be placed again stays as it was, in its place',
      ],
      ['self-trade', 'EXPIRE_TAKER by default', 'futures-rules > self-trade: expire_taker'],
      [
        'self-trade-maker',
        'EXPIRE_MAKER leaves the maker EXPIRED_IN_MATCH',
        'futures-rules > self-trade: expire_maker',
      ],
      ['self-trade-both', 'EXPIRE_BOTH', 'futures-rules > self-trade: expire_both'],
      [
        'margin',
        'Initial margin of positions and resting orders, cross over the USDT wallet',
        'fapi-account > account: totals add up in v2 and v3; v3 lists only markets with positions or orders',
        'futures-rules > margin: an order holds its notional over the leverage, 20 by default',
      ],
      [
        'maintenance',
        'Maintenance margin from leverage brackets',
        'leverage-brackets > maintenanceMargin: 3,500,032.46 USDT of BTC need 71,200.81',
      ],
      [
        'liquidation',
        'Liquidation at mark price when equity is at or under maintenance margin',
        'futures-engine > liquidation: an account at its maintenance margin is closed, and never',
      ],
      [
        'liquidation-book',
        'cancel orders, close on the book at the bankruptcy price or better',
        liquidated,
        'liquidate-account > liquidation: on the book, at the bankruptcy price or better; a fee',
      ],
      [
        'liquidation-fund',
        'insurance fund',
        'liquidate-account > liquidation: the fund pays what the book is worse than the bankruptcy',
      ],
      ['liquidation-adl', 'then auto-deleveraging by profit and leverage', deleveraged, ranked],
      ['liquidation-told', 'Every step is an event a user can read', liquidated, deleveraged],
      [
        'mark',
        'Mark price from index and premium',
        'fapi-liquidations > mark price: the median of index and funding, index and premium',
      ],
      [
        'funding-rate',
        'Clamped premium plus interest',
        'funding-rate > fundingRate: no premium pays the interest of 0.01 %',
        'funding-rate > fundingRate: a premium of 0.2 % pays 0.15 %',
        'funding-rate > fundingRate: never exceeds the cap in either direction',
      ],
      ['funding', 'Funding every full UTC hour, longs and shorts sum to zero', funded],
      ['stale', 'A pushed price older than 60 s is stale: orders that open are refused', stale],
      [
        'stale-liquidation',
        'and liquidations never wait for a feed',
        "price-state > stale market: a position in it does not prevent its account's liquidation",
      ],
      ['halted', '-2010 says that the market is halted', order('-2010 says that the market is')],
      ['price-filter', 'Price off the tick: -1013 PRICE_FILTER', order('-1013 names the filter')],
      [
        'position-limit',
        'A position limit of the leverage bracket is -2027',
        'fapi-order-rules > rule 1: a position beyond what the leverage allows is -2027',
      ],
      [
        'too-many',
        'Too many orders: -1015',
        'fapi-order-rules > order: -1015 beyond 200 open orders of a symbol',
        'fapi-weights > limits: too many orders are 429 with -1015 and Retry-After, and none',
      ],
    ],
  },
  {
    id: 'general',
    title: 'General endpoints of derivatives',
    rows: [
      ['orders', 'POST /api/v1/orders', 'derivatives-orders > orders: a limit order by the names'],
      [
        'children',
        'take_profit_price, stop_loss_price make child trigger orders',
        'derivatives-orders > orders: take_profit_price and stop_loss_price make child trigger',
      ],
      [
        'amend',
        'PUT /orders/:order_id by a token or a key',
        amended('a token gives price and quantity under the same order_id'),
        amended('a signed key with the trade permission does the same; a read-only key may not'),
      ],
      [
        'leverage',
        'GET and POST /leverage by a token or a key',
        leverage('a value set with a token is stored for the account and market'),
        leverage('a signed key with the trade permission sets it; a read-only key may only read'),
      ],
      [
        'brackets',
        'GET /leverage-brackets by a token or a key',
        'derivatives-leverage > brackets: each tier with its leverage, bounds and margin, as',
      ],
      [
        'income',
        'GET /income by a token or a key',
        history('income: fees, profit and transfers, newest first, each of its type'),
        history('/api/v1/income: a signed key that may read reads what the token reads'),
      ],
      [
        'liquidations',
        'GET /liquidations by a token or a key',
        history('liquidations: the order that closed the position, to its owner only'),
        history('/api/v1/liquidations: a signed key that may read reads what the token reads'),
      ],
      [
        'trigger-orders',
        'GET and DELETE /trigger-orders by a token or a key',
        history(
          'trigger-orders: a trailing stop is listed with the fields of its trigger, and no other',
        ),
        history(
          'trigger-orders: DELETE cancels what waits in the market and leaves the book alone',
        ),
        history('/api/v1/trigger-orders: a signed key that may read reads what the token reads'),
      ],
      [
        'preview',
        'POST /orders/preview',
        'derivatives-preview > preview: est_slippage comes from a real scan of the order book',
      ],
      [
        'list',
        'GET /orders',
        'derivatives-account > orders: by status and symbol, with the stored',
      ],
      ['open', 'GET /orders/open', 'derivatives-account > orders/open: resting orders and waiting'],
      [
        'positions',
        'GET /positions/active',
        'derivatives-account > positions: only non-zero ones; a short one is negative',
      ],
      ['balances', 'GET /account/balances', 'derivatives-account > balances: the perp wallet with'],
      [
        'trades',
        'GET /account/trades',
        "derivatives-account > trades: the caller's side of each, with fee and realized profit",
      ],
      [
        'account-orders',
        'GET /account/orders',
        'derivatives-account > /api/v1/account/orders: offset with a total, or cursor with a total',
      ],
      ['fee-info', 'GET /account/fee-info', anonymous],
      [
        'margin-mode',
        'POST /account/margin-mode: else 400 MARGIN_MODE_NOT_SUPPORTED',
        'derivatives-account > margin-mode: {"margin_mode":"isolated"} is 400',
      ],
      ['unified', 'GET /unified/account', 'derivatives-account > unified: positions with their'],
      ['markets', 'GET /markets', 'derivatives-market-data > markets: each carries min_order_size'],
      ['market-data', 'GET /markets/:symbol/depth, trades, klines', depthAndMore],
      ['ticker', 'GET /external/markets/:symbol/ticker', depthAndMore],
      [
        'funding-rates',
        'GET /funding-rates/:symbol',
        'derivatives-market-data > funding-rates: the estimate of the next funding, and the rates of past ones',
      ],
      [
        'withdraw',
        'POST /withdraw/request sets the amount aside (pending)',
        'perp-withdrawals > request: reserves the amount, pending',
      ],
      [
        'withdraw-confirm',
        'POST /withdraw/:id/confirm signs it',
        'perp-withdrawals > confirm: signs for the vault; a repetition returns the same',
      ],
      [
        'withdraw-cancel',
        'POST /withdraw/:id/cancel returns it',
        'perp-withdrawals > cancel: returns the amount, once, and only while it is pending',
      ],
      [
        'withdraw-history',
        'GET /withdraw/history',
        'perp-withdrawals > confirm: completed when the release is on chain, expired by the time',
      ],
      ['vip', 'VIP 0-5 by 14-day volume; multipliers 1 to 0.5', anonymous],
      [
        'vip-thresholds',
        '0, 1 M, 5 M, 20 M, 100 M, 500 M',
        'vip-tiers > vipTierOfVolume: 999999 USDT in 14 days is VIP 0',
        'vip-tiers > vipTierOfVolume: 1000000 USDT in 14 days is VIP 1',
        'vip-tiers > vipTierOfVolume: 500000000 USDT in 14 days is VIP 5',
      ],
      [
        'discount',
        "A referred trader's discount multiplies on top",
        'derivatives-fees > fee-info: the discount stack combines VIP and referral',
        'futures-rules > fees: base rate x VIP multiplier x (1 - referral discount), rounded up',
      ],
      [
        'charged',
        'The fee charged is the one that commissionRate and fee-info show',
        'derivatives-fees > fee-info: volume that reaches a tier upgrades at once, and its rates are charged',
      ],
    ],
  },
];
