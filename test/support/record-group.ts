import type { Sequence, TimestampMs } from '../../src/domain/identifiers.ts';
import type { Command } from '../../src/engine/commands.ts';
import { FieldWriter } from '../../src/journal/field-writer.ts';
import { writeRecord } from '../../src/journal/journal-record.ts';

/** A group of records of these commands, the first of which has that sequence. */
export function recordGroup(commands: readonly Command[], first: number): Uint8Array {
  const writer = new FieldWriter();
  writer.bytes = new Uint8Array(4_096);
  for (const [place, command] of commands.entries()) {
    const stamp = { sequence: (first + place) as Sequence, timestamp: 1_000 as TimestampMs };
    writeRecord(writer, command, stamp, place);
  }
  return writer.bytes.slice(0, writer.offset);
}
