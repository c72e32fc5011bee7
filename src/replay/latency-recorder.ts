export interface LatencySummary {
  readonly count: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly max: number;
}

/** Keeps every measured time, so that percentiles are exact. */
export class LatencyRecorder {
  readonly #times: number[] = [];

  add(elapsedMs: number): void {
    this.#times.push(elapsedMs);
  }

  /** Nearest-rank percentiles in milliseconds; all zero if nothing was measured. */
  summarize(): LatencySummary {
    const sorted = Float64Array.from(this.#times).sort();
    const rank = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
    return { count: sorted.length, p50: rank(0.5), p90: rank(0.9), p99: rank(0.99), max: rank(1) };
  }
}
