import { assert } from '../../domain/assert.ts';
import { stateVersion } from './state-format.ts';

/** Reads what a ByteWriter has written. @throws AssertionError when reading past the end. */
export class ByteReader {
  /** The version of the format being read. */
  version = stateVersion;
  private readonly view: DataView;
  private offset = 0;

  constructor(bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get isAtEnd(): boolean {
    return this.offset === this.view.byteLength;
  }

  /** A whole number from 0 to 255. Every read throws AssertionError beyond the end. */
  readByte(): number {
    return this.view.getUint8(this.advance(1));
  }

  /** A whole number below 2^32. */
  readUint32(): number {
    return this.view.getUint32(this.advance(4), true);
  }

  /** A whole number up to 2^53. */
  readNumber(): number {
    return this.view.getFloat64(this.advance(8), true);
  }

  /** A signed 64-bit integer. */
  readAmount(): bigint {
    return this.view.getBigInt64(this.advance(8), true);
  }

  /** A text that `writeText` wrote. */
  readText(): string {
    const header = this.readUint32();
    const isWide = header % 2 === 1;
    const length = Math.floor(header / 2);
    const start = this.advance(isWide ? length * 2 : length);
    const letters: string[] = [];
    for (let at = 0; at < length; at += 1) {
      const code = isWide
        ? this.view.getUint16(start + at * 2, true)
        : this.view.getUint8(start + at);
      letters.push(String.fromCharCode(code));
    }
    return letters.join('');
  }

  /** A text or null that `writeTextOrNull` wrote. */
  readTextOrNull(): string | null {
    return this.readByte() === 0 ? null : this.readText();
  }

  private advance(size: number): number {
    const start = this.offset;
    assert(start + size <= this.view.byteLength, 'the saved state ends too early');
    this.offset = start + size;
    return start;
  }
}
