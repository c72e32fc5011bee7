import { signal } from '@preact/signals';
import { address } from '../../feed/session.ts';
import { forgetTransaction, transactionOf } from '../../wallet/transactions.ts';

// What a deposit in progress is about, kept until it is credited: after a reload its steps follow
// from its transactions and from what the service has seen.

const storageKey = (): string => `deposit ${address.value}`;

export interface DepositTerms {
  readonly token: 'usdt' | 'df';
  readonly amount: string;
}

function read(): DepositTerms | null {
  try {
    return JSON.parse(localStorage.getItem(storageKey()) ?? 'null') as DepositTerms | null;
  } catch {
    return null;
  }
}

const kept = read();

/** What the panel's fields hold. */
export const depositDraft = signal<DepositTerms>(kept ?? { token: 'usdt', amount: '' });

export const approvalOf = (): string => `approval ${address.value}`;
export const depositOf = (): string => `deposit ${address.value}`;

// What is left of a deposit that was credited.
if (kept === null) forgetDeposit();

/** Keeps the terms while their transactions are in progress. */
export function keepTerms({ token, amount }: DepositTerms): void {
  localStorage.setItem(storageKey(), JSON.stringify({ token, amount }));
}

/** Keeps the steps of a credited deposit until the page is left. */
export function endDeposit(): void {
  localStorage.removeItem(storageKey());
}

export function forgetDeposit(): void {
  endDeposit();
  forgetTransaction(approvalOf());
  forgetTransaction(depositOf());
}

/** What the service has seen of the deposit's transaction. */
interface Seen {
  readonly status: string;
}

/**
 * The step that a deposit waits in: 0 approval, 1 deposit, 2 the chain, 3 the credit, 4 done;
 * null: none is in progress.
 */
export function depositStep(seen: Seen | undefined): 0 | 1 | 2 | 3 | 4 | null {
  if (seen !== undefined) return seen.status === 'credited' ? 4 : 3;
  const sent = transactionOf(depositOf());
  if (sent !== null) return sent.isMined ? 3 : 2;
  const approval = transactionOf(approvalOf());
  if (approval === null) return null;
  return approval.isMined ? 1 : 0;
}
