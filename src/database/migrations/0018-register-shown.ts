import { type Kysely, sql } from 'kysely';

// What the public register on chain shows by now, so that a state that it has is not written again,
// and nobody can have the exchange pay for one write after the other.

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE register_shown (
      contract_id bigint REFERENCES contracts DEFAULT active_contract('referralRebate'),
      kind text NOT NULL CHECK (kind IN ('code', 'binding', 'terms')),
      address text NOT NULL,
      code text,
      tier_level integer,
      rebate_rate numeric CHECK (rebate_rate >= 0 AND rebate_rate < 'Infinity'),
      shown_at timestamptz NOT NULL,
      PRIMARY KEY (kind, address)
    )`.execute(db);
  await sql`CREATE INDEX register_changes_by_address
    ON register_changes (kind, address) WHERE batch_id IS NULL`.execute(db);
}
