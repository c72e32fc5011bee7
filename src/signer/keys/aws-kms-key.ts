import { importOptional } from './optional-package.ts';
import {
  addressOfPublicKey,
  fromDerSignature,
  recoverableSignature,
} from './recoverable-signature.ts';
import type { SigningKey } from './signing-key.ts';

// A key in AWS KMS, of the spec ECC_SECG_P256K1. Credentials are found as the AWS SDK finds them:
// in the environment, in a profile, or from the host's role.

export interface AwsKmsPlace {
  readonly keyId: string;
  readonly region: string;
  /** Null for the region's own endpoint. */
  readonly endpoint: string | null;
}

/** The part of @aws-sdk/client-kms that is used here. */
interface KmsPackage {
  readonly KMSClient: new (options: {
    readonly region: string;
    readonly endpoint?: string;
    readonly maxAttempts: number;
  }) => {
    send(command: object): Promise<{
      readonly PublicKey?: Uint8Array;
      readonly Signature?: Uint8Array;
    }>;
  };
  readonly GetPublicKeyCommand: new (input: { readonly KeyId: string }) => object;
  readonly SignCommand: new (input: {
    readonly KeyId: string;
    readonly Message: Uint8Array;
    readonly MessageType: 'DIGEST';
    readonly SigningAlgorithm: 'ECDSA_SHA_256';
  }) => object;
}

const attemptsMax = 3;

/** @throws Error if the service cannot be reached or the key is of another curve */
export async function openAwsKmsKey({ keyId, region, endpoint }: AwsKmsPlace): Promise<SigningKey> {
  const kms = (await importOptional('@aws-sdk/client-kms', '3.1164.0')) as KmsPackage;
  const client = new kms.KMSClient({
    region,
    maxAttempts: attemptsMax,
    ...(endpoint === null ? {} : { endpoint }),
  });
  const { PublicKey } = await client.send(new kms.GetPublicKeyCommand({ KeyId: keyId }));
  if (PublicKey === undefined) throw new Error('the key service returned no public key');
  const address = addressOfPublicKey(PublicKey);
  return {
    address,
    sign: async (digest) => {
      const { Signature } = await client.send(
        new kms.SignCommand({
          KeyId: keyId,
          Message: Buffer.from(digest.slice(2), 'hex'),
          MessageType: 'DIGEST',
          SigningAlgorithm: 'ECDSA_SHA_256',
        }),
      );
      if (Signature === undefined) throw new Error('the key service returned no signature');
      return recoverableSignature(address, digest, fromDerSignature(Signature));
    },
  };
}
