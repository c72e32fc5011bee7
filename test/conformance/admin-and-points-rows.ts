import { type InterfacePart, row } from './row.ts';

const created =
  /POST \/admin\/spot\/markets: the market is listed, queryable and tradeable at once/;
const entries = /entries: ordered by points, then address/;
const seasonFields = /seasons: none is an empty array; a created one has every field/;

export const adminAndPointsParts: readonly InterfacePart[] = [
  {
    title: 'Spot administration',
    rows: [
      row(
        'POST /admin/spot/markets: every field; status listed, tradeable without restart',
        created,
      ),
      row('id is case-sensitive and unique', /MARKET_EXISTS, another case is not/),
      row('tick_size, lot_size, min_notional, fees are checked', /markets: \{ tick_size: '0' \}/),
      row(
        'POST /admin/spot/balances/credit: balance row and audit row',
        /credit: the balance row and the audit row/,
      ),
      row('a credit pushes a balance update', /balances: a spot balance credit pushes/),
      row(
        'statuses listed, halted, delisted',
        /PUT status: listed and halted change into each other/,
      ),
      row('409 MARKET_EXISTS', /an id that exists is 409 MARKET_EXISTS/),
      row('500 DB_ERROR', /with storage down 500 DB_ERROR/),
      row('400 AMOUNT_NON_POSITIVE', /AMOUNT_NON_POSITIVE/),
      row('404 DISABLED', /credit: 404 DISABLED/),
      row('400 INVALID_STATUS', /PUT status: unknown statuses/),
      row('X-API-Key', /administration: a wrong or missing key is 401/),
      row('ADMIN_API_KEY must be configured', /without ADMIN_API_KEY 503/),
      row('weight 0', /health, metrics and the administration weigh nothing/),
    ],
  },
  {
    title: 'Points',
    rows: [
      row(
        'envelope: success, data, error, timestamp; no authentication',
        /points-leaderboards.*envelope/,
      ),
      row('leaderboard: epoch_number, rank_type, entries, updated_at', entries),
      row(
        'leaderboard: total is the length of entries',
        /total: the count of entries in this response/,
      ),
      row('leaderboard: epoch default 1', /epoch: default 1/),
      row(
        'leaderboard: type_ total, trading, pnl, holding, referral, staking',
        /type_: trading/,
        /type_: pnl/,
        /type_: holding/,
        /type_: referral/,
        /type_: staking/,
      ),
      row('leaderboard: limit default 100; tiers T1, T2, T3', /tiers and the default limit/),
      row(
        'daily: date, epoch_number, refreshed_at, entries',
        /daily: only what was earned since UTC 00:00/,
      ),
      row(
        'daily: limit default 10, clamped to 1-50; offset; total is not capped',
        /daily: limit default 10/,
      ),
      row('daily: tier or null', /daily: the tier is the user's epoch tier/),
      row('daily: active epoch by default', /epoch: the active one by default/),
      row('daily: empty before the first run', /daily: empty before the first run/),
      row(
        'daily: rebuilt after UTC 00:00, the day before purged',
        /midnight: the first run purges/,
      ),
      row(
        'daily: refreshed every 5 minutes',
        /points.*refresh|jobs: nothing runs before the interval/,
      ),
      row('seasons: every field', seasonFields),
      row(
        'season active to completed by the snapshot, in one transaction',
        /snapshot: cut off before or after any statement/,
      ),
      row('season pending to active', /seasons: pending to active/),
      row(
        'earn-level-config: six rows with defaults; updated_by null',
        /earn-level-config: the default rows/,
      ),
      row('earn-level-config: edited rows', /PUT :level: changes what is given/),
    ],
  },
];
