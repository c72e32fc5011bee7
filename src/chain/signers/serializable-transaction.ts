import type { TransactionSerializableEIP1559 } from 'viem';
import { toHexAddress } from '../evm-values.ts';
import type { TransactionDraft } from './chain-signer.ts';

/** The transaction as it is hashed and sent. */
export function serializableTransaction(
  chainId: number,
  draft: TransactionDraft,
): TransactionSerializableEIP1559 {
  return {
    type: 'eip1559',
    chainId,
    nonce: draft.nonce,
    to: toHexAddress(draft.to),
    data: draft.data,
    value: 0n,
    gas: draft.gasLimit,
    maxFeePerGas: draft.maxFeePerGas,
    maxPriorityFeePerGas: draft.maxPriorityFeePerGas,
  };
}
