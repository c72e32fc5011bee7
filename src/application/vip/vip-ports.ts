import type { Amount } from '../../domain/amount.ts';
import type { AccountId, Address, TimestampMs } from '../../domain/identifiers.ts';
import type { VipChangeKind, VipStanding, VipVerdict } from '../../programs/vip/review-vip.ts';

/** The facts that decide an account's tier at a moment. */
export interface VipAccount {
  readonly accountId: AccountId;
  readonly standing: VipStanding;
  /** What it traded, in USDT. */
  readonly volume14Days: Amount;
  /** Whether it is bound to a referrer now. */
  readonly isReferred: boolean;
}

/** What fee-info shows of an account. */
export interface VipRecord {
  readonly standing: VipStanding;
  /** What it traded, in USDT. */
  readonly volume14Days: Amount;
  readonly volume30Days: Amount;
  /** The newest change included in the standing; 0 before the first. */
  readonly lastChangeId: number;
}

/** The tiers of all accounts; volumes cover the trades stored in the database. */
export interface VipStore {
  /** The given accounts, or those whose volume or referrer may change their fees (null). */
  list(accountIds: readonly AccountId[] | null, now: TimestampMs): Promise<readonly VipAccount[]>;
  /**
   * Changes one account's standing, one change at a time: what `decide` returns is stored and
   * notified together. If `decide` throws, nothing changes.
   */
  change(
    accountId: AccountId,
    now: TimestampMs,
    decide: (account: VipAccount) => Promise<VipVerdict>,
  ): Promise<void>;
  /** The standing and the volumes up to that moment; an account without trades has zero. */
  load(accountId: AccountId, now: TimestampMs): Promise<VipRecord>;
}

/** A change of an account's tier, done or scheduled. */
export interface VipTierChange {
  /** Increasing, so that no change is notified twice. */
  readonly id: number;
  readonly address: Address;
  readonly kind: VipChangeKind;
  /** Tiers are from 0 to 5. */
  readonly fromTier: number;
  readonly toTier: number;
  /** In USDT, as decimal text. */
  readonly volume14Days: string;
  readonly effectiveAt: TimestampMs;
}

/** Tier changes as they are written, driven by the database's notifications. */
export interface VipFeed {
  /**
   * Calls the listener with the address's changes from now on; returns the unsubscribe function.
   */
  subscribe(address: Address, listener: (changes: readonly VipTierChange[]) => void): () => void;
}
