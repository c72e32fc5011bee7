import type { Address } from '../../../domain/identifiers.ts';
import type { ListenKeys } from '../stream-ports.ts';

/** The accounts that the listen keys of a request open. */
export type KeyAccounts = ReadonlyMap<string, Address>;

export const noAccounts: KeyAccounts = new Map();

/** The cost of looking up a listen key, in messages or streams. */
export const listenKeyCost = 20;

const listenKeyPattern = /^[A-Za-z0-9]{64}$/;

/** True if the name looks like a listen key; each of these is looked up. */
export function isListenKey(name: string): boolean {
  return listenKeyPattern.test(name);
}

/**
 * Looks the keys up; those that open no account are left out.
 * @throws DatabaseError
 */
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
