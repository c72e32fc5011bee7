import { sql, type Transaction } from 'kysely';
import type {
  OpenedWithdrawal,
  WalletKind,
  WithdrawalTerms,
} from '../../application/wallet/wallet-ports.ts';
import { formatAmount } from '../../domain/amount.ts';
import type { DatabasePool } from '../database-pool.ts';
import type { Tables } from '../tables.ts';
import { isWalletPaused } from './pause-store.ts';
import { readPauseSwitch } from './pause-switch.ts';

/** A row without slot, signature and status. */
export function withdrawalRow(terms: WithdrawalTerms, wallet: WalletKind, createdAt: Date) {
  return {
    id: terms.id,
    wallet,
    account: terms.account,
    token: terms.token,
    token_address: terms.tokenAddress,
    amount: formatAmount(terms.amount),
    raw_amount: String(terms.rawAmount),
    chain_id: terms.chainId,
    contract_address: terms.contractAddress,
    nonce: null,
    deadline: null,
    signature: null,
    tx_hash: null,
    block_number: null,
    created_at: createdAt,
    finished_at: null,
  };
}

// Each is kept by the engine until it ends, and people review them one by one.
const waitingMax = 20;

/**
 * Inserts a withdrawal whose amount is about to be set aside, unless withdrawals, the account or
 * the asset are paused, or too many of the account's withdrawals wait for a decision.
 */
export async function insertOpening(
  transaction: Transaction<Tables>,
  terms: WithdrawalTerms,
  wallet: WalletKind,
  createdAt: Date,
): Promise<OpenedWithdrawal> {
  if (await readPauseSwitch(transaction)) return 'paused';
  if (await isWalletPaused(transaction, terms)) return 'paused';
  if ((await countWaiting(transaction, terms, wallet)) >= waitingMax) return 'too_many';
  const row = withdrawalRow(terms, wallet, createdAt);
  await transaction
    .insertInto('withdrawals')
    .values({ ...row, status: 'opening' })
    .execute();
  return 'opened';
}

/** Under a lock that ends with the transaction, so that concurrent requests count each other. */
async function countWaiting(
  transaction: Transaction<Tables>,
  { account }: WithdrawalTerms,
  wallet: WalletKind,
): Promise<number> {
  const name = `waiting withdrawals ${wallet} ${account}`;
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(transaction);
  const { count } = await transaction
    .selectFrom('withdrawals')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('account', '=', account)
    .where('wallet', '=', wallet)
    .where('status', 'in', ['opening', 'pending', 'review', 'approved'])
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Gives a withdrawal its first status once its amount is set aside. */
export async function markOpened(
  pool: DatabasePool,
  id: string,
  status: 'pending' | 'review',
): Promise<boolean> {
  const marked = await pool.query((db) =>
    db
      .updateTable('withdrawals')
      .set({ status, is_settled: true })
      .where('id', '=', id)
      .where('status', '=', 'opening')
      .executeTakeFirst(),
  );
  return marked.numUpdatedRows === 1n;
}
