import { assertNever } from '../../domain/assert.ts';
import type { Address } from '../../domain/identifiers.ts';
import { type MicroUsdt, toMicroUsdt } from '../../domain/micro-usdt.ts';

// Commission is settled on chain in batches (contract.md section 5). A batch contains each
// account's cumulative total, so that a repeated, late or reordered batch changes nothing. An
// account is in at most one open batch. Its commission is synced when the confirmed chain shows a
// total that covers the batch's. An attempt has failed when the transaction's nonce is provably
// spent and the chain does not show that total. After three failed attempts the commission is
// marked failed. A fault of the contract, the key or the node uses up no attempt, because it would
// mark everyone's commission as failed.

export const settlementAttemptsMax = 3;

/** An account with commission that is not settled on chain. */
export interface UnsettledAccount {
  readonly account: Address;
  /** Commission that the confirmed chain shows as settled, claimed or not. */
  readonly synced: MicroUsdt;
  /** Commission that waits for its first or next attempt. */
  readonly pending: MicroUsdt;
}

/** One account's entry in a batch. */
export interface SettlementItem {
  readonly account: Address;
  /** All commission that the account has earned up to this batch. */
  readonly total: MicroUsdt;
}

/** Plans batches of at most itemsPerBatchMax entries; accounts with nothing pending are skipped. */
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

/** The contract's reply to a batch that is simulated without being sent. */
export type SettlementTrial =
  | { readonly kind: 'accepted' }
  /** It would use more gas than a block can give to it. */
  | { readonly kind: 'tooLarge' }
  /** The contract rejects this batch because of its contents. */
  | { readonly kind: 'refused'; readonly error: string }
  /** It would raise totals by more than the contract's window has left; amounts in 10^-6 USDT. */
  | {
      readonly kind: 'beyondWindow';
      readonly raised: bigint;
      /** The maximum that the window can ever take. */
      readonly most: bigint;
      readonly error: string;
    }
  /** The contract would reject any batch, or could not be reached. */
  | { readonly kind: 'unable'; readonly error: string };

/** What to do with a batch after an attempt. */
export type SettlementStep =
  | { readonly kind: 'send' }
  /** Replace the batch by its two halves, so that the valid half can succeed. */
  | { readonly kind: 'split' }
  /** Close the batch; its commission has used one attempt. */
  | { readonly kind: 'countAttempt'; readonly error: string }
  /** Close the batch; its commission joins the next one with all its attempts left. */
  | { readonly kind: 'planAgain' }
  /** Keep the batch unchanged until the next run, and all batches after it. */
  | { readonly kind: 'wait'; readonly error: string }
  /** Keep the batch unchanged until the next run; those after it continue. */
  | { readonly kind: 'passOver'; readonly error: string };

/** Decides what to do with a batch of itemCount accounts after its simulation. */
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
    case 'beyondWindow':
      return decideBeyondWindow(itemCount, trial);
    case 'unable':
      return { kind: 'wait', error: trial.error };
    default:
      return assertNever(trial);
  }
}

/** A batch that raises totals by more than this part of the window is split. */
const windowShare = 8n;

// The window refills evenly: a small part of it is soon free, and the oldest batch has it. What the
// whole window cannot take would hold up all others permanently.
function decideBeyondWindow(
  itemCount: number,
  { raised, most, error }: Extract<SettlementTrial, { readonly kind: 'beyondWindow' }>,
): SettlementStep {
  if (most === 0n) return { kind: 'wait', error };
  if (itemCount > 1 && raised * windowShare > most) return { kind: 'split' };
  return { kind: raised > most ? 'passOver' : 'wait', error };
}

/**
 * How the confirmed chain spent the nonce of a batch's transaction. `void`: the contract names
 * another key, so the transaction can have no effect any more.
 */
export type TransactionOutcome = 'succeeded' | 'reverted' | 'cancelled' | 'displaced' | 'void';

/** Whether a node ever accepted the batch, and otherwise why none did. */
export type BatchAcceptance = 'accepted' | 'refused' | 'refused_for_gas';

/**
 * What to do with the accounts of a batch that the chain did not settle although its nonce is spent
 * and every event up to that block is counted. Null if no account is left over.
 */
export function decideLeftOver(
  leftOverCount: number,
  outcome: TransactionOutcome,
  acceptance: BatchAcceptance = 'accepted',
): SettlementStep | null {
  if (leftOverCount === 0) return null;
  if (outcome === 'void' || outcome === 'displaced') return { kind: 'planAgain' };
  if (outcome === 'cancelled' && acceptance !== 'accepted') {
    const isTooLarge = acceptance === 'refused_for_gas' && leftOverCount > 1;
    return { kind: isTooLarge ? 'split' : 'planAgain' };
  }
  if (outcome === 'reverted' && leftOverCount > 1) return { kind: 'split' };
  return { kind: 'countAttempt', error: outcomeErrors[outcome] };
}

const outcomeErrors: Readonly<Record<Exclude<TransactionOutcome, 'void' | 'displaced'>, string>> = {
  succeeded: 'the transaction succeeded without settling the account',
  reverted: 'the transaction was reverted',
  cancelled: 'the transaction was not mined in time and was cancelled',
};

/** The two halves of a batch; the first is the larger if they differ. */
export function splitItems<T>(items: readonly T[]): readonly [readonly T[], readonly T[]] {
  const middle = Math.ceil(items.length / 2);
  return [items.slice(0, middle), items.slice(middle)];
}

/** The sync status after that many failed attempts. */
export function statusAfterAttempts(attempts: number): 'pending' | 'failed' {
  return attempts >= settlementAttemptsMax ? 'failed' : 'pending';
}

/** Whether the total that the confirmed chain shows for an account covers its entry in a batch. */
export function isSettledBy(item: SettlementItem, settledTotal: MicroUsdt): boolean {
  return settledTotal >= item.total;
}
