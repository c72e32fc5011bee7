import { type Kysely, sql } from 'kysely';

// Pauses of one asset's or one account's withdrawals, and of crediting deposits, beside the switch
// for all withdrawals.

const statements = [
  `CREATE TABLE wallet_pauses (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    scope text NOT NULL CHECK (scope IN ('asset', 'account', 'deposits')),
    subject text CHECK (scope <> 'account' OR subject ~ '^0x[0-9a-f]{40}$'),
    reason text NOT NULL,
    raised_by text NOT NULL,
    raised_at timestamptz NOT NULL,
    lifted_by text,
    lifted_at timestamptz,
    CHECK ((scope = 'deposits') = (subject IS NULL)),
    CHECK ((lifted_at IS NULL) = (lifted_by IS NULL))
  )`,
  `CREATE UNIQUE INDEX wallet_pauses_open ON wallet_pauses (scope, coalesce(subject, ''))
    WHERE lifted_at IS NULL`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
