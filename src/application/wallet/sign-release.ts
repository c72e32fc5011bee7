import type { Address } from '../../domain/identifiers.ts';
import {
  ChainError,
  type MadeSignature,
  type ReleaseApproval,
  type RewardStanding,
  SigningError,
  type VaultSigner,
} from '../ports-chain.ts';
import type { WithdrawalDraft } from './wallet-ports.ts';

// Decision: the same validity as a claim's signature (interface.md, limits).
export const signatureLifetimeSeconds = 3_600;

/** The account's state in the vault; null if the node does not respond. */
export async function loadVaultStanding(
  vaultSigner: VaultSigner,
  address: Address,
): Promise<RewardStanding | null> {
  try {
    return await vaultSigner.loadStanding(address);
  } catch (error) {
    if (error instanceof ChainError) return null;
    throw error;
  }
}

/** The signature over the withdrawal's release; null if it could not be made. */
export async function signVaultRelease(
  vaultSigner: VaultSigner,
  { account, tokenAddress, rawAmount, nonce, deadline }: WithdrawalDraft,
  approval?: ReleaseApproval,
): Promise<MadeSignature | null> {
  try {
    const terms = { account, token: tokenAddress, rawAmount, nonce, deadline };
    return await vaultSigner.signRelease(terms, approval);
  } catch (error) {
    if (error instanceof SigningError) return null;
    throw error;
  }
}
