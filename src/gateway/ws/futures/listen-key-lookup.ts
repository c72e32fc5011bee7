import type { Address } from '../../../domain/identifiers.ts';
import type { ListenKeys } from '../stream-ports.ts';

/** Whose accounts the listen keys of a request open. */
export type KeyAccounts = ReadonlyMap<string, Address>;

export const noAccounts: KeyAccounts = new Map();

const listenKeyPattern = /^[A-Za-z0-9]{64}$/;

/** Whether the name looks like a listen key; each of these is looked up. */
export function isListenKey(name: string): boolean {
  return listenKeyPattern.test(name);
}

/** Leaves out what opens no account. @throws DatabaseError */
export async function findAccounts(
  listenKeys: ListenKeys | null,
  names: readonly string[],
): Promise<KeyAccounts> {
  const keys = listenKeys === null ? [] : names.filter(isListenKey);
  if (listenKeys === null || keys.length === 0) return noAccounts;
  const accounts = new Map<string, Address>();
  for (const key of keys) {
    const address = await listenKeys.find(key);
    if (address !== null) accounts.set(key, address);
  }
  return accounts;
}
