import { assertNever } from '../../domain/assert.ts';
import type { Address } from '../../domain/identifiers.ts';
import { type MicroUsdt, toMicroUsdt } from '../../domain/micro-usdt.ts';

// Commission is settled on chain in batches (contract.md section 5). A batch names each account's
// cumulative total, so a batch that arrives twice, late or in another order changes nothing there.
// An account stands in at most one open batch. Its commission is synced when the confirmed chain
// shows a total that covers the batch's; an attempt has failed when the transaction's nonce is
// provably spent and the chain does not show it. After three failed attempts the commission is
// marked failed. What is wrong with the contract, the key or the node uses up no attempt: it would
// mark everybody's commission for a fault that is nobody's.

export const settlementAttemptsMax = 3;

export interface UnsettledAccount {
  readonly account: Address;
  /** Commission that the confirmed chain shows as settled, claimed or not. */
  readonly synced: MicroUsdt;
  /** Commission that waits for its first or next attempt. */
  readonly pending: MicroUsdt;
}

export interface SettlementItem {
  readonly account: Address;
  /** All that the account ever earned up to this batch. */
  readonly total: MicroUsdt;
}

export function planSettlement(
  accounts: readonly UnsettledAccount[],
  itemsPerBatchMax: number,
): readonly (readonly SettlementItem[])[] {
  const batches: SettlementItem[][] = [];
  for (const { account, synced, pending } of accounts) {
    if (pending <= 0n) continue;
    const item = { account, total: toMicroUsdt(synced + pending) };
    const last = batches.at(-1);
    if (last === undefined || last.length >= itemsPerBatchMax) batches.push([item]);
    else last.push(item);
  }
  return batches;
}

/** What the contract says to a batch that is tried without being sent. */
export type SettlementTrial =
  | { readonly kind: 'accepted' }
  /** It would take more gas than a block should give to it. */
  | { readonly kind: 'tooLarge' }
  /** The contract refuses this batch for what is in it. */
  | { readonly kind: 'refused'; readonly error: string }
  /** It would refuse any batch, or nobody could ask it. */
  | { readonly kind: 'unable'; readonly error: string };

export type SettlementStep =
  | { readonly kind: 'send' }
  /** Two halves in its place; the halves that are sound get through. */
  | { readonly kind: 'split' }
  /** The batch is closed and its commission has one attempt less. */
  | { readonly kind: 'countAttempt'; readonly error: string }
  /** The batch is closed, and its commission goes into the next one with all its attempts. */
  | { readonly kind: 'planAnew' }
  /** The batch stays as it is until the next run. */
  | { readonly kind: 'wait'; readonly error: string };

export function decideSending(itemCount: number, trial: SettlementTrial): SettlementStep {
  switch (trial.kind) {
    case 'accepted':
      return { kind: 'send' };
    case 'tooLarge':
      return itemCount > 1
        ? { kind: 'split' }
        : { kind: 'countAttempt', error: 'one account does not fit into a transaction' };
    case 'refused':
      return itemCount > 1 ? { kind: 'split' } : { kind: 'countAttempt', error: trial.error };
    case 'unable':
      return { kind: 'wait', error: trial.error };
    default:
      return assertNever(trial);
  }
}

/**
 * How the confirmed chain spent the nonce of a batch's transaction; `void`: the contract names
 * another key, so that the transaction can do nothing any more.
 */
export type TransactionOutcome = 'succeeded' | 'reverted' | 'cancelled' | 'displaced' | 'void';

/**
 * What to do with the accounts of a batch that the chain did not settle although its nonce is
 * spent and every event up to that block is counted. Null: nothing is left over.
 */
export function decideLeftOver(
  leftOverCount: number,
  outcome: TransactionOutcome,
): SettlementStep | null {
  if (leftOverCount === 0) return null;
  if (outcome === 'void') return { kind: 'planAnew' };
  if (outcome === 'reverted' && leftOverCount > 1) return { kind: 'split' };
  return { kind: 'countAttempt', error: outcomeErrors[outcome] };
}

const outcomeErrors: Readonly<Record<Exclude<TransactionOutcome, 'void'>, string>> = {
  succeeded: 'the transaction succeeded without settling the account',
  reverted: 'the transaction was reverted',
  cancelled: 'the transaction was not mined in time and was cancelled',
  displaced: 'another transaction of the operator took its nonce',
};

/** The two halves of a batch; the first is the larger one where they differ. */
export function splitItems<T>(items: readonly T[]): readonly [readonly T[], readonly T[]] {
  const middle = Math.ceil(items.length / 2);
  return [items.slice(0, middle), items.slice(middle)];
}

/** The sync status after one more failed attempt. */
export function statusAfterAttempts(attempts: number): 'pending' | 'failed' {
  return attempts >= settlementAttemptsMax ? 'failed' : 'pending';
}

/** Whether a total that the confirmed chain shows for an account covers what a batch asked for. */
export function isSettledBy(item: SettlementItem, settledTotal: MicroUsdt): boolean {
  return settledTotal >= item.total;
}
