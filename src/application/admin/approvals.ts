import { recoverMessageAddress } from 'viem/utils';
import type { Address } from '../../domain/identifiers.ts';

// What takes two people is signed by two of the wallets that the settings name.

export const approvalsNeeded = 2;

/**
 * The approvers whose wallets signed the text (personal_sign): each once, however often the same
 * wallet has signed.
 */
export async function findApprovers(
  approvers: readonly Address[],
  message: string,
  signatures: readonly `0x${string}`[],
): Promise<readonly Address[]> {
  const signed = await Promise.all(
    signatures.map((signature) => recoverMessageAddress({ message, signature }).catch(() => null)),
  );
  const wallets = new Set(signed.map((address) => address?.toLowerCase()));
  return approvers.filter((approver) => wallets.has(approver));
}
