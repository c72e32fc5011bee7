import { type Kysely, sql } from 'kysely';

// Withdrawals that two people look at before they are signed.

const statements = [
  `DO $$ DECLARE each record; BEGIN
    FOR each IN SELECT conname FROM pg_constraint WHERE conrelid = 'withdrawals'::regclass
      AND contype = 'c' AND pg_get_constraintdef(oid) LIKE '%status%'
    LOOP EXECUTE format('ALTER TABLE withdrawals DROP CONSTRAINT %I', each.conname); END LOOP;
  END $$`,
  // One that is approved keeps the nonce for which it was signed: an approval is good for one.
  `ALTER TABLE withdrawals
    ADD CHECK (status IN ('opening', 'pending', 'review', 'approved', 'refused', 'reserved',
      'signed', 'queued', 'completed', 'returned', 'expired', 'canceled', 'abandoned')),
    ADD CHECK ((status IN ('opening', 'pending', 'review', 'refused', 'canceled'))
      <= (nonce IS NULL)),
    ADD CHECK ((status IN ('reserved', 'signed', 'queued', 'completed', 'returned', 'expired'))
      <= (nonce IS NOT NULL)),
    ADD CHECK ((status IN ('signed', 'queued', 'completed', 'returned', 'expired'))
      = (signature IS NOT NULL)),
    ADD CHECK ((status = 'completed') = (tx_hash IS NOT NULL)),
    ADD CHECK ((status = 'completed') = (block_number IS NOT NULL)),
    ADD CHECK ((status IN ('opening', 'pending', 'review', 'approved', 'reserved', 'signed',
      'queued')) = (finished_at IS NULL))`,
  `CREATE TABLE withdrawal_reviews (
    withdrawal_id uuid PRIMARY KEY REFERENCES withdrawals,
    reasons text[] NOT NULL CHECK (cardinality(reasons) > 0),
    approvals jsonb,
    approved_by text,
    approved_at timestamptz,
    approved_until timestamptz,
    refused_by text,
    refused_at timestamptz,
    refusal text,
    CHECK ((approved_at IS NULL) = (approvals IS NULL)),
    CHECK ((approved_at IS NULL) = (approved_by IS NULL)),
    CHECK ((approved_at IS NULL) = (approved_until IS NULL)),
    CHECK ((refused_at IS NULL) = (refused_by IS NULL)),
    CHECK ((refused_at IS NULL) = (refusal IS NULL))
  )`,
  `CREATE INDEX withdrawals_in_review ON withdrawals (position)
    WHERE status IN ('review', 'approved')`,
  `CREATE INDEX withdrawals_by_account_time ON withdrawals (account, created_at)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
