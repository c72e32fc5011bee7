import { assert } from '../domain/assert.ts';
import type { Sequence } from '../domain/identifiers.ts';
import type { Command } from '../engine/commands.ts';
import type { Stamp } from '../engine/state-machine.ts';
import type { Disk } from '../journal/disk.ts';
import { FieldWriter } from '../journal/field-writer.ts';
import { findReaderStart } from '../journal/journal-folder.ts';
import { JournalReader } from '../journal/journal-reader.ts';
import {
  findRecord,
  readSequence,
  recordBytesMax,
  writeRecord,
} from '../journal/journal-record.ts';
import type { Time } from '../system/time.ts';
import type { LogEntry } from './log-entry.ts';

/** Some records of this process's journal, in the form of an entry of the shared log. */
export type OwnGroup = Pick<LogEntry, 'rulesVersion' | 'lastSequence' | 'group'>;

const groupBytesMax = recordBytesMax / 4;

/** Reads this process's journal, to compare it with the shared log or to append it there. */
export class OwnRecords {
  readonly #disk: Disk;
  readonly #folder: string;
  readonly #time: Time;

  constructor(disk: Disk, folder: string, time: Time) {
    this.#disk = disk;
    this.#folder = folder;
    this.#time = time;
  }

  /** Whether the journal holds the same records as the entry, up to the journal's end. */
  async agree({ group }: LogEntry, own: Sequence): Promise<boolean> {
    const bytes = Buffer.from(group.buffer, group.byteOffset, group.byteLength);
    const first = readSequence(bytes, 0);
    const last = Math.min(lastSequenceOf(bytes), own);
    const same: Buffer[] = [];
    await this.visit(first, last, async (each) => {
      same.push(Buffer.from(each.group));
    });
    const records = Buffer.concat(same);
    return records.equals(bytes.subarray(0, records.length)) && records.length > 0;
  }

  /**
   * Visits the records from one sequence to another, both included, in groups of the same rules.
   */
  async visit(
    first: number,
    last: number,
    show: (group: OwnGroup) => Promise<void>,
  ): Promise<void> {
    const start = await findReaderStart(this.#disk, this.#folder, (first - 1) as Sequence);
    const reader = new JournalReader(this.#disk, start, this.#time);
    let group = new GroupWriter();
    try {
      for (let sequence = first; sequence <= last; sequence += 1) {
        const record = await readRecord(reader, sequence);
        if (!group.takes(record)) {
          await show(group.finish());
          group = new GroupWriter();
        }
        group.add(record);
      }
      if (first <= last) await show(group.finish());
    } finally {
      await reader.close();
    }
  }
}

interface OwnRecord {
  readonly command: Command;
  readonly stamp: Stamp;
  readonly rulesVersion: number;
}

async function readRecord(reader: JournalReader, through: number): Promise<OwnRecord> {
  const found: OwnRecord[] = [];
  await reader.read(through, (command, sequence, timestamp, { rulesVersion }) => {
    found.push({ command, stamp: { sequence, timestamp }, rulesVersion });
  });
  const [record] = found;
  if (record === undefined) throw new Error(`record ${through} is not in the journal`);
  return record;
}

class GroupWriter {
  readonly #fields = new FieldWriter();
  #last: OwnRecord | null = null;
  #count = 0;

  constructor() {
    // No record is longer than the limit of a group.
    this.#fields.bytes = new Uint8Array(2 * groupBytesMax);
  }

  takes({ rulesVersion }: OwnRecord): boolean {
    if (this.#last === null) return true;
    return this.#last.rulesVersion === rulesVersion && this.#fields.offset < groupBytesMax;
  }

  add(record: OwnRecord): void {
    writeRecord(this.#fields, record.command, record.stamp, this.#count);
    this.#last = record;
    this.#count += 1;
  }

  finish(): OwnGroup {
    assert(this.#last !== null, 'a group holds a record');
    const { rulesVersion, stamp } = this.#last;
    const group = this.#fields.bytes.slice(0, this.#fields.offset);
    return { rulesVersion, lastSequence: stamp.sequence, group };
  }
}

/** The sequence of the last record in a group of whole records. */
export function lastSequenceOf(group: Buffer): Sequence {
  let at = 0;
  for (;;) {
    const next = at + findRecord(group, at, group.length);
    if (next >= group.length || next === at) return readSequence(group, at);
    at = next;
  }
}
