import { type Kysely, sql } from 'kysely';

// The vault's queue, as the chain shows it, and money that moves past deposits and withdrawals: so
// that what the vault holds by its own books can be compared with what is counted here.

const statements = [
  `DO $$ DECLARE each record; BEGIN
    FOR each IN SELECT conname FROM pg_constraint WHERE conrelid = 'withdrawals'::regclass
      AND contype = 'c' AND pg_get_constraintdef(oid) LIKE '%status%'
    LOOP EXECUTE format('ALTER TABLE withdrawals DROP CONSTRAINT %I', each.conname); END LOOP;
  END $$`,
  // Whose signature it is: the vault makes all that a signer queued void at once.
  `ALTER TABLE withdrawals
    ADD COLUMN signer text CHECK (signer ~ '^0x[0-9a-f]{40}$'),
    ADD CHECK (status IN ('opening', 'pending', 'reserved', 'signed', 'queued', 'completed',
      'returned', 'expired', 'canceled', 'abandoned')),
    ADD CHECK ((status IN ('opening', 'pending', 'canceled')) <= (nonce IS NULL)),
    ADD CHECK ((status IN ('reserved', 'signed', 'queued', 'completed', 'returned', 'expired'))
      <= (nonce IS NOT NULL)),
    ADD CHECK ((status IN ('signed', 'queued', 'completed', 'returned', 'expired'))
      = (signature IS NOT NULL)),
    ADD CHECK ((status = 'completed') = (tx_hash IS NOT NULL)),
    ADD CHECK ((status = 'completed') = (block_number IS NOT NULL)),
    ADD CHECK ((status IN ('opening', 'pending', 'reserved', 'signed', 'queued'))
      = (finished_at IS NULL))`,

  // What the chain shows of the queue, also of releases that this database did not sign.
  `CREATE TABLE vault_queue (
    contract_id bigint REFERENCES contracts DEFAULT active_contract('spotVault'),
    queue_id bigint NOT NULL,
    account text NOT NULL,
    token_address text NOT NULL,
    raw_amount numeric NOT NULL CHECK (raw_amount >= 1 AND raw_amount < 'Infinity'),
    nonce bigint NOT NULL,
    payable_at bigint NOT NULL,
    block_number bigint NOT NULL,
    state text NOT NULL CHECK (state IN ('queued', 'paid', 'ended')),
    ended_block bigint,
    withdrawal_id uuid REFERENCES withdrawals,
    CHECK ((state = 'queued') = (ended_block IS NULL))
  )`,
  'CREATE UNIQUE INDEX vault_queue_by_id ON vault_queue (contract_id, queue_id)',
  `CREATE INDEX vault_queue_waiting ON vault_queue (contract_id, queue_id)
    WHERE state = 'queued'`,
  'CREATE INDEX vault_queue_by_withdrawal ON vault_queue (withdrawal_id)',
  'CREATE INDEX vault_queue_by_block ON vault_queue (block_number)',
  'CREATE INDEX vault_queue_by_end ON vault_queue (ended_block) WHERE ended_block IS NOT NULL',

  // Refills above zero, sweeps below; an opening balance stands for what is older than the
  // counting.
  `CREATE TABLE vault_moves (
    contract_id bigint REFERENCES contracts DEFAULT active_contract('spotVault'),
    kind text NOT NULL CHECK (kind IN ('move', 'opening')),
    token_address text NOT NULL,
    raw_amount numeric NOT NULL
      CHECK (raw_amount > '-Infinity' AND raw_amount < 'Infinity'),
    block_number bigint NOT NULL,
    tx_hash text,
    log_index integer
  )`,
  'CREATE INDEX vault_moves_by_block ON vault_moves (block_number)',
  // From which block on the books are whole; null: from their first closing on.
  'ALTER TABLE contracts ADD COLUMN books_since bigint',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
