import { type Kysely, sql } from 'kysely';

// Why nothing may be signed stands in the database, so that a restart forgets none of it. Events
// that wait belong to a contract: those of one contract hold nothing back that another decides.

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE chain_halts (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      kind text NOT NULL CHECK (kind IN ('deep_reorganization', 'books_differ', 'lost_chain',
        'role_changed', 'signer_log_differs', 'manual')),
      detail text NOT NULL,
      raised_at timestamptz NOT NULL,
      raised_by text NOT NULL,
      cleared_at timestamptz,
      cleared_by text,
      reason text,
      CHECK ((cleared_at IS NULL) = (cleared_by IS NULL)),
      CHECK ((cleared_at IS NULL) = (reason IS NULL))
    )`.execute(db);
  await sql`CREATE UNIQUE INDEX chain_halts_open ON chain_halts (kind)
    WHERE cleared_at IS NULL`.execute(db);
  await sql`ALTER TABLE chain_parked_events ADD COLUMN contract text`.execute(db);
  await sql`
    UPDATE chain_parked_events SET contract = CASE
      WHEN event->>'type' IN ('vaultDeposited', 'vaultReleased') THEN 'spotVault'
      ELSE 'rewardRouter' END`.execute(db);
  await sql`ALTER TABLE chain_parked_events ALTER COLUMN contract SET NOT NULL,
    ADD CHECK (contract IN ('spotVault', 'rewardRouter'))`.execute(db);
  await sql`CREATE INDEX chain_parked_events_by_account
    ON chain_parked_events (contract, account, id)`.execute(db);
}
