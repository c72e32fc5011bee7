import { createHash, timingSafeEqual } from 'node:crypto';

/** The administrator's key, stored and compared as a digest, so that comparisons leak no prefix. */
export class AdminKey {
  readonly #digest: Buffer | null;

  /** Null or empty: there is no administrator. */
  constructor(key: string | null) {
    this.#digest = key === null || key === '' ? null : digestOf(key);
  }

  get isConfigured(): boolean {
    return this.#digest !== null;
  }

  matches(given: string): boolean {
    return this.#digest !== null && timingSafeEqual(this.#digest, digestOf(given));
  }
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
