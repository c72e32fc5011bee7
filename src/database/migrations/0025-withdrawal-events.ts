import { type Kysely, sql } from 'kysely';

// A withdrawal that the vault queued or gave back is told like every other that its owner sees.

const statements = [
  'DROP TRIGGER withdrawals_changed ON withdrawals',
  `CREATE TRIGGER withdrawals_changed AFTER UPDATE OF status ON withdrawals
    FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status
      AND NEW.status NOT IN ('opening', 'reserved', 'abandoned'))
    EXECUTE FUNCTION tell_withdrawal()`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
