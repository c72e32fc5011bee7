import type { AccountId, Address, TimestampMs } from '../../domain/identifiers.ts';
import type { SlotRejection, WithdrawalStatus } from '../../programs/claims/withdrawal.ts';
import type { Outflow, ReviewReason } from '../../programs/claims/withdrawal-review.ts';
import type { ReleaseApproval, SignedApproval } from '../ports-chain.ts';
import type { WalletKind, WithdrawalDraft, WithdrawalTerms } from './wallet-ports.ts';

// What the database keeps of withdrawals that two people look at. Methods throw DatabaseError
// where it does not answer; each is one transaction.

export interface ReviewQuestion {
  readonly account: Address;
  readonly accountId: AccountId;
  readonly token: string;
  /** The withdrawal itself, where it has a row. */
  readonly id: string;
}

/** What the database knows of the account; the velocity is without the withdrawal itself. */
export interface AccountFacts {
  readonly now: TimestampMs;
  readonly vipTier: number;
  readonly lastHour: Outflow;
  readonly lastDay: Outflow;
  readonly firstDepositAt: TimestampMs | null;
  readonly withdrawKeyAt: TimestampMs | null;
  readonly isCredited: boolean;
}

/** A withdrawal that is, or was, looked at by people. */
export interface ReviewedWithdrawal extends WithdrawalTerms {
  readonly wallet: WalletKind;
  readonly status: WithdrawalStatus;
  /** The nonce for which it was signed once; null before. */
  readonly nonce: number | null;
  /** Null before it is approved. */
  readonly approval: ReleaseApproval | null;
}

/** One that waits for people, or for its owner after them. */
export interface OpenReview extends ReviewedWithdrawal {
  readonly status: 'review' | 'approved';
  readonly reasons: readonly ReviewReason[];
  readonly createdAt: Date;
  readonly approvedBy: string | null;
  readonly approvedUntil: Date | null;
}

export interface GivenApproval {
  readonly approvals: readonly SignedApproval[];
  readonly by: string;
  readonly until: Date;
}

export interface ReviewBacklog {
  readonly count: number;
  /** Of the oldest one that waits for people; null where none does. */
  readonly oldestAt: Date | null;
}

export interface WithdrawalReviewStore {
  loadFacts(question: ReviewQuestion): Promise<AccountFacts>;
  /** Before the amount of one of the spot wallet is set aside; false while all pause. */
  open(terms: WithdrawalTerms, reasons: readonly ReviewReason[]): Promise<boolean>;
  /** The amount of one that was opened is set aside. */
  markReview(id: string): Promise<void>;
  /** Of the perp wallet: it waits for people instead of being signed. False where not pending. */
  sendToReview(id: string, reasons: readonly ReviewReason[]): Promise<boolean>;
  /** Null where the address has none that was looked at. */
  find(address: Address, id: string): Promise<ReviewedWithdrawal | null>;
  /** Takes the slot for one that is approved. */
  takeSlot(draft: WithdrawalDraft): Promise<SlotRejection | 'not_approved' | null>;
  /** The oldest first, some hundred of them. */
  listOpen(): Promise<readonly OpenReview[]>;
  findOpen(id: string): Promise<OpenReview | null>;
  /** False where it is not in review. */
  approve(id: string, approval: GivenApproval): Promise<boolean>;
  /** False where it is neither in review nor approved without a signature. */
  refuse(id: string, by: string, reason: string): Promise<boolean>;
  /** Ends what was approved and not signed in time. */
  lapse(): Promise<void>;
  loadBacklog(): Promise<ReviewBacklog>;
}
