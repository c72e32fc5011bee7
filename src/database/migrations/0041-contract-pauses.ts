import { type Kysely, sql } from 'kysely';

// Requests to pause a contract on the chain, each until a final block shows it paused.

const statements = [
  `CREATE TABLE contract_pauses (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    halt_id bigint REFERENCES chain_halts,
    contract text NOT NULL CHECK (contract IN ('spotVault', 'rewardRouter', 'referralRebate')),
    reason text,
    requested_by text NOT NULL,
    requested_at timestamptz NOT NULL,
    transaction_hash text,
    outcome text CHECK (outcome IN ('paused', 'canceled')),
    ended_at timestamptz,
    CHECK ((outcome IS NULL) = (ended_at IS NULL))
  )`,
  `CREATE UNIQUE INDEX contract_pauses_open ON contract_pauses (contract, coalesce(halt_id, 0))
    WHERE outcome IS NULL`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
