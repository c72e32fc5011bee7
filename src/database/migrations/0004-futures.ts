import { type Kysely, sql } from 'kysely';

// NaN and Infinity are greater than every number for PostgreSQL, so an upper bound refuses both.
const finite = (column: string): string =>
  `CHECK (${column} > '-Infinity' AND ${column} < 'Infinity')`;
const amount = (column: string): string => `CHECK (${column} >= 0 AND ${column} < 'Infinity')`;
const positive = (column: string): string => `CHECK (${column} > 0 AND ${column} < 'Infinity')`;

const statements = [
  `CREATE TABLE futures_markets (
    market_id integer PRIMARY KEY CHECK (market_id >= 0),
    symbol text NOT NULL UNIQUE,
    base_asset text NOT NULL,
    tick_size numeric NOT NULL ${positive('tick_size')},
    lot_size numeric NOT NULL ${positive('lot_size')},
    min_notional numeric NOT NULL ${amount('min_notional')},
    max_notional numeric NOT NULL ${positive('max_notional')},
    max_leverage integer NOT NULL CHECK (max_leverage > 0),
    maintenance_margin_rate numeric NOT NULL ${positive('maintenance_margin_rate')},
    maker_fee_bps integer NOT NULL CHECK (maker_fee_bps >= 0),
    taker_fee_bps integer NOT NULL CHECK (taker_fee_bps >= 0),
    index_price_source text NOT NULL,
    status text NOT NULL CHECK (status IN ('listed', 'halted', 'delisted')),
    created_at timestamptz NOT NULL,
    updated_sequence bigint NOT NULL
  )`,

  `CREATE TABLE futures_orders (
    order_number bigint PRIMARY KEY CHECK (order_number > 0),
    account_id bigint NOT NULL,
    market_id integer NOT NULL,
    client_order_id text,
    side text NOT NULL CHECK (side IN ('buy', 'sell')),
    type text NOT NULL,
    time_in_force text NOT NULL,
    price numeric ${positive('price')},
    quantity numeric NOT NULL ${amount('quantity')},
    filled_quantity numeric NOT NULL ${amount('filled_quantity')},
    filled_quote numeric NOT NULL ${amount('filled_quote')},
    status text NOT NULL CHECK (status IN ('new', 'partially_filled', 'filled', 'canceled',
      'rejected', 'expired', 'expired_in_match')),
    stop_price numeric ${positive('stop_price')},
    trigger_price_kind text NOT NULL,
    activation_price numeric ${positive('activation_price')},
    callback_bps integer CHECK (callback_bps > 0),
    is_reduce_only boolean NOT NULL,
    is_close_position boolean NOT NULL,
    is_price_protected boolean NOT NULL,
    self_trade_mode text NOT NULL,
    good_till timestamptz,
    parent_order_number bigint,
    is_algo boolean NOT NULL,
    origin text NOT NULL,
    end_reason text,
    triggered_at timestamptz,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    updated_sequence bigint NOT NULL
  ) WITH (fillfactor = 85)`,
  'CREATE INDEX futures_orders_by_account ON futures_orders (account_id, market_id, order_number)',
  `CREATE INDEX futures_orders_by_client_id
    ON futures_orders (account_id, client_order_id, order_number)
    WHERE client_order_id IS NOT NULL`,
  `CREATE INDEX futures_orders_forced ON futures_orders (account_id, order_number)
    WHERE origin <> 'user'`,

  `CREATE TABLE futures_order_amendments (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    order_number bigint NOT NULL,
    account_id bigint NOT NULL,
    market_id integer NOT NULL,
    price_before numeric ${positive('price_before')},
    price_after numeric ${positive('price_after')},
    quantity_before numeric NOT NULL ${amount('quantity_before')},
    quantity_after numeric NOT NULL ${amount('quantity_after')},
    created_at timestamptz NOT NULL,
    sequence bigint NOT NULL
  )`,
  'CREATE INDEX futures_order_amendments_by_order ON futures_order_amendments (order_number, id)',

  `CREATE TABLE futures_trades (
    trade_number bigint PRIMARY KEY CHECK (trade_number > 0),
    market_id integer NOT NULL,
    price numeric NOT NULL ${positive('price')},
    quantity numeric NOT NULL ${positive('quantity')},
    quote_quantity numeric NOT NULL ${amount('quote_quantity')},
    taker_side text NOT NULL CHECK (taker_side IN ('buy', 'sell')),
    maker_order_number bigint NOT NULL,
    taker_order_number bigint NOT NULL,
    maker_account_id bigint NOT NULL,
    taker_account_id bigint NOT NULL,
    maker_fee numeric NOT NULL ${amount('maker_fee')},
    taker_fee numeric NOT NULL ${amount('taker_fee')},
    maker_profit numeric NOT NULL ${finite('maker_profit')},
    taker_profit numeric NOT NULL ${finite('taker_profit')},
    created_at timestamptz NOT NULL,
    sequence bigint NOT NULL
  )`,
  'CREATE INDEX futures_trades_by_market ON futures_trades (market_id, created_at, trade_number)',
  'CREATE INDEX futures_trades_by_maker ON futures_trades (maker_account_id, trade_number)',
  'CREATE INDEX futures_trades_by_taker ON futures_trades (taker_account_id, trade_number)',

  `CREATE TABLE futures_klines (
    market_id integer NOT NULL,
    kline_interval text NOT NULL,
    open_time timestamptz NOT NULL,
    open numeric NOT NULL ${positive('open')},
    high numeric NOT NULL ${positive('high')},
    low numeric NOT NULL ${positive('low')},
    close numeric NOT NULL ${positive('close')},
    volume numeric NOT NULL ${amount('volume')},
    quote_volume numeric NOT NULL ${amount('quote_volume')},
    taker_buy_volume numeric NOT NULL ${amount('taker_buy_volume')},
    taker_buy_quote_volume numeric NOT NULL ${amount('taker_buy_quote_volume')},
    trade_count bigint NOT NULL CHECK (trade_count > 0),
    PRIMARY KEY (market_id, kline_interval, open_time),
    CHECK (low <= open AND low <= close AND open <= high AND close <= high)
  ) WITH (fillfactor = 70)`,

  `CREATE TABLE futures_positions (
    account_id bigint NOT NULL,
    market_id integer NOT NULL,
    quantity numeric NOT NULL ${finite('quantity')},
    entry_notional numeric NOT NULL ${amount('entry_notional')},
    realized_profit numeric NOT NULL ${finite('realized_profit')},
    updated_at timestamptz NOT NULL,
    updated_sequence bigint NOT NULL,
    PRIMARY KEY (account_id, market_id)
  ) WITH (fillfactor = 70)`,

  `CREATE TABLE futures_leverages (
    account_id bigint NOT NULL,
    market_id integer NOT NULL,
    leverage integer NOT NULL CHECK (leverage > 0),
    updated_sequence bigint NOT NULL,
    PRIMARY KEY (account_id, market_id)
  )`,

  `CREATE TABLE perp_balances (
    user_address text PRIMARY KEY,
    wallet_balance numeric NOT NULL ${finite('wallet_balance')},
    reserved numeric NOT NULL ${amount('reserved')},
    updated_sequence bigint NOT NULL
  ) WITH (fillfactor = 70)`,

  // All other money in and out; fees and realized profit are in the trades.
  `CREATE TABLE futures_income (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id bigint NOT NULL,
    type text NOT NULL CHECK (type IN ('FUNDING_FEE', 'TRANSFER', 'INSURANCE_CLEAR')),
    market_id integer,
    amount numeric NOT NULL ${finite('amount')},
    position_quantity numeric ${finite('position_quantity')},
    created_at timestamptz NOT NULL,
    sequence bigint NOT NULL
  )`,
  'CREATE INDEX futures_income_by_account ON futures_income (account_id, created_at, id)',

  `CREATE TABLE futures_funding_rates (
    market_id integer NOT NULL,
    funding_time timestamptz NOT NULL,
    funding_rate numeric NOT NULL ${finite('funding_rate')},
    mark_price numeric NOT NULL ${positive('mark_price')},
    sequence bigint NOT NULL,
    PRIMARY KEY (market_id, funding_time)
  )`,

  `CREATE TABLE futures_liquidation_steps (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id bigint NOT NULL,
    market_id integer,
    step text NOT NULL,
    equity numeric NOT NULL ${finite('equity')},
    maintenance_margin numeric NOT NULL ${amount('maintenance_margin')},
    bankruptcy_price numeric ${positive('bankruptcy_price')},
    created_at timestamptz NOT NULL,
    sequence bigint NOT NULL
  )`,
  `CREATE INDEX futures_liquidation_steps_by_account
    ON futures_liquidation_steps (account_id, id)`,

  `CREATE TABLE futures_volume_hours (
    account_id bigint NOT NULL,
    hour timestamptz NOT NULL,
    volume numeric NOT NULL ${amount('volume')},
    PRIMARY KEY (account_id, hour)
  ) WITH (fillfactor = 70)`,
  'CREATE INDEX futures_volume_hours_by_hour ON futures_volume_hours (hour)',

  `CREATE TABLE vip_standings (
    account_id bigint PRIMARY KEY,
    tier integer NOT NULL CHECK (tier BETWEEN 0 AND 5),
    pending_tier integer CHECK (pending_tier BETWEEN 0 AND 5),
    pending_at timestamptz,
    override_tier integer CHECK (override_tier BETWEEN 0 AND 5),
    updated_at timestamptz NOT NULL,
    CHECK ((pending_tier IS NULL) = (pending_at IS NULL))
  )`,

  `CREATE TABLE vip_changes (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id bigint NOT NULL,
    kind text NOT NULL
      CHECK (kind IN ('upgrade_immediate', 'downgrade_scheduled', 'downgrade_applied')),
    from_tier integer NOT NULL,
    to_tier integer NOT NULL,
    volume numeric NOT NULL ${amount('volume')},
    effective_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL
  )`,
  'CREATE INDEX vip_changes_by_account ON vip_changes (account_id, id)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
