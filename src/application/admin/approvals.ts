import { recoverMessageAddress } from 'viem/utils';
import type { Address } from '../../domain/identifiers.ts';

// Whatever requires two people is signed by two of the wallets named in the settings.

export const approvalsNeeded = 2;

/** The distinct approvers whose wallets signed the text (personal_sign). */
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
