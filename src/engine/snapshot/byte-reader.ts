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

  readByte(): number {
    return this.view.getUint8(this.advance(1));
  }

  readUint32(): number {
    return this.view.getUint32(this.advance(4), true);
  }

  readNumber(): number {
    return this.view.getFloat64(this.advance(8), true);
  }

  readAmount(): bigint {
    return this.view.getBigInt64(this.advance(8), true);
  }

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
