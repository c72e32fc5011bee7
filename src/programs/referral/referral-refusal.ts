import type { Decimal } from '../../domain/decimal.ts';
import { isReferralCode } from './referral-code.ts';
import type { AgentStatus } from './share-fee.ts';

// What the referral program refuses, each judgement in the order of its error table (interface.md,
// errors of the referral endpoints; contract.md section 4).

export type CodeRefusal = 'code_malformed' | 'code_taken' | 'code_already_created';
export type BindingRefusal = 'code_not_found' | 'self_referral' | 'already_bound' | 'cycle';
export type PromotionRefusal =
  | 'self_assignment'
  | 'sub_rate_exceeds_own'
  | 'account_not_found'
  | 'target_not_agent'
  | 'target_not_direct_trader'
  | 'already_affiliate';
export type SubRateRefusal = 'sub_rate_exceeds_own' | 'affiliate_not_found';

/** Why the program refuses something. */
export type ReferralRefusal =
  | CodeRefusal
  | BindingRefusal
  | 'not_bound'
  | PromotionRefusal
  | SubRateRefusal;

export interface CodeFacts {
  readonly code: string;
  readonly isTaken: boolean;
  readonly hasCode: boolean;
}

export function judgeCode({ code, isTaken, hasCode }: CodeFacts): CodeRefusal | null {
  if (!isReferralCode(code)) return 'code_malformed';
  if (isTaken) return 'code_taken';
  return hasCode ? 'code_already_created' : null;
}

export interface BindingFacts {
  readonly isCodeKnown: boolean;
  readonly isOwnCode: boolean;
  readonly isBound: boolean;
  /** Whether the code's owner is, over however many steps, referred by the trader. */
  readonly isOwnerBelowTrader: boolean;
}

export function judgeBinding(facts: BindingFacts): BindingRefusal | null {
  if (!facts.isCodeKnown) return 'code_not_found';
  if (facts.isOwnCode) return 'self_referral';
  if (facts.isBound) return 'already_bound';
  return facts.isOwnerBelowTrader ? 'cycle' : null;
}

export interface PromotionFacts {
  readonly isSelf: boolean;
  readonly subRate: Decimal;
  /** The caller's own rate: what it may pass down at most. */
  readonly ownRate: Decimal;
  readonly isRegistered: boolean;
  /** The target's status as an agent, who is one by having created a code; else null. */
  readonly agentStatus: AgentStatus | null;
  readonly isBoundToCaller: boolean;
  readonly isAffiliate: boolean;
}

export function judgePromotion(facts: PromotionFacts): PromotionRefusal | null {
  if (facts.isSelf) return 'self_assignment';
  if (isBeyondOwn(facts)) return 'sub_rate_exceeds_own';
  if (!facts.isRegistered) return 'account_not_found';
  if (facts.agentStatus !== 'active') return 'target_not_agent';
  if (!facts.isBoundToCaller) return 'target_not_direct_trader';
  return facts.isAffiliate ? 'already_affiliate' : null;
}

export interface SubRateFacts {
  readonly subRate: Decimal;
  readonly ownRate: Decimal;
  /** Whether the target is an affiliate of the caller. */
  readonly isAffiliate: boolean;
}

export function judgeSubRate(facts: SubRateFacts): SubRateRefusal | null {
  if (isBeyondOwn(facts)) return 'sub_rate_exceeds_own';
  return facts.isAffiliate ? null : 'affiliate_not_found';
}

function isBeyondOwn({ subRate, ownRate }: Pick<SubRateFacts, 'subRate' | 'ownRate'>): boolean {
  return subRate < 0n || subRate > ownRate;
}
