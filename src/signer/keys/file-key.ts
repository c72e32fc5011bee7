import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { readSecret } from './read-secret.ts';
import type { SigningKey } from './signing-key.ts';

/** A key of 64 hex digits in a file. @throws Error that does not reveal the file's content */
export function openFileKey(path: string): SigningKey {
  const digits = readSecret(path).replace(/^0x/, '');
  if (!/^[0-9a-fA-F]{64}$/.test(digits)) throw new Error(`${path} does not contain a key`);
  return keyOfAccount(privateKeyToAccount(`0x${digits}`));
}

/** A key in this process's memory. */
export function keyOfAccount(account: PrivateKeyAccount): SigningKey {
  return {
    address: account.address.toLowerCase(),
    sign: (digest) => account.sign({ hash: digest }),
  };
}
