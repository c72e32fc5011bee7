import type { Amount } from '../../domain/amount.ts';
import type { TimestampMs } from '../../domain/identifiers.ts';

// Decides which withdrawals two people review before they are signed. The amount is set aside in
// any case; a review only delays, so each rule can be strict.

/** The rule that requires a review. */
export type ReviewReason =
  | 'large_amount'
  | 'account_velocity'
  | 'recent_deposit'
  | 'recent_permission'
  | 'credited_balance'
  | 'vanished_deposit'
  | 'vault_window'
  /** It sends back a deposit that could not be credited. */
  | 'returned_deposit';

/** The limits of one token, from the manifest. */
export interface ReviewLimits {
  /** `R`: withdrawals of at least this amount are approved by two people. */
  readonly approveFrom: Amount;
  /** `I` and `W`: the maximum of one instant release, and of all of them within the window. */
  readonly instantMax: Amount;
  readonly windowMax: Amount;
}

/** The facts about a withdrawal and its account that decide on a review. */
export interface ReviewFacts {
  readonly amount: Amount;
  readonly now: TimestampMs;
  /** 0 to 5. */
  readonly vipTier: number;
  /** The account's other withdrawals that were paid or can be paid. */
  readonly lastHour: Outflow;
  readonly lastDay: Outflow;
  /** When the account's first deposit was counted; null if it has none. */
  readonly firstDepositAt: TimestampMs | null;
  /** When its newest key with the withdrawal permission was created; null if it has none. */
  readonly withdrawKeyAt: TimestampMs | null;
  /** Whether an administrator credited the account, whose balance may be from that by trading. */
  readonly isCredited: boolean;
  /** Whether the chain has taken back a deposit that was credited to the account. */
  readonly hasVanishedDeposit: boolean;
  /** The part of `W` that instant releases have used so far. */
  readonly windowUsed: Amount;
}

/** The number of withdrawals in a period, of any token, and the sum of those of the token. */
export interface Outflow {
  readonly count: number;
  readonly amount: Amount;
}

const dayMs = 86_400_000;
/** At the highest tiers an account can withdraw a tenth of `W` in 24 hours. */
const accountPart = 10n;
/** From this tier on an account has all of it; each tier below has one fifth less. */
const fullTier = 4;
const tierParts = BigInt(fullTier) + 1n;
const hourPart = 2n;
const dayCounts = [10, 15, 20, 30, 40] as const;
const hourCountPart = 2;
/**
 * When more than four fifths of `W` are used, only releases of up to a tenth of `I` skip review.
 */
const busyPart = 5n;
const smallPart = 10n;

/** Returns the rules that require a review of a withdrawal; empty if there are none. */
export function findReviewReasons(facts: ReviewFacts, limits: ReviewLimits): ReviewReason[] {
  const reasons: ReviewReason[] = [];
  if (facts.amount >= limits.approveFrom) reasons.push('large_amount');
  if (isTooFast(facts, limits)) reasons.push('account_velocity');
  const { firstDepositAt, withdrawKeyAt, now } = facts;
  if (firstDepositAt === null || now - firstDepositAt < dayMs) reasons.push('recent_deposit');
  if (withdrawKeyAt !== null && now - withdrawKeyAt < dayMs) reasons.push('recent_permission');
  if (facts.isCredited) reasons.push('credited_balance');
  if (facts.hasVanishedDeposit) reasons.push('vanished_deposit');
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
