import { Buffer } from 'node:buffer';
import { assert } from '../domain/assert.ts';

// An order's row has thirty fields, so the cost per field matters: each is written byte by byte
// into the buffer that is sent, without intermediate texts.

/** Maximum length of a number, a moment or null, with the separator behind it. */
const shortBytesMax = 32;
const digitsPerPart = 9;
const partUnit = 10 ** digitsPerPart;
const bytesPerUnitMax = 3;

const newline = 10;
const tabulator = 9;
const carriageReturn = 13;
const backslash = 92;
const upperN = 78;
const digitZero = 48;
const asciiEnd = 128;

/** Rows in the text format of COPY. */
export class CopyText {
  #bytes: Buffer;
  #at = 0;
  #time = -1;
  #timeText = '';

  constructor(bytesExpected: number) {
    this.#bytes = Buffer.allocUnsafeSlow(bytesExpected);
  }

  /** The bytes written so far. */
  get data(): Buffer {
    return this.#bytes.subarray(0, this.#at);
  }

  null(): void {
    this.#reserve(shortBytesMax);
    this.#bytes[this.#at] = backslash;
    this.#bytes[this.#at + 1] = upperN;
    this.#at += 2;
  }

  /** A non-negative whole number. */
  integer(value: number): void {
    assert(Number.isSafeInteger(value) && value >= 0, 'a stored count is whole and not negative');
    this.#reserve(shortBytesMax);
    if (value < partUnit) {
      this.#digits(value, countDigits(value));
      return;
    }
    const low = value % partUnit;
    const high = (value - low) / partUnit;
    this.#digits(high, countDigits(high));
    this.#digits(low, digitsPerPart);
  }

  /** ASCII letters, digits and signs that have no meaning in COPY. */
  word(text: string): void {
    this.#reserve(text.length + 1);
    const bytes = this.#bytes;
    const start = this.#at;
    for (let index = 0; index < text.length; index += 1) {
      bytes[start + index] = text.charCodeAt(index);
    }
    this.#at = start + text.length;
  }

  /** Any text. */
  text(text: string): void {
    if (isPlain(text)) return this.word(text);
    const escaped = text.replace(/[\\\n\r\t]/g, escapeCharacter);
    this.#reserve(escaped.length * bytesPerUnitMax + 1);
    this.#at += this.#bytes.write(escaped, this.#at, 'utf8');
  }

  /** A moment in milliseconds since 1970. */
  time(milliseconds: number): void {
    // The rows of a batch share few different milliseconds.
    if (milliseconds !== this.#time) {
      this.#time = milliseconds;
      this.#timeText = new Date(milliseconds).toISOString();
    }
    this.word(this.#timeText);
  }

  endField(): void {
    this.#bytes[this.#at] = tabulator;
    this.#at += 1;
  }

  /** Replaces the separator after the row's last field. */
  endRow(): void {
    this.#bytes[this.#at - 1] = newline;
  }

  #digits(value: number, count: number): void {
    const bytes = this.#bytes;
    let rest = value;
    for (let at = this.#at + count - 1; at >= this.#at; at -= 1) {
      const tens = Math.floor(rest / 10);
      bytes[at] = digitZero + rest - tens * 10;
      rest = tens;
    }
    this.#at += count;
  }

  // Also reserves one byte for the separator after the field.
  #reserve(count: number): void {
    if (this.#at + count <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(2 * this.#bytes.length + count);
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
  }
}

function countDigits(value: number): number {
  let count = 1;
  for (let bound = 10; value >= bound; bound *= 10) count += 1;
  return count;
}

function isPlain(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code >= asciiEnd || code === backslash) return false;
    if (code === newline || code === tabulator || code === carriageReturn) return false;
  }
  return true;
}

function escapeCharacter(character: string): string {
  switch (character) {
    case '\n':
      return '\\n';
    case '\r':
      return '\\r';
    case '\t':
      return '\\t';
    default:
      return `\\${character}`;
  }
}
