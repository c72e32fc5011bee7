import type { Transaction } from 'kysely';
import type { WalletKind, WithdrawalTerms } from '../../application/wallet/wallet-ports.ts';
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

/**
 * Inserts a withdrawal whose amount is about to be set aside.
 *
 * @returns false, and inserts nothing, while withdrawals, the account or the asset are paused.
 */
export async function insertOpening(
  transaction: Transaction<Tables>,
  terms: WithdrawalTerms,
  wallet: WalletKind,
  createdAt: Date,
): Promise<boolean> {
  if (await readPauseSwitch(transaction)) return false;
  if (await isWalletPaused(transaction, terms)) return false;
  const row = withdrawalRow(terms, wallet, createdAt);
  await transaction
    .insertInto('withdrawals')
    .values({ ...row, status: 'opening' })
    .execute();
  return true;
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
