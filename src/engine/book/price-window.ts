const ticksPerWord = 32;
const ticksPerGroup = 1024;

/**
 * The levels of a fixed range of consecutive prices, one entry per tick, with two layers of bitmaps
 * above them that find the next occupied tick in a few steps. Positions count from the window's
 * first price; entries are level slots.
 */
export class PriceWindow {
  readonly span: number;
  count = 0;
  /** Each entry is the level's slot + 1, so that 0 means empty. */
  private readonly entries: Int32Array;
  /** One bit per tick, and one bit per word of those. */
  private readonly words: Int32Array;
  private readonly groups: Int32Array;

  constructor(span: number) {
    this.span = span;
    this.entries = new Int32Array(span);
    // An extra word in each, always empty, lets a search start just above the window.
    this.words = new Int32Array(span / ticksPerWord + 1);
    this.groups = new Int32Array(span / ticksPerGroup + 1);
  }

  /** The level slot at the position, or -1. */
  get(position: number): number {
    return (this.entries[position] as number) - 1;
  }

  /** Occupies a position that was empty. */
  set(position: number, slot: number): void {
    this.entries[position] = slot + 1;
    const word = position >> 5;
    (this.words[word] as number) |= 1 << (position & 31);
    (this.groups[word >> 5] as number) |= 1 << (word & 31);
    this.count += 1;
  }

  /** Empties an occupied position. */
  clear(position: number): void {
    this.entries[position] = 0;
    const word = position >> 5;
    const rest = (this.words[word] as number) & ~(1 << (position & 31));
    this.words[word] = rest;
    if (rest === 0) (this.groups[word >> 5] as number) &= ~(1 << (word & 31));
    this.count -= 1;
  }

  /** The highest occupied position below the given one (at most the span), or -1. */
  lower(position: number): number {
    let word = position >> 5;
    const below = (this.words[word] as number) & ((1 << (position & 31)) - 1);
    if (below !== 0) return word * ticksPerWord + highestBit(below);
    let group = word >> 5;
    let words = (this.groups[group] as number) & ((1 << (word & 31)) - 1);
    while (words === 0) {
      group -= 1;
      if (group < 0) return -1;
      words = this.groups[group] as number;
    }
    word = group * ticksPerWord + highestBit(words);
    return word * ticksPerWord + highestBit(this.words[word] as number);
  }

  /** The lowest occupied position above the given one (at least -1), or -1. */
  higher(position: number): number {
    const first = position + 1;
    if (first >= this.span) return -1;
    let word = first >> 5;
    const above = (this.words[word] as number) & (-1 << (first & 31));
    if (above !== 0) return word * ticksPerWord + lowestBit(above);
    let group = word >> 5;
    const bit = word & 31;
    let words = bit === 31 ? 0 : (this.groups[group] as number) & (-1 << (bit + 1));
    while (words === 0) {
      group += 1;
      if (group >= this.groups.length) return -1;
      words = this.groups[group] as number;
    }
    word = group * ticksPerWord + lowestBit(words);
    return word * ticksPerWord + lowestBit(this.words[word] as number);
  }
}

function highestBit(bits: number): number {
  return 31 - Math.clz32(bits);
}

function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}
