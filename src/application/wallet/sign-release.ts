import type { Address } from '../../domain/identifiers.ts';
import {
  type AccountNonce,
  ChainError,
  type IssuedSignature,
  type ReleaseApproval,
  SigningError,
  type VaultSigner,
} from '../ports/chain.ts';
import type { WithdrawalDraft, WithdrawalTerms } from './wallet-ports.ts';

// Decision: the same validity as a claim's signature (interface.md, limits).
export const signatureLifetimeSeconds = 3_600;

/** The account's state in the vault; null if the node does not respond. */
export async function loadVaultNonce(
  vaultSigner: VaultSigner,
  address: Address,
): Promise<AccountNonce | null> {
  try {
    return await vaultSigner.loadStanding(address);
  } catch (error) {
    if (error instanceof ChainError) return null;
    throw error;
  }
}

/**
 * Whether nothing of the withdrawal's asset may be signed now, or its vault is another one by now.
 * What sends back a deposit of no asset has the token's address for a name.
 * @param isReturn - whether it sends back a deposit
 */
export function isSwitchedOff(
  vaultSigner: Pick<VaultSigner, 'contractAddress' | 'findToken'>,
  terms: Pick<WithdrawalTerms, 'contractAddress' | 'token' | 'tokenAddress'>,
  isReturn = false,
): boolean {
  const { token, tokenAddress } = terms;
  const isAsset = token !== (tokenAddress as string);
  const isNamed = !isAsset || vaultSigner.findToken(token, isReturn)?.address === tokenAddress;
  return vaultSigner.contractAddress !== terms.contractAddress || !isNamed;
}

/** Why no signature was made. */
export type UnmadeSignature = 'signer_unavailable' | 'sign_failed';

/** The signature over the withdrawal's release, or the reason for not signing. */
export async function signVaultRelease(
  vaultSigner: VaultSigner,
  { account, tokenAddress, rawAmount, nonce, deadline }: WithdrawalDraft,
  approval?: ReleaseApproval,
): Promise<IssuedSignature | UnmadeSignature> {
  if (!vaultSigner.isSigning) return 'signer_unavailable';
  try {
    const terms = { account, token: tokenAddress, rawAmount, nonce, deadline };
    return await vaultSigner.signRelease(terms, approval);
  } catch (error) {
    if (!(error instanceof SigningError)) throw error;
    return error.isUnavailable || !vaultSigner.isSigning ? 'signer_unavailable' : 'sign_failed';
  }
}
