import type { Address } from '../../domain/identifiers.ts';
import { withPayableAt } from './expect-payable-at.ts';
import { type SignApprovedPorts, type SignApprovedRefusal, signApproved } from './sign-approved.ts';
import type { WalletHistory, WithdrawalView } from './wallet-ports.ts';

export interface SignSpotPorts extends SignApprovedPorts {
  readonly walletHistory: WalletHistory;
}

export type SignSpotOutcome =
  | { readonly kind: 'done'; readonly withdrawal: WithdrawalView }
  | {
      readonly kind: 'refused';
      readonly refusal: SignApprovedRefusal | 'withdrawal_not_found';
    };

/**
 * Signs an approved withdrawal; returns an already signed one again.
 * @throws DatabaseError: it is approved, or shows as signed.
 */
export async function signSpotWithdrawal(
  ports: SignSpotPorts,
  address: Address,
  id: string,
): Promise<SignSpotOutcome> {
  const { reviews, walletHistory } = ports;
  const shown = await walletHistory.findWithdrawal(address, id);
  if (shown === null) return { kind: 'refused', refusal: 'withdrawal_not_found' };
  if (shown.status === 'signed') return { kind: 'done', withdrawal: shown };
  const found = await reviews.find(address, id);
  const refusal = found === null ? 'withdrawal_not_approved' : await signApproved(ports, found);
  if (refusal !== null) return { kind: 'refused', refusal };
  const withdrawal = await walletHistory.findWithdrawal(address, id);
  if (withdrawal === null || found === null) {
    return { kind: 'refused', refusal: 'withdrawal_not_found' };
  }
  const shownNow = await withPayableAt(ports.vaultSigner, found, withdrawal);
  return { kind: 'done', withdrawal: shownNow };
}
