import type { Amount } from '../../domain/amount.ts';
import type { AccountId, Address, TimestampMs } from '../../domain/identifiers.ts';
import type { VipChangeKind, VipStanding, VipVerdict } from '../../programs/vip/judge-vip.ts';

/** What decides an account's tier at a moment. */
export interface VipAccount {
  readonly accountId: AccountId;
  readonly standing: VipStanding;
  /** Traded in 14 days, in USDT. */
  readonly volume: Amount;
  /** Bound to a referrer now. */
  readonly isReferred: boolean;
}

/** What fee-info shows of an account. */
export interface VipRecord {
  readonly standing: VipStanding;
  readonly volume14Days: Amount;
  readonly volume30Days: Amount;
  /** The newest change that the standing holds; 0 before the first. */
  readonly lastChangeId: number;
}

/** The tiers of all accounts; volumes are those of the trades that the database holds. */
export interface VipStore {
  /** The accounts named, or those whose volume or referrer may make their fees others (null). */
  list(accountIds: readonly AccountId[] | null, now: TimestampMs): Promise<readonly VipAccount[]>;
  /**
   * Changes one account's standing, one change of it at a time: what is decided of the facts is
   * kept and told together. Whatever `decide` throws leaves everything as it was.
   */
  change(
    accountId: AccountId,
    now: TimestampMs,
    decide: (account: VipAccount) => Promise<VipVerdict>,
  ): Promise<void>;
  load(accountId: AccountId, now: TimestampMs): Promise<VipRecord>;
}

/** A change of an account's tier, done or scheduled. */
export interface VipTierChange {
  /** Rising, so that one is never told twice. */
  readonly id: number;
  readonly address: Address;
  readonly kind: VipChangeKind;
  readonly fromTier: number;
  readonly toTier: number;
  /** In 14 days, in USDT, as a decimal text. */
  readonly volume: string;
  readonly effectiveAt: TimestampMs;
}

/** Changes of tiers as they are written, driven by the database's notifications. */
export interface VipFeed {
  /** Calls the listener with the address's changes from now on; returns its end. */
  subscribe(address: Address, listener: (changes: readonly VipTierChange[]) => void): () => void;
}
