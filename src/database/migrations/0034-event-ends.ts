import { type Kysely, sql } from 'kysely';

// How people end what waits: an event that a withdrawal explains, and a deposit that is credited as
// another asset, sent back, or written off.

const statements = [
  `ALTER TABLE chain_parked_events
    ADD COLUMN linked_withdrawal uuid REFERENCES withdrawals,
    ADD CHECK (linked_withdrawal IS NULL OR ignored_at IS NOT NULL)`,
  // A deposit whose block is gone for ever is a claim of the exchange until it is written off.
  `ALTER TABLE spot_deposits
    ADD COLUMN stuck_reason text CHECK (stuck_reason IN ('unknown_token', 'refused')),
    ADD COLUMN dust numeric CHECK (dust >= 0 AND dust < 'Infinity' AND dust = trunc(dust)),
    ADD COLUMN resolution text CHECK (resolution IN ('credit_as', 'return', 'write_off')),
    ADD COLUMN vanishing_written_off_at timestamptz,
    ADD CHECK (resolution IS NULL OR handed_over_at IS NOT NULL)`,
  `CREATE INDEX spot_deposits_vanished ON spot_deposits (account)
    WHERE block_number IS NULL`,
  // The money of such a withdrawal has never been part of a balance.
  `ALTER TABLE withdrawals ADD COLUMN returned_deposit bigint`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
