// The delays that the interface recommends for a busy engine, then some for a longer recovery.
const busyWaitsMs = [200, 400, 800, 1600, 3200, 5000];
const restartWaitMs = 2000;
const limitedWaitMs = 1000;
const limitedTriesMax = 120;

/** Why a request can be sent again later. */
export type RetryCause = 'limited' | 'busy' | 'restarting';

/** The retries of one request. */
export class Retries {
  #busyCount = 0;
  #limitedCount = 0;

  /** Milliseconds to wait before the next attempt; null if there is none. */
  next(cause: RetryCause, retryAfterMs: number | null = null): number | null {
    if (cause === 'limited') {
      this.#limitedCount += 1;
      return this.#limitedCount > limitedTriesMax ? null : (retryAfterMs ?? limitedWaitMs);
    }
    const waitMs = busyWaitsMs[this.#busyCount];
    if (waitMs === undefined) return null;
    this.#busyCount += 1;
    return cause === 'busy' ? waitMs : restartWaitMs;
  }
}
