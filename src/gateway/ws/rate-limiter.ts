export interface RateLimit {
  readonly burst: number;
  readonly perSecond: number;
}

/** A token bucket: full at first, refilled evenly. */
export class RateLimiter {
  readonly #limit: RateLimit;
  #tokens: number;
  #refilledAt: number;

  /** Times are in milliseconds of a monotonic clock. */
  constructor(limit: RateLimit, now: number) {
    this.#limit = limit;
    this.#tokens = limit.burst;
    this.#refilledAt = now;
  }

  /** Takes one token, or `amount` of them, if available; a refused request takes nothing. */
  take(now: number, amount = 1): boolean {
    const earned = ((now - this.#refilledAt) / 1000) * this.#limit.perSecond;
    this.#tokens = Math.min(this.#limit.burst, this.#tokens + earned);
    this.#refilledAt = now;
    if (this.#tokens < amount) return false;
    this.#tokens -= amount;
    return true;
  }
}
