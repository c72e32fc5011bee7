import type { TimestampMs } from '../../domain/identifiers.ts';
import { nextVipVolume, vipTierOfVolume } from '../../programs/vip/vip-tiers.ts';
import { nextVolumeHour } from '../../programs/vip/vip-volume.ts';
import type { VipAccount } from './vip-ports.ts';

// Above the highest tier, and with an override, no volume raises the tier.
const unreachable = 1n << 100n;

/** How much more the account can trade before its tier can rise. */
export function missingVipVolume({ standing, volume14Days }: VipAccount): bigint {
  const next = nextVipVolume(vipTierOfVolume(volume14Days).level);
  if (next === null || standing.override !== null) return unreachable;
  return next - volume14Days;
}

/** When volumes can next fall and downgrades become due. */
export function nextVipReview(now: TimestampMs): TimestampMs {
  return nextVolumeHour(now);
}
