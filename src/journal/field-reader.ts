import type { Address } from '../domain/identifiers.ts';
import {
  absent,
  addressBytes,
  type CodeTable,
  FieldError,
  type FieldStream,
  negativeFlag,
  present,
} from './field-stream.ts';

const bytes64 = 8;

/** Reads fields from `bytes` between `offset` and `end`. @throws FieldError on malformed bytes. */
export class FieldReader implements FieldStream {
  bytes: Buffer = Buffer.alloc(0);
  offset = 0;
  end = 0;

  integer<Value extends number>(_value: Value | undefined): Value {
    return this.#varint() as Value;
  }

  nullableInteger<Value extends number>(_value: Value | null | undefined): Value | null {
    return this.#flag() ? (this.#varint() as Value) : null;
  }

  bigint<Value extends bigint>(_value: Value | undefined): Value {
    return this.#bigint() as Value;
  }

  nullableBigint<Value extends bigint>(_value: Value | null | undefined): Value | null {
    return this.#flag() ? (this.#bigint() as Value) : null;
  }

  text(_value: string | undefined): string {
    const size = this.#varint();
    const length = (size - (size % 2)) / 2;
    const isWide = size % 2 === 1;
    const from = this.#skip(isWide ? 2 * length : length);
    return isWide
      ? this.bytes.toString('utf16le', from, this.offset)
      : this.bytes.toString('latin1', from, this.offset);
  }

  nullableText(_value: string | null | undefined): string | null {
    return this.#flag() ? this.text(undefined) : null;
  }

  address(_value: Address | undefined): Address {
    const from = this.#skip(addressBytes);
    return `0x${this.bytes.toString('hex', from, this.offset)}` as Address;
  }

  code<Value extends string>(table: CodeTable<Value>, _value: Value | undefined): Value {
    const code = this.#byte();
    const value = table.values[code];
    if (value === undefined) throw new FieldError(`unknown code ${code}`);
    return value;
  }

  #byte(): number {
    if (this.offset >= this.end) throw new FieldError('the record is too short for its fields');
    const byte = this.bytes[this.offset]!;
    this.offset += 1;
    return byte;
  }

  #skip(length: number): number {
    const from = this.offset;
    if (length > this.end - from) throw new FieldError('the record is too short for its fields');
    this.offset = from + length;
    return from;
  }

  #flag(): boolean {
    const flag = this.#byte();
    if (flag !== absent && flag !== present) throw new FieldError(`unknown presence ${flag}`);
    return flag === present;
  }

  #varint(): number {
    let byte = this.#byte();
    if (byte < 128) return byte;
    let value = byte & 127;
    let factor = 128;
    do {
      byte = this.#byte();
      value += (byte & 127) * factor;
      factor *= 128;
      if (value > Number.MAX_SAFE_INTEGER) throw new FieldError('a number exceeds 2^53');
    } while (byte > 127);
    return value;
  }

  #bigint(): bigint {
    const head = this.#byte();
    const length = head & ~negativeFlag;
    const from = this.#skip(length);
    if (head === bytes64) return this.bytes.readBigUInt64LE(from);
    let value = 0n;
    for (let at = from + length - 1; at >= from; at -= 1) {
      value = value * 256n + BigInt(this.bytes[at]!);
    }
    return head === length ? value : -value;
  }
}
