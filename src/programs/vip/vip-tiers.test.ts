import { describe, expect, it } from 'vitest';
import { toAmount } from '../../domain/amount.ts';
import { getVipTier, nextVipVolume, vipTierOfVolume, vipTiers } from './vip-tiers.ts';

const usdt = (whole: number): bigint => BigInt(whole) * 10n ** 8n;

describe('vip tiers', () => {
  it('vipTiers: six tiers, 0 to 5, each cheaper than the one below', () => {
    expect(vipTiers.map(({ level }) => level)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(vipTiers.map(({ multiplierTenths }) => multiplierTenths)).toEqual([10, 9, 8, 7, 6, 5]);
    expect(vipTiers.map(({ volumeMin }) => volumeMin / 10n ** 14n)).toEqual([
      0n,
      1n,
      5n,
      20n,
      100n,
      500n,
    ]);
  });

  it.each([
    [0, 0],
    [999_999, 0],
    [1_000_000, 1],
    [4_999_999, 1],
    [5_000_000, 2],
    [20_000_000, 3],
    [100_000_000, 4],
    [499_999_999, 4],
    [500_000_000, 5],
    [9_000_000_000, 5],
  ])('vipTierOfVolume: %i USDT in 14 days is VIP %i', (volume, level) => {
    expect(vipTierOfVolume(toAmount(usdt(volume))).level).toBe(level);
  });

  it('vipTierOfVolume: the smallest unit below a threshold is the tier below', () => {
    expect(vipTierOfVolume(toAmount(usdt(1_000_000) - 1n)).level).toBe(0);
  });

  it('nextVipVolume: the threshold above, none above VIP 5', () => {
    expect(nextVipVolume(0)).toBe(usdt(1_000_000));
    expect(nextVipVolume(5)).toBeNull();
  });

  it('getVipTier: an unknown tier is a bug', () => {
    expect(() => getVipTier(6)).toThrow('0 to 5');
  });
});
