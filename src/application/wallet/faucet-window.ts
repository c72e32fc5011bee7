import type { Address } from '../../domain/identifiers.ts';

const windowMs = 60_000;

/** Remembers which address drew which token in the last minute. In memory only. */
export class FaucetWindow {
  readonly #drawnAt = new Map<string, number>();

  /** Records the draw at this moment and returns 0, or returns the milliseconds left to wait. */
  take(address: Address, token: string, nowMs: number): number {
    this.#forgetBefore(nowMs - windowMs);
    const key = `${address} ${token}`;
    const drawnAt = this.#drawnAt.get(key);
    if (drawnAt !== undefined) return drawnAt + windowMs - nowMs;
    this.#drawnAt.set(key, nowMs);
    return 0;
  }

  /** Undoes a draw that failed. */
  release(address: Address, token: string): void {
    this.#drawnAt.delete(`${address} ${token}`);
  }

  #forgetBefore(momentMs: number): void {
    // Entries are ordered by time, so the first one that is kept ends the scan.
    for (const [key, drawnAt] of this.#drawnAt) {
      if (drawnAt > momentMs) return;
      this.#drawnAt.delete(key);
    }
  }
}
