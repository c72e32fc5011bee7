import { type Kysely, sql } from 'kysely';

// NaN and Infinity are greater than every number for PostgreSQL, so an upper bound refuses both.
const amount = (column: string): string => `CHECK (${column} >= 0 AND ${column} < 'Infinity')`;
const positive = (column: string): string => `CHECK (${column} > 0 AND ${column} < 'Infinity')`;

const statements = [
  `CREATE TABLE projector_position (
    name text PRIMARY KEY,
    position bigint NOT NULL CHECK (position >= 0)
  )`,
  `INSERT INTO projector_position (name, position) VALUES ('exchange', 0)`,

  `CREATE TABLE settings (
    key text PRIMARY KEY,
    value jsonb NOT NULL,
    updated_at timestamptz NOT NULL DEFAULT now()
  )`,

  `CREATE TABLE accounts (
    account_id bigint PRIMARY KEY CHECK (account_id > 0),
    address text NOT NULL UNIQUE CHECK (address ~ '^0x[0-9a-f]{40}$'),
    username text CHECK (username ~ '^[A-Za-z0-9_]{3,24}$'),
    created_at timestamptz NOT NULL
  )`,
  'CREATE UNIQUE INDEX accounts_username_unique ON accounts (lower(username))',

  `CREATE TABLE tokens (
    token_id integer PRIMARY KEY CHECK (token_id >= 0),
    symbol text NOT NULL UNIQUE
  )`,

  `CREATE TABLE spot_markets (
    market_id integer PRIMARY KEY CHECK (market_id >= 0),
    symbol text NOT NULL UNIQUE,
    base_token text NOT NULL REFERENCES tokens (symbol),
    quote_token text NOT NULL REFERENCES tokens (symbol),
    tick_size numeric NOT NULL ${positive('tick_size')},
    lot_size numeric NOT NULL ${positive('lot_size')},
    min_notional numeric NOT NULL ${amount('min_notional')},
    maker_fee_bps integer NOT NULL CHECK (maker_fee_bps >= 0),
    taker_fee_bps integer NOT NULL CHECK (taker_fee_bps >= 0),
    status text NOT NULL CHECK (status IN ('listed', 'halted', 'delisted')),
    created_at timestamptz NOT NULL,
    updated_sequence bigint NOT NULL
  )`,

  // Room in each page lets an update stay on it, without touching the index.
  `CREATE TABLE spot_balances (
    user_address text NOT NULL,
    token text NOT NULL,
    available numeric NOT NULL ${amount('available')},
    locked numeric NOT NULL ${amount('locked')},
    updated_sequence bigint NOT NULL,
    PRIMARY KEY (user_address, token)
  ) WITH (fillfactor = 70)`,

  `CREATE TABLE spot_admin_credits (
    sequence bigint PRIMARY KEY,
    user_address text NOT NULL,
    token text NOT NULL,
    amount numeric NOT NULL ${positive('amount')},
    reason text,
    reference text UNIQUE,
    admin_actor text NOT NULL,
    created_at timestamptz NOT NULL
  )`,
  'CREATE INDEX spot_admin_credits_by_user ON spot_admin_credits (user_address, sequence)',

  `CREATE TABLE admin_audit (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    action text NOT NULL,
    detail jsonb NOT NULL,
    admin_actor text NOT NULL,
    sequence bigint UNIQUE,
    created_at timestamptz NOT NULL DEFAULT now()
  )`,

  `CREATE TABLE spot_orders (
    order_number bigint PRIMARY KEY CHECK (order_number > 0),
    account_id bigint NOT NULL,
    market_id integer NOT NULL,
    client_order_id text,
    side text NOT NULL CHECK (side IN ('buy', 'sell')),
    type text NOT NULL,
    tif text NOT NULL,
    price numeric ${positive('price')},
    quantity numeric ${positive('quantity')},
    quote_quantity numeric ${positive('quote_quantity')},
    filled_quantity numeric NOT NULL ${amount('filled_quantity')},
    filled_quote_quantity numeric NOT NULL ${amount('filled_quote_quantity')},
    status text NOT NULL CHECK (status IN
      ('new', 'partially_filled', 'filled', 'canceled', 'expired', 'rejected')),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    updated_sequence bigint NOT NULL,
    CHECK (filled_quantity <= quantity)
  ) WITH (fillfactor = 85)`,
  'CREATE INDEX spot_orders_by_account ON spot_orders (account_id, market_id, order_number)',

  `CREATE TABLE spot_trades (
    trade_number bigint PRIMARY KEY CHECK (trade_number > 0),
    market_id integer NOT NULL,
    price numeric NOT NULL ${positive('price')},
    quantity numeric NOT NULL ${positive('quantity')},
    quote_quantity numeric NOT NULL ${amount('quote_quantity')},
    taker_side text NOT NULL CHECK (taker_side IN ('buy', 'sell')),
    maker_order_number bigint NOT NULL,
    taker_order_number bigint NOT NULL,
    maker_order_created_at timestamptz NOT NULL,
    taker_order_created_at timestamptz NOT NULL,
    maker_account_id bigint NOT NULL,
    taker_account_id bigint NOT NULL,
    maker_fee numeric NOT NULL ${amount('maker_fee')},
    taker_fee numeric NOT NULL ${amount('taker_fee')},
    created_at timestamptz NOT NULL,
    sequence bigint NOT NULL
  )`,
  'CREATE INDEX spot_trades_by_market ON spot_trades (market_id, created_at, trade_number)',
  'CREATE INDEX spot_trades_by_maker ON spot_trades (maker_account_id, trade_number)',
  'CREATE INDEX spot_trades_by_taker ON spot_trades (taker_account_id, trade_number)',

  `CREATE TABLE spot_klines (
    market_id integer NOT NULL,
    kline_interval text NOT NULL,
    open_time timestamptz NOT NULL,
    open numeric NOT NULL ${positive('open')},
    high numeric NOT NULL ${positive('high')},
    low numeric NOT NULL ${positive('low')},
    close numeric NOT NULL ${positive('close')},
    volume numeric NOT NULL ${amount('volume')},
    quote_volume numeric NOT NULL ${amount('quote_volume')},
    trade_count bigint NOT NULL CHECK (trade_count > 0),
    PRIMARY KEY (market_id, kline_interval, open_time),
    CHECK (low <= open AND low <= close AND open <= high AND close <= high)
  ) WITH (fillfactor = 70)`,

  `CREATE TABLE api_keys (
    api_key text PRIMARY KEY,
    address text NOT NULL CHECK (address ~ '^0x[0-9a-f]{40}$'),
    label text NOT NULL,
    ip_whitelist text[] NOT NULL,
    permissions text[] NOT NULL,
    is_enabled boolean NOT NULL,
    secret_version smallint NOT NULL,
    secret_iv bytea NOT NULL CHECK (length(secret_iv) = 12),
    secret_ciphertext bytea NOT NULL,
    secret_tag bytea NOT NULL CHECK (length(secret_tag) = 16),
    created_at timestamptz NOT NULL
  )`,
  'CREATE INDEX api_keys_by_address ON api_keys (address, created_at)',

  `CREATE TABLE login_nonces (
    nonce text PRIMARY KEY,
    address text NOT NULL,
    expires_at timestamptz NOT NULL
  )`,
  'CREATE INDEX login_nonces_by_address ON login_nonces (address, expires_at)',
  'CREATE INDEX login_nonces_by_expiry ON login_nonces (expires_at)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
