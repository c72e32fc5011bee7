/** Hashes whole numbers to 32 pseudorandom bits, the same on every machine. */
export function mix(...values: readonly number[]): number {
  let hash = 0x811c9dc5;
  for (const value of values) {
    hash = Math.imul(hash ^ (value >>> 0), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    hash ^= hash >>> 16;
  }
  return hash >>> 0;
}

function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return hash >>> 0;
}

/** A stream of random numbers for one purpose, which draws for other purposes do not change. */
export class Draws {
  #state: number;

  constructor(seed: number, purpose: string) {
    this.#state = mix(seed, hashText(purpose));
  }

  /** From 0 inclusive to 1 exclusive (mulberry32). */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number from 0 inclusive to the limit exclusive. */
  below(limit: number): number {
    return Math.floor(this.fraction() * limit);
  }

  between(low: number, high: number): number {
    return low + this.fraction() * (high - low);
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)]!;
  }

  hex(bytes: number): string {
    let text = '';
    for (let at = 0; at < bytes; at += 1) text += this.below(256).toString(16).padStart(2, '0');
    return text;
  }
}
