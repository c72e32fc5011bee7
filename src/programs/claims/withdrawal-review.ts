import type { Amount } from '../../domain/amount.ts';
import type { TimestampMs } from '../../domain/identifiers.ts';

// Which withdrawals two people look at before they are signed. The amount is set aside all the
// same; a review only delays, so each rule may be strict.

export type ReviewReason =
  | 'large_amount'
  | 'account_velocity'
  | 'recent_deposit'
  | 'recent_permission'
  | 'credited_balance'
  | 'vault_window';

/** Of one token, as the manifest has them. */
export interface ReviewLimits {
  /** `R`: from here on two people approve. */
  readonly approveFrom: Amount;
  /** `I` and `W`: the most of one instant release, and of all of them at once. */
  readonly instantMax: Amount;
  readonly windowMax: Amount;
}

export interface ReviewFacts {
  readonly amount: Amount;
  readonly now: TimestampMs;
  /** 0 to 5. */
  readonly vipTier: number;
  /** The account's other withdrawals of the token that were paid or may be. */
  readonly lastHour: Outflow;
  readonly lastDay: Outflow;
  /** When the account's first deposit was counted; null where it has none. */
  readonly firstDepositAt: TimestampMs | null;
  /** When its newest key with the permission to withdraw was made; null where it has none. */
  readonly withdrawKeyAt: TimestampMs | null;
  /** Whether an administrator credited the token. */
  readonly isCredited: boolean;
  /** How much of `W` instant releases have used up by now. */
  readonly windowUsed: Amount;
}

export interface Outflow {
  readonly count: number;
  readonly amount: Amount;
}

const dayMs = 86_400_000;
/** An account's withdrawals in 24 hours are at most this part of `W`, at the highest tiers. */
const accountPart = 10n;
/** From this tier on an account has all of it; each tier below has a fifth less. */
const fullTier = 4;
const tierParts = BigInt(fullTier) + 1n;
const hourPart = 2n;
const dayCounts = [10, 15, 20, 30, 40] as const;
const hourCountPart = 2;
/** Beyond four fifths of `W` only releases of up to a tenth of `I` go on by themselves. */
const busyPart = 5n;
const smallPart = 10n;

/** Why a withdrawal waits for two people; empty where it does not. */
export function findReviewReasons(facts: ReviewFacts, limits: ReviewLimits): ReviewReason[] {
  const reasons: ReviewReason[] = [];
  if (facts.amount >= limits.approveFrom) reasons.push('large_amount');
  if (isTooFast(facts, limits)) reasons.push('account_velocity');
  const { firstDepositAt, withdrawKeyAt, now } = facts;
  if (firstDepositAt === null || now - firstDepositAt < dayMs) reasons.push('recent_deposit');
  if (withdrawKeyAt !== null && now - withdrawKeyAt < dayMs) reasons.push('recent_permission');
  if (facts.isCredited) reasons.push('credited_balance');
  const isWindowBusy = facts.windowUsed * busyPart > limits.windowMax * (busyPart - 1n);
  if (isWindowBusy && facts.amount * smallPart > limits.instantMax) reasons.push('vault_window');
  return reasons;
}

function isTooFast(facts: ReviewFacts, { windowMax }: ReviewLimits): boolean {
  const tier = Math.min(facts.vipTier, fullTier);
  const dayMax = (windowMax * (BigInt(tier) + 1n)) / (accountPart * tierParts);
  const countMax = dayCounts[tier] ?? dayCounts[0];
  return (
    facts.lastDay.amount + facts.amount > dayMax ||
    facts.lastHour.amount + facts.amount > dayMax / hourPart ||
    facts.lastDay.count + 1 > countMax ||
    facts.lastHour.count + 1 > Math.floor(countMax / hourCountPart)
  );
}
