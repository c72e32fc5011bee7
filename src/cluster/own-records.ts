import { assert } from '../domain/assert.ts';
import type { Sequence } from '../domain/identifiers.ts';
import type { Disk } from '../journal/disk.ts';
import { findReaderStart } from '../journal/journal-folder.ts';
import { JournalReader } from '../journal/journal-reader.ts';
import { moveRecord, readLength, readSequence, recordBytesMax } from '../journal/journal-record.ts';
import type { Time } from '../system/time.ts';
import type { LogEntry } from './log-entry.ts';

/** Some records of this process's journal, in the form of an entry of the shared log. */
export type OwnGroup = Pick<LogEntry, 'rulesVersion' | 'lastSequence' | 'group'>;

const groupBytesMax = recordBytesMax / 4;

/** Reads this process's journal, to append to the shared log what it lacks. */
export class OwnRecords {
  readonly #disk: Disk;
  readonly #folder: string;
  readonly #time: Time;

  constructor(disk: Disk, folder: string, time: Time) {
    this.#disk = disk;
    this.#folder = folder;
    this.#time = time;
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
  readonly bytes: Uint8Array;
  readonly sequence: Sequence;
  readonly rulesVersion: number;
}

async function readRecord(reader: JournalReader, through: number): Promise<OwnRecord> {
  const found: OwnRecord[] = [];
  await reader.read(through, (_command, sequence, _timestamp, { rulesVersion }) => {
    found.push({ bytes: Uint8Array.from(reader.record), sequence, rulesVersion });
  });
  const [record] = found;
  if (record === undefined) throw reader.missingRecord;
  return record;
}

class GroupWriter {
  readonly #records: Uint8Array[] = [];
  #last: OwnRecord | null = null;
  #length = 0;

  takes({ rulesVersion, bytes }: OwnRecord): boolean {
    if (this.#last === null) return true;
    if (this.#last.rulesVersion !== rulesVersion) return false;
    return this.#length + bytes.length <= groupBytesMax;
  }

  add(record: OwnRecord): void {
    const { bytes } = record;
    moveRecord(bytes, 0, bytes.length, this.#records.length);
    this.#records.push(bytes);
    this.#last = record;
    this.#length += bytes.length;
  }

  finish(): OwnGroup {
    assert(this.#last !== null, 'a group holds a record');
    const { rulesVersion, sequence: lastSequence } = this.#last;
    return { rulesVersion, lastSequence, group: Buffer.concat(this.#records) };
  }
}

/** The sequence of the last record in a group of whole and sound records. */
export function lastSequenceOf(group: Uint8Array): Sequence {
  let at = 0;
  while (at + readLength(group, at) < group.length) at += readLength(group, at);
  return readSequence(group, at);
}
