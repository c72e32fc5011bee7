import type { Amount } from '../../domain/amount.ts';
import type { Decimal } from '../../domain/decimal.ts';
import type { Address, Sequence } from '../../domain/identifiers.ts';
import type { MicroUsdt } from '../../domain/micro-usdt.ts';
import type {
  BindingRefusal,
  CodeRefusal,
  PromotionRefusal,
  SubRateRefusal,
} from '../../programs/referral/referral-refusal.ts';
import type { AgentStatus } from '../../programs/referral/share-fee.ts';

export type { ReferralRefusal } from '../../programs/referral/referral-refusal.ts';

// What the referral use cases need from the database. Every write is one transaction that judges
// the facts under its locks, by the pure rules of programs/referral.

/**
 * The moment of a change: the clock's time, and the last durable command, after which it applies.
 */
export interface Moment {
  readonly time: Date;
  readonly durable: Sequence;
}

/** Creates an invitation code of the account. */
export interface CodeRequest {
  readonly account: Address;
  readonly code: string;
}

/** Binds a trader to the owner of a code. */
export interface BindingRequest {
  readonly trader: Address;
  readonly code: string;
}

/** The referrer that the trader is bound to, or why it is not bound. */
export type BindingResult =
  | { readonly kind: 'bound'; readonly referrer: Address }
  | { readonly kind: 'refused'; readonly refusal: BindingRefusal };

/** Sets the share of a fee, 0 to 1, that the caller leaves to an affiliate. */
export interface SubRateRequest {
  readonly caller: Address;
  readonly target: Address;
  readonly subRate: Decimal;
}

/** Null keeps the value; a tier without a rate sets the tier's own rate. */
export interface AgentChange {
  readonly account: Address;
  readonly tierLevel: number | null;
  readonly rebateRate: Decimal | null;
  readonly status: AgentStatus | null;
}

/** Changes of codes, bindings and agents; each returns why it is refused, or null. */
export interface ReferralStore {
  /** The accounts named here must have rows in the database. */
  createCode(request: CodeRequest, moment: Moment): Promise<CodeRefusal | null>;
  /** The trader must not be bound yet. */
  bind(request: BindingRequest, moment: Moment): Promise<BindingResult>;
  /** Ends the binding of a trader to its referrer. */
  unbind(trader: Address, moment: Moment): Promise<'not_bound' | null>;
  /** Makes a direct trader of the caller's an affiliate with the rate. */
  promote(request: SubRateRequest, moment: Moment): Promise<PromotionRefusal | null>;
  /** Changes the rate of an affiliate of the caller. */
  changeSubRate(request: SubRateRequest, moment: Moment): Promise<SubRateRefusal | null>;
  /** Writes an audit row. */
  changeAgent(change: AgentChange, moment: Moment): Promise<'account_not_found' | null>;
}

/** An agent's terms: `tierLevel` is 0 to 4, `rebateRate` a share of a fee from 0 to 1. */
export interface AgentState {
  /** Null for an agent that exists only by an administrator's setting. */
  readonly code: string | null;
  readonly tierLevel: number;
  readonly rebateRate: Decimal;
  readonly status: AgentStatus;
}

interface BindingState {
  readonly referrer: Address;
  readonly code: string;
  readonly boundAt: Date;
  /** Set for an affiliate of its referrer. */
  readonly subRate: Decimal | null;
}

/**
 * What an account is in the program: an agent, a referred trader, both (an affiliate) or neither.
 */
export interface ReferralState {
  readonly agent: AgentState | null;
  readonly binding: BindingState | null;
}

/** How many accounts are bound now, directly and through affiliates. */
export interface DownlineCounts {
  readonly traders: number;
  readonly affiliates: number;
  /** All accounts bound to the affiliates. */
  readonly affiliatesTraders: number;
}

/** Sums of an account's commission, by its source and by its state. */
export interface CommissionSums {
  readonly spotDirect: MicroUsdt;
  readonly futuresDirect: MicroUsdt;
  readonly spread: MicroUsdt;
  /** Waiting for settlement on chain. */
  readonly unsynced: MicroUsdt;
  readonly failed: MicroUsdt;
  readonly claimable: MicroUsdt;
  readonly claimed: MicroUsdt;
}

/** What an account earned on a UTC day. */
export interface EarnedDay {
  /** For example 2026-01-05. */
  readonly day: string;
  readonly spotDirect: MicroUsdt;
  readonly futuresDirect: MicroUsdt;
  readonly spread: MicroUsdt;
}

/** Which page of a list to read. */
export interface Page {
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
}

/** A page, and the number of entries on all pages. */
export interface PageOf<T> {
  readonly items: readonly T[];
  readonly total: number;
}

/** What is written into the log of an account, in the order of the interface. */
export const referralLogTypes = [
  'create',
  'bind',
  'unbind',
  'promote',
  'sub_rate',
  'claim',
] as const;
/** One of `referralLogTypes`. */
export type ReferralLogType = (typeof referralLogTypes)[number];

/** An entry of the log of an account; null fields do not apply to its type. */
export interface ReferralLog {
  readonly id: number;
  readonly type: ReferralLogType;
  readonly counterparty: Address | null;
  readonly code: string | null;
  readonly amount: MicroUsdt | null;
  readonly reference: string | null;
  readonly createdAt: Date;
}

/** Which of an agent's direct traders to list. */
export interface TraderFilter extends Page {
  readonly account: Address;
  /** A part of the trader's address in lowercase; empty matches all. */
  readonly search: string;
  /** Limits what is summed, not who is listed; null: all time. */
  readonly since: Date | null;
}

/** Sums over one business line: fees in USDT, and the commission that they earned. */
export interface LineSums {
  readonly feeValue: Amount;
  /** Settled on chain. */
  readonly commission: MicroUsdt;
}

/** A trader bound to the agent, with the fees it paid since the given time. */
export interface TraderRow {
  readonly address: Address;
  readonly boundAt: Date;
  readonly spot: LineSums;
  readonly futures: LineSums;
  readonly lastTradeAt: Date | null;
}

/** An affiliate of the agent, with the fees of its traders and the spread that they earned. */
export interface AffiliateRow {
  readonly address: Address;
  readonly subRate: Decimal;
  readonly directTraders: number;
  readonly spot: LineSums;
  readonly futures: LineSums;
}

/** Reads the program; an address without an account has empty results. */
export interface ReferralReader {
  /** What the account is in the program now. */
  loadStanding(account: Address): Promise<ReferralState>;
  /** Counts those that are bound now. */
  countDownline(account: Address): Promise<DownlineCounts>;
  /** Counts the direct traders that have traded since then. */
  countActiveTraders(account: Address, since: Date): Promise<number>;
  /** All-time sums. */
  loadSums(account: Address): Promise<CommissionSums>;
  /** The days on which it earned something, newest first. */
  listEarnedDays(account: Address, since: Date): Promise<readonly EarnedDay[]>;
  /** Newest first; null: of all types. */
  listLogs(
    account: Address,
    type: ReferralLogType | null,
    page: Page,
  ): Promise<PageOf<ReferralLog>>;
  /** Traders that are no affiliates, the latest binding first. */
  listTraders(filter: TraderFilter): Promise<PageOf<TraderRow>>;
  /** The latest binding first. */
  listAffiliates(account: Address, page: Page): Promise<PageOf<AffiliateRow>>;
}
