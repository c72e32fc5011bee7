import { type Kysely, sql } from 'kysely';

// NaN and Infinity are greater than every number for PostgreSQL, so an upper bound refuses both.
const amount = (column: string): string => `CHECK (${column} >= 0 AND ${column} < 'Infinity')`;
const rate = (column: string): string => `CHECK (${column} >= 0 AND ${column} <= 1)`;
// Commission is whole 10^-6 of USDT, as the contract counts it.
const micros = (column: string): string =>
  `CHECK (${column} >= 0 AND ${column} < 'Infinity' AND ${column} = round(${column}, 6))`;
const span = `from_position bigint NOT NULL,
    until_position bigint CHECK (until_position >= from_position)`;

const statements = [
  // Accounts that have a code, or terms that an administrator set in advance.
  `CREATE TABLE referral_agents (
    account_id bigint PRIMARY KEY REFERENCES accounts,
    code text UNIQUE CHECK (code ~ '^[A-Z0-9_]{4,20}$'),
    tier_level smallint NOT NULL CHECK (tier_level BETWEEN 0 AND 4),
    rebate_rate numeric NOT NULL ${rate('rebate_rate')},
    status text NOT NULL CHECK (status IN ('active', 'suspended')),
    created_at timestamptz NOT NULL
  )`,
  // What an agent's terms were for the commands after from_position, up to until_position.
  `CREATE TABLE referral_agent_terms (
    account_id bigint NOT NULL REFERENCES referral_agents,
    rebate_rate numeric NOT NULL ${rate('rebate_rate')},
    status text NOT NULL CHECK (status IN ('active', 'suspended')),
    ${span}
  )`,
  `CREATE INDEX referral_agent_terms_by_account
    ON referral_agent_terms (account_id, from_position)`,
  `CREATE UNIQUE INDEX referral_agent_terms_present ON referral_agent_terms (account_id)
    WHERE until_position IS NULL`,

  // Each binding of a trader to a referrer, the present one without an end.
  `CREATE TABLE referral_bindings (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    trader_id bigint NOT NULL REFERENCES accounts,
    trader_address text NOT NULL,
    referrer_id bigint NOT NULL REFERENCES referral_agents,
    code text NOT NULL,
    is_affiliate boolean NOT NULL DEFAULT false,
    sub_rate numeric ${rate('sub_rate')},
    bound_at timestamptz NOT NULL,
    unbound_at timestamptz,
    ${span},
    CHECK (trader_id <> referrer_id),
    CHECK (is_affiliate = (sub_rate IS NOT NULL)),
    CHECK ((unbound_at IS NULL) = (until_position IS NULL))
  )`,
  `CREATE UNIQUE INDEX referral_bindings_present ON referral_bindings (trader_id)
    WHERE unbound_at IS NULL`,
  'CREATE INDEX referral_bindings_by_trader ON referral_bindings (trader_id, from_position)',
  `CREATE INDEX referral_bindings_by_referrer
    ON referral_bindings (referrer_id, is_affiliate, bound_at, id)
    INCLUDE (trader_id, trader_address) WHERE unbound_at IS NULL`,
  `CREATE TABLE referral_sub_rates (
    binding_id bigint NOT NULL REFERENCES referral_bindings,
    sub_rate numeric NOT NULL ${rate('sub_rate')},
    ${span}
  )`,
  'CREATE INDEX referral_sub_rates_by_binding ON referral_sub_rates (binding_id, from_position)',
  `CREATE UNIQUE INDEX referral_sub_rates_present ON referral_sub_rates (binding_id)
    WHERE until_position IS NULL`,

  `CREATE TABLE referral_earnings (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    beneficiary_id bigint NOT NULL,
    type text NOT NULL CHECK (type IN ('direct', 'spread')),
    business_line text NOT NULL CHECK (business_line IN ('spot', 'futures')),
    trade_number bigint NOT NULL,
    side text NOT NULL CHECK (side IN ('maker', 'taker')),
    part smallint NOT NULL DEFAULT 0 CHECK (part >= 0),
    whole_id bigint,
    place bigint NOT NULL GENERATED ALWAYS AS (coalesce(whole_id, id)) STORED,
    trader_id bigint NOT NULL,
    source_id bigint NOT NULL,
    fee_value numeric NOT NULL ${amount('fee_value')},
    rate numeric NOT NULL ${rate('rate')},
    commission numeric NOT NULL CHECK (commission > 0) ${micros('commission')},
    status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'claimed')),
    claimed_at timestamptz,
    chain_sync_status text NOT NULL DEFAULT 'pending'
      CHECK (chain_sync_status IN ('pending', 'synced', 'failed')),
    chain_sync_tx text,
    chain_sync_block bigint,
    chain_sync_error text,
    chain_sync_attempts smallint NOT NULL DEFAULT 0,
    settle_generation smallint NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL,
    sequence bigint NOT NULL,
    CHECK (beneficiary_id <> trader_id),
    CHECK ((part > 0) = (whole_id IS NOT NULL)),
    CHECK (commission <= fee_value OR part > 0),
    CHECK ((status = 'claimed') = (claimed_at IS NOT NULL)),
    CHECK (status = 'pending' OR chain_sync_status = 'synced'),
    CHECK ((chain_sync_status = 'synced') = (chain_sync_tx IS NOT NULL)),
    CHECK ((chain_sync_status = 'synced') = (chain_sync_block IS NOT NULL)),
    CHECK (chain_sync_status <> 'failed' OR chain_sync_error IS NOT NULL)
  )`,
  // No trade pays twice; what is split off a row is another part of it, at the same place.
  `CREATE UNIQUE INDEX referral_earnings_once
    ON referral_earnings (trade_number, beneficiary_id, business_line, side, type, part)`,
  `CREATE INDEX referral_earnings_claimable ON referral_earnings (beneficiary_id, place)
    WHERE status = 'pending' AND chain_sync_status = 'synced'`,
  `CREATE INDEX referral_earnings_unsynced ON referral_earnings (beneficiary_id, place)
    WHERE chain_sync_status = 'pending'`,
  `CREATE INDEX referral_earnings_failed ON referral_earnings (beneficiary_id, place)
    WHERE chain_sync_status = 'failed'`,

  // Sums over referral_earnings, kept in the transactions that change it. What the projector adds
  // to and what the chain's side changes stand apart, so that neither waits for the other.
  `CREATE TABLE referral_earned (
    account_id bigint PRIMARY KEY,
    spot_direct numeric NOT NULL ${micros('spot_direct')},
    futures_direct numeric NOT NULL ${micros('futures_direct')},
    spread numeric NOT NULL ${micros('spread')}
  ) WITH (fillfactor = 50)`,
  `CREATE TABLE referral_settled (
    account_id bigint PRIMARY KEY,
    claimable numeric NOT NULL DEFAULT 0 ${micros('claimable')},
    claimed numeric NOT NULL DEFAULT 0 ${micros('claimed')},
    failed numeric NOT NULL DEFAULT 0 ${micros('failed')},
    settle_generation smallint NOT NULL DEFAULT 0
  ) WITH (fillfactor = 50)`,
  `CREATE TABLE referral_source_totals (
    beneficiary_id bigint NOT NULL,
    type text NOT NULL,
    source_id bigint NOT NULL,
    business_line text NOT NULL,
    fee_value numeric NOT NULL ${amount('fee_value')},
    last_trade_at timestamptz NOT NULL,
    PRIMARY KEY (beneficiary_id, type, source_id, business_line)
  ) WITH (fillfactor = 70)`,
  `CREATE TABLE referral_source_settled (
    beneficiary_id bigint NOT NULL,
    type text NOT NULL,
    source_id bigint NOT NULL,
    business_line text NOT NULL,
    commission numeric NOT NULL ${micros('commission')},
    PRIMARY KEY (beneficiary_id, type, source_id, business_line)
  ) WITH (fillfactor = 70)`,
  // The hours of the trades, for sums over the last days.
  `CREATE TABLE referral_trader_hours (
    beneficiary_id bigint NOT NULL,
    trader_id bigint NOT NULL,
    hour timestamptz NOT NULL,
    business_line text NOT NULL,
    fee_value numeric NOT NULL ${amount('fee_value')},
    PRIMARY KEY (beneficiary_id, trader_id, hour, business_line) INCLUDE (fee_value)
  ) WITH (fillfactor = 70)`,
  `CREATE TABLE referral_settled_hours (
    beneficiary_id bigint NOT NULL,
    trader_id bigint NOT NULL,
    hour timestamptz NOT NULL,
    business_line text NOT NULL,
    commission numeric NOT NULL ${micros('commission')},
    PRIMARY KEY (beneficiary_id, trader_id, hour, business_line) INCLUDE (commission)
  ) WITH (fillfactor = 70)`,

  `CREATE TABLE commission_claims (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    claim_no text NOT NULL UNIQUE CHECK (claim_no ~ '^CLM-'),
    account_id bigint NOT NULL REFERENCES accounts,
    origin text NOT NULL CHECK (origin IN ('order', 'redemption')),
    amount numeric NOT NULL CHECK (amount > 0) ${micros('amount')},
    covered numeric NOT NULL DEFAULT 0 ${micros('covered')},
    status text NOT NULL CHECK (status IN ('processing', 'success', 'failed')),
    nonce bigint NOT NULL CHECK (nonce >= 0),
    deadline bigint CHECK (deadline > 0),
    tx_hash text,
    failure_reason text,
    applied_at timestamptz NOT NULL,
    finished_at timestamptz,
    is_live boolean NOT NULL GENERATED ALWAYS AS (status <> 'failed') STORED,
    UNIQUE (id, is_live),
    CHECK (covered <= amount),
    CHECK (origin = 'redemption' OR deadline IS NOT NULL),
    CHECK ((status = 'success') = (tx_hash IS NOT NULL)),
    CHECK ((status = 'success') = (finished_at IS NOT NULL)),
    CHECK ((status = 'failed') = (failure_reason IS NOT NULL)),
    CHECK (status <> 'failed' OR covered = 0)
  )`,
  // What a redemption without an order finishes may come while an order is processing.
  `CREATE UNIQUE INDEX commission_claims_one_processing ON commission_claims (account_id)
    WHERE status = 'processing' AND origin = 'order'`,
  'CREATE INDEX commission_claims_by_account ON commission_claims (account_id, id)',
  'CREATE INDEX commission_claims_by_status ON commission_claims (status, id)',
  // The key lets an earning stand in one order only; the constant, in a live one only.
  `CREATE TABLE commission_claim_items (
    earning_id bigint PRIMARY KEY REFERENCES referral_earnings,
    claim_id bigint NOT NULL,
    is_live boolean NOT NULL DEFAULT true CHECK (is_live),
    FOREIGN KEY (claim_id, is_live) REFERENCES commission_claims (id, is_live)
  )`,
  'CREATE INDEX commission_claim_items_by_claim ON commission_claim_items (claim_id, earning_id)',
  `CREATE TABLE reward_redemptions (
    account_id bigint NOT NULL,
    nonce bigint NOT NULL CHECK (nonce >= 0),
    amount numeric NOT NULL CHECK (amount > 0) ${micros('amount')},
    claim_id bigint NOT NULL UNIQUE REFERENCES commission_claims,
    tx_hash text NOT NULL,
    block_number bigint NOT NULL,
    PRIMARY KEY (account_id, nonce)
  )`,
  'CREATE INDEX reward_redemptions_by_block ON reward_redemptions (block_number)',
  // Signatures that were asked for without an order, written down before they are made.
  `CREATE TABLE reward_vouchers (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id bigint NOT NULL,
    amount numeric NOT NULL CHECK (amount > 0) ${micros('amount')},
    nonce bigint NOT NULL,
    deadline bigint NOT NULL,
    created_at timestamptz NOT NULL
  )`,

  // Which commission goes to the chain together: of each account everything up to an earning, but
  // for failed commission that was given another chance later: that is of a later generation.
  `CREATE TABLE settlement_batches (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    created_at timestamptz NOT NULL DEFAULT now()
  )`,
  `CREATE TABLE settlement_items (
    batch_id bigint NOT NULL REFERENCES settlement_batches,
    account_id bigint NOT NULL REFERENCES accounts,
    total numeric NOT NULL CHECK (total > 0) ${micros('total')},
    through_place bigint NOT NULL,
    generation smallint NOT NULL,
    is_open boolean NOT NULL DEFAULT true,
    settled_block bigint,
    PRIMARY KEY (batch_id, account_id),
    CHECK (NOT is_open OR settled_block IS NULL)
  )`,
  `CREATE INDEX settlement_items_open ON settlement_items (account_id, batch_id) WHERE is_open`,
  `CREATE INDEX settlement_items_by_block ON settlement_items (settled_block)
    WHERE settled_block IS NOT NULL`,

  `CREATE TABLE referral_logs (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id bigint NOT NULL,
    type text NOT NULL CHECK (type IN
      ('create', 'bind', 'unbind', 'promote', 'sub_rate', 'claim')),
    counterparty text,
    code text,
    amount numeric ${amount('amount')},
    reference text,
    created_at timestamptz NOT NULL
  )`,
  'CREATE INDEX referral_logs_by_account ON referral_logs (account_id, id)',
  'CREATE INDEX referral_logs_by_type ON referral_logs (account_id, type, id)',

  // What the register on chain does not show yet, oldest first.
  'CREATE SEQUENCE register_batches',
  `CREATE TABLE register_changes (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind text NOT NULL CHECK (kind IN ('code', 'binding', 'terms')),
    address text NOT NULL,
    code text,
    tier_level smallint,
    rebate_rate numeric ${rate('rebate_rate')},
    batch_id bigint
  )`,
  'CREATE INDEX register_changes_by_batch ON register_changes (batch_id, id)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
