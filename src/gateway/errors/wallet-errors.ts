import type { ErrorCatalog } from './error-row.ts';
import type { ReasonRows } from './surface.ts';

/** Errors of the spot wallet, in the order in which a request is checked. */
export const walletErrors = {
  transfersNotAllowed: {
    status: 403,
    code: 'API Key permission denied: transfers not allowed',
    text: 'A transfer requires a token, not an API key',
  },
  withdrawsNotAllowed: {
    status: 403,
    code: 'API Key permission denied: withdraws not allowed',
    text: 'A withdrawal requires a token, not an API key',
  },
  invalidDirection: {
    status: 400,
    code: 'invalid direction: <direction>',
    text: 'direction is neither spot_to_perp nor perp_to_spot',
  },
  amountNotPositive: {
    status: 400,
    code: 'amount must be positive',
    text: 'The amount of a transfer is not above 0',
  },
  unsupportedToken: {
    status: 400,
    code: 'unsupported token: <token>',
    text: 'Only USDT can be transferred, and only the tokens of SPOT_WITHDRAW_TOKENS withdrawn',
  },
  belowMinimum: {
    status: 400,
    code: 'amount below minimum <min>',
    text: 'The amount is below the minimum withdrawal of this token, or not above zero',
  },
  chainNotInitialized: {
    status: 503,
    code: 'spot blockchain not initialized',
    text: 'The chain has not been reached yet, or the connection is lost',
  },
  insufficientBalance: {
    status: 400,
    code: 'insufficient balance',
    text: 'The available balance is below the amount',
  },
  chainQueryFailed: {
    status: 500,
    code: 'chain query failed',
    text: "Reading the vault's release nonce failed",
  },
  pendingWithdrawal: {
    status: 409,
    code: 'you have a pending withdrawal - submit it on-chain or wait for expiry',
    text: "A signed withdrawal with the contract's current nonce or a later one exists",
  },
  slotConflict: {
    status: 409,
    code: 'withdrawal slot conflict - try again in a moment',
    text: 'Another withdrawal has the current nonce of the contract',
  },
  signerUnavailable: {
    status: 500,
    code: 'signer unavailable',
    text: 'Signing is off (/readyz says why), the signer is down, or withdrawals are paused',
  },
  signFailed: { status: 500, code: 'sign failed', text: 'The signature could not be created' },
  notFound: {
    status: 404,
    code: 'not found',
    text: "The withdrawal is absent or another account's",
  },
  notApproved: {
    status: 409,
    code: 'withdrawal is not approved',
    text: 'It is not approved, it is finished, or the approval has expired',
  },
  internal: { status: 500, code: 'internal error', text: 'The storage or the engine failed' },
} as const satisfies ErrorCatalog;

/** The wallet reports every failure of the database and the engine with its own row. */
export const walletFailureRows: Partial<ReasonRows> = {
  database_failed: walletErrors.internal,
  engine_busy: walletErrors.internal,
  engine_restarting: walletErrors.internal,
};
