import type { Decimal } from '../../domain/decimal.ts';
import { isReferralCode } from './referral-code.ts';
import type { AgentStatus } from './share-fee.ts';

// What the referral program refuses. Each check follows the order of its error table (interface.md,
// errors of the referral endpoints; contract.md section 4).

/** Why a referral code cannot be created. */
export type CodeRefusal = 'code_malformed' | 'code_taken' | 'code_already_created';
/** Why an account cannot be bound to a code. */
export type BindingRefusal = 'code_not_found' | 'self_referral' | 'already_bound' | 'cycle';
/** Why a trader cannot become an affiliate. */
export type PromotionRefusal =
  | 'self_assignment'
  | 'sub_rate_exceeds_own'
  | 'account_not_found'
  | 'target_not_agent'
  | 'target_not_direct_trader'
  | 'already_affiliate';
/** Why an affiliate's rate cannot be changed. */
export type SubRateRefusal = 'sub_rate_exceeds_own' | 'affiliate_not_found';

/** Any refusal of the referral program. */
export type ReferralRefusal =
  | CodeRefusal
  | BindingRefusal
  | 'not_bound'
  | PromotionRefusal
  | SubRateRefusal;

/** The facts about a code that an account wants to create. */
export interface CodeFacts {
  readonly code: string;
  readonly isTaken: boolean;
  readonly hasCode: boolean;
}

/** The first reason to refuse a new code; null if it can be created. */
export function checkCode({ code, isTaken, hasCode }: CodeFacts): CodeRefusal | null {
  if (!isReferralCode(code)) return 'code_malformed';
  if (isTaken) return 'code_taken';
  return hasCode ? 'code_already_created' : null;
}

/** The facts about binding a trader to a code. */
export interface BindingFacts {
  readonly isCodeKnown: boolean;
  readonly isOwnCode: boolean;
  readonly isBound: boolean;
  /** Whether the trader referred the code's owner, directly or through any number of others. */
  readonly isOwnerBelowTrader: boolean;
}

/** The first reason to refuse a binding; null if it is allowed. */
export function checkBinding(facts: BindingFacts): BindingRefusal | null {
  if (!facts.isCodeKnown) return 'code_not_found';
  if (facts.isOwnCode) return 'self_referral';
  if (facts.isBound) return 'already_bound';
  return facts.isOwnerBelowTrader ? 'cycle' : null;
}

/** The facts about promoting a trader to an affiliate. Rates are shares of a fee, 0 to 1. */
export interface PromotionFacts {
  readonly isSelf: boolean;
  readonly subRate: Decimal;
  /** The caller's own rate, which is the maximum that it can pass down. */
  readonly ownRate: Decimal;
  readonly isRegistered: boolean;
  /** The target's agent status; null unless it has become an agent by creating a code. */
  readonly agentStatus: AgentStatus | null;
  readonly isBoundToCaller: boolean;
  readonly isAffiliate: boolean;
}

/** The first reason to refuse a promotion; null if it is allowed. */
export function checkPromotion(facts: PromotionFacts): PromotionRefusal | null {
  if (facts.isSelf) return 'self_assignment';
  if (isBeyondOwn(facts)) return 'sub_rate_exceeds_own';
  if (!facts.isRegistered) return 'account_not_found';
  if (facts.agentStatus !== 'active') return 'target_not_agent';
  if (!facts.isBoundToCaller) return 'target_not_direct_trader';
  return facts.isAffiliate ? 'already_affiliate' : null;
}

/** The facts about changing an affiliate's rate. Rates are shares of a fee, 0 to 1. */
export interface SubRateFacts {
  readonly subRate: Decimal;
  readonly ownRate: Decimal;
  /** Whether the target is an affiliate of the caller. */
  readonly isAffiliate: boolean;
}

/** The first reason to refuse a new rate; null if it is allowed. */
export function checkSubRate(facts: SubRateFacts): SubRateRefusal | null {
  if (isBeyondOwn(facts)) return 'sub_rate_exceeds_own';
  return facts.isAffiliate ? null : 'affiliate_not_found';
}

function isBeyondOwn({ subRate, ownRate }: Pick<SubRateFacts, 'subRate' | 'ownRate'>): boolean {
  return subRate < 0n || subRate > ownRate;
}
