import { type Kysely, sql } from 'kysely';

// NaN and Infinity are greater than every number for PostgreSQL, so an upper bound refuses both.
// Rows are added to by INSERT ... ON CONFLICT with what changed, so a column that may fall within a
// day, like profit, may be below zero here although its sum never is.
const finite = (column: string): string =>
  `CHECK (${column} > '-Infinity' AND ${column} < 'Infinity')`;
const amount = (column: string): string => `CHECK (${column} >= 0 AND ${column} < 'Infinity')`;
const positive = (column: string): string => `CHECK (${column} > 0 AND ${column} < 'Infinity')`;
const pointsColumns = [
  ...['trading', 'holding', 'referral', 'staking'].map((column) => [column, amount(column)]),
  ...['pnl', 'total'].map((column) => [column, finite(column)]),
]
  .map(([column, check]) => `${column} numeric NOT NULL DEFAULT 0 ${check}`)
  .join(',\n');
const rankTypes = `'total', 'trading', 'pnl', 'holding', 'referral', 'staking'`;

const statements = [
  // The Monday before the first start; POINTS_EPOCH_START replaces it while nothing is counted.
  `INSERT INTO settings (key, value) VALUES ('points_epoch_start',
    to_jsonb(extract(epoch FROM date_trunc('week', now() AT TIME ZONE 'UTC'))::bigint))`,

  // What an account did in a UTC day, and the points that it makes; the day counts from 1970.
  `CREATE TABLE points_days (
    day integer NOT NULL,
    account_id bigint NOT NULL,
    fees_paid numeric NOT NULL DEFAULT 0 ${amount('fees_paid')},
    referee_fees numeric NOT NULL DEFAULT 0 ${amount('referee_fees')},
    realized_profit numeric NOT NULL DEFAULT 0 ${finite('realized_profit')},
    value_held numeric NOT NULL DEFAULT 0 ${amount('value_held')},
    ${pointsColumns},
    PRIMARY KEY (day, account_id)
  ) WITH (fillfactor = 70)`,
  // Sums of the days' points over each epoch.
  `CREATE TABLE points_epochs (
    epoch integer NOT NULL CHECK (epoch > 0),
    account_id bigint NOT NULL,
    ${pointsColumns},
    PRIMARY KEY (epoch, account_id)
  ) WITH (fillfactor = 70)`,
  `CREATE TABLE points_credits (
    reference text PRIMARY KEY,
    account_id bigint NOT NULL,
    type text NOT NULL CHECK (type IN ('trading', 'pnl', 'holding', 'referral', 'staking')),
    points numeric NOT NULL ${positive('points')},
    day integer NOT NULL,
    admin_actor text NOT NULL,
    created_at timestamptz NOT NULL
  )`,

  // Open positions and mark prices as the holding rule counts them, and up to where.
  `CREATE TABLE points_clock (
    is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    settled_at bigint NOT NULL
  )`,
  'INSERT INTO points_clock (settled_at) VALUES (0)',
  `CREATE TABLE points_marks (
    market_id integer PRIMARY KEY,
    mark_price numeric NOT NULL ${amount('mark_price')},
    index_sum numeric NOT NULL ${amount('index_sum')},
    marked_at bigint NOT NULL
  ) WITH (fillfactor = 50)`,
  `CREATE TABLE points_holdings (
    account_id bigint NOT NULL,
    market_id integer NOT NULL,
    quantity numeric NOT NULL ${positive('quantity')},
    index_sum numeric NOT NULL ${amount('index_sum')},
    PRIMARY KEY (account_id, market_id)
  ) WITH (fillfactor = 70)`,

  // Leaderboards. A board is one epoch, or 0 for the present day; its entries stand in blocks of a
  // thousand, in order, so that a page is one or two rows however far down it lies; the revision is
  // that of the board's refresh that wrote them.
  'CREATE SEQUENCE points_revisions',
  `CREATE TABLE points_boards (
    board integer PRIMARY KEY CHECK (board >= 0),
    day integer,
    total integer NOT NULL,
    refreshed_at timestamptz NOT NULL,
    revision bigint NOT NULL,
    is_final boolean NOT NULL DEFAULT false,
    CHECK ((board = 0) = (day IS NOT NULL))
  )`,
  // Who was ranked by the last refresh, with how many points.
  `CREATE TABLE points_ranked (
    board integer NOT NULL,
    account_id bigint NOT NULL,
    points numeric NOT NULL ${positive('points')},
    PRIMARY KEY (board, account_id)
  ) WITH (fillfactor = 80)`,
  `CREATE TABLE points_board_blocks (
    board integer NOT NULL,
    rank_type text NOT NULL CHECK (rank_type IN (${rankTypes})),
    block integer NOT NULL CHECK (block >= 0),
    first_points numeric NOT NULL ${positive('first_points')},
    first_address text NOT NULL,
    account_ids bigint[] NOT NULL,
    points numeric[] NOT NULL,
    revision bigint NOT NULL,
    PRIMARY KEY (board, rank_type, block)
  )`,

  `CREATE TABLE points_seasons (
    season_id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    season_no integer NOT NULL UNIQUE CHECK (season_no > 0),
    label text NOT NULL,
    start_epoch integer NOT NULL CHECK (start_epoch > 0),
    end_epoch integer NOT NULL,
    user_pool_tokens bigint NOT NULL CHECK (user_pool_tokens >= 0),
    mm_pool_tokens bigint NOT NULL CHECK (mm_pool_tokens >= 0),
    status text NOT NULL CHECK (status IN ('pending', 'active', 'completed')),
    snapshot_at timestamptz,
    snapshot_taken_at timestamptz,
    distribution_at timestamptz,
    CHECK (start_epoch <= end_epoch),
    CHECK ((status = 'completed') = (snapshot_taken_at IS NOT NULL))
  )`,
  `CREATE TABLE points_distributions (
    season_no integer NOT NULL REFERENCES points_seasons (season_no),
    rank integer NOT NULL CHECK (rank > 0),
    account_id bigint NOT NULL,
    pool text NOT NULL CHECK (pool IN ('user', 'mm')),
    points numeric NOT NULL ${positive('points')},
    remainder numeric NOT NULL ${amount('remainder')},
    tokens bigint NOT NULL CHECK (tokens >= 0),
    PRIMARY KEY (season_no, rank),
    UNIQUE (season_no, account_id)
  )`,

  `CREATE TABLE points_earn_levels (
    level smallint PRIMARY KEY CHECK (level BETWEEN 0 AND 5),
    points_min bigint NOT NULL CHECK (points_min >= 0),
    points_max bigint CHECK (points_max >= points_min),
    weight integer NOT NULL CHECK (weight >= 0),
    updated_at timestamptz NOT NULL DEFAULT now(),
    updated_by text,
    CHECK ((level = 5) = (points_max IS NULL))
  )`,
  `INSERT INTO points_earn_levels (level, points_min, points_max, weight) VALUES
    (0, 0, 999, 4), (1, 1000, 9999, 8), (2, 10000, 49999, 12), (3, 50000, 199999, 25),
    (4, 200000, 499999, 60), (5, 500000, NULL, 120)`,

  // Timed jobs: who may run one now, and how the last runs went.
  `CREATE TABLE job_leases (
    job text PRIMARY KEY,
    holder text,
    expires_at timestamptz,
    due_at timestamptz NOT NULL,
    last_success_at timestamptz,
    last_run_at timestamptz,
    failures bigint NOT NULL DEFAULT 0
  )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
