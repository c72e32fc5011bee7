import type { Amount } from '../../domain/amount.ts';
import type { TimestampMs } from '../../domain/identifiers.ts';
import { vipTierOfVolume } from './vip-tiers.ts';

// When an account's tier changes (interface.md, `vip_tier`): upwards as soon as the volume is
// reached, downwards at the UTC midnight after the volume fell short, unless it has come back by
// then. What an administrator sets counts instead of the volume, and at once in both directions.

/** What is known of an account's tier. */
export interface VipStanding {
  readonly tier: number;
  /** A lower tier that begins at a UTC midnight; null where none is due. */
  readonly pending: VipDowngrade | null;
  /** Set by an administrator; null: the volume decides. */
  readonly override: number | null;
}

export interface VipDowngrade {
  readonly tier: number;
  readonly at: TimestampMs;
}

export type VipChangeKind = 'upgrade_immediate' | 'downgrade_scheduled' | 'downgrade_applied';

export interface VipChange {
  readonly kind: VipChangeKind;
  readonly fromTier: number;
  readonly toTier: number;
  /** When the tier counts. */
  readonly effectiveAt: TimestampMs;
}

export interface VipVerdict {
  readonly standing: VipStanding;
  /** Null where nothing is to be told. */
  readonly change: VipChange | null;
}

export interface VipFacts {
  readonly now: TimestampMs;
  /** USDT traded in the 14 days up to now. */
  readonly volume: Amount;
}

const dayMs = 86_400_000;

export const firstVipStanding: VipStanding = { tier: 0, pending: null, override: null };

/** The UTC midnight after the moment. */
export function nextMidnight(moment: TimestampMs): TimestampMs {
  return ((Math.floor(moment / dayMs) + 1) * dayMs) as TimestampMs;
}

/** What time and volume make of a standing. */
export function judgeVip(standing: VipStanding, { now, volume }: VipFacts): VipVerdict {
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
 * What an administrator's word makes of a standing, at once: a tier of its own, or with null the
 * one that the volume gives.
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
