import type { PerpWithdrawalRefusal } from '../../application/wallet/request-perp-withdrawal.ts';
import type { ErrorCatalog, ErrorRow } from './error-row.ts';

/** Errors of withdrawals from the perp wallet, in the order in which they are checked. */
export const perpWalletErrors = {
  unsupportedToken: {
    status: 400,
    code: 'UNSUPPORTED_TOKEN',
    text: 'The perp wallet holds USDT only',
  },
  belowMinimum: {
    status: 400,
    code: 'AMOUNT_BELOW_MINIMUM',
    text: 'The amount is zero, negative, or below the minimum <min>',
  },
  chainNotInitialized: {
    status: 503,
    code: 'CHAIN_NOT_INITIALIZED',
    text: 'The chain has not been reached yet, or the connection is lost',
  },
  withdrawalsPaused: {
    status: 503,
    code: 'WITHDRAWALS_PAUSED',
    text: 'Withdrawals are paused; cancel, confirm and history keep working',
  },
  tooManyWithdrawals: {
    status: 409,
    code: 'TOO_MANY_WITHDRAWALS',
    text: 'Twenty withdrawals of the account wait already; confirm or cancel one',
  },
  insufficientBalance: {
    status: 400,
    code: 'INSUFFICIENT_BALANCE',
    text: 'The amount exceeds what can be withdrawn from the perp wallet',
  },
  notFound: {
    status: 404,
    code: 'WITHDRAWAL_NOT_FOUND',
    text: "The withdrawal is absent or another account's",
  },
  notPending: {
    status: 409,
    code: 'WITHDRAWAL_NOT_PENDING',
    text: 'The withdrawal is in review, signed, canceled or finished already',
  },
  chainError: { status: 500, code: 'CHAIN_ERROR', text: 'Reading the vault failed' },
  pendingWithdrawal: {
    status: 409,
    code: 'SIGNED_WITHDRAWAL_EXISTS',
    text: 'A signed withdrawal is not on chain yet; submit it or wait for its expiry',
  },
  slotConflict: {
    status: 409,
    code: 'WITHDRAWAL_SLOT_CONFLICT',
    text: 'Another withdrawal has the current nonce of the vault; try again in a moment',
  },
  signerUnavailable: {
    status: 500,
    code: 'SIGNER_UNAVAILABLE',
    text: 'Signing is off; /readyz says why',
  },
  signFailed: { status: 500, code: 'SIGNATURE_ERROR', text: 'The signature could not be created' },
} as const satisfies ErrorCatalog;

export const perpWalletRows: Readonly<Record<PerpWithdrawalRefusal, ErrorRow>> = {
  token_unsupported: perpWalletErrors.unsupportedToken,
  below_minimum: perpWalletErrors.belowMinimum,
  chain_not_initialized: perpWalletErrors.chainNotInitialized,
  withdrawals_paused: perpWalletErrors.withdrawalsPaused,
  insufficient_balance: perpWalletErrors.insufficientBalance,
  withdrawal_not_found: perpWalletErrors.notFound,
  withdrawal_not_pending: perpWalletErrors.notPending,
  chain_query_failed: perpWalletErrors.chainError,
  too_many_withdrawals: perpWalletErrors.tooManyWithdrawals,
  withdrawal_pending: perpWalletErrors.pendingWithdrawal,
  withdrawal_slot_conflict: perpWalletErrors.slotConflict,
  signer_unavailable: perpWalletErrors.signerUnavailable,
  sign_failed: perpWalletErrors.signFailed,
};
