// A map from signatures to numbers in one flat array: a million entries cost the garbage collector
// nothing, and an entry is found within one cache line. 96 bits of a signature distinguish
// requests, since nobody can choose them.

const wordDigits = 8;
const wordsEach = 3;
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
  get(signature: string): number {
    return this.#entries[this.#find(signature) + valueAt] ?? 0;
  }

  set(signature: string, value: number): void {
    let at = this.#find(signature);
    if (this.#entries[at + valueAt] === 0) {
      if (this.#used * 2 >= this.#capacity) {
        this.#grow();
        at = this.#find(signature);
      }
      this.#used += 1;
      for (let word = 0; word < wordsEach; word += 1) {
        this.#entries[at + word] = readWord(signature, word * wordDigits);
      }
    }
    this.#entries[at + valueAt] = value;
  }

  /** The position of the signature's entry, or of the empty one that it would use. */
  #find(signature: string): number {
    const entries = this.#entries;
    const first = readWord(signature, 0);
    const second = readWord(signature, wordDigits);
    const third = readWord(signature, 2 * wordDigits);
    const end = this.#capacity * entrySize;
    for (let at = this.#startOf(first); ; at = at + entrySize === end ? 0 : at + entrySize) {
      if (entries[at + valueAt] === 0) return at;
      const isSame =
        entries[at] === first && entries[at + 1] === second && entries[at + 2] === third;
      if (isSame) return at;
    }
  }

  #startOf(first: number): number {
    return (first & (this.#capacity - 1)) * entrySize;
  }

  #grow(): void {
    const old = this.#entries;
    this.#capacity *= 2;
    const entries = new Int32Array(this.#capacity * entrySize);
    for (let from = 0; from < old.length; from += entrySize) {
      if (old[from + valueAt] === 0) continue;
      let at = this.#startOf(old[from] ?? 0);
      while (entries[at + valueAt] !== 0) at = (at + entrySize) % entries.length;
      for (let word = 0; word < entrySize; word += 1) entries[at + word] = old[from + word] ?? 0;
    }
    this.#entries = entries;
  }
}

const digitNine = 57;
const digitZero = 48;
const letterOffset = 87;

// Eight lowercase hex digits as a signed 32-bit number.
function readWord(hex: string, start: number): number {
  let value = 0;
  for (let index = start; index < start + wordDigits; index += 1) {
    const code = hex.charCodeAt(index);
    value = (value << 4) | (code <= digitNine ? code - digitZero : code - letterOffset);
  }
  return value;
}
