import type { Amount } from '../../domain/amount.ts';
import type { Decimal } from '../../domain/decimal.ts';
import type { AccountId } from '../../domain/identifiers.ts';
import { type MicroUsdt, toMicroUsdt } from '../../domain/micro-usdt.ts';
import type { TradeSide } from './fee-value.ts';

// Who earns what of a trading fee (contract.md section 4). The trader's referrer earns the fee
// times its own rate: the agent's rate, or the sub_rate where the referrer is an affiliate. The
// affiliate's parent earns the spread: its own rate less the sub_rate. A suspended agent earns
// nothing. Every business line shares its fees by this one rule.

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

export type AgentStatus = 'active' | 'suspended';

export interface AgentTerms {
  readonly rebateRate: Decimal;
  readonly status: AgentStatus;
}

export interface Referral {
  readonly referrer: AccountId;
  /** Set where the account is its referrer's affiliate: the rate that is passed down to it. */
  readonly subRate: Decimal | null;
}

/** Who is bound to whom, and on which terms, at one moment. */
export interface ReferralRelations {
  findReferral(account: AccountId): Referral | null;
  findAgent(account: AccountId): AgentTerms | null;
}

export type EarningType = 'direct' | 'spread';

export interface Earning {
  readonly type: EarningType;
  readonly beneficiary: AccountId;
  /** Through whom it was earned: the trader, or the affiliate whose trader it was. */
  readonly source: AccountId;
  readonly rate: Decimal;
  readonly commission: MicroUsdt;
}

/** The earnings of one fee; none of them is zero, and together they never exceed it. */
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

/** The share of a fee that an account earns: what its parent passes down, else its own terms. */
export function ownRate(account: AccountId, relations: ReferralRelations): Decimal {
  const subRate = relations.findReferral(account)?.subRate ?? null;
  return subRate ?? relations.findAgent(account)?.rebateRate ?? zeroRate;
}

/** What is left to the parent of a rate that it passes down. */
export function spreadRate(parentRate: Decimal, subRate: Decimal): Decimal {
  return parentRate > subRate ? ((parentRate - subRate) as Decimal) : zeroRate;
}

const zeroRate = 0n as Decimal;

/** The commission on a fee, rounded down; the remainder stays with the house. */
export function commissionOf(feeValue: Amount, rate: Decimal): MicroUsdt {
  return toMicroUsdt((feeValue * rate) / unitsPerMicroUsdt);
}

// An amount counts 10^-8 and a rate 10^-18; commission counts 10^-6.
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
