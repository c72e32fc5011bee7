import { type Kysely, sql } from 'kysely';

// By how much each settlement on chain raised an account's total, so that the sum over all accounts
// can be compared with the router's own. The opening sums stand for what is older.

const statements = [
  `CREATE TABLE router_settlements (
    contract_id bigint REFERENCES contracts DEFAULT active_contract('rewardRouter'),
    account text NOT NULL CHECK (account ~ '^0x[0-9a-f]{40}$'),
    settled_total numeric NOT NULL CHECK (settled_total >= 0 AND settled_total < 'Infinity'),
    raised numeric NOT NULL CHECK (raised >= 0 AND raised < 'Infinity'),
    block_number bigint NOT NULL
  )`,
  `CREATE INDEX router_settlements_by_account
    ON router_settlements (contract_id, account, settled_total)`,
  'CREATE INDEX router_settlements_by_block ON router_settlements (block_number)',
  `ALTER TABLE contracts
    ADD COLUMN opening_settled numeric NOT NULL DEFAULT 0
      CHECK (opening_settled > '-Infinity' AND opening_settled < 'Infinity'),
    ADD COLUMN opening_claimed numeric NOT NULL DEFAULT 0
      CHECK (opening_claimed > '-Infinity' AND opening_claimed < 'Infinity')`,
  `UPDATE contracts SET books_since = NULL WHERE kind = 'rewardRouter'`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
