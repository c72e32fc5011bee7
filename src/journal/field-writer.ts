import { assert } from '../domain/assert.ts';
import type { Address } from '../domain/identifiers.ts';
import {
  absent,
  addressBytes,
  type CodeTable,
  type FieldStream,
  negativeFlag,
  present,
} from './field-stream.ts';

const bits64 = 64;
const bytes64 = 8;
const magnitudeBytesMax = 127;
const addressTextLength = 2 + 2 * addressBytes;

/**
 * Writes fields into `bytes` from `offset` on. Writing past the end is not an error here, since a
 * typed array ignores it: the caller compares `offset` with the room afterwards.
 */
export class FieldWriter implements FieldStream {
  bytes: Uint8Array = new Uint8Array(0);
  offset = 0;
  readonly #wide = new DataView(new ArrayBuffer(bytes64));
  readonly #wideBytes = new Uint8Array(this.#wide.buffer);

  integer<Value extends number>(value: Value | undefined): Value {
    assert(value !== undefined && Number.isSafeInteger(value) && value >= 0, 'not a whole number');
    this.#varint(value);
    return value;
  }

  nullableInteger<Value extends number>(value: Value | null | undefined): Value | null {
    return this.#flag(value) ? this.integer(value) : null;
  }

  bigint<Value extends bigint>(value: Value | undefined): Value {
    assert(value !== undefined, 'a bigint is missing');
    if (value >= 0n && BigInt.asUintN(bits64, value) === value) {
      this.#wide.setBigUint64(0, value, true);
      this.bytes[this.offset] = bytes64;
      for (let at = 0; at < bytes64; at += 1) {
        this.bytes[this.offset + 1 + at] = this.#wideBytes[at]!;
      }
      this.offset += 1 + bytes64;
    } else {
      this.#wideBigint(value);
    }
    return value;
  }

  nullableBigint<Value extends bigint>(value: Value | null | undefined): Value | null {
    return this.#flag(value) ? this.bigint(value) : null;
  }

  // The length counts UTF-16 units; its lowest bit says whether each takes one byte or two.
  text(value: string | undefined): string {
    assert(value !== undefined, 'a text is missing');
    const start = this.offset;
    this.#varint(value.length * 2);
    for (let at = 0; at < value.length; at += 1) {
      const unit = value.charCodeAt(at);
      if (unit > 0xff) return this.#wideText(value, start);
      this.bytes[this.offset + at] = unit;
    }
    this.offset += value.length;
    return value;
  }

  nullableText(value: string | null | undefined): string | null {
    return this.#flag(value) ? this.text(value) : null;
  }

  address(value: Address | undefined): Address {
    assert(
      value !== undefined && value.length === addressTextLength && value.startsWith('0x'),
      'not an address',
    );
    for (let at = 0; at < addressBytes; at += 1) {
      const high = hexDigit(value.charCodeAt(2 + 2 * at));
      const low = hexDigit(value.charCodeAt(3 + 2 * at));
      this.bytes[this.offset + at] = high * 16 + low;
    }
    this.offset += addressBytes;
    return value;
  }

  code<Value extends string>(table: CodeTable<Value>, value: Value | undefined): Value {
    assert(value !== undefined, 'a code is missing');
    const code = table.codes[value];
    assert(code !== undefined, `no code for ${value}`);
    this.bytes[this.offset] = code;
    this.offset += 1;
    return value;
  }

  #flag<Value>(value: Value | null | undefined): value is Value {
    assert(value !== undefined, 'a nullable field is missing');
    this.bytes[this.offset] = value === null ? absent : present;
    this.offset += 1;
    return value !== null;
  }

  #varint(value: number): void {
    let rest = value;
    while (rest > 0x7fffffff) {
      this.bytes[this.offset] = (rest % 128) | 128;
      this.offset += 1;
      rest = Math.floor(rest / 128);
    }
    while (rest > 127) {
      this.bytes[this.offset] = (rest & 127) | 128;
      this.offset += 1;
      rest >>>= 7;
    }
    this.bytes[this.offset] = rest;
    this.offset += 1;
  }

  #wideBigint(value: bigint): void {
    const magnitude: number[] = [];
    for (let rest = value < 0n ? -value : value; rest > 0n; rest >>= 8n) {
      magnitude.push(Number(rest & 0xffn));
    }
    assert(magnitude.length <= magnitudeBytesMax, 'a bigint is too long');
    this.bytes[this.offset] = magnitude.length | (value < 0n ? negativeFlag : 0);
    this.bytes.set(magnitude.slice(0, this.#room()), Math.min(this.offset + 1, this.bytes.length));
    this.offset += 1 + magnitude.length;
  }

  #room(): number {
    return Math.max(0, this.bytes.length - this.offset - 1);
  }

  #wideText(value: string, start: number): string {
    this.offset = start;
    this.#varint(value.length * 2 + 1);
    for (let at = 0; at < value.length; at += 1) {
      const unit = value.charCodeAt(at);
      this.bytes[this.offset + 2 * at] = unit & 0xff;
      this.bytes[this.offset + 2 * at + 1] = unit >>> 8;
    }
    this.offset += 2 * value.length;
    return value;
  }
}

function hexDigit(unit: number): number {
  if (unit >= 48 && unit <= 57) return unit - 48;
  assert(unit >= 97 && unit <= 102, 'an address is not in lowercase hex');
  return unit - 87;
}
