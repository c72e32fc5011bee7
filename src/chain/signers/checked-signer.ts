import {
  type Hex,
  hashTypedData,
  keccak256,
  parseTransaction,
  recoverAddress,
  serializeTransaction,
  size,
  slice,
} from 'viem';
import type { Address } from '../../domain/identifiers.ts';
import { fromHexAddress } from '../evm-values.ts';
import { releaseTypedData, rewardTypedData } from '../typed-data.ts';
import type { ChainSigner } from './chain-signer.ts';
import { serializableTransaction } from './serializable-transaction.ts';

// Nothing that a signer returns is trusted: a signature must be over exactly what was requested, by
// the requested address, and in the only form that the contracts accept.

/** A signer returned something other than what it was asked for. */
export class BadSignatureError extends Error {
  override readonly name = 'BadSignatureError';
}

const signatureBytes = 65;
const halfOrder = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/** Wraps a signer so that each of its signatures is checked before it is returned. */
export function checkedSigner(signer: ChainSigner): ChainSigner {
  const { address } = signer;
  return {
    address,
    signReward: async (domain, voucher) => {
      const digest = hashTypedData(rewardTypedData(domain, voucher));
      return checkSignature(address, digest, await signer.signReward(domain, voucher));
    },
    signRelease: async (domain, voucher, approval) => {
      const digest = hashTypedData(releaseTypedData(domain, voucher));
      return checkSignature(address, digest, await signer.signRelease(domain, voucher, approval));
    },
    isReachable: () => signer.isReachable(),
    findLogHead: signer.findLogHead,
    signTransaction: async (chainId, draft) => {
      const unsigned = serializeTransaction(serializableTransaction(chainId, draft));
      const { bytes } = await signer.signTransaction(chainId, draft);
      await checkTransaction(address, unsigned, bytes);
      return { hash: keccak256(bytes), bytes };
    },
  };
}

/**
 * Returns the signature, 65 bytes with v 27 or 28 and a low s.
 * @throws BadSignatureError
 */
async function checkSignature(address: Address, digest: Hex, signature: Hex): Promise<Hex> {
  if (!/^0x[0-9a-f]+$/i.test(signature) || size(signature) !== signatureBytes) {
    throw new BadSignatureError('the signature does not have 65 bytes');
  }
  const v = Number(slice(signature, 64));
  if (v !== 27 && v !== 28) throw new BadSignatureError("the signature's v is not 27 or 28");
  if (BigInt(slice(signature, 32, 64)) > halfOrder) {
    throw new BadSignatureError("the signature's s is high");
  }
  await requireSigner(address, digest, signature);
  return signature;
}

async function checkTransaction(address: Address, unsigned: Hex, bytes: Hex): Promise<void> {
  const parsed = parsedTransaction(bytes);
  if (parsed.type !== 'eip1559' || parsed.r === undefined || parsed.s === undefined) {
    throw new BadSignatureError('the transaction is not signed');
  }
  const { r, s, yParity } = parsed;
  const fields = { ...parsed, r: undefined, s: undefined, v: undefined, yParity: undefined };
  if (BigInt(s) > halfOrder) throw new BadSignatureError("the signature's s is high");
  if (serializeTransaction(fields) !== unsigned) {
    throw new BadSignatureError('the signed transaction is not the requested one');
  }
  await requireSigner(address, keccak256(unsigned), { r, s, yParity: yParity ?? 0 });
}

function parsedTransaction(bytes: Hex) {
  try {
    return parseTransaction(bytes);
  } catch {
    throw new BadSignatureError('the answer is not a transaction');
  }
}

async function requireSigner(
  address: Address,
  hash: Hex,
  signature: Parameters<typeof recoverAddress>[0]['signature'],
): Promise<void> {
  let signer: Hex;
  try {
    signer = await recoverAddress({ hash, signature });
  } catch {
    throw new BadSignatureError('the signature is not on the curve');
  }
  if (fromHexAddress(signer) !== address) {
    throw new BadSignatureError(`the signature is by ${signer}, not by ${address}`);
  }
}
