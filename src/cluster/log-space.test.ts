import type { JetStreamAccountStats, StreamInfo } from '@nats-io/jetstream';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { LogSpace } from './log-space.ts';

describe('the space of the log', () => {
  let now: number;
  let storage: number;
  let accountMax: number | undefined;
  let isAway: boolean;
  const getAccountInfo = vi.fn(async () => {
    if (isAway) throw new Error('the server is away');
    return { storage, limits: { max_storage: accountMax } } as JetStreamAccountStats;
  });
  let space: LogSpace;

  beforeEach(() => {
    now = 5;
    storage = 0;
    accountMax = -1;
    isAway = false;
    getAccountInfo.mockClear();
    space = new LogSpace({ getAccountInfo }, { monotonicMs: () => now });
  });

  async function note(bytes: number, max: number): Promise<void> {
    space.note({ state: { bytes }, config: { max_bytes: max } } as StreamInfo);
    await Promise.allSettled(getAccountInfo.mock.results.map(({ value }) => value as unknown));
  }

  it('is unknown without a limit', async () => {
    expect(space.usedRatio).toBeNull();
    await note(50, -1);
    expect(space.usedRatio).toBeNull();
    accountMax = 0;
    now += 10_000;
    await note(50, 0);
    expect(space.usedRatio).toBeNull();
    accountMax = undefined;
    now += 10_000;
    await note(50, -1);
    expect(space.usedRatio).toBeNull();
  });

  it('is that of the stream, or of its account, where only one has a limit', async () => {
    await note(50, 200);
    expect(space.usedRatio).toBe(0.25);
    now += 10_000;
    [storage, accountMax] = [90, 100];
    await note(50, -1);
    expect(space.usedRatio).toBe(0.9);
  });

  it('is that of the nearest limit', async () => {
    [storage, accountMax] = [40, 100];
    await note(50, 200);
    expect(space.usedRatio).toBe(0.4);
    await note(150, 200);
    expect(space.usedRatio).toBe(0.75);
  });

  it('of the account is asked for every ten seconds, whether the server answers or not', async () => {
    [storage, accountMax] = [40, 100];
    await note(0, -1);
    now += 9_999;
    await note(0, -1);
    expect(getAccountInfo).toHaveBeenCalledTimes(1);
    now += 1;
    isAway = true;
    await note(0, -1);
    expect(getAccountInfo).toHaveBeenCalledTimes(2);
    expect(space.usedRatio).toBe(0.4);
    await note(0, -1);
    expect(getAccountInfo).toHaveBeenCalledTimes(2);
    now += 10_000;
    isAway = false;
    storage = 60;
    await note(0, -1);
    expect(space.usedRatio).toBe(0.6);
  });
});
