import type { SignerPolicy, SignerRole } from '../policy-file.ts';
import { openAwsKmsKey } from './aws-kms-key.ts';
import { openFileKey } from './file-key.ts';
import { openPkcs11Key } from './pkcs11-key.ts';
import { readSecret } from './read-secret.ts';
import type { SigningKey } from './signing-key.ts';

type KeyEntry = SignerPolicy['keys'][number];

/** A key and what it may sign. */
export interface RoleKey {
  readonly role: SignerRole;
  readonly key: SigningKey;
}

/**
 * Returns the keys of a policy by address.
 * @param pathOf - resolves a path of the policy
 * @throws Error if a key cannot be opened or has a different address from the policy's
 */
export async function openKeys(
  entries: readonly KeyEntry[],
  pathOf: (path: string) => string,
): Promise<ReadonlyMap<string, RoleKey>> {
  const keys = new Map<string, RoleKey>();
  for (const entry of entries) {
    const key = await openKey(entry, pathOf);
    if (key.address !== entry.address) {
      throw new Error(
        `the ${entry.role} key has the address ${key.address}, the policy says ${entry.address}`,
      );
    }
    keys.set(entry.address, { role: entry.role, key });
  }
  return keys;
}

async function openKey(entry: KeyEntry, pathOf: (path: string) => string): Promise<SigningKey> {
  if ('file' in entry) return openFileKey(pathOf(entry.file));
  if ('awsKms' in entry) {
    const { keyId, region, endpoint = null } = entry.awsKms;
    return openAwsKmsKey({ keyId, region, endpoint });
  }
  const { module, token, label, pinFile } = entry.pkcs11;
  const pin = readSecret(pathOf(pinFile));
  return openPkcs11Key({ module, token, label, pin });
}
