import { type Kysely, sql } from 'kysely';

// A withdrawal is settled only while the engine's money agrees with its status. A process that was
// paused gives its commands late, when the status is another or another process has settled it:
// what they move is found here, since the engine's events are stored in order. Both sides lock the
// withdrawal before they read, so that neither overlooks the other.

const statements = [
  `CREATE FUNCTION withdrawal_agrees(status text, funds text) RETURNS boolean
    LANGUAGE sql IMMUTABLE AS $$
      SELECT funds IS NULL OR funds = CASE
        WHEN status = 'completed' THEN 'completed'
        WHEN status IN ('expired', 'returned', 'canceled', 'refused', 'abandoned') THEN 'released'
        ELSE 'reserved' END
    $$`,
  `CREATE FUNCTION settle_withdrawal() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.is_settled := withdrawal_agrees(NEW.status,
        (SELECT state FROM withdrawal_funds WHERE withdrawal_id = NEW.id::text));
      RETURN NEW;
    END $$`,
  `CREATE TRIGGER withdrawals_settled BEFORE UPDATE OF status, is_settled ON withdrawals
    FOR EACH ROW WHEN (NEW.is_settled) EXECUTE FUNCTION settle_withdrawal()`,
  `CREATE FUNCTION unsettle_withdrawal() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM FROM withdrawals WHERE id = NEW.withdrawal_id::uuid FOR NO KEY UPDATE;
      UPDATE withdrawals SET is_settled = false
        WHERE id = NEW.withdrawal_id::uuid AND is_settled
          AND NOT withdrawal_agrees(status, NEW.state);
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER withdrawal_funds_moved AFTER INSERT OR UPDATE OF state ON withdrawal_funds
    FOR EACH ROW WHEN (NEW.withdrawal_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$')
    EXECUTE FUNCTION unsettle_withdrawal()`,
  // The step that settlers take from a place of the funds, and the moment that names it.
  'ALTER TABLE withdrawals ADD COLUMN step_sequence bigint, ADD COLUMN step_ms bigint',
  `UPDATE withdrawals SET is_settled = false FROM withdrawal_funds
    WHERE withdrawal_id = withdrawals.id::text AND is_settled
      AND NOT withdrawal_agrees(status, state)`,
  'DROP INDEX withdrawals_abandoned',
  'DROP INDEX withdrawal_funds_reserved',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
