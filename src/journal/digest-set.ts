import { digestPlace, type RequestDigest } from '../domain/request-digest.ts';

// A set in one flat array: hundreds of thousands of entries cost the garbage collector nothing.

const wordsEach = 4;
const capacityFirst = 1_024;
export const digestBytes = 4 * wordsEach;

/** A set of digests, regardless of their timestamps. */
export class DigestSet {
  #capacity: number;
  /** Four words each; an entry whose last word is 0 is empty. */
  #words: Int32Array;
  #used = 0;

  constructor(capacity: number = capacityFirst) {
    this.#capacity = capacity;
    this.#words = new Int32Array(capacity * wordsEach);
  }

  has(digest: RequestDigest): boolean {
    return this.#words[this.#find(digest) + 3] !== 0;
  }

  add(digest: RequestDigest): void {
    const at = this.#find(digest);
    if (this.#words[at + 3] !== 0) return;
    this.#words[at] = digest.first;
    this.#words[at + 1] = digest.second;
    this.#words[at + 2] = digest.third;
    this.#words[at + 3] = digest.fourth;
    this.#used += 1;
    if (this.#used * 2 > this.#capacity) this.#grow();
  }

  /** The digests one after the other, 16 bytes each. */
  encode(): Buffer {
    const encoded = Buffer.alloc(this.#used * digestBytes);
    let to = 0;
    for (let at = 0; at < this.#words.length; at += wordsEach) {
      if (this.#words[at + 3] === 0) continue;
      for (let word = 0; word < wordsEach; word += 1) {
        encoded.writeInt32LE(this.#words[at + word]!, to);
        to += 4;
      }
    }
    return encoded;
  }

  static decode(encoded: Buffer): DigestSet {
    const set = new DigestSet();
    for (let at = 0; at < encoded.length; at += digestBytes) {
      const [first, second] = [encoded.readInt32LE(at), encoded.readInt32LE(at + 4)];
      const [third, fourth] = [encoded.readInt32LE(at + 8), encoded.readInt32LE(at + 12)];
      set.add({ first, second, third, fourth, timestampMs: 0 });
    }
    return set;
  }

  // The offset of the digest, or of the empty entry that it would take.
  #find(digest: RequestDigest): number {
    const words = this.#words;
    const { first, second, third, fourth } = digest;
    for (let attempt = 0; ; attempt += 1) {
      const at = digestPlace(digest, attempt, this.#capacity) * wordsEach;
      if (words[at + 3] === 0) return at;
      const isSame =
        words[at] === first &&
        words[at + 1] === second &&
        words[at + 2] === third &&
        words[at + 3] === fourth;
      if (isSame) return at;
    }
  }

  #grow(): void {
    const grown = new DigestSet(this.#capacity * 2);
    const words = this.#words;
    for (let at = 0; at < words.length; at += wordsEach) {
      const [first, second] = [words[at]!, words[at + 1]!];
      const [third, fourth] = [words[at + 2]!, words[at + 3]!];
      if (fourth !== 0) grown.add({ first, second, third, fourth, timestampMs: 0 });
    }
    this.#capacity = grown.#capacity;
    this.#words = grown.#words;
  }
}
