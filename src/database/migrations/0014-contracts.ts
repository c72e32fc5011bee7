import { type Kysely, sql } from 'kysely';

// The contracts that this database counts. Rows that result from a contract's events name the
// contract, so that its numbers are never mistaken for another contract's. Rows written before the
// first connection get their contract on connecting, once they have been compared with the chain.

const counted = [
  ['spot_deposits', 'spotVault'],
  ['withdrawals', 'spotVault'],
  ['reward_redemptions', 'rewardRouter'],
  ['reward_vouchers', 'rewardRouter'],
  ['settlement_items', 'rewardRouter'],
  ['register_changes', 'referralRebate'],
] as const;

const keys = [
  `CREATE UNIQUE INDEX spot_deposits_by_contract ON spot_deposits (contract_id, account, number)`,
  `CREATE UNIQUE INDEX withdrawals_slot_by_contract ON withdrawals (contract_id, account, nonce)
    WHERE status NOT IN ('expired', 'abandoned')`,
  `CREATE UNIQUE INDEX reward_redemptions_by_contract
    ON reward_redemptions (contract_id, account_id, nonce)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE contracts (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      chain_id bigint NOT NULL,
      kind text NOT NULL CHECK (kind IN ('rewardRouter', 'referralRebate', 'spotVault')),
      address text NOT NULL CHECK (address ~ '^0x[0-9a-f]{40}$'),
      predecessor_id bigint REFERENCES contracts,
      state text NOT NULL CHECK (state IN ('active', 'draining', 'retired')),
      adopted_at timestamptz NOT NULL,
      UNIQUE (chain_id, address)
    )`.execute(db);
  await sql`CREATE UNIQUE INDEX contracts_active ON contracts (kind)
    WHERE state = 'active'`.execute(db);
  await sql`
    CREATE FUNCTION active_contract(wanted text) RETURNS bigint LANGUAGE sql STABLE AS
    $$ SELECT id FROM contracts WHERE kind = wanted AND state = 'active' $$`.execute(db);
  for (const [table, kind] of counted) {
    await sql
      .raw(
        `ALTER TABLE ${table} ADD COLUMN contract_id bigint REFERENCES contracts
          DEFAULT active_contract('${kind}')`,
      )
      .execute(db);
  }
  await sql`ALTER TABLE chain_parked_events
    ADD COLUMN contract_id bigint REFERENCES contracts`.execute(db);
  for (const statement of keys) await sql.raw(statement).execute(db);
}
