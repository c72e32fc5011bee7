import type { Address } from '../../domain/identifiers.ts';
import type { MicroUsdt } from '../../domain/micro-usdt.ts';
import type { Claim, ClaimFacts, ClaimStatus } from '../../programs/claims/claim.ts';
import type { ClaimRejection } from '../../programs/claims/create-claim.ts';
import type { Page, PageOf } from './referral-ports.ts';

// What the claim use cases need from the database. Each write is one transaction that decides by
// the pure rules of programs/claims, under a lock on the account that settlement and redemptions
// also take.

export type { Claim, ClaimFacts, ClaimStatus } from '../../programs/claims/claim.ts';

/** A claim order and the account that it pays. */
export interface OwnedClaim {
  readonly account: Address;
  readonly claim: Claim;
}

/** A claim order with its times; `finishedAt` is null while it is open. */
export interface ListedClaim extends OwnedClaim {
  readonly appliedAt: Date;
  readonly finishedAt: Date | null;
}

/** The order as it stands after a request, or why the request is refused. */
export type ClaimResult =
  | { readonly kind: 'claimed'; readonly claim: Claim }
  | { readonly kind: 'refused'; readonly refusal: ClaimRejection['reason'] };

/** The terms of a new claim order; its amount is all free commission. */
export interface NewClaim {
  readonly account: Address;
  readonly claimNo: string;
  /** The account's current nonce in the contract. */
  readonly chainNonce: number;
  /** Unix seconds. */
  readonly deadline: number;
  readonly minimum: MicroUsdt;
}

/** Reopens a failed order with another nonce of the contract; the deadline is in Unix seconds. */
export interface ClaimRetry {
  readonly account: Address;
  readonly claimNo: string;
  readonly chainNonce: number;
  readonly deadline: number;
}

/** A signature requested without an order. */
export interface StandaloneVoucher {
  readonly account: Address;
  readonly amount: MicroUsdt;
  readonly nonce: number;
  readonly deadline: number;
}

/** Commission whose settlement has failed. */
export interface FailedSettlement {
  readonly account: Address;
  readonly commission: MicroUsdt;
  readonly earnings: number;
  /** The error of the newest failed attempt. */
  readonly error: string;
}

/** The commission that is settled again, or why there is none. */
export type SettlementRetry =
  | { readonly kind: 'retried'; readonly commission: MicroUsdt }
  | { readonly kind: 'refused'; readonly refusal: SettlementRetryRefusal };

/** Why an account's settlement is not retried: it has none that failed, or one is being sent. */
export type SettlementRetryRefusal =
  | 'account_not_found'
  | 'settlement_not_failed'
  | 'settlement_under_way';

/** Commission that three attempts could not settle on chain; it waits for an administrator. */
export interface FailedSettlements {
  /** By account, the longest known first. */
  list(page: Page): Promise<PageOf<FailedSettlement>>;
  /** Grants three more attempts for an administrator, and writes an audit row. */
  retry(account: Address): Promise<SettlementRetry>;
}

/** What the use cases of failed settlements require. */
export interface FailedSettlementPorts {
  readonly failedSettlements: FailedSettlements;
}

/** Claim orders in the database; throws DatabaseError if the database does not respond. */
export interface ClaimStore {
  /** What decides whether the account may claim; an address without an account has nothing. */
  loadFacts(account: Address): Promise<ClaimFacts>;
  /** Creates an order of all free commission. */
  create(claim: NewClaim, time: Date): Promise<ClaimResult>;
  /** Erases an order whose signature was never made. */
  erase(account: Address, claimNo: string, time: Date): Promise<void>;
  /** Null if there is no such order. */
  find(claimNo: string): Promise<OwnedClaim | null>;
  /** Reopens a failed order for an administrator, and writes an audit row. */
  retry(retry: ClaimRetry, time: Date): Promise<ClaimResult>;
  /** Records a signature that was given out, for people who look into a redemption. */
  recordVoucher(voucher: StandaloneVoucher, time: Date): Promise<void>;
  /** When the account's latest claim was redeemed. */
  findLastFinish(account: Address): Promise<Date | null>;
  /** Newest first. */
  list(account: Address, page: Page): Promise<PageOf<ListedClaim>>;
  /** Of all accounts, newest first; null: in any state. */
  listAll(status: ClaimStatus | null, page: Page): Promise<PageOf<ListedClaim>>;
}
