import { digestPlace, type RequestDigest } from '../../domain/request-digest.ts';

// A map from signed requests to numbers in one flat array: a million entries cost the garbage
// collector nothing, and most are found within one cache line. 96 bits of a signature distinguish
// requests: nobody can choose all of them.

/** An entry: three words of the signature, then its number; 0 if the entry is empty. */
const entrySize = 4;
const valueAt = 3;
const capacityFirst = 4_096;

/** Numbers by signature; the numbers are never 0. */
export class SignatureTable {
  #capacity = capacityFirst;
  #entries = new Int32Array(capacityFirst * entrySize);
  #used = 0;

  /** The signature's number; 0 if it has none. */
  get(digest: RequestDigest): number {
    return this.#entries[this.#find(digest) + valueAt] ?? 0;
  }

  set(digest: RequestDigest, value: number): void {
    let at = this.#find(digest);
    if (this.#entries[at + valueAt] === 0) {
      if (this.#used * 2 >= this.#capacity) {
        this.#grow();
        at = this.#find(digest);
      }
      this.#used += 1;
      this.#entries[at] = digest.first;
      this.#entries[at + 1] = digest.second;
      this.#entries[at + 2] = digest.third;
    }
    this.#entries[at + valueAt] = value;
  }

  /** The position of the signature's entry, or of the empty one that it would use. */
  #find(digest: RequestDigest): number {
    const entries = this.#entries;
    const { first, second, third } = digest;
    for (let attempt = 0; ; attempt += 1) {
      const at = digestPlace(digest, attempt, this.#capacity) * entrySize;
      if (entries[at + valueAt] === 0) return at;
      const isSame =
        entries[at] === first && entries[at + 1] === second && entries[at + 2] === third;
      if (isSame) return at;
    }
  }

  #grow(): void {
    const old = this.#entries;
    this.#capacity *= 2;
    const entries = new Int32Array(this.#capacity * entrySize);
    for (let from = 0; from < old.length; from += entrySize) {
      if (old[from + valueAt] === 0) continue;
      const words = { first: old[from] ?? 0, second: old[from + 1] ?? 0 };
      let at = digestPlace(words, 0, this.#capacity) * entrySize;
      for (let attempt = 1; entries[at + valueAt] !== 0; attempt += 1) {
        at = digestPlace(words, attempt, this.#capacity) * entrySize;
      }
      for (let word = 0; word < entrySize; word += 1) entries[at + word] = old[from + word] ?? 0;
    }
    this.#entries = entries;
  }
}
