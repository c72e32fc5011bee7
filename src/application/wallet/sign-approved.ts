import type { Address } from '../../domain/identifiers.ts';
import type { ReleaseApproval, VaultSigner } from '../ports/chain.ts';
import { abandonedWithdrawalError } from './abandoned-withdrawal-error.ts';
import type { ReviewedWithdrawal, WithdrawalReviewStore } from './review-ports.ts';
import {
  isSwitchedOff,
  loadVaultNonce,
  signatureLifetimeSeconds,
  signVaultRelease,
} from './sign-release.ts';
import type { WalletStore, WithdrawalDraft } from './wallet-ports.ts';
import type { WalletSettler } from './wallet-settler.ts';

// What two people approved is signed when its owner asks, always for the same nonce however often a
// signature expires: the amount stays set aside throughout, and is paid once.

export interface SignApprovedPorts {
  readonly reviews: WithdrawalReviewStore;
  readonly walletStore: WalletStore;
  readonly vaultSigner: VaultSigner;
  readonly walletSettler: WalletSettler;
}

export type SignApprovedRefusal =
  | 'chain_not_initialized'
  | 'withdrawal_not_approved'
  | 'chain_query_failed'
  | 'withdrawal_pending'
  | 'withdrawal_slot_conflict'
  | 'signer_unavailable'
  | 'sign_failed';

/**
 * Null if it is signed and stored. If nothing can be signed it remains approved.
 * @throws DatabaseError: it is approved, or shows as signed.
 */
export async function signApproved(
  ports: SignApprovedPorts,
  found: ReviewedWithdrawal,
): Promise<SignApprovedRefusal | null> {
  const { vaultSigner } = ports;
  const { approval, account } = found;
  if (found.status !== 'approved' || approval === null) return 'withdrawal_not_approved';
  if (isSwitchedOff(vaultSigner, found, found.isReturn)) return 'chain_not_initialized';
  const standing = await loadVaultNonce(vaultSigner, account);
  if (standing === null) return 'chain_query_failed';
  const { nonce, blockSeconds } = standing;
  // The approved nonce was spent on something unknown to this database.
  if (found.nonce !== null && found.nonce !== nonce) return 'withdrawal_slot_conflict';
  const draft = { ...found, nonce, deadline: blockSeconds + signatureLifetimeSeconds };
  return ports.walletSettler.whileMaking(found.id, () => sign(ports, draft, approval));
}

async function sign(
  { reviews, walletStore, vaultSigner }: SignApprovedPorts,
  draft: WithdrawalDraft & { readonly account: Address },
  approval: ReleaseApproval,
): Promise<SignApprovedRefusal | null> {
  const taken = await reviews.takeSlot(draft);
  if (taken === 'not_approved') return 'withdrawal_not_approved';
  if (taken !== null) return taken.reason;
  const made = await signVaultRelease(vaultSigner, draft, approval);
  if (typeof made === 'string') {
    await walletStore.giveUpWithdrawal(draft.id);
    return made;
  }
  const isSaved = await walletStore.saveSignature(draft, made);
  if (!isSaved) throw abandonedWithdrawalError(draft.id);
  return null;
}
