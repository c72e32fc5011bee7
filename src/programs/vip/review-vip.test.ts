import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toAmount } from '../../domain/amount.ts';
import type { TimestampMs } from '../../domain/identifiers.ts';
import {
  initialVipStanding,
  nextMidnight,
  overrideVip,
  reviewVip,
  type VipStanding,
} from './review-vip.ts';
import { vipTierOfVolume, vipTiers } from './vip-tiers.ts';

const at = (text: string): TimestampMs => Date.parse(text) as TimestampMs;
const millions = (count: number) => toAmount(BigInt(count) * 10n ** 14n);
const noon = at('2026-05-04T12:00:00Z');
const midnight = at('2026-05-05T00:00:00Z');
const vip3: VipStanding = { tier: 3, pending: null, override: null };

describe('judgeVip', () => {
  it('reviewVip: an upgrade applies immediately, over several tiers at once', () => {
    const { standing, change } = reviewVip(initialVipStanding, { now: noon, volume: millions(21) });
    expect(standing).toEqual({ tier: 3, pending: null, override: null });
    expect(change).toEqual({
      kind: 'upgrade_immediate',
      fromTier: 0,
      toTier: 3,
      effectiveAt: noon,
    });
  });

  it('reviewVip: a downgrade is buffered to the next UTC 00:00', () => {
    const { standing, change } = reviewVip(vip3, { now: noon, volume: millions(6) });
    expect(standing).toEqual({ tier: 3, pending: { tier: 2, at: midnight }, override: null });
    expect(change).toEqual({
      kind: 'downgrade_scheduled',
      fromTier: 3,
      toTier: 2,
      effectiveAt: midnight,
    });
  });

  it('reviewVip: a scheduled downgrade is published once, and again if it goes lower', () => {
    const { standing } = reviewVip(vip3, { now: noon, volume: millions(6) });
    expect(reviewVip(standing, { now: noon, volume: millions(6) }).change).toBeNull();
    const lower = reviewVip(standing, { now: noon, volume: millions(1) });
    expect(lower.standing.pending).toEqual({ tier: 1, at: midnight });
    expect(lower.change?.kind).toBe('downgrade_scheduled');
  });

  it('reviewVip: at midnight the downgrade applies, by the volume of that moment', () => {
    const { standing } = reviewVip(vip3, { now: noon, volume: millions(6) });
    const early = reviewVip(standing, {
      now: (midnight - 1) as TimestampMs,
      volume: millions(6),
    });
    expect(early.standing.tier).toBe(3);
    const applied = reviewVip(standing, { now: midnight, volume: millions(2) });
    expect(applied.standing).toEqual({ tier: 1, pending: null, override: null });
    expect(applied.change).toEqual({
      kind: 'downgrade_applied',
      fromTier: 3,
      toTier: 1,
      effectiveAt: midnight,
    });
  });

  it('reviewVip: a volume that recovers before midnight keeps the tier', () => {
    const { standing } = reviewVip(vip3, { now: noon, volume: millions(6) });
    const back = reviewVip(standing, { now: midnight, volume: millions(20) });
    expect(back).toEqual({ standing: vip3, change: null });
  });

  it('reviewVip: an override applies whatever the volume is', () => {
    const set = { tier: 4, pending: null, override: 4 };
    expect(reviewVip(set, { now: noon, volume: millions(0) })).toEqual({
      standing: set,
      change: null,
    });
    expect(reviewVip(set, { now: noon, volume: millions(600) }).standing.tier).toBe(4);
  });

  it('reviewVip: a tier falls only at or after midnight, and never lags behind the volume', () => {
    const step = fc.record({
      hours: fc.integer({ min: 0, max: 30 }),
      volume: fc.integer({ min: 0, max: 600 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let standing = initialVipStanding;
        let now = noon;
        for (const { hours, volume } of steps) {
          const before = standing;
          now = (now + hours * 3_600_000) as TimestampMs;
          const due = vipTierOfVolume(millions(volume)).level;
          ({ standing } = reviewVip(standing, { now, volume: millions(volume) }));
          expect(standing.tier).toBeGreaterThanOrEqual(due);
          if (standing.tier < before.tier) {
            expect(before.pending?.at ?? Number.POSITIVE_INFINITY).toBeLessThanOrEqual(now);
          }
          expect(standing.pending === null).toBe(standing.tier === due);
        }
      }),
    );
  });
});

describe('overrideVip', () => {
  it.each(vipTiers.map(({ level }) => level))(
    'overrideVip: VIP %i takes effect at once',
    (level) => {
      const { standing, change } = overrideVip(vip3, level, { now: noon, volume: millions(21) });
      expect(standing).toEqual({ tier: level, pending: null, override: level });
      const kind = level > 3 ? 'upgrade_immediate' : 'downgrade_applied';
      expect(change?.kind).toBe(level === 3 ? undefined : kind);
    },
  );

  it('overrideVip: null restores the tier of the volume at once', () => {
    const set = { tier: 5, pending: null, override: 5 };
    const { standing, change } = overrideVip(set, null, { now: noon, volume: millions(1) });
    expect(standing).toEqual({ tier: 1, pending: null, override: null });
    expect(change?.kind).toBe('downgrade_applied');
  });
});

describe('nextMidnight', () => {
  it('nextMidnight: midnight itself belongs to the day that begins', () => {
    expect(nextMidnight(midnight)).toBe(at('2026-05-06T00:00:00Z'));
    expect(nextMidnight((midnight - 1) as TimestampMs)).toBe(midnight);
  });
});
