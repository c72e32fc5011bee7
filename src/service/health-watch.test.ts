import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type DiskSpace, HealthWatch } from './health-watch.ts';

const gigabyte = 1 << 30;
let nowMs: number;
let tick: () => void;
let space: DiskSpace | null;
let watch: HealthWatch;

beforeEach(() => {
  nowMs = 0;
  space = { freeBytes: 50 * gigabyte, totalBytes: 100 * gigabyte };
  watch = new HealthWatch({
    folder: '/journal',
    time: {
      monotonicMs: () => nowMs,
      every: (_periodMs, callback) => {
        tick = callback;
        return () => undefined;
      },
    },
    measure: async () => {
      if (space === null) throw new Error('ENOENT');
      return space;
    },
  });
});

/** Time passes in regular turns, and what was measured meanwhile is known. */
async function pass(ms: number): Promise<void> {
  for (const end = nowMs + ms; nowMs < end; ) {
    nowMs += 250;
    tick();
    await Promise.resolve();
  }
  await new Promise((resolve) => setImmediate(resolve));
}

describe('HealthWatch', () => {
  it('nothing is wrong with half of the disk free and regular turns', async () => {
    await pass(5_000);
    expect([watch.weakness, watch.freeRatio]).toEqual([null, 0.5]);
  });

  it('less than 5 % of the disk free: low, until there is more', async () => {
    space = { freeBytes: 4.9 * gigabyte, totalBytes: 100 * gigabyte };
    await pass(2_500);
    expect(watch.weakness).toBe('disk low');
    space = { freeBytes: 5.1 * gigabyte, totalBytes: 100 * gigabyte };
    await pass(2_500);
    expect(watch.weakness).toBeNull();
  });

  it('less than two segments free: low, whatever part of a small disk that is', async () => {
    space = { freeBytes: (128 << 20) - 1, totalBytes: gigabyte };
    await pass(2_500);
    expect(watch.weakness).toBe('disk low');
  });

  it('a folder that cannot be measured yet is no reason', async () => {
    space = null;
    await pass(2_500);
    expect([watch.weakness, watch.freeRatio]).toEqual([null, 1]);
  });

  it('a turn of more than a second: slow for ten seconds', async () => {
    await pass(1_000);
    nowMs += 1_300;
    tick();
    expect(watch.weakness).toBe('loop slow');
    await pass(9_500);
    expect(watch.weakness).toBe('loop slow');
    await pass(750);
    expect(watch.weakness).toBeNull();
  });

  it('the space of a real folder is measured', async () => {
    const real = new HealthWatch({ folder: '/' });
    await vi.waitUntil(() => real.freeRatio < 1, { interval: 20, timeout: 10_000 });
    expect(real.freeRatio).toBeGreaterThan(0);
    real.stop();
  });
});
