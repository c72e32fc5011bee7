import { assert } from '../domain/assert.ts';

/** A command on its way to the owner: a journal record that is not sequenced yet. */
export interface SentRequest {
  /** The sender's number for it. */
  readonly request: number;
  readonly record: Uint8Array;
}

// Each request is its number (6 bytes), its length (4 bytes) and its record.
const numberBytes = 6;
const headBytes = numberBytes + 4;
/** Far below what one message may hold; a longer record is its own pack. */
const packBytesMax = 128 * 1_024;

/** Splits the requests into as few packs as fit into messages, in their order. */
export function splitIntoPacks(
  requests: readonly SentRequest[],
): readonly (readonly SentRequest[])[] {
  const packs: SentRequest[][] = [];
  let room = 0;
  for (const request of requests) {
    const length = headBytes + request.record.length;
    if (packs.length === 0 || length > room) {
      packs.push([]);
      room = packBytesMax;
    }
    packs.at(-1)!.push(request);
    room -= length;
  }
  return packs;
}

export function encodePack(requests: readonly SentRequest[]): Uint8Array {
  const length = requests.reduce((sum, { record }) => sum + headBytes + record.length, 0);
  const bytes = Buffer.allocUnsafe(length);
  let at = 0;
  for (const { request, record } of requests) {
    bytes.writeUIntBE(request, at, numberBytes);
    bytes.writeUInt32BE(record.length, at + numberBytes);
    bytes.set(record, at + headBytes);
    at += headBytes + record.length;
  }
  return bytes;
}

/** @throws AssertionError if the bytes are no pack. */
export function decodePack(message: Uint8Array): readonly SentRequest[] {
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  const requests: SentRequest[] = [];
  for (let at = 0; at < bytes.length; ) {
    assert(at + headBytes <= bytes.length, 'a pack of requests ends within a number');
    const end = at + headBytes + bytes.readUInt32BE(at + numberBytes);
    assert(end <= bytes.length, 'a pack of requests ends within a record');
    const record = bytes.subarray(at + headBytes, end);
    requests.push({ request: bytes.readUIntBE(at, numberBytes), record });
    at = end;
  }
  return requests;
}
