import { signal } from '@preact/signals';
import { WalletError } from '../api/shown-error.ts';

// Transactions that this browser has sent, by what they are for: a reload finds them again, and
// nothing is sent twice because it was forgotten.

export interface SentTransaction {
  /** For example "release" and the withdrawal's id. */
  readonly purpose: string;
  readonly hash: string;
  /** It is in a block, as far as this page has seen. */
  readonly isMined: boolean;
}

/** The purpose of the transaction that pays a withdrawal. */
export const releaseOf = (id: string): string => `release ${id}`;

const storageKey = 'transactions';
const keptMax = 20;

function read(): readonly SentTransaction[] {
  try {
    const kept = JSON.parse(localStorage.getItem(storageKey) ?? '[]') as SentTransaction[];
    // A block can have been replaced since; the chain is asked again.
    return kept.map(({ purpose, hash }) => ({ purpose, hash, isMined: false }));
  } catch {
    return [];
  }
}

const sent = signal(read());

function keep(next: readonly SentTransaction[]): void {
  sent.value = next.slice(-keptMax);
  localStorage.setItem(storageKey, JSON.stringify(sent.value));
}

const others = (purpose: string) => sent.value.filter((each) => each.purpose !== purpose);

/** The transaction that was sent for a purpose; null: none. */
export function transactionOf(purpose: string): SentTransaction | null {
  return sent.value.find((each) => each.purpose === purpose) ?? null;
}

export function forgetTransaction(purpose: string): void {
  if (transactionOf(purpose) !== null) keep(others(purpose));
}

/** Transactions whose receipts this page awaits or has had. */
const followed = new Set<string>();

/** True if the page has not asked the chain for this transaction. */
export function isUnknown({ hash, isMined }: SentTransaction): boolean {
  return !isMined && !followed.has(hash);
}

/**
 * Keeps a transaction and waits until it is in a block.
 * @throws WalletError; REVERTED: it changed nothing and is forgotten
 */
export async function followTransaction(purpose: string, hash: string): Promise<void> {
  followed.add(hash);
  keep([...others(purpose), { purpose, hash, isMined: false }]);
  const { waitForReceipt } = await import('./contracts.ts');
  try {
    await waitForReceipt(hash);
  } catch (error) {
    const isReverted = error instanceof WalletError && error.code === 'REVERTED';
    if (isReverted && transactionOf(purpose)?.hash === hash) forgetTransaction(purpose);
    throw error;
  }
  // Another one can have taken its place meanwhile.
  if (transactionOf(purpose)?.hash !== hash) return;
  keep([...others(purpose), { purpose, hash, isMined: true }]);
}
