import { type Amount, toAmount } from '../../domain/amount.ts';
import { assert } from '../../domain/assert.ts';

// The VIP tiers (contract.md section 9): what an account traded in 14 days decides by how much the
// maker and taker rates of every futures market are multiplied for it.

export interface VipTier {
  /** 0 to 5. */
  readonly level: number;
  /** The 14-day volume from which on the tier counts, in USDT; inclusive. */
  readonly volumeMin: Amount;
  /** Multiplies the base rates, in tenths: 10 is no discount, 5 half. */
  readonly multiplierTenths: number;
}

const usdt = 10n ** 8n;
const million = 1_000_000n * usdt;

/** Every tier by its level. */
export const vipTiers: readonly VipTier[] = [
  { level: 0, volumeMin: toAmount(0n), multiplierTenths: 10 },
  { level: 1, volumeMin: toAmount(million), multiplierTenths: 9 },
  { level: 2, volumeMin: toAmount(5n * million), multiplierTenths: 8 },
  { level: 3, volumeMin: toAmount(20n * million), multiplierTenths: 7 },
  { level: 4, volumeMin: toAmount(100n * million), multiplierTenths: 6 },
  { level: 5, volumeMin: toAmount(500n * million), multiplierTenths: 5 },
];

const vipLevelMax = 5;

export function getVipTier(level: number): VipTier {
  const tier = vipTiers[level];
  assert(tier !== undefined, `a VIP tier is 0 to ${vipLevelMax}, not ${level}`);
  return tier;
}

/** The highest tier whose volume is reached. */
export function vipTierOfVolume(volume: Amount): VipTier {
  let reached = getVipTier(0);
  for (const tier of vipTiers) {
    if (volume >= tier.volumeMin) reached = tier;
  }
  return reached;
}

/** The volume at which the next tier begins; null above the highest. */
export function nextVipVolume(level: number): Amount | null {
  return vipTiers[level + 1]?.volumeMin ?? null;
}
