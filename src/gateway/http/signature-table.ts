// A map from signatures to numbers in three flat arrays: a million entries cost the garbage
// collector nothing. 96 bits of a signature tell requests apart, since nobody can choose them.

const wordDigits = 8;
const words = 3;
const capacityFirst = 4_096;

/** Numbers by signature; the numbers are not 0. */
export class SignatureTable {
  #capacity = capacityFirst;
  #keys = new Int32Array(capacityFirst * words);
  /** 0: the slot is empty. */
  #values = new Int32Array(capacityFirst);
  #used = 0;

  /** The signature's number; 0 where it has none. */
  get(signature: string): number {
    return this.#values[this.#slotOf(signature)] ?? 0;
  }

  set(signature: string, value: number): void {
    let slot = this.#slotOf(signature);
    if (this.#values[slot] === 0) {
      if (this.#used * 2 >= this.#capacity) {
        this.#grow();
        slot = this.#slotOf(signature);
      }
      this.#used += 1;
      for (let word = 0; word < words; word += 1) {
        this.#keys[slot * words + word] = readWord(signature, word * wordDigits);
      }
    }
    this.#values[slot] = value;
  }

  /** The slot of the signature, or the empty one where it would go. */
  #slotOf(signature: string): number {
    const first = readWord(signature, 0);
    const second = readWord(signature, wordDigits);
    const third = readWord(signature, 2 * wordDigits);
    const mask = this.#capacity - 1;
    for (let slot = first & mask; ; slot = (slot + 1) & mask) {
      if (this.#values[slot] === 0) return slot;
      const at = slot * words;
      const isSame =
        this.#keys[at] === first && this.#keys[at + 1] === second && this.#keys[at + 2] === third;
      if (isSame) return slot;
    }
  }

  #grow(): void {
    const [keys, values] = [this.#keys, this.#values];
    this.#capacity *= 2;
    this.#keys = new Int32Array(this.#capacity * words);
    this.#values = new Int32Array(this.#capacity);
    const mask = this.#capacity - 1;
    for (let old = 0; old < values.length; old += 1) {
      const value = values[old] ?? 0;
      if (value === 0) continue;
      let slot = (keys[old * words] ?? 0) & mask;
      while (this.#values[slot] !== 0) slot = (slot + 1) & mask;
      this.#values[slot] = value;
      for (let word = 0; word < words; word += 1) {
        this.#keys[slot * words + word] = keys[old * words + word] ?? 0;
      }
    }
  }
}

const digitNine = 57;
const digitZero = 48;
const letterOffset = 87;

// Eight lowercase hex digits as a signed number of 32 bits.
function readWord(hex: string, start: number): number {
  let value = 0;
  for (let index = start; index < start + wordDigits; index += 1) {
    const code = hex.charCodeAt(index);
    value = (value << 4) | (code <= digitNine ? code - digitZero : code - letterOffset);
  }
  return value;
}
