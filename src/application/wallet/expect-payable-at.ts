import { ChainError, type VaultSigner } from '../ports/chain.ts';
import type { WithdrawalTerms } from './wallet-ports.ts';

type ReleaseTerms = Pick<WithdrawalTerms, 'tokenAddress' | 'rawAmount'>;

/**
 * When the vault would pay a release that is sent now, in Unix seconds; null if immediately, or if
 * the chain does not respond. It is information only: the vault decides.
 */
export async function expectPayableAt(
  vaultSigner: VaultSigner,
  { tokenAddress, rawAmount }: ReleaseTerms,
): Promise<number | null> {
  try {
    const room = await vaultSigner.loadInstantCapacity(tokenAddress);
    if (room === null || rawAmount <= room.rawAmount) return null;
    return room.blockSeconds + room.delaySeconds;
  } catch (error) {
    if (error instanceof ChainError) return null;
    throw error;
  }
}

/** The withdrawal as shown, with that time if it applies. */
export async function withPayableAt<V extends { readonly payable_at?: number }>(
  vaultSigner: VaultSigner,
  terms: ReleaseTerms,
  shown: V,
): Promise<V> {
  const payableAt = await expectPayableAt(vaultSigner, terms);
  return payableAt === null ? shown : { ...shown, payable_at: payableAt };
}
