import { assert } from '../../domain/assert.ts';
import type { ByteReader } from '../snapshot/byte-reader.ts';
import type { ByteWriter } from '../snapshot/byte-writer.ts';

/** Writes a sum or index, or null. It can exceed 64 bits, so it is written as text. */
export function writeBig(writer: ByteWriter, value: bigint | null): void {
  writer.writeTextOrNull(value === null ? null : value.toString());
}

/** Reads what `writeBig` wrote. */
export function readBig(reader: ByteReader): bigint | null {
  const text = reader.readTextOrNull();
  return text === null ? null : BigInt(text);
}

/** Reads what `writeBig` wrote if null cannot occur. */
export function requireBig(reader: ByteReader): bigint {
  const value = readBig(reader);
  assert(value !== null, 'a saved sum is there');
  return value;
}

/** Writes a number or null. */
export function writeNullable(writer: ByteWriter, value: number | null): void {
  writer.writeByte(value === null ? 0 : 1);
  if (value !== null) writer.writeNumber(value);
}

/** Reads what `writeNullable` wrote. */
export function readNullable(reader: ByteReader): number | null {
  return reader.readByte() === 0 ? null : reader.readNumber();
}

/** The member of a set with the given index. */
export function member<Value>(values: readonly Value[], index: number): Value {
  const value = values[index];
  assert(value !== undefined, 'a saved code is one of its set');
  return value;
}
