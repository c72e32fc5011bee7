import type { Part } from '../row.ts';

// The resources of spot administration and of points, field by field.

const market =
  'admin-spot > POST /admin/spot/markets: the market is listed, queryable and tradeable at once';
const required = (name: string) => `admin-spot > POST /admin/spot/markets: ${name} is required`;
const given = (name: string) => `admin-spot > credit: ${name} is required`;
const credited = 'admin-spot > credit: the balance row and the audit row are committed when';
const oneRow = 'admin-spot > credit: one balance row for an address and token, created if absent';
const free = 'spot-money > money: a market without fees charges none';
const envelope = 'points-leaderboards > envelope: success, data, error null, timestamp in Unix';
const epochBoard = 'points-leaderboards > entries: ordered by points, then address; ranks without';
const dailyBoard = 'points-leaderboards > daily: only what was earned since UTC 00:00;';
const season = 'points-seasons > seasons: none is an empty array; a created one has every field';
const defaults = 'points-admin > earn-level-config: the default rows, never edited';
const edited =
  'points-admin > PUT :level: changes the given fields, records when and by whom, and leaves an audit row';

export const marketAndPointsResourceParts: readonly Part[] = [
  {
    id: 'spot-market',
    title: 'Spot market (creation input)',
    rows: [
      ['id', 'string, required: case-sensitive, unique', required('id'), unique()],
      ['base_token', 'string, required: base token symbol', market, required('base_token')],
      ['quote_token', 'string, required: quote token symbol', market, required('quote_token')],
      [
        'tick_size',
        'decimal string, required: minimum price increment',
        required('tick_size'),
        "spot-orders > POST /spot/orders: 'INVALID_TICK'",
      ],
      [
        'lot_size',
        'decimal string, required: minimum quantity increment',
        required('lot_size'),
        "spot-orders > POST /spot/orders: 'INVALID_LOT'",
      ],
      [
        'min_notional',
        'decimal string, required: minimum order notional (price x quantity)',
        required('min_notional'),
        "spot-orders > POST /spot/orders: 'BELOW_MIN_NOTIONAL' for { quantity: '0.0499' }",
      ],
      ['maker_fee_bps', 'integer, required: 0 means fee-free', required('maker_fee_bps'), free],
      ['taker_fee_bps', 'integer, required: 0 means fee-free', required('taker_fee_bps'), free],
      ['status', 'A created market has status listed by default', market],
    ],
  },
  {
    id: 'spot-credit',
    title: 'Spot balance credit (admin input)',
    rows: [
      [
        'user_address',
        'string, required: stored and matched lowercase',
        credited,
        given('user_address'),
      ],
      ['token', 'string, required: token symbol', oneRow, given('token')],
      [
        'amount',
        'decimal string, required: must be > 0',
        given('amount'),
        'admin-spot > credit: an amount of zero or less is 400 AMOUNT_NON_POSITIVE',
      ],
      ['reason', 'string, optional: free text kept in the audit record', credited, oneRow],
      ['balance', 'available row per (user_address, token), created if absent', oneRow],
      ['audit', 'Audit row in spot_admin_credits, admin_actor admin_api_key', credited],
    ],
  },
  {
    id: 'points-envelope',
    title: 'Points envelope',
    rows: [
      ['success', 'bool', envelope],
      ['data', 'payload', envelope],
      ['error', 'null on success', envelope],
      ['timestamp', 'integer Unix seconds', envelope],
    ],
  },
  {
    id: 'epoch-board',
    title: 'Epoch leaderboard data',
    rows: [
      ['epoch_number', 'int: epoch covered', epochBoard],
      ['rank_type', 'string: ranking type used', epochBoard],
      ['entries', 'array: ranked entries', epochBoard],
      [
        'total',
        'int: length of entries, after the limit, not the ranked-user count',
        'points-leaderboards > total: the count of entries in this response, after the limit',
      ],
      ['updated_at', 'string: ISO 8601 last cache refresh', epochBoard],
      ['entry-rank', 'entries[]: rank (int)', epochBoard],
      ['entry-user_address', 'entries[]: user_address (string)', epochBoard],
      ['entry-username', 'entries[]: username (string or null)', epochBoard],
      ['entry-points', 'entries[]: points (Decimal, a string)', epochBoard],
      [
        'entry-tier',
        'entries[]: tier (T1 / T2 / T3)',
        'points-leaderboards > tiers and the default limit: T1 ranks 1-10, T2 11-100, T3 below',
      ],
    ],
  },
  {
    id: 'daily-board',
    title: 'Daily leaderboard data',
    rows: [
      ['date', 'string: UTC date YYYY-MM-DD', dailyBoard],
      ['epoch_number', 'int: epoch of the data', dailyBoard],
      ['refreshed_at', 'string: last cache refresh, minute precision', dailyBoard],
      [
        'total',
        'int: users with points today, not capped by limit',
        'points-leaderboards > daily: limit default 10, clamped to 1-50; offset pages; total',
      ],
      ['entries', 'array: ranked entries', dailyBoard],
      ['entry-rank', 'entries[]: rank (int, for today)', dailyBoard],
      ['entry-user_address', 'entries[]: user_address (string)', dailyBoard],
      ['entry-points_today', 'entries[]: points_today, since UTC 00:00', dailyBoard],
      [
        'entry-tier',
        'entries[]: tier (string or null)',
        "points-leaderboards > daily: the tier is the user's epoch tier, null while unranked",
      ],
    ],
  },
  {
    id: 'season',
    title: 'Season',
    rows: [
      ['season_id', 'string: UUID', season],
      ['season_no', 'int: season number', season],
      ['label', 'string: human-readable label', season],
      ['start_epoch', 'int: first epoch of the season', season],
      ['end_epoch', 'int: last epoch of the season', season],
      ['user_pool_tokens', 'int: token pool for regular users', season],
      ['mm_pool_tokens', 'int: token pool for market makers', season],
      [
        'status',
        'string: pending, active, completed',
        'points-seasons > seasons: pending to active when the first epoch starts, completed',
      ],
      [
        'snapshot_at',
        'string or null: scheduled snapshot time (ISO 8601)',
        season,
        'points-seasons > seasons: the scheduled times come back in ISO 8601',
      ],
      [
        'snapshot_taken_at',
        'string or null: actual snapshot time',
        season,
        'points-seasons > seasons: pending to active when the first epoch starts, completed',
      ],
      [
        'distribution_at',
        'string or null: scheduled distribution time',
        season,
        'points-seasons > seasons: the scheduled times come back in ISO 8601',
      ],
    ],
  },
  {
    id: 'earn-level',
    title: 'Earn level configuration row',
    rows: [
      ['level', 'int 0-5', defaults],
      ['points_min', 'int, inclusive', defaults, 'season > earnLevelOf: 100000000000n units'],
      ['points_max', 'int or null; null for level 5', defaults],
      ['weight', 'int: Earn subscription quota weight multiplier', defaults],
      ['updated_at', 'string: ISO 8601', edited],
      ['updated_by', 'string or null; null if never edited', defaults, edited],
      [
        'names',
        'points_min and points_max, not min_points / max_points',
        defaults,
        'points-admin > PUT 0 {"min_points":0}: the rows must stay gapless',
      ],
      ['default-0', 'Level 0: 0 to 999, weight 4', defaults],
      ['default-1', 'Level 1: 1000 to 9999, weight 8', defaults],
      ['default-2', 'Level 2: 10000 to 49999, weight 12', defaults],
      ['default-3', 'Level 3: 50000 to 199999, weight 25', defaults],
      ['default-4', 'Level 4: 200000 to 499999, weight 60', defaults],
      ['default-5', 'Level 5: from 500000, null, weight 120', defaults],
    ],
  },
];

function unique(): string {
  return 'admin-spot > POST /admin/spot/markets: an id that exists is 409 MARKET_EXISTS, another';
}
