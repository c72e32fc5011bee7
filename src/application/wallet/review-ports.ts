import type { Amount } from '../../domain/amount.ts';
import type { AccountId, Address } from '../../domain/identifiers.ts';
import type { SlotRejection, WithdrawalStatus } from '../../programs/claims/withdrawal.ts';
import type { ReviewFacts, ReviewReason } from '../../programs/claims/withdrawal-review.ts';
import type { ReleaseApproval, SignedApproval } from '../ports/chain.ts';
import type {
  OpenedWithdrawal,
  WalletKind,
  WithdrawalDraft,
  WithdrawalTerms,
} from './wallet-ports.ts';

// Withdrawals in review, as stored in the database. Each method is one transaction and throws
// DatabaseError if the database does not respond.

/** The withdrawal whose account is asked about. */
export interface ReviewQuestion {
  readonly account: Address;
  readonly accountId: AccountId;
  readonly token: string;
  /** The withdrawal itself, if it has a row. */
  readonly id: string;
  /** The maximum of one instant release. */
  readonly instantMax: Amount;
}

/** What the database knows of the facts; the withdrawal itself does not count. */
export interface AccountFacts extends Omit<ReviewFacts, 'amount' | 'windowUsed'> {
  /** The token's other withdrawals, of all accounts, that the vault may still pay immediately. */
  readonly outstanding: Amount;
}

/** A withdrawal that is or was in review. */
export interface ReviewedWithdrawal extends WithdrawalTerms {
  readonly wallet: WalletKind;
  readonly status: WithdrawalStatus;
  /** Whether it sends back a deposit, which has never been part of a balance. */
  readonly isReturn: boolean;
  /** The nonce that it was signed for; null before. */
  readonly nonce: number | null;
  /** Null until it is approved. */
  readonly approval: ReleaseApproval | null;
}

/** A withdrawal that waits for approvers, or for its owner after them. */
export interface OpenReview extends ReviewedWithdrawal {
  readonly status: 'review' | 'approved';
  readonly reasons: readonly ReviewReason[];
  readonly createdAt: Date;
  readonly approvedBy: string | null;
  readonly approvedUntil: Date | null;
}

/** The signatures of the approvers, who handed them in, and until when they count. */
export interface GivenApproval {
  readonly approvals: readonly SignedApproval[];
  readonly by: string;
  readonly until: Date;
}

/** What waits for approvers; shown as metrics and watched by alarms. */
export interface ReviewBacklog {
  readonly count: number;
  /** Creation time of the oldest one that waits for approvers; null if none does. */
  readonly oldestAt: Date | null;
}

/** Reviews of withdrawals from both wallets. */
export interface WithdrawalReviewStore {
  /** What the database knows at this moment; amounts are of the token that is asked about. */
  loadFacts(question: ReviewQuestion): Promise<AccountFacts>;
  /** Called before the amount of a spot withdrawal is set aside. */
  open(terms: WithdrawalTerms, reasons: readonly ReviewReason[]): Promise<OpenedWithdrawal>;
  /** The amount of an opened withdrawal is set aside; false if it was given up meanwhile. */
  markReview(id: string): Promise<boolean>;
  /** Sends a perp withdrawal to review instead of signing it. False if it is not pending. */
  sendToReview(id: string, reasons: readonly ReviewReason[]): Promise<boolean>;
  /** Who had, since then, a deposit of the account credited that could not be. */
  listCreditors(account: Address, since: Date): Promise<readonly Address[]>;
  /** Null if the address has no such withdrawal that was in review. */
  find(address: Address, id: string): Promise<ReviewedWithdrawal | null>;
  /** Takes the slot for an approved withdrawal. */
  takeSlot(draft: WithdrawalDraft): Promise<SlotRejection | 'not_approved' | null>;
  /** Oldest first, up to a few hundred. */
  listOpen(): Promise<readonly OpenReview[]>;
  /** Null if it is neither in review nor approved. */
  findOpen(id: string): Promise<OpenReview | null>;
  /** False if it is not in review. */
  approve(id: string, approval: GivenApproval): Promise<boolean>;
  /** False if it is neither in review nor approved without a signature. */
  refuse(id: string, by: string, reason: string): Promise<boolean>;
  /** Ends what was approved and not signed in time. */
  lapse(): Promise<void>;
  /** Counts those that wait for approvers, not the approved ones. */
  loadBacklog(): Promise<ReviewBacklog>;
}
