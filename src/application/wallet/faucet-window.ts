import type { Address } from '../../domain/identifiers.ts';

const windowMs = 60_000;

/** Remembers who drew which token within the last minute. Kept in memory only. */
export class FaucetWindow {
  readonly #drawnAt = new Map<string, number>();

  /** Takes the draw at this moment, or says how many milliseconds are left to wait. */
  take(address: Address, token: string, nowMs: number): number {
    this.#forgetBefore(nowMs - windowMs);
    const key = `${address} ${token}`;
    const drawnAt = this.#drawnAt.get(key);
    if (drawnAt !== undefined) return drawnAt + windowMs - nowMs;
    this.#drawnAt.set(key, nowMs);
    return 0;
  }

  /** Gives the draw back where nothing came of it. */
  release(address: Address, token: string): void {
    this.#drawnAt.delete(`${address} ${token}`);
  }

  #forgetBefore(momentMs: number): void {
    // Entries stand in the order of their time, so the first one that is kept ends the search.
    for (const [key, drawnAt] of this.#drawnAt) {
      if (drawnAt > momentMs) return;
      this.#drawnAt.delete(key);
    }
  }
}
