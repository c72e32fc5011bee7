import type { Amount } from '../../domain/amount.ts';
import type { Decimal } from '../../domain/decimal.ts';
import type { AccountId } from '../../domain/identifiers.ts';
import { type MicroUsdt, toMicroUsdt } from '../../domain/micro-usdt.ts';
import type { TradeSide } from './fee-value.ts';

// How a trading fee is shared (contract.md section 4). The trader's referrer earns the fee times
// its rate: the agent's rate, or the sub_rate if the referrer is an affiliate. The affiliate's
// parent earns the spread, its own rate less the sub_rate. A suspended agent earns nothing. Every
// business line uses this rule.

/** The part of the exchange that charged a fee. */
export type BusinessLine = 'spot' | 'futures';

/** A fee that one side of a trade paid. */
export interface PaidFee {
  readonly businessLine: BusinessLine;
  readonly tradeNumber: number;
  readonly side: TradeSide;
  readonly payer: AccountId;
  /** In USDT. */
  readonly value: Amount;
}

/** An agent's state; a suspended agent earns nothing. */
export type AgentStatus = 'active' | 'suspended';

/** The terms of an agent; rebateRate is a share of a fee, 0 to 1. */
export interface AgentTerms {
  readonly rebateRate: Decimal;
  readonly status: AgentStatus;
}

/** An account's binding to its referrer. */
export interface Referral {
  readonly referrer: AccountId;
  /** The share of a fee that the referrer passes down, 0 to 1, to an affiliate; null to others. */
  readonly subRate: Decimal | null;
}

/** The bindings and agent terms at one moment. */
export interface ReferralRelations {
  /** Who referred the account; null if nobody did. */
  findReferral(account: AccountId): Referral | null;
  /** The account's terms as an agent; null if it is none. */
  findAgent(account: AccountId): AgentTerms | null;
}

/** How commission was earned: from a direct referee's fee, or as a parent's spread. */
export type EarningType = 'direct' | 'spread';

/** One account's commission on one fee. */
export interface Earning {
  readonly type: EarningType;
  readonly beneficiary: AccountId;
  /**
   * The account through which it was earned: the trader, or the affiliate that referred the trader.
   */
  readonly source: AccountId;
  /** The share of the fee, 0 to 1. */
  readonly rate: Decimal;
  readonly commission: MicroUsdt;
}

/** The earnings from one fee. None is zero, and their sum never exceeds the fee. */
export function shareFee(fee: PaidFee, relations: ReferralRelations): readonly Earning[] {
  const referral = relations.findReferral(fee.payer);
  if (referral === null) return [];
  const { referrer } = referral;
  const above = relations.findReferral(referrer);
  const direct = earn(fee, relations, {
    type: 'direct',
    beneficiary: referrer,
    source: fee.payer,
    rate: ownRate(referrer, relations),
  });
  const spread =
    above === null || above.subRate === null
      ? []
      : earn(fee, relations, {
          type: 'spread',
          beneficiary: above.referrer,
          source: referrer,
          rate: spreadRate(ownRate(above.referrer, relations), above.subRate),
        });
  return [...direct, ...spread];
}

/**
 * The share of a fee that an account earns, 0 to 1: the rate that its parent passes down, or
 * otherwise its agent rate.
 */
export function ownRate(account: AccountId, relations: ReferralRelations): Decimal {
  const subRate = relations.findReferral(account)?.subRate ?? null;
  return subRate ?? relations.findAgent(account)?.rebateRate ?? zeroRate;
}

/** The share that a parent keeps of its rate after passing down a part; never negative. */
export function spreadRate(parentRate: Decimal, subRate: Decimal): Decimal {
  return parentRate > subRate ? ((parentRate - subRate) as Decimal) : zeroRate;
}

const zeroRate = 0n as Decimal;

/** The commission on a fee in USDT, rounded down; the remainder stays with the exchange. */
export function commissionOf(feeValue: Amount, rate: Decimal): MicroUsdt {
  return toMicroUsdt((feeValue * rate) / unitsPerMicroUsdt);
}

// An amount counts 10^-8, a rate 10^-18 and commission 10^-6.
const unitsPerMicroUsdt = 10n ** 20n;

function earn(
  fee: PaidFee,
  relations: ReferralRelations,
  share: Omit<Earning, 'commission'>,
): readonly Earning[] {
  if (relations.findAgent(share.beneficiary)?.status !== 'active') return [];
  const commission = commissionOf(fee.value, share.rate);
  return commission > 0n ? [{ ...share, commission }] : [];
}
