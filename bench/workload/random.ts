/** xoshiro128** seeded from one number: the same stream on every machine. */
export class Random {
  private readonly state: Uint32Array;

  constructor(seed: number) {
    this.state = Uint32Array.of(seed >>> 0 || 1, 0x9e3779b9, 0x243f6a88, 0xb7e15162);
    for (let round = 0; round < 64; round += 1) this.nextBits();
  }

  /** The next 32 bits. */
  nextBits(): number {
    const [s0 = 0, s1 = 0, s2 = 0, s3 = 0] = this.state;
    const result = Math.imul(rotateLeft(Math.imul(s1, 5), 7), 9) >>> 0;
    const third = s2 ^ s0;
    const fourth = s3 ^ s1;
    this.state[1] = s1 ^ third;
    this.state[0] = s0 ^ fourth;
    this.state[2] = third ^ (s1 << 9);
    this.state[3] = rotateLeft(fourth, 11);
    return result;
  }

  /** From 0 inclusive to 1 exclusive. */
  nextFraction(): number {
    return this.nextBits() / 4_294_967_296;
  }

  /** A whole number from 0 inclusive to the limit exclusive. */
  nextBelow(limit: number): number {
    return (this.nextFraction() * limit) | 0;
  }

  nextBit(): number {
    return this.nextBits() >>> 31;
  }
}

function rotateLeft(value: number, by: number): number {
  return ((value << by) | (value >>> (32 - by))) >>> 0;
}
