import type { Amount } from '../../domain/amount.ts';
import type { TimestampMs } from '../../domain/identifiers.ts';
import { vipTierOfVolume } from './vip-tiers.ts';

// When an account's tier changes (interface.md, `vip_tier`): up as soon as the volume is reached;
// down at the UTC midnight after the volume fell short, unless it has recovered by then. An
// administrator's override replaces the volume and applies at once in both directions.

/** An account's tier, its pending downgrade and its override. */
export interface VipStanding {
  readonly tier: number;
  /** A lower tier that starts at a UTC midnight; null if none is pending. */
  readonly pending: VipDowngrade | null;
  /** Set by an administrator; null if the volume decides. */
  readonly override: number | null;
}

/** A pending downgrade: the lower tier and the UTC midnight at which it starts. */
interface VipDowngrade {
  readonly tier: number;
  readonly at: TimestampMs;
}

/** The kind of a tier change that the account is notified of. */
export type VipChangeKind = 'upgrade_immediate' | 'downgrade_scheduled' | 'downgrade_applied';

/** A tier change that the account is notified of. Tiers are 0 to 5. */
interface VipChange {
  readonly kind: VipChangeKind;
  readonly fromTier: number;
  readonly toTier: number;
  /** When the new tier starts to apply. */
  readonly effectiveAt: TimestampMs;
}

/** The result of judging a standing. */
export interface VipVerdict {
  readonly standing: VipStanding;
  /** Null if there is nothing to notify. */
  readonly change: VipChange | null;
}

/** The facts that decide a tier. */
export interface VipFacts {
  readonly now: TimestampMs;
  /** USDT traded in the last 14 days. */
  readonly volume: Amount;
}

const dayMs = 86_400_000;

export const initialVipStanding: VipStanding = { tier: 0, pending: null, override: null };

/** The first UTC midnight after the moment. */
export function nextMidnight(moment: TimestampMs): TimestampMs {
  return ((Math.floor(moment / dayMs) + 1) * dayMs) as TimestampMs;
}

/** Judges a standing by the time and the volume. */
export function reviewVip(standing: VipStanding, { now, volume }: VipFacts): VipVerdict {
  const { tier, pending, override } = standing;
  const due = override ?? vipTierOfVolume(volume).level;
  if (due > tier) return move(standing, due, now);
  if (due === tier) return { standing: { tier, pending: null, override }, change: null };
  if (override !== null) return move(standing, due, now);
  if (pending === null) return schedule(standing, { tier: due, at: nextMidnight(now) });
  if (now >= pending.at) return move(standing, due, now);
  if (pending.tier === due) return { standing, change: null };
  return schedule(standing, { tier: due, at: pending.at });
}

/**
 * Applies an administrator's override, from 0 to 5, or with null returns to the tier of the volume.
 * Takes effect at once.
 */
export function overrideVip(
  standing: VipStanding,
  override: number | null,
  { now, volume }: VipFacts,
): VipVerdict {
  const due = override ?? vipTierOfVolume(volume).level;
  const set = { ...standing, override };
  if (due === set.tier) return { standing: { ...set, pending: null }, change: null };
  return move(set, due, now);
}

function move(standing: VipStanding, tier: number, now: TimestampMs): VipVerdict {
  const kind = tier > standing.tier ? 'upgrade_immediate' : 'downgrade_applied';
  return {
    standing: { tier, pending: null, override: standing.override },
    change: { kind, fromTier: standing.tier, toTier: tier, effectiveAt: now },
  };
}

function schedule(standing: VipStanding, pending: VipDowngrade): VipVerdict {
  return {
    standing: { ...standing, pending },
    change: {
      kind: 'downgrade_scheduled',
      fromTier: standing.tier,
      toTier: pending.tier,
      effectiveAt: pending.at,
    },
  };
}
