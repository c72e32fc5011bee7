import { type Amount, formatAmount } from '../../domain/amount.ts';
import { assert } from '../../domain/assert.ts';
import type { Decimal } from '../../domain/decimal.ts';
import type { Address } from '../../domain/identifiers.ts';
import { cutForToken, rawFromAmount } from '../../programs/claims/token-units.ts';
import type { ReviewReason } from '../../programs/claims/withdrawal-review.ts';
import type { Exchange } from '../ports/exchange.ts';
import { abandonedWithdrawalError } from './abandoned-withdrawal-error.ts';
import { expectPayableAt } from './expect-payable-at.ts';
import { loadVaultNonce, signatureLifetimeSeconds, signVaultRelease } from './sign-release.ts';
import { type JudgePorts, validateWithdrawal } from './validate-withdrawal.ts';
import type {
  ReviewedWithdrawalView,
  SignedWithdrawalView,
  WalletHistory,
  WalletStore,
  WithdrawalDraft,
  WithdrawalTerms,
  WithdrawalView,
} from './wallet-ports.ts';
import type { WalletSettler } from './wallet-settler.ts';

// A withdrawal's amount is set aside in the engine before anything is signed, and the signature is
// stored before it is returned. The row is written first of all: it holds the nonce's slot, and
// after any later failure the settler finds it and cleans up.

export interface WithdrawPorts extends JudgePorts {
  readonly walletStore: WalletStore;
  readonly walletHistory: WalletHistory;
  readonly walletSettler: WalletSettler;
  readonly chainId: number;
  /** The tokens that can be withdrawn, with the minimum amount of each. */
  readonly withdrawMinimums: ReadonlyMap<string, Decimal>;
  readonly newWithdrawalId: () => string;
}

export interface WithdrawalRequest {
  readonly address: Address;
  readonly token: string;
  readonly amount: Decimal;
}

/** Why a withdrawal is refused, in the order in which a request is judged. */
export type WithdrawalRefusal =
  | 'token_unsupported'
  | 'below_minimum'
  | 'chain_not_initialized'
  | 'insufficient_balance'
  | 'chain_query_failed'
  | 'withdrawal_pending'
  | 'withdrawal_slot_conflict'
  | 'withdrawals_paused'
  | 'signer_unavailable'
  | 'sign_failed';

export type WithdrawalOutcome =
  | { readonly kind: 'signed'; readonly withdrawal: SignedWithdrawal }
  /** The amount is set aside; two people review it before it is signed. */
  | { readonly kind: 'review'; readonly withdrawal: WithdrawalView }
  | { readonly kind: 'refused'; readonly refusal: WithdrawalRefusal };

export interface SignedWithdrawal extends WithdrawalDraft {
  readonly signature: `0x${string}`;
  /** When the vault would pay it, in Unix seconds; null if immediately. */
  readonly payableAt: number | null;
}

/**
 * Sets the amount aside and signs its release.
 * @throws DatabaseError, EngineBusyError, EngineRestartingError: nothing was signed, or what was
 * signed shows in the list of withdrawals.
 */
export async function requestWithdrawal(
  ports: WithdrawPorts,
  request: WithdrawalRequest,
): Promise<WithdrawalOutcome> {
  const { address, token: symbol } = request;
  const { vaultSigner, withdrawMinimums, chainId } = ports;
  const minimum = withdrawMinimums.get(symbol);
  if (minimum === undefined) return refuse('token_unsupported');
  if (request.amount < minimum) return refuse('below_minimum');
  const { contractAddress } = vaultSigner;
  if (contractAddress === null) return refuse('chain_not_initialized');
  const token = vaultSigner.findToken(symbol);
  if (token === null) return refuse('token_unsupported');
  const amount = cutForToken(request.amount, token.decimals);
  if (amount <= 0n) return refuse('below_minimum');
  if (!canPay(ports.exchange, request, amount)) return refuse('insufficient_balance');
  const terms: WithdrawalTerms = {
    id: ports.newWithdrawalId(),
    account: address,
    token: symbol,
    tokenAddress: token.address,
    amount,
    rawAmount: rawFromAmount(amount, token.decimals),
    chainId,
    contractAddress,
  };
  // Before it is judged: what another request of the account takes meanwhile is then either among
  // the facts or in this slot.
  const standing = await loadVaultNonce(vaultSigner, address);
  const reasons = standing && (await validateWithdrawal(ports, terms));
  if (standing === null || reasons === null) return refuse('chain_query_failed');
  if (reasons.length > 0) {
    return ports.walletSettler.whileMaking(terms.id, () => sendToReview(ports, terms, reasons));
  }
  const { nonce, blockSeconds } = standing;
  const draft = { ...terms, nonce, deadline: blockSeconds + signatureLifetimeSeconds };
  return ports.walletSettler.whileMaking(draft.id, () => makeWithdrawal(ports, draft));
}

async function makeWithdrawal(
  ports: WithdrawPorts,
  draft: WithdrawalDraft,
): Promise<WithdrawalOutcome> {
  const { walletStore, vaultSigner } = ports;
  const rejection = await walletStore.openWithdrawal(draft);
  if (rejection === 'paused') return refuse('withdrawals_paused');
  if (rejection !== null) return refuse(rejection.reason);
  if (!vaultSigner.isSigning) return undo(ports, draft, 'signer_unavailable');
  const isReserved = await reserve(ports, draft);
  if (!isReserved) return undo(ports, draft, 'insufficient_balance');
  const made = await signVaultRelease(vaultSigner, draft);
  if (typeof made === 'string') return undo(ports, draft, made);
  const isSaved = await walletStore.saveSignature(draft, made);
  if (!isSaved) throw abandonedWithdrawalError(draft.id);
  const { signature } = made;
  const payableAt = await expectPayableAt(vaultSigner, draft);
  return { kind: 'signed', withdrawal: { ...draft, signature, payableAt } };
}

/** It holds no slot and has no nonce until it is approved. */
async function sendToReview(
  ports: WithdrawPorts,
  terms: WithdrawalTerms,
  reasons: readonly ReviewReason[],
): Promise<WithdrawalOutcome> {
  const { reviews, vaultSigner, walletHistory } = ports;
  if (!vaultSigner.isSigning) return refuse('signer_unavailable');
  const opened = await reviews.open(terms, reasons);
  if (opened === 'paused') return refuse('withdrawals_paused');
  if (opened === 'too_many') return refuse('withdrawal_pending');
  if (!(await reserve(ports, terms))) return undo(ports, terms, 'insufficient_balance');
  if (!(await reviews.markReview(terms.id))) throw abandonedWithdrawalError(terms.id);
  const withdrawal = await walletHistory.findWithdrawal(terms.account, terms.id);
  assert(withdrawal !== null, 'a withdrawal in review is returned');
  return { kind: 'review', withdrawal };
}

function refuse(refusal: WithdrawalRefusal): WithdrawalOutcome {
  return { kind: 'refused', refusal };
}

/** A preliminary check, so that a poor account causes no query to the chain; the engine decides. */
function canPay(exchange: Exchange, { address, token }: WithdrawalRequest, amount: Amount) {
  return exchange.peek((view) => {
    const [accountId, tokenId] = [view.findAccount(address), view.findToken(token)];
    if (accountId === null || tokenId === null) return false;
    const balances = view.listBalances(accountId);
    const balance = balances.find((each) => each.tokenId === tokenId);
    return balance !== undefined && balance.available >= amount;
  });
}

async function reserve({ exchange }: WithdrawPorts, terms: WithdrawalTerms): Promise<boolean> {
  const { id, account, token, amount } = terms;
  const accountId = exchange.peek((view) => view.findAccount(account));
  if (accountId === null) return false;
  const { rejection } = await exchange.submit({
    type: 'reserveWithdrawal',
    withdrawalId: id,
    accountId,
    token,
    amount,
  });
  return rejection === null;
}

// Undoes a withdrawal for which nothing was signed; the settler does what cannot be done now.
async function undo(
  { walletStore, exchange }: WithdrawPorts,
  { id }: WithdrawalTerms,
  refusal: WithdrawalRefusal,
): Promise<WithdrawalOutcome> {
  await walletStore.giveUpWithdrawal(id);
  const isReserved = exchange.peek((view) => view.findWithdrawal(id)) !== null;
  if (isReserved) await exchange.submit({ type: 'releaseWithdrawal', withdrawalId: id });
  return refuse(refusal);
}

/** What the caller needs to submit the release. */
export function viewSignedWithdrawal(withdrawal: SignedWithdrawal): SignedWithdrawalView {
  const { id, token, amount, rawAmount, nonce, deadline, signature, payableAt } = withdrawal;
  return {
    id,
    token,
    amount: formatAmount(amount),
    raw_amount: String(rawAmount),
    nonce,
    deadline,
    signature,
    contract_address: withdrawal.contractAddress,
    chain_id: withdrawal.chainId,
    status: 'signed',
    ...(payableAt === null ? {} : { payable_at: payableAt }),
  };
}

/** The same fields of a withdrawal in review. */
export function viewReviewedWithdrawal(shown: WithdrawalView): ReviewedWithdrawalView {
  const { id, token, amount, raw_amount, contract_address, chain_id, status } = shown;
  return {
    id,
    token,
    amount,
    raw_amount,
    contract_address,
    chain_id,
    status,
    nonce: null,
    deadline: null,
    signature: null,
  };
}
