import { type Kysely, sql } from 'kysely';

const address = (column: string): string => `CHECK (${column} ~ '^0x[0-9a-f]{40}$')`;
const hash = (column: string): string => `CHECK (${column} ~ '^0x[0-9a-f]{64}$')`;
// Whole numbers of any size: a token's smallest units. NaN and Infinity are greater than every
// number for PostgreSQL, so the upper bound refuses both.
const whole = (column: string): string =>
  `CHECK (${column} >= 1 AND ${column} < 'Infinity' AND ${column} = trunc(${column}))`;
const money = (column: string, least: string): string =>
  `CHECK (${column} ${least} AND ${column} < 'Infinity')`;

const statements = [
  // What the vault took; the balance is credited by the engine, once for each number. A deposit
  // that the engine may know of stays when its block is gone, without a block.
  `CREATE TABLE spot_deposits (
    position bigint GENERATED ALWAYS AS IDENTITY,
    account text NOT NULL ${address('account')},
    number bigint NOT NULL CHECK (number >= 0),
    token_address text NOT NULL ${address('token_address')},
    raw_amount numeric NOT NULL ${whole('raw_amount')},
    tx_hash text NOT NULL ${hash('tx_hash')},
    block_number bigint,
    seen_at timestamptz NOT NULL,
    token text,
    amount numeric ${money('amount', '>= 0')},
    handed_over_at timestamptz,
    credited_at timestamptz,
    PRIMARY KEY (account, number),
    CHECK ((handed_over_at IS NULL) = (token IS NULL)),
    CHECK ((handed_over_at IS NULL) = (amount IS NULL)),
    CHECK (credited_at IS NULL OR handed_over_at IS NOT NULL),
    CHECK (block_number IS NOT NULL OR handed_over_at IS NOT NULL)
  )`,
  'CREATE UNIQUE INDEX spot_deposits_by_account ON spot_deposits (account, position)',
  `CREATE INDEX spot_deposits_waiting ON spot_deposits (account, number)
    WHERE credited_at IS NULL AND block_number IS NOT NULL`,
  'CREATE INDEX spot_deposits_by_block ON spot_deposits (block_number)',

  // Withdrawals of both wallets. A nonce of the vault is a slot that one of them holds;
  // `is_settled` says that the engine agrees with the status.
  `CREATE TABLE withdrawals (
    id uuid PRIMARY KEY,
    position bigint GENERATED ALWAYS AS IDENTITY,
    wallet text NOT NULL CHECK (wallet IN ('spot', 'perp')),
    account text NOT NULL ${address('account')},
    token text NOT NULL,
    token_address text NOT NULL ${address('token_address')},
    amount numeric NOT NULL ${money('amount', '> 0')},
    raw_amount numeric NOT NULL ${whole('raw_amount')},
    chain_id bigint NOT NULL,
    contract_address text NOT NULL ${address('contract_address')},
    nonce bigint CHECK (nonce >= 0),
    deadline bigint CHECK (deadline > 0),
    signature text,
    status text NOT NULL CHECK (status IN
      ('opening', 'pending', 'reserved', 'signed', 'completed', 'expired', 'canceled',
      'abandoned')),
    is_settled boolean NOT NULL DEFAULT false,
    tx_hash text ${hash('tx_hash')},
    block_number bigint,
    created_at timestamptz NOT NULL,
    finished_at timestamptz,
    CHECK ((nonce IS NULL) = (deadline IS NULL)),
    CHECK ((status IN ('opening', 'pending', 'canceled')) <= (nonce IS NULL)),
    CHECK ((status IN ('reserved', 'signed', 'completed', 'expired')) <= (nonce IS NOT NULL)),
    CHECK ((status IN ('signed', 'completed', 'expired')) = (signature IS NOT NULL)),
    CHECK ((status = 'completed') = (tx_hash IS NOT NULL)),
    CHECK ((status = 'completed') = (block_number IS NOT NULL)),
    CHECK ((status IN ('opening', 'pending', 'reserved', 'signed')) = (finished_at IS NULL))
  )`,
  `CREATE UNIQUE INDEX withdrawals_slot ON withdrawals (account, chain_id, nonce)
    WHERE status NOT IN ('expired', 'abandoned')`,
  'CREATE UNIQUE INDEX withdrawals_by_account ON withdrawals (account, wallet, position)',
  `CREATE INDEX withdrawals_by_deadline ON withdrawals (deadline)
    WHERE status = 'signed'`,
  `CREATE INDEX withdrawals_by_block ON withdrawals (block_number)
    WHERE block_number IS NOT NULL`,
  'CREATE INDEX withdrawals_unsettled ON withdrawals (position) WHERE NOT is_settled',

  `INSERT INTO settings (key, value) VALUES ('withdrawals_paused', 'false')`,

  // Where the engine has the money of each withdrawal, as its events say.
  `CREATE TABLE withdrawal_funds (
    withdrawal_id text PRIMARY KEY,
    user_address text NOT NULL,
    token text NOT NULL,
    amount numeric NOT NULL ${money('amount', '> 0')},
    state text NOT NULL CHECK (state IN ('reserved', 'completed', 'released')),
    sequence bigint NOT NULL,
    updated_at timestamptz NOT NULL
  )`,

  // Between the spot and the perp wallet of an account.
  `CREATE TABLE wallet_transfers (
    transfer_number bigint PRIMARY KEY,
    user_address text NOT NULL,
    direction text NOT NULL CHECK (direction IN ('spot_to_perp', 'perp_to_spot')),
    token text NOT NULL,
    amount numeric NOT NULL ${money('amount', '> 0')},
    client_transfer_id text,
    sequence bigint NOT NULL,
    created_at timestamptz NOT NULL
  )`,
  'CREATE INDEX wallet_transfers_by_account ON wallet_transfers (user_address, transfer_number)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
