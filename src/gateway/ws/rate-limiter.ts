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
    this.#refill(now);
    if (this.#tokens < amount) return false;
    this.#tokens -= amount;
    return true;
  }

  /** Takes what has been used already: as a debt if need be, of one burst at most. */
  charge(now: number, amount: number): void {
    this.#refill(now);
    this.#tokens = Math.max(this.#tokens - amount, 0 - this.#limit.burst);
  }

  #refill(now: number): void {
    const earned = ((now - this.#refilledAt) / 1000) * this.#limit.perSecond;
    this.#tokens = Math.min(this.#limit.burst, this.#tokens + earned);
    this.#refilledAt = now;
  }
}
