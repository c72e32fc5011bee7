const capacityMin = 65_536;

/** Appends numbers and texts to a growing byte array, little endian. */
export class ByteWriter {
  private bytes = new Uint8Array(capacityMin);
  private view = new DataView(this.bytes.buffer);
  private length = 0;

  /** A whole number from 0 to 255. */
  writeByte(value: number): void {
    this.reserve(1);
    this.view.setUint8(this.length, value);
    this.length += 1;
  }

  /** A whole number below 2^32. */
  writeUint32(value: number): void {
    this.reserve(4);
    this.view.setUint32(this.length, value, true);
    this.length += 4;
  }

  /** A whole number up to 2^53. */
  writeNumber(value: number): void {
    this.reserve(8);
    this.view.setFloat64(this.length, value, true);
    this.length += 8;
  }

  /** A signed 64-bit integer. */
  writeAmount(value: bigint): void {
    this.reserve(8);
    this.view.setBigInt64(this.length, value, true);
    this.length += 8;
  }

  /** One byte per character if all characters fit, otherwise two. */
  writeText(text: string): void {
    const isWide = hasWideLetter(text);
    this.writeUint32(text.length * 2 + (isWide ? 1 : 0));
    this.reserve(text.length * 2);
    for (let at = 0; at < text.length; at += 1) {
      const letter = text.charCodeAt(at);
      if (isWide) this.view.setUint16(this.length, letter, true);
      else this.view.setUint8(this.length, letter);
      this.length += isWide ? 2 : 1;
    }
  }

  /** A text, or the mark of a missing one. */
  writeTextOrNull(text: string | null): void {
    this.writeByte(text === null ? 0 : 1);
    if (text !== null) this.writeText(text);
  }

  /** A copy of the bytes written so far. */
  finish(): Uint8Array {
    return this.bytes.slice(0, this.length);
  }

  private reserve(size: number): void {
    if (this.length + size <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(this.bytes.length * 2, this.length + size));
    grown.set(this.bytes);
    this.bytes = grown;
    this.view = new DataView(grown.buffer);
  }
}

function hasWideLetter(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    if (text.charCodeAt(at) > 0xff) return true;
  }
  return false;
}
