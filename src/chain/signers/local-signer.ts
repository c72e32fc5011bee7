import { type Hex, keccak256 } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { fromHexAddress } from '../evm-values.ts';
import { releaseTypedData, rewardTypedData } from '../typed-data.ts';
import type { ChainSigner } from './chain-signer.ts';
import { checkedSigner } from './checked-signer.ts';
import { serializableTransaction } from './serializable-transaction.ts';

// A key in this process's memory, for development and tests. All signatures are deterministic (RFC
// 6979).

const privateKeyPattern = /^0x[0-9a-fA-F]{64}$/;

/** @throws Error that does not reveal the text if it is not a key. */
export function createLocalSigner(privateKey: string): ChainSigner {
  if (!privateKeyPattern.test(privateKey)) throw new Error('the signer key is not 32 bytes of hex');
  const account = accountOf(privateKey as Hex);
  return checkedSigner({
    address: fromHexAddress(account.address),
    signReward: async (domain, voucher) => account.signTypedData(rewardTypedData(domain, voucher)),
    signRelease: async (domain, voucher) =>
      account.signTypedData(releaseTypedData(domain, voucher)),
    isReachable: () => Promise.resolve(true),
    signTransaction: async (chainId, draft) => {
      const bytes = await account.signTransaction(serializableTransaction(chainId, draft));
      return { hash: keccak256(bytes), bytes };
    },
  });
}

function accountOf(privateKey: Hex) {
  try {
    return privateKeyToAccount(privateKey);
  } catch {
    // The library's own error could quote the key.
    throw new Error('the signer key is not a key of the curve');
  }
}
