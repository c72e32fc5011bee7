import { describe, expect, it } from 'vitest';
import type { TimestampMs } from '../../domain/identifiers.ts';
import { nextVolumeHour, volumeHour, volumeWindowStart } from './vip-volume.ts';

const at = (text: string): TimestampMs => Date.parse(text) as TimestampMs;

describe('rolling volume', () => {
  it('volumeWindowStart: the current hour and those before it make whole days', () => {
    const now = at('2026-05-15T10:30:00Z');
    expect(volumeHour(now)).toBe(at('2026-05-15T10:00:00Z'));
    expect(volumeWindowStart(now, 14)).toBe(at('2026-05-01T11:00:00Z'));
    expect(volumeWindowStart(now, 30)).toBe(at('2026-04-15T11:00:00Z'));
  });

  it('nextVolumeHour: a volume can decrease at full hours only', () => {
    expect(nextVolumeHour(at('2026-05-15T10:00:00Z'))).toBe(at('2026-05-15T11:00:00Z'));
    expect(nextVolumeHour(at('2026-05-15T10:59:59.999Z'))).toBe(at('2026-05-15T11:00:00Z'));
  });
});
