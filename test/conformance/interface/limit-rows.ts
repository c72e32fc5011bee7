import type { Part } from '../row.ts';

// Limits.

const traders = 'referral-access > referral: malformed and out-of-range paging of traders';
const affiliates = 'referral-access > referral: malformed and out-of-range paging of affiliates';
const claims = 'referral-claims > claims: page from 1, page_size from 1 to 100';
const empty = 'referral-access > referral: a new account sees zeros and empty lists everywhere';
const daily = 'points-leaderboards > daily: limit default 10, clamped to 1-50; offset pages;';
const created = 'referral-claims > claim: the answer, field by field';
const signed =
  'referral-claim-ends > claim-signature: signs every positive amount, without an order or a check of the balance';
const defaults = 'config > config: an empty environment has the defaults of the specification';
const intervals = 'job-intervals > intervals: settlement every 5 minutes, chain events every 30 s';
const listenKey =
  'fapi-access > listenKey: 64 characters, one per account, the same one while it is valid';
const oneKey = 'listen-key-store > listen keys: concurrent requests get one key';
const leverage = 'fapi-account > leverage: -4028 below 1 and above the maximum, -1102 malformed';
const farPage = (list: string) =>
  `derivatives-paging > ${list}: offset beyond 5000 is still accepted, and the cursor gets there`;

export const limitParts: readonly Part[] = [
  {
    id: 'limit',
    title: 'Limits',
    rows: [
      [
        'minimum-claim',
        'Minimum claim: 10 USDT',
        'referral-claims > claim: BELOW_MINIMUM below 10 USDT, and 10 USDT are enough',
      ],
      ['page', 'page: default 1, minimum 1 (referral lists)', empty, traders, affiliates, claims],
      ['page_size', 'page_size: default 20, range 1-100', empty, traders, affiliates, claims],
      [
        'leaderboard',
        'Leaderboard limit: default 100',
        'points-leaderboards > tiers and the default limit: T1 ranks 1-10, T2 11-100',
      ],
      ['daily-limit', 'Daily leaderboard limit: default 10, clamped to 1-50', daily],
      [
        'daily-offset',
        'Daily leaderboard offset: default 0, minimum 0',
        daily,
        'points-leaderboards > malformed: offset=-1 is 400 INVALID_PARAMETER',
      ],
      ['claim-lifetime', 'Claim signature lifetime: 1 hour', created],
      ['claim-precision', 'Claim amount: 6 decimals (x10^6), claim', created],
      ['signature-precision', 'Claim amount: 6 decimals (x10^6), claim-signature', signed],
      ['settle-interval', 'Batch settle interval: 5 minutes', intervals],
      [
        'sync-attempts',
        'Sync attempts before failed: 3',
        'referral-records > earnings: failed after 3 attempts with the error, still unclaimed',
        'settlement-runner > settlement: one account that the contract refuses blocks no other',
      ],
      ['claim-polling', 'Claim event polling: every 30 seconds', intervals],
      ['daily-refresh', 'Daily leaderboard refresh: every 5 minutes', intervals],
      [
        'timestamp',
        'Timestamp window: +/-60000 ms',
        'signatures > a timestamp 60000 ms off',
        'signatures > a timestamp 60001 ms off',
      ],
      ['listen-key', 'Listen key: 64 characters', listenKey],
      [
        'listen-key-ttl',
        'Listen key: TTL 3600 s',
        'fapi-access > listenKey: lives 3600 seconds, and again after each use',
        'listen-key-store > listen keys: a key lives for 3600 seconds after its last use',
      ],
      ['listen-key-one', 'Listen key: one active per user', listenKey, oneKey],
      [
        'client-id',
        'newClientOrderId: at most 36 characters',
        'fapi-orders > order: -1100 for a newClientOrderId of 37 characters or with illegal ones',
        'identifiers > isClientOrderId: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" may be one',
      ],
      [
        'query-window',
        'Query window: at most 7 days',
        'fapi-account > history: -1100 for a query window over 7 days, everywhere',
        'derivatives-account > orders with {"start_time":"2026-01-01T00:00:00Z","end_time"',
      ],
      ['leverage', 'Leverage: at least 1, at most symbol maximum', leverage],
      [
        'admin-weight',
        'Admin weight: 0 (no weight limit)',
        'limits > health and the administration have no weight, metrics have',
      ],
      [
        'orderbook',
        'Order book depth: 30 levels',
        'ws-orderbook > orderbook: the snapshot holds 30 levels of each side, the best ones',
      ],
      ['offset-trades', 'Offset pagination beyond 5000: /account/trades', farPage('trades')],
      ['offset-orders', 'Offset pagination beyond 5000: /account/orders', farPage('orders')],
      [
        'activity',
        'Trader activity: active if last trade within 7 days',
        'referral-records > traders: active if the last trade is within 7 days, else inactive',
      ],
      [
        'transfer-token',
        'Supported tokens: transfer USDT only',
        'wallet-transfers > transfer: malformed first, then direction, amount, token',
      ],
      [
        'withdraw-token',
        'Supported tokens: withdrawal DF currently',
        defaults,
        'spot-withdrawals > withdraw: unsupported token, with its name, before the amount',
      ],
    ],
  },
];
