import type { Kysely } from 'kysely';
import { assert } from '../../domain/assert.ts';
import type { AccountId, Address } from '../../domain/identifiers.ts';
import type { Tables } from '../tables.ts';

export async function findAccountId(
  db: Kysely<Tables>,
  address: Address,
): Promise<AccountId | null> {
  const row = await db
    .selectFrom('accounts')
    .select('account_id')
    .where('address', '=', address)
    .executeTakeFirst();
  return row === undefined ? null : (Number(row.account_id) as AccountId);
}

/** For callers whose rows were waited for. */
export async function requireAccountId(db: Kysely<Tables>, address: Address): Promise<AccountId> {
  const accountId = await findAccountId(db, address);
  assert(accountId !== null, 'the caller has a row in the database');
  return accountId;
}
