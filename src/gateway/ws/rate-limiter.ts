export interface RateLimit {
  readonly burst: number;
  readonly perSecond: number;
}

/** A token bucket: full at first, refilled evenly. */
export class RateLimiter {
  readonly #limit: RateLimit;
  #tokens: number;
  #refilledAt: number;

  /** Times are in milliseconds of a clock that never falls. */
  constructor(limit: RateLimit, now: number) {
    this.#limit = limit;
    this.#tokens = limit.burst;
    this.#refilledAt = now;
  }

  /** Whether one more is allowed now. */
  take(now: number): boolean {
    const earned = ((now - this.#refilledAt) / 1000) * this.#limit.perSecond;
    this.#tokens = Math.min(this.#limit.burst, this.#tokens + earned);
    this.#refilledAt = now;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
