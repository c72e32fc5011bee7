import { assert } from '../../domain/assert.ts';
import type { Address } from '../../domain/identifiers.ts';
import {
  type PerpWithdrawalOutcome,
  type PerpWithdrawPorts,
  refusePerpWithdrawal,
  showPerpWithdrawal,
} from './request-perp-withdrawal.ts';
import { loadVaultStanding, signatureLifetimeSeconds, signVaultRelease } from './sign-release.ts';
import type { PendingWithdrawal, WithdrawalDraft } from './wallet-ports.ts';

export interface PerpWithdrawalName {
  readonly address: Address;
  readonly id: string;
}

/**
 * Signs the release of one that waits; one that is signed already is answered again. Where nothing
 * can be signed it goes on waiting.
 * @throws DatabaseError: it waits, or shows as signed in the history.
 */
export async function confirmPerpWithdrawal(
  ports: PerpWithdrawPorts,
  { address, id }: PerpWithdrawalName,
): Promise<PerpWithdrawalOutcome> {
  const { perpWithdrawals, walletHistory, vaultSigner, walletSettler } = ports;
  const found = await perpWithdrawals.findTerms(address, id);
  if (found === null) return refusePerpWithdrawal('withdrawal_not_found');
  if (found.status === 'signed') return showPerpWithdrawal(walletHistory, address, id);
  if (found.status !== 'pending') return refusePerpWithdrawal('withdrawal_not_pending');
  if (vaultSigner.contractAddress !== found.contractAddress) {
    return refusePerpWithdrawal('chain_not_initialized');
  }
  const standing = await loadVaultStanding(vaultSigner, address);
  if (standing === null) return refusePerpWithdrawal('chain_query_failed');
  const { nonce, blockSeconds } = standing;
  const draft = { ...found, nonce, deadline: blockSeconds + signatureLifetimeSeconds };
  return walletSettler.whileMaking(id, () => sign(ports, draft));
}

async function sign(
  { walletStore, perpWithdrawals, walletHistory, vaultSigner }: PerpWithdrawPorts,
  draft: PendingWithdrawal & WithdrawalDraft,
): Promise<PerpWithdrawalOutcome> {
  const { id, account } = draft;
  const taken = await perpWithdrawals.takeSlot(draft);
  if (taken === 'not_pending') return refusePerpWithdrawal('withdrawal_not_pending');
  if (taken !== null) return refusePerpWithdrawal(taken.reason);
  const made = vaultSigner.isSigning ? await signVaultRelease(vaultSigner, draft) : null;
  if (made === null) {
    await walletStore.giveUpWithdrawal(id);
    return refusePerpWithdrawal(vaultSigner.isSigning ? 'sign_failed' : 'signer_unavailable');
  }
  const isSaved = await walletStore.saveSignature(draft, made);
  assert(isSaved, 'nobody gives up a withdrawal that is being made');
  return showPerpWithdrawal(walletHistory, account, id);
}
