import { type Kysely, sql } from 'kysely';
import type { HexText } from '../../application/ports/chain-ledger.ts';
import type { Address } from '../../domain/identifiers.ts';
import type { DatabasePool } from '../database-pool.ts';
import type { Tables } from '../tables.ts';

/** An open withdrawal of a vault that this database is to stop using. */
export interface ForeignWithdrawal {
  readonly id: string;
  readonly account: Address;
  readonly status: string;
  /** Null while none is assigned. */
  readonly nonce: number | null;
  readonly deadline: number | null;
  readonly rawAmount: bigint;
  readonly tokenAddress: Address;
}

/** How it ends; whatever the engine has to do for it follows from its row. */
export type ForeignEnd =
  /** The old vault has paid it. */
  | { readonly kind: 'completed'; readonly hash: HexText; readonly block: bigint }
  /** Its signature can never be used; the amount is returned. */
  | { readonly kind: 'expired' }
  /** Nothing was signed, and nothing binds it to the old vault. */
  | { readonly kind: 'moved'; readonly vault: Address };

/** Open withdrawals of a vault, one account's after another's. */
export async function listForeign(
  pool: DatabasePool,
  vault: Address,
): Promise<readonly ForeignWithdrawal[]> {
  const rows = await pool.query((db) =>
    db
      .selectFrom('withdrawals')
      .select(['id', 'account', 'status', 'nonce', 'deadline', 'raw_amount', 'token_address'])
      .where('contract_address', '=', vault)
      .where('status', 'in', ['opening', 'pending', 'reserved', 'signed', 'queued'])
      .orderBy('account')
      .orderBy('position')
      .execute(),
  );
  return rows.map((row) => ({
    id: row.id,
    account: row.account as Address,
    status: row.status,
    nonce: row.nonce === null ? null : Number(row.nonce),
    deadline: row.deadline === null ? null : Number(row.deadline),
    rawAmount: BigInt(row.raw_amount),
    tokenAddress: row.token_address as Address,
  }));
}

/** False if its status is another one by now. */
export async function endForeign(
  pool: DatabasePool,
  { id, status }: ForeignWithdrawal,
  { end, at }: { readonly end: ForeignEnd; readonly at: Date },
): Promise<boolean> {
  return pool.query(async (db: Kysely<Tables>) => {
    const change = changeOf(end, at);
    const { numAffectedRows } = await sql`
      UPDATE withdrawals SET ${change} WHERE id = ${id} AND status = ${status}`.execute(db);
    return numAffectedRows === 1n;
  });
}

function changeOf(end: ForeignEnd, at: Date) {
  switch (end.kind) {
    case 'completed':
      return sql`status = 'completed', is_settled = false, tx_hash = ${end.hash},
        block_number = ${String(end.block)}::bigint, finished_at = ${at}::timestamptz`;
    case 'expired':
      return sql`status = 'expired', is_settled = false, finished_at = ${at}::timestamptz`;
    case 'moved':
      return sql`contract_address = ${end.vault}`;
  }
}
