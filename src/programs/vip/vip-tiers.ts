import { type Amount, toAmount } from '../../domain/amount.ts';
import { assert } from '../../domain/assert.ts';

// The VIP tiers (contract.md section 9). The 14-day volume of an account decides its tier, which
// multiplies the maker and taker rates of every futures market.

/** What a VIP tier requires, and the discount on fees that it gives. */
export interface VipTier {
  /** 0 to 5. */
  readonly level: number;
  /** The 14-day volume in USDT that the tier requires; inclusive. */
  readonly volumeMin: Amount;
  /** Multiplier of the base rates in tenths: 10 is no discount, 5 is half. */
  readonly multiplierTenths: number;
}

const usdt = 10n ** 8n;
const million = 1_000_000n * usdt;

/** The tiers, indexed by level. */
export const vipTiers: readonly VipTier[] = [
  { level: 0, volumeMin: toAmount(0n), multiplierTenths: 10 },
  { level: 1, volumeMin: toAmount(million), multiplierTenths: 9 },
  { level: 2, volumeMin: toAmount(5n * million), multiplierTenths: 8 },
  { level: 3, volumeMin: toAmount(20n * million), multiplierTenths: 7 },
  { level: 4, volumeMin: toAmount(100n * million), multiplierTenths: 6 },
  { level: 5, volumeMin: toAmount(500n * million), multiplierTenths: 5 },
];

const vipLevelMax = 5;

/** The tier of a level. Throws an AssertionError unless the level is 0 to 5. */
export function getVipTier(level: number): VipTier {
  const tier = vipTiers[level];
  assert(tier !== undefined, `a VIP tier is 0 to ${vipLevelMax}, not ${level}`);
  return tier;
}

/** The highest tier that a 14-day volume in USDT reaches. */
export function vipTierOfVolume(volume: Amount): VipTier {
  let reached = getVipTier(0);
  for (const tier of vipTiers) {
    if (volume >= tier.volumeMin) reached = tier;
  }
  return reached;
}

/** The volume in USDT that the next tier requires; null for the highest level. */
export function nextVipVolume(level: number): Amount | null {
  return vipTiers[level + 1]?.volumeMin ?? null;
}
