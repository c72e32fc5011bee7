import { expect, test } from 'vitest';
import type { AccountId, Sequence, TimestampMs } from '../domain/identifiers.ts';
import { digestOf } from '../domain/request-digest.ts';
import type { Command } from '../engine/commands.ts';
import { FieldWriter } from './field-writer.ts';
import { copyRecord, findRecord, writeRecord } from './journal-record.ts';

const accountId = 7 as AccountId;
const command: Command = { type: 'cancelAllSpotOrders', accountId, marketId: 3 as never };
const unstamped = { sequence: 0 as Sequence, timestamp: 0 as TimestampMs };
const stamp = { sequence: (2 ** 40 + 5) as Sequence, timestamp: 1_767_571_200_123 as TimestampMs };
const signed = digestOf('0123456789abcdef'.repeat(4), 1_767_571_200_000);

function writer(bytes: number, offset = 0): FieldWriter {
  const fields = new FieldWriter();
  fields.bytes = new Uint8Array(bytes);
  fields.offset = offset;
  return fields;
}

test.each([
  ['a signed request', signed],
  ['no signed request', null],
])('a copied record is, byte for byte, the one written at its place: %s', (_name, digest) => {
  const received = writer(200);
  writeRecord(received, command, unstamped, 0, digest);
  const record = received.bytes.subarray(0, received.offset);
  const [copied, written] = [writer(200, 40), writer(200, 40)];
  copyRecord(copied, record, stamp, 300);
  writeRecord(written, command, stamp, 300, digest);
  expect(copied.offset).toBe(written.offset);
  expect([...copied.bytes]).toEqual([...written.bytes]);
  expect(findRecord(copied.bytes, 40, copied.offset)).toBe(record.length);
  expect(findRecord(record, 0, record.length)).toBe(record.length);
});

test('a record that finds no room is not copied, and the offset shows it', () => {
  const received = writer(200);
  writeRecord(received, command, unstamped, 0);
  const record = received.bytes.subarray(0, received.offset);
  const small = writer(record.length + 9, 10);
  copyRecord(small, record, stamp, 0);
  expect(small.offset).toBeGreaterThan(small.bytes.length);
  expect(small.bytes.every((byte) => byte === 0)).toBe(true);
});
