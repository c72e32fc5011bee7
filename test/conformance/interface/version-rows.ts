import type { Part } from '../row.ts';

// Versioning: the path prefixes, and each behaviour of the derivatives change history.

const order = (title: string) => `fapi-orders > order: ${title}`;
const anonymous = 'derivatives-fees > fee-info: an anonymous call answers the full VIP table';
const vipKind = (kind: string) =>
  `ws-vip-tier > ws: vip_tier sends vip_tier_changed of kind ${kind}`;
const cascade = (path: string) =>
  `fapi-order-rules > cancel: canceling a parent cancels its TP/SL trigger orders, by DELETE ${path}`;
const anyCase = (letters: string) =>
  `derivatives-market-data > markets/:symbol: the symbol is accepted in any letter case (${letters})`;
const slippage = 'derivatives-orders > orders: max_slippage stops a market order before it reaches';
const filters = order('-1013 names the filter');
const positionRisk = 'fapi-account > positionRisk: v2 is an alias of v1, with leverage as text';

export const versionParts: readonly Part[] = [
  {
    id: 'version',
    title: 'Versioning',
    rows: [
      [
        'api-v1-referral',
        'Referral endpoints live under /api/v1',
        'referral-access > referral: a new account sees zeros and empty lists everywhere',
      ],
      [
        'api-v1-points',
        'Points endpoints live under /api/v1',
        'points-leaderboards > envelope: success, data, error null, timestamp in Unix seconds',
      ],
      [
        'api-v1-admin',
        'Admin spot endpoints live under /api/v1',
        'admin-spot > POST /admin/spot/markets: the market is listed, queryable and tradeable',
      ],
      [
        'api-v1-general',
        'General endpoints live under /api/v1',
        'derivatives-account > /api/v1/orders: 401 without credentials, 200 with a JWT or an',
        'derivatives-account > /api/v1/unified/account: 401 without credentials, 200 with a JWT',
      ],
      [
        'fapi-v1',
        'The derivatives interface lives under /fapi/v1',
        order('the answer has every field'),
      ],
      ['fapi-v2', '/fapi/v2/positionRisk is an alias of the v1 route', positionRisk],
    ],
  },
  {
    id: 'change-2026-03-26',
    title: 'Change history: 2026-03-26',
    rows: [
      ['place', 'USDT-margined futures: orders are placed', order('the answer has every field')],
      [
        'query',
        'Orders are queried',
        order('query and all-orders show the same stored average price'),
      ],
      [
        'cancel',
        'Orders are canceled',
        'fapi-order-changes > cancel: answers the canceled order, by number or by client id',
      ],
      ['positions', 'Positions are read', positionRisk],
      [
        'margin',
        'Balances and margins are in USDT',
        'fapi-account > balance: one entry for USDT, the same in v1, v2 and v3',
      ],
      [
        'market-data',
        'Market data are public',
        'fapi-market-data > depth: levels best first, with the update id of the streams',
        'fapi-market-data > tickers: an object for one symbol, a list for all',
      ],
    ],
  },
  {
    id: 'change-2026-04-15',
    title: 'Change history: 2026-04-15',
    rows: [
      [
        'vip-table',
        'VIP fee table with 6 tiers',
        anonymous,
        'vip-tiers > vipTiers: six tiers, 0 to 5, each cheaper than the one below',
      ],
      [
        'fee-info',
        'fee-info',
        'derivatives-fees > fee-info: volume that reaches a tier upgrades at once, and its rates are charged',
        'derivatives-fees > fee-info: the discount stack combines VIP and referral',
      ],
      [
        'vip_tier',
        'vip_tier channel',
        vipKind('upgrade_immediate'),
        vipKind('downgrade_scheduled'),
        vipKind('downgrade_applied'),
      ],
      [
        'commissionRate',
        'commissionRate returns the effective rate',
        'fapi-account > commissionRate: base rate x discount multiplier',
      ],
      [
        'est_slippage',
        'Slippage: est_slippage comes from a real order book scan',
        'derivatives-preview > preview: est_slippage comes from a real scan of the order book',
      ],
      ['max_slippage', 'Slippage: max_slippage is enforced before the engine', slippage],
      [
        'symbols',
        'Case-insensitive symbol paths',
        anyCase('upper'),
        anyCase('lower'),
        anyCase('mixed'),
      ],
    ],
  },
  {
    id: 'change-2026-04-28',
    title: 'Change history: 2026-04-28',
    rows: [
      [
        'modify',
        'Order modify',
        'fapi-order-changes > amend: price and quantity change under the same orderId; side may be left',
        'fapi-order-rules > modify: the margin is frozen again and the orderId stays',
      ],
      [
        'GTX',
        'GTX',
        order('-2010 for a GTX order that would match at once'),
        'fapi-order-rules > rule 3: GTX at 90 is accepted and ends NEW',
      ],
      [
        'admission',
        'Lot and notional admission',
        'fapi-order-rules > rule 1: lot size, min and max notional are judged before',
        order('the answer has every field'),
      ],
      [
        'cascade',
        'Trigger order cancel cascade',
        cascade('order'),
        cascade('allOpenOrders'),
        cascade('batchOrders'),
      ],
      [
        'keyset',
        'Keyset pagination',
        'derivatives-paging > orders: cursor gives next_cursor and a total of -1, offset the total',
        'derivatives-paging > trades: cursor gives next_cursor and a total of -1, offset the total',
      ],
      ['public-fee-info', 'Public fee-info', anonymous],
      [
        'pause',
        'Withdrawal pause switch',
        'perp-withdrawals > pause: 503 WITHDRAWALS_PAUSED on request only',
      ],
      [
        'leverage',
        'Persisted leverage',
        'fapi-order-rules > leverage: stored per user and symbol, and used by later orders that omit it',
        'fapi-account > leverage: an integer or its text is stored for the account and market',
      ],
      [
        'hmac',
        'HMAC raw and URL-encoded payloads',
        'signatures > the raw text and its URL-encoded form both count',
      ],
      [
        'balances',
        'balances channel',
        'ws-database > balances: a spot balance credit pushes a balance update',
        'balance-feed > balance feed: a transfer is pushed for both wallets, with reserved amounts as locked',
      ],
    ],
  },
  {
    id: 'change-2026-05-07',
    title: 'Change history: 2026-05-07',
    rows: [
      [
        'listenKey',
        'listenKey endpoints',
        'fapi-access > listenKey: 64 characters, one per account, the same one while it is valid',
        'fapi-access > listenKey: lives 3600 seconds, and again after each use',
        'fapi-access > listenKey: a revoked key is invalid',
      ],
      [
        'marginType',
        'marginType stub',
        'fapi-account > marginType: GET is always CROSSED, POST CROSSED changes nothing',
      ],
      [
        'exchangeInfo',
        'exchangeInfo filters',
        'fapi-market-data > exchangeInfo: each market with PRICE_FILTER, LOT_SIZE',
      ],
      [
        'reduce-only',
        'Reduce-only exemption from MIN_NOTIONAL',
        'fapi-order-rules > rule 2: LOT_SIZE and MAX_NOTIONAL apply to reduce-only orders',
      ],
      ['prefix', '-1013 message prefix', filters],
      [
        'ws-auth',
        'listenKey WebSocket auth',
        'ws-private > ws: a listen key signs in if the service has listen keys',
        'listen-key-store > listen keys: a key lives for 3600 seconds after its last use',
      ],
    ],
  },
];
