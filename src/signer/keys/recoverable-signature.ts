import { createPublicKey } from 'node:crypto';
import { type Hex, recoverAddress, serializeSignature, toHex } from 'viem';
import { publicKeyToAddress } from 'viem/utils';

// Hardware and cloud services return plain ECDSA: s may be in the upper half of the order, which
// the contracts refuse, and nothing indicates which of two public keys signed.

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const derInteger = 0x02;
const derSequence = 0x30;
const derOctetString = 0x04;
const uncompressedPointBytes = 65;

export interface PlainSignature {
  readonly r: bigint;
  readonly s: bigint;
}

/**
 * Returns the signature in the form that the contracts accept.
 * @param address - in lowercase, of the key that signed
 * @throws Error if another key signed
 */
export async function recoverableSignature(
  address: string,
  digest: Hex,
  { r, s }: PlainSignature,
): Promise<Hex> {
  const lowS = s > order / 2n ? order - s : s;
  for (const yParity of [0, 1] as const) {
    const signature = serializeSignature({
      r: toHex(r, { size: 32 }),
      s: toHex(lowS, { size: 32 }),
      yParity,
    });
    const signer = await recoverAddress({ hash: digest, signature }).catch(() => null);
    if (signer?.toLowerCase() === address) return signature;
  }
  throw new Error(`the signature is not of ${address}`);
}

/** r and s one after the other, 32 bytes each, as PKCS#11 returns them. */
export function fromRawSignature(bytes: Uint8Array): PlainSignature {
  if (bytes.length !== 64) throw new Error('the signature is not of 64 bytes');
  return { r: BigInt(toHex(bytes.subarray(0, 32))), s: BigInt(toHex(bytes.subarray(32))) };
}

/** A DER sequence of the two integers, as key services return them. */
export function fromDerSignature(bytes: Uint8Array): PlainSignature {
  const sequence = readDer(bytes, derSequence);
  const first = readDer(sequence.content, derInteger);
  const second = readDer(first.rest, derInteger);
  if (sequence.rest.length > 0 || second.rest.length > 0)
    throw new Error('the DER continues after its end');
  return { r: BigInt(toHex(first.content)), s: BigInt(toHex(second.content)) };
}

// All lengths of a signature and of a point are below 128, so each is one byte.
function readDer(bytes: Uint8Array, tag: number) {
  const [found, length = 0] = bytes;
  if (found !== tag || length === 0 || length > 127 || bytes.length < 2 + length) {
    throw new Error('the answer is not the expected DER');
  }
  return { content: bytes.subarray(2, 2 + length), rest: bytes.subarray(2 + length) };
}

/** The address of a point, which PKCS#11 modules return bare or in a DER octet string. */
export function addressOfPoint(point: Uint8Array): string {
  const bare =
    point.length === uncompressedPointBytes ? point : readDer(point, derOctetString).content;
  if (bare.length !== uncompressedPointBytes || bare[0] !== 0x04) {
    throw new Error('the public key is not an uncompressed point');
  }
  return publicKeyToAddress(toHex(bare)).toLowerCase();
}

/** The address of a public key in the SubjectPublicKeyInfo that key services return. */
export function addressOfPublicKey(der: Uint8Array): string {
  const key = createPublicKey({ key: Buffer.from(der), format: 'der', type: 'spki' });
  const { crv, x = '', y = '' } = key.export({ format: 'jwk' });
  if (crv !== 'secp256k1') throw new Error('the key is not of the curve secp256k1');
  const coordinates = [x, y].map((each) => Buffer.from(each, 'base64url'));
  return addressOfPoint(Buffer.concat([Buffer.of(0x04), ...coordinates]));
}
