import { expect, test } from 'vitest';
import { RequestLimiter } from './request-limiter.ts';

const limits = {
  requestWeightPerMinute: 10,
  ordersPerTenSeconds: 100,
  ordersPerMinute: 100,
  signInsPerMinute: 10,
  signingsPerMinute: 10,
};

test('limits: an address that continues although refused is banned for 2 minutes, then for 4, then for 8', () => {
  const clock = { now: 0 };
  const limiter = new RequestLimiter(limits, () => clock.now);
  for (const minutes of [2, 4, 8]) {
    let use = limiter.useWeight('10.0.0.1', 1);
    for (let request = 0; request < 200 && !use.isBanned; request += 1) {
      use = limiter.useWeight('10.0.0.1', 1);
    }
    expect(use).toMatchObject({ isBanned: true, retryAfterSeconds: minutes * 60 });
    // An order of weight 0 is no way around it, nor is another key.
    expect(limiter.useForOrder('10.0.0.1', 'key', 'account', 0)).toBeNull();
    expect(limiter.useWeight('10.0.0.2', 1)).toMatchObject({ isBanned: false });
    clock.now += minutes * 60_000;
    expect(limiter.useWeight('10.0.0.1', 1)).toMatchObject({
      isBanned: false,
      retryAfterSeconds: null,
    });
    clock.now += 60_000;
  }
});

test('limits: an address that waits for Retry-After is never banned', () => {
  const clock = { now: 0 };
  const limiter = new RequestLimiter(limits, () => clock.now);
  for (let request = 0; request < 5_000; request += 1) {
    const { retryAfterSeconds, isBanned } = limiter.useWeight('10.0.0.1', 1);
    expect(isBanned).toBe(false);
    clock.now += (retryAfterSeconds ?? 0) * 1_000;
  }
});
