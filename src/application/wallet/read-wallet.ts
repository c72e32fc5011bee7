import type { Address } from '../../domain/identifiers.ts';
import type { CursorPage, ReadBarrier } from '../ports/database.ts';
import type { Exchange } from '../ports/exchange.ts';
import { waitForDatabase } from '../wait-for-database.ts';
import type {
  DepositView,
  PerpWithdrawalView,
  TransferView,
  WalletHistory,
  WalletPageFilter,
  WithdrawalView,
} from './wallet-ports.ts';

// Withdrawals and deposits are stored before they are reported to anyone, so reading them waits for
// nothing; the projector writes transfers.

export interface WalletReadPorts {
  readonly exchange: Exchange;
  readonly barrier: ReadBarrier;
  readonly walletHistory: WalletHistory;
}

/** @throws DatabaseError, InvalidCursorError, as all of these */
export async function listWithdrawals(
  { walletHistory }: WalletReadPorts,
  filter: WalletPageFilter,
): Promise<CursorPage<WithdrawalView>> {
  return walletHistory.listWithdrawals(filter);
}

/** A withdrawal of the caller; null if it does not exist or belongs to another account. */
export async function loadWithdrawal(
  { walletHistory }: WalletReadPorts,
  caller: Address,
  id: string,
): Promise<WithdrawalView | null> {
  return walletHistory.findWithdrawal(caller, id);
}

export async function listDeposits(
  { walletHistory }: WalletReadPorts,
  filter: WalletPageFilter,
): Promise<CursorPage<DepositView>> {
  return walletHistory.listDeposits(filter);
}

/** Includes every transfer that was answered before. */
export async function listTransfers(
  { exchange, barrier, walletHistory }: WalletReadPorts,
  filter: WalletPageFilter,
): Promise<CursorPage<TransferView>> {
  await waitForDatabase({ exchange, barrier });
  return walletHistory.listTransfers(filter);
}

export async function listPerpWithdrawals(
  { walletHistory }: Pick<WalletReadPorts, 'walletHistory'>,
  filter: WalletPageFilter,
): Promise<CursorPage<PerpWithdrawalView>> {
  return walletHistory.listPerpWithdrawals(filter);
}
