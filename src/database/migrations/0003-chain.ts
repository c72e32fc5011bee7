import { type Kysely, sql } from 'kysely';

const address = (column: string): string => `CHECK (${column} ~ '^0x[0-9a-f]{40}$')`;
const hash = (column: string): string => `CHECK (${column} ~ '^0x[0-9a-f]{64}$')`;
// Whole numbers of any size: a token's smallest units, wei, gas. NaN and Infinity are greater than
// every number for PostgreSQL, so the upper bound refuses both.
const whole = (column: string, least: number): string =>
  `CHECK (${column} >= ${least} AND ${column} < 'Infinity' AND ${column} = trunc(${column}))`;

const statements = [
  // The last counted blocks, without gaps; the highest is the cursor.
  `CREATE TABLE chain_blocks (
    number bigint PRIMARY KEY CHECK (number >= 0),
    hash text NOT NULL UNIQUE ${hash('hash')},
    seconds bigint NOT NULL
  )`,
  // Events that could not be applied, and those of the same account after them.
  `CREATE TABLE chain_parked_events (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    block_number bigint NOT NULL,
    block_hash text NOT NULL ${hash('block_hash')},
    block_seconds bigint NOT NULL,
    log_index integer NOT NULL,
    account text NOT NULL ${address('account')},
    event jsonb NOT NULL,
    error text NOT NULL,
    UNIQUE (block_hash, log_index)
  )`,

  // The operator's transactions. A nonce is given once, and a purpose has one transaction.
  `CREATE TABLE chain_transactions (
    purpose text NOT NULL CHECK (purpose IN ('settlement', 'mirror')),
    reference text NOT NULL,
    sender text NOT NULL ${address('sender')},
    nonce bigint NOT NULL CHECK (nonce >= 0),
    recipient text NOT NULL ${address('recipient')},
    data text NOT NULL,
    gas_limit numeric NOT NULL ${whole('gas_limit', 1)},
    is_cancel_requested boolean NOT NULL DEFAULT false,
    outcome text CHECK (outcome IN ('succeeded', 'reverted', 'cancelled', 'displaced')),
    result_hash text ${hash('result_hash')},
    result_block bigint,
    PRIMARY KEY (purpose, reference),
    UNIQUE (sender, nonce),
    CHECK ((outcome IS NULL) = (result_block IS NULL)),
    CHECK (outcome IS NOT NULL OR result_hash IS NULL)
  )`,
  'CREATE INDEX chain_transactions_open ON chain_transactions (sender, nonce) WHERE outcome IS NULL',
  `CREATE TABLE chain_transaction_versions (
    hash text PRIMARY KEY ${hash('hash')},
    purpose text NOT NULL,
    reference text NOT NULL,
    position integer NOT NULL CHECK (position >= 0),
    kind text NOT NULL CHECK (kind IN ('call', 'cancel')),
    bytes text NOT NULL,
    max_fee_per_gas numeric NOT NULL ${whole('max_fee_per_gas', 0)},
    max_priority_fee_per_gas numeric NOT NULL ${whole('max_priority_fee_per_gas', 0)},
    sent_at timestamptz,
    UNIQUE (purpose, reference, position),
    FOREIGN KEY (purpose, reference) REFERENCES chain_transactions
  )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
