import { type InterfacePart, row } from './row.ts';

export const derivativesParts: readonly InterfacePart[] = [
  {
    title: '/fapi: endpoints and rules',
    rows: [
      row(
        'listenKey: 64 characters, one a user, idempotent',
        /listenKey: 64 characters, one an account/,
        /listenKey: lives 3600 seconds/,
      ),
      row(
        'marginType: CROSSED only',
        /one-way mode, cross margin and single-asset margin|margin mode and position mode/,
      ),
      row('exchangeInfo filters', /ccxt: markets load with their filters/),
      row('POST order', /order: is answered with every field/),
      row(
        'PUT order: same orderId, side optional',
        /amend: price and quantity change under the same orderId/,
      ),
      row('a modify that cannot be re-placed changes nothing', /amend: what cannot be re-placed/),
      row(
        'cancel paths, cascade, margin released',
        /cancel-all: frozen margin is released/,
        /batch cancel: by numbers/,
      ),
      row('leverage: int or text, kept', /leverage/),
      row('positionSide/dual', /one-way mode|position mode/),
      row('v2/positionRisk', /positions, trades and income show it/),
      row(
        'commissionRate is the effective rate',
        /commissionRate|upgrades at once, and is what is charged/,
      ),
      row(
        'ticker/24hr and income',
        /market data is what was traded/,
        /positions, trades and income show it/,
      ),
      row('lot and notional are checked before the engine', /order: -1013 names the filter/),
      row(
        'reduceOnly is exempt from MIN_NOTIONAL',
        /reduce-only is capped to the position, and exempt/,
      ),
      row('GTX would match: -2010', /order: -2010 for a GTX order/),
      row(
        'trigger already met: -2021; STOP_LIMIT aliases',
        /order: -2021/,
        /STOP_LIMIT and TAKE_PROFIT_LIMIT/,
      ),
      row(
        'stored average price and client id',
        /query and all-orders show the same stored average price/,
      ),
      row('a remainder below one lot ends FILLED', /its quantity cut down to the lot/),
    ],
  },
  {
    title: '/fapi: errors',
    rows: [
      row('-1000', /an unknown path is 404 with code -1000/, /an unexpected failure: logged/),
      row('-1001', /order: -1001, status 500/),
      row('-1013', /order: -1013 names the filter/),
      row('-1100', /order: -1100 for malformed/),
      row('-1102', /order: -1102 for each mandatory field/),
      row('-1102 for GTD on a regular order', /order: -1102 for GTD/),
      row('-1106', /order: -1106/),
      row('-1120', /-1120/),
      row('-1121', /order: -1121/),
      row('-1125', /listenKey: a revoked key is gone/),
      row('-1128', /-1128/),
      row('-1130', /order: -1130/),
      row('-2010', /order: -2010/),
      row('-2011', /cancel: -2011/),
      row('-2013', /amend: -2013/),
      row('-2014', /order: -2014/),
      row('-2019', /order: -2019/),
      row('-2021', /order: -2021/),
      row('-2022', /order: -2022/),
      row('-4028', /-4028/),
      row('-4046', /-4046/),
      row('-4059', /-4059/),
      row(
        '401 SIGNATURE_INVALID, INVALID_API_KEY, API_KEY_DISABLED, 403 IP_NOT_ALLOWED in the envelope',
        /auth: failures come in the envelope/,
        /auth: a disabled key is API_KEY_DISABLED/,
      ),
      row('newClientOrderId at most 36', /newClientOrderId of 37 characters/),
      row('query window at most 7 days', /7 days|2026-01-09/),
    ],
  },
  {
    title: 'General endpoints of derivatives',
    rows: [
      row('GET /markets', /markets: each carries min_order_size_usd/),
      row('symbols in any letter case', /markets\/:symbol: the symbol is taken in any letter case/),
      row(
        'GET /orders, /orders/open, /positions/active',
        /orders\/open: resting orders/,
        /positions: only those other than zero/,
      ),
      row('GET /account/fee-info, anonymous', /fee-info: an anonymous call/),
      row('GET /account/fee-info, with the account', /fee-info: an account that never traded/),
      row(
        'POST /account/margin-mode: mode is an alias; JWT only',
        /margin-mode: \{"mode":"cross"\}/,
        /margin-mode: takes a JWT only/,
      ),
      row(
        'GET /account/trades, /account/orders: cursor, next_cursor, total -1, offset',
        /offset with a total, or cursor with a total of -1/,
      ),
      row('POST /withdraw/request while paused', /pause: 503 WITHDRAWALS_PAUSED on request only/),
      row('POST /orders/preview', /preview: est_slippage comes of a real scan/),
      row(
        'SLIPPAGE_EXCEEDED',
        /beyond it 400 SLIPPAGE_EXCEEDED/,
        /orders: max_slippage stops a market order/,
      ),
      row('GET /unified/account', /unified: margin of resting orders is in equity/),
      row('GET /external/markets/:symbol/ticker', /next_funding_time is the next full UTC hour/),
      row('GET /funding-rates/:symbol', /funding-rates: what the next funding would charge/),
      row('POST /api/v1/orders: reduceOnly', /orders: reduceOnly is capped/),
      row('VIP 0 to 5 by 14-day volume', /vipTiers: six tiers/),
    ],
  },
  {
    title: 'Streams',
    rows: [
      row('auth by listen key', /ws: a listen key signs in/),
      row('balances driven by database notifications', /ws-database.*balances/),
      row(
        'vip_tier_changed: upgrade_immediate, downgrade_scheduled, downgrade_applied',
        /ws.*vip|vip-tier/,
      ),
      row('orderbook of 30 levels', /orderbook.*30|best 30|ws-orderbook/),
      row('the first snapshot comes promptly', /first snapshot comes within 100 ms/),
      row('one event a fill on the user stream', /user stream: .* gets one event a fill/),
    ],
  },
  {
    title: 'Authentication',
    rows: [
      row(
        'timestamp within 60000 ms',
        /a timestamp 60000 ms off: 200/,
        /a timestamp 60001 ms off: 401/,
      ),
      row(
        'raw and URL-encoded form of the signed payload',
        /the raw text and its URL-encoded form both count/,
      ),
      row(
        'IP whitelist, disabled and unknown keys',
        /a new whitelist counts at once/,
        /disabled, it stops signing at once/,
      ),
      row('JWT', /a token with sub, iat and exp under HS256/),
    ],
  },
];
