import type { TransactionVersion } from '../../application/ports/chain-ledger.ts';
import type { TransactionOutcome } from '../../programs/claims/settlement.ts';
import type { Hash } from '../evm-values.ts';
import type { FeeSuggestion } from '../node/chain-node.ts';

// Decides what to do next with a transaction of the operator: a pure function of what is saved and
// what the chain shows. A transaction keeps its nonce permanently. It is sent again, or replaced
// under the same nonce with a higher fee, so at most one of its versions is ever mined. It is
// finished only when a confirmed block shows that its nonce is spent, never because time has
// passed.

export interface OpenTransaction {
  readonly nonce: number;
  /** At least one; the latest is the one that should be mined. */
  readonly versions: readonly TransactionVersion[];
  readonly isCancelRequested: boolean;
}

/** What the chain shows of one transaction; the cursor is the last confirmed, counted block. */
export interface TransactionObservation {
  /** The operator's transactions up to the cursor. */
  readonly countAtCursor: number;
  /** And up to the current head. */
  readonly countAtHead: number;
  /** The version that was mined up to the cursor; there is at most one. */
  readonly mined: {
    readonly hash: Hash;
    readonly isSuccess: boolean;
    readonly blockNumber: number;
  } | null;
  /** Whether the node has the latest version in its pool. */
  readonly isLatestKnown: boolean;
  readonly fees: FeeSuggestion;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface TransactionPolicy {
  /** A version not mined within this time is replaced by one with a higher fee. */
  readonly replaceAfterMs: number;
  /** Fees stop rising at this multiple of what the node suggests, */
  readonly feeMultipleMax: bigint;
  /** and at this many wei per gas. */
  readonly feePerGasMax: bigint;
}

/** How often a version is offered that nodes refuse with an unknown message. */
const refusalsMax = 3;
/** For so long, since the first try, the highest fee is offered without calling operators. */
const stuckAfterMs = 30 * 60_000;

export type TransactionAction =
  | {
      readonly kind: 'finish';
      readonly outcome: TransactionOutcome;
      readonly hash: Hash | null;
      readonly blockNumber: number | null;
    }
  /** Send the bytes of the latest version, again or for the first time. */
  | { readonly kind: 'send' }
  /** Sign, save and send a version with these fees. */
  | {
      readonly kind: 'replace';
      readonly versionKind: TransactionVersion['kind'];
      readonly fees: FeeSuggestion;
    }
  /** The same, but not mined for long at the highest fee: an operator should look. */
  | { readonly kind: 'stuck' }
  | { readonly kind: 'wait' };

export function decideTransaction(
  transaction: OpenTransaction,
  sight: TransactionObservation,
  policy: TransactionPolicy,
): TransactionAction {
  const { nonce } = transaction;
  if (sight.countAtCursor > nonce) return finish(transaction, sight);
  // Mined, by us or by another user of the key; the confirmations are still missing.
  if (sight.countAtHead > nonce) return { kind: 'wait' };
  const latest = latestVersion(transaction);
  const refused = decideRefused(transaction, sight, policy);
  if (refused !== null) return refused;
  const wantsCancel = transaction.isCancelRequested && latest.kind === 'call';
  // Behind another open transaction a higher fee gains nothing.
  const isFirst = sight.countAtHead === nonce;
  const isLate =
    latest.sentAt !== null && sight.now - latest.sentAt >= policy.replaceAfterMs && isFirst;
  if (wantsCancel || isLate) return replace(transaction, sight, policy);
  return latest.sentAt === null || !sight.isLatestKnown ? { kind: 'send' } : { kind: 'wait' };
}

// A version that no node has accepted is in no pool, so another one under its nonce need not outbid
// it.
function decideRefused(
  transaction: OpenTransaction,
  sight: TransactionObservation,
  policy: TransactionPolicy,
): TransactionAction | null {
  if (transaction.versions.some(({ isTaken }) => isTaken)) return null;
  const { kind, refusal, refusalCount, ...fees } = latestVersion(transaction);
  if (refusal === 'fee_cap') {
    const { maxFeePerGas, maxPriorityFeePerGas } = loweredFees(fees);
    if (maxFeePerGas === 0n) return { kind: 'stuck' };
    const versionKind = transaction.isCancelRequested ? 'cancel' : kind;
    return { kind: 'replace', versionKind, fees: { maxFeePerGas, maxPriorityFeePerGas } };
  }
  if (kind === 'cancel') return null;
  // The same gas would be refused again, so the caller has to estimate again.
  const isUnminable =
    refusal === 'gas_limit' || (refusal === 'unknown' && refusalCount >= refusalsMax);
  if (!isUnminable) return null;
  return { kind: 'replace', versionKind: 'cancel', fees: limitFees(sight.fees, policy) };
}

// The node does not state its limit in a reliable form; halving finds it quickly.
function loweredFees({ maxFeePerGas, maxPriorityFeePerGas }: FeeSuggestion): FeeSuggestion {
  const lowered = maxFeePerGas / 2n;
  return {
    maxFeePerGas: lowered,
    maxPriorityFeePerGas: maxPriorityFeePerGas < lowered ? maxPriorityFeePerGas : lowered,
  };
}

/** Fees of a first version: the node's suggestion, within the limit. */
export function limitFees(suggested: FeeSuggestion, policy: TransactionPolicy): FeeSuggestion {
  const limit = callFeeMax(policy);
  const { maxFeePerGas, maxPriorityFeePerGas } = suggested;
  return {
    maxFeePerGas: maxFeePerGas < limit ? maxFeePerGas : limit,
    maxPriorityFeePerGas: maxPriorityFeePerGas < limit ? maxPriorityFeePerGas : limit,
  };
}

/** Whether a block's current fee alone is above what may be paid. */
export function areFeesTooHigh(suggested: FeeSuggestion, policy: TransactionPolicy): boolean {
  // Suggestions are twice the block's base fee plus the tip.
  const baseFee = (suggested.maxFeePerGas - suggested.maxPriorityFeePerGas) / 2n;
  return baseFee + suggested.maxPriorityFeePerGas > callFeeMax(policy);
}

// Far enough below the limit that a cancel, which has to outbid, stays within it too.
function callFeeMax({ feePerGasMax }: TransactionPolicy): bigint {
  return (feePerGasMax * 8n) / 9n - 1n;
}

function finish(
  transaction: OpenTransaction,
  { mined }: TransactionObservation,
): TransactionAction {
  if (mined === null) {
    return { kind: 'finish', outcome: 'displaced', hash: null, blockNumber: null };
  }
  const version = transaction.versions.find(({ hash }) => hash === mined.hash);
  if (version === undefined) throw new Error(`${mined.hash} is not a version of this transaction`);
  const outcome =
    version.kind === 'cancel' ? 'cancelled' : mined.isSuccess ? 'succeeded' : 'reverted';
  return { kind: 'finish', outcome, hash: mined.hash, blockNumber: mined.blockNumber };
}

function replace(
  transaction: OpenTransaction,
  sight: TransactionObservation,
  policy: TransactionPolicy,
): TransactionAction {
  const latest = latestVersion(transaction);
  const isCancel = transaction.isCancelRequested;
  const fees = {
    maxFeePerGas: raisedFee(latest.maxFeePerGas, sight.fees.maxFeePerGas),
    maxPriorityFeePerGas: raisedFee(latest.maxPriorityFeePerGas, sight.fees.maxPriorityFeePerGas),
  };
  // A first cancel must be able to outbid a version that is at the limit for calls.
  const limit =
    isCancel && latest.kind === 'call' ? policy.feePerGasMax : feeLimit(sight.fees, policy);
  if (fees.maxFeePerGas > limit) return { kind: isStuck(transaction, sight) ? 'stuck' : 'send' };
  return { kind: 'replace', versionKind: isCancel ? 'cancel' : 'call', fees };
}

function isStuck({ versions }: OpenTransaction, { now }: TransactionObservation): boolean {
  const firstTriedAt = versions[0]?.sentAt ?? null;
  return firstTriedAt !== null && now - firstTriedAt >= stuckAfterMs;
}

// Nodes require a tenth more of both fees for a replacement; an eighth is safely above that.
function raisedFee(standing: bigint, suggested: bigint): bigint {
  const raised = standing + standing / 8n + 1n;
  return raised > suggested ? raised : suggested;
}

function feeLimit({ maxFeePerGas }: FeeSuggestion, policy: TransactionPolicy): bigint {
  const limit = maxFeePerGas * policy.feeMultipleMax;
  const most = callFeeMax(policy);
  return limit < most ? limit : most;
}

export function latestVersion({ versions }: OpenTransaction): TransactionVersion {
  const latest = versions.at(-1);
  if (latest === undefined) throw new Error('a transaction has no version');
  return latest;
}

/**
 * The nonce of a new transaction. The two differ if the key is also used elsewhere, or if one of
 * them was reset; the higher one cannot conflict with anything that was sent.
 */
export function assignNonce({
  nextSaved,
  pendingOnChain,
}: {
  readonly nextSaved: number;
  readonly pendingOnChain: number;
}): { readonly nonce: number; readonly isMismatch: boolean } {
  return {
    nonce: Math.max(nextSaved, pendingOnChain),
    isMismatch: pendingOnChain > nextSaved,
  };
}
