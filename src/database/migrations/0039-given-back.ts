import { type Kysely, sql } from 'kysely';

// A withdrawal whose amount is given back is published once the amount is available again, in the
// state in which lists show it.

const statements = [
  `CREATE OR REPLACE FUNCTION tell_withdrawal() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM tell_account(NEW.account, 'wallet', jsonb_build_object(
        'event', 'withdrawal', 'id', NEW.id::text, 'wallet', NEW.wallet, 'token', NEW.token,
        'amount', plain_amount(NEW.amount),
        'status', CASE NEW.status WHEN 'refused' THEN 'returned' ELSE NEW.status END));
      RETURN NULL;
    END $$`,
  'DROP TRIGGER withdrawals_changed ON withdrawals',
  `CREATE TRIGGER withdrawals_changed AFTER UPDATE OF status ON withdrawals
    FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status
      AND NEW.status IN ('pending', 'review', 'approved', 'signed', 'queued', 'completed'))
    EXECUTE FUNCTION tell_withdrawal()`,
  `CREATE TRIGGER withdrawals_given_back AFTER UPDATE OF status, is_settled ON withdrawals
    FOR EACH ROW WHEN (NEW.is_settled
      AND NEW.status IN ('expired', 'returned', 'refused', 'canceled')
      AND (NOT OLD.is_settled OR OLD.status IS DISTINCT FROM NEW.status))
    EXECUTE FUNCTION tell_withdrawal()`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
