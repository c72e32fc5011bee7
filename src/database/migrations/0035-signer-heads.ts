import { type Kysely, sql } from 'kysely';

// The head of a signer's log stands beside each signature that the signer made, so that a log that
// was cut or replaced is noticed. A signer that misbehaves halts signing.

const statements = [
  `CREATE TABLE signer_heads (
    signer text NOT NULL,
    signatures bigint NOT NULL CHECK (signatures >= 0),
    head text NOT NULL,
    noted_at timestamptz NOT NULL,
    PRIMARY KEY (signer, signatures)
  )`,
  'ALTER TABLE chain_halts DROP CONSTRAINT chain_halts_kind_check',
  `ALTER TABLE chain_halts ADD CHECK (kind IN ('deep_reorganization', 'books_differ',
    'lost_chain', 'role_changed', 'signer_log_differs', 'wrong_signature', 'signer_refused',
    'manual'))`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
