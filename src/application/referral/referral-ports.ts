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

export interface CodeRequest {
  readonly account: Address;
  readonly code: string;
}

export interface BindingRequest {
  readonly trader: Address;
  readonly code: string;
}

export type BindingResult =
  | { readonly kind: 'bound'; readonly referrer: Address }
  | { readonly kind: 'refused'; readonly refusal: BindingRefusal };

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

export interface ReferralStore {
  /** The accounts named here must have rows in the database. */
  createCode(request: CodeRequest, moment: Moment): Promise<CodeRefusal | null>;
  bind(request: BindingRequest, moment: Moment): Promise<BindingResult>;
  unbind(trader: Address, moment: Moment): Promise<'not_bound' | null>;
  promote(request: SubRateRequest, moment: Moment): Promise<PromotionRefusal | null>;
  changeSubRate(request: SubRateRequest, moment: Moment): Promise<SubRateRefusal | null>;
  /** Writes an audit row. */
  changeAgent(change: AgentChange, moment: Moment): Promise<'account_not_found' | null>;
}

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

export interface ReferralState {
  readonly agent: AgentState | null;
  readonly binding: BindingState | null;
}

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

export interface Page {
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
}

export interface PageOf<T> {
  readonly items: readonly T[];
  readonly total: number;
}

export const referralLogTypes = [
  'create',
  'bind',
  'unbind',
  'promote',
  'sub_rate',
  'claim',
] as const;
export type ReferralLogType = (typeof referralLogTypes)[number];

export interface ReferralLog {
  readonly id: number;
  readonly type: ReferralLogType;
  readonly counterparty: Address | null;
  readonly code: string | null;
  readonly amount: MicroUsdt | null;
  readonly reference: string | null;
  readonly createdAt: Date;
}

export interface TraderFilter extends Page {
  readonly account: Address;
  /** A part of the trader's address in lowercase; empty matches all. */
  readonly search: string;
  /** Limits what is summed, not who is listed; null: all time. */
  readonly since: Date | null;
}

export interface LineSums {
  readonly feeValue: Amount;
  /** Settled on chain. */
  readonly commission: MicroUsdt;
}

export interface TraderRow {
  readonly address: Address;
  readonly boundAt: Date;
  readonly spot: LineSums;
  readonly futures: LineSums;
  readonly lastTradeAt: Date | null;
}

export interface AffiliateRow {
  readonly address: Address;
  readonly subRate: Decimal;
  readonly directTraders: number;
  readonly spot: LineSums;
  readonly futures: LineSums;
}

export interface ReferralReader {
  loadStanding(account: Address): Promise<ReferralState>;
  countDownline(account: Address): Promise<DownlineCounts>;
  countActiveTraders(account: Address, since: Date): Promise<number>;
  loadSums(account: Address): Promise<CommissionSums>;
  /** The days on which it earned something, newest first. */
  listEarnedDays(account: Address, since: Date): Promise<readonly EarnedDay[]>;
  listLogs(
    account: Address,
    type: ReferralLogType | null,
    page: Page,
  ): Promise<PageOf<ReferralLog>>;
  listTraders(filter: TraderFilter): Promise<PageOf<TraderRow>>;
  listAffiliates(account: Address, page: Page): Promise<PageOf<AffiliateRow>>;
}
