import type { Address } from '../../domain/identifiers.ts';
import type { ReviewReason } from '../../programs/claims/withdrawal-review.ts';
import { abandonedWithdrawalError } from './abandoned-withdrawal-error.ts';
import { withPayableAt } from './expect-payable-at.ts';
import {
  type PerpWithdrawalOutcome,
  type PerpWithdrawPorts,
  refusePerpWithdrawal,
  showPerpWithdrawal,
} from './request-perp-withdrawal.ts';
import { signApproved } from './sign-approved.ts';
import {
  isSwitchedOff,
  loadVaultNonce,
  signatureLifetimeSeconds,
  signVaultRelease,
} from './sign-release.ts';
import { validateWithdrawal } from './validate-withdrawal.ts';
import type { PendingWithdrawal, WithdrawalDraft, WithdrawalTerms } from './wallet-ports.ts';

export interface PerpWithdrawalName {
  readonly address: Address;
  readonly id: string;
}

/**
 * Signs the release of a pending withdrawal; returns an already signed one again. If nothing can be
 * signed it remains pending.
 * @throws DatabaseError: it is pending, or shows as signed in the history.
 */
export async function confirmPerpWithdrawal(
  ports: PerpWithdrawPorts,
  { address, id }: PerpWithdrawalName,
): Promise<PerpWithdrawalOutcome> {
  const { perpWithdrawals, walletHistory, vaultSigner, walletSettler } = ports;
  const found = await perpWithdrawals.findTerms(address, id);
  if (found === null) return refusePerpWithdrawal('withdrawal_not_found');
  if (found.status === 'signed') return showPerpWithdrawal(walletHistory, address, id);
  if (found.status === 'approved') return signReviewed(ports, { address, id });
  if (found.status !== 'pending') return refusePerpWithdrawal('withdrawal_not_pending');
  if (isSwitchedOff(vaultSigner, found)) return refusePerpWithdrawal('chain_not_initialized');
  // Before it is judged, as for a withdrawal of spot.
  const standing = await loadVaultNonce(vaultSigner, address);
  const reasons = standing && (await validateWithdrawal(ports, found));
  if (standing === null || reasons === null) return refusePerpWithdrawal('chain_query_failed');
  if (reasons.length > 0) return sendToReview(ports, found, reasons);
  const { nonce, blockSeconds } = standing;
  const draft = { ...found, nonce, deadline: blockSeconds + signatureLifetimeSeconds };
  return walletSettler.whileMaking(id, () => sign(ports, draft));
}

/** The amount stays set aside; two people review it before it is signed. */
async function sendToReview(
  { reviews, vaultSigner, walletHistory }: PerpWithdrawPorts,
  { id, account }: PendingWithdrawal,
  reasons: readonly ReviewReason[],
): Promise<PerpWithdrawalOutcome> {
  if (!vaultSigner.isSigning) return refusePerpWithdrawal('signer_unavailable');
  const isSent = await reviews.sendToReview(id, reasons);
  if (!isSent) return refusePerpWithdrawal('withdrawal_not_pending');
  return showPerpWithdrawal(walletHistory, account, id);
}

async function signReviewed(
  ports: PerpWithdrawPorts,
  { address, id }: PerpWithdrawalName,
): Promise<PerpWithdrawalOutcome> {
  const found = await ports.reviews.find(address, id);
  if (found === null) return refusePerpWithdrawal('withdrawal_not_found');
  const refusal = await signApproved(ports, found);
  if (refusal === 'withdrawal_not_approved') return refusePerpWithdrawal('withdrawal_not_pending');
  if (refusal !== null) return refusePerpWithdrawal(refusal);
  return showSigned(ports, found);
}

async function sign(
  { walletStore, perpWithdrawals, walletHistory, vaultSigner }: PerpWithdrawPorts,
  draft: PendingWithdrawal & WithdrawalDraft,
): Promise<PerpWithdrawalOutcome> {
  const { id } = draft;
  const taken = await perpWithdrawals.takeSlot(draft);
  if (taken === 'not_pending') return refusePerpWithdrawal('withdrawal_not_pending');
  if (taken !== null) return refusePerpWithdrawal(taken.reason);
  const made = await signVaultRelease(vaultSigner, draft);
  if (typeof made === 'string') {
    await walletStore.giveUpWithdrawal(id);
    return refusePerpWithdrawal(made);
  }
  const isSaved = await walletStore.saveSignature(draft, made);
  if (!isSaved) throw abandonedWithdrawalError(id);
  return showSigned({ vaultSigner, walletHistory }, draft);
}

async function showSigned(
  { vaultSigner, walletHistory }: Pick<PerpWithdrawPorts, 'vaultSigner' | 'walletHistory'>,
  terms: WithdrawalTerms,
): Promise<PerpWithdrawalOutcome> {
  const shown = await showPerpWithdrawal(walletHistory, terms.account, terms.id);
  if (shown.kind !== 'done') return shown;
  return { kind: 'done', withdrawal: await withPayableAt(vaultSigner, terms, shown.withdrawal) };
}
