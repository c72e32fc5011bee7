import { join } from 'node:path';
import { assert } from '../domain/assert.ts';
import type { Sequence } from '../domain/identifiers.ts';
import { crc32c } from '../journal/crc32c.ts';
import type { Disk, DiskFile } from '../journal/disk.ts';
import { openIfPresent } from '../journal/journal-reader.ts';
import type { RandomSource } from '../system/random-source.ts';
import type { ChainPoint } from './chain.ts';
import { type FolderStamp, noStamp } from './folder-stamp.ts';
import { isLater, type MemberList, noMembers } from './member-list.ts';

// What a process must remember besides its journal, in two slots of a file that never grows: a
// write that is torn leaves the other slot, and a full disk refuses none.

/** From here on the history belongs to this epoch, until the next opening. */
export interface Opening {
  readonly epoch: number;
  /** The last command before the epoch. */
  readonly sequence: Sequence;
}

export interface EpochPromise {
  readonly epoch: number;
  /** The process to which it was promised. */
  readonly candidate: string;
}

interface MemberRecord {
  /** Rises with every write. */
  readonly revision: number;
  /** Made together with the journal: the process keeps it over restarts, a copy does not. */
  readonly member: string;
  readonly promised: EpochPromise;
  readonly openings: readonly Opening[];
  readonly checkpoint: ChainPoint | null;
  /** Absent in files of programs without lists. */
  readonly list?: MemberList;
  /** What follows that command in the journal is to be set aside; absent if nothing is. */
  readonly aside?: Sequence | null;
  /** The snapshot that the journal begins after; absent if it begins with the first command. */
  readonly beginning?: ChainPoint;
  /** Absent until the process has stamped its folder. */
  readonly stamp?: FolderStamp;
}

export const memberFileName = 'member';
const slotBytes = 2_048;
const slots = 2;
const openingsKept = 16;
const noPromise: EpochPromise = { epoch: 0, candidate: '' };

/** The notes of one process in its journal's folder; each is durable once its promise resolves. */
export class MemberFile {
  readonly #file: DiskFile;
  #record: MemberRecord;
  #turn: Promise<void> = Promise.resolve();

  private constructor(file: DiskFile, record: MemberRecord) {
    this.#file = file;
    this.#record = record;
  }

  static async open(disk: Disk, folder: string, random: RandomSource): Promise<MemberFile> {
    const path = join(folder, memberFileName);
    const known = await openIfPresent(disk, path);
    if (known === null) await createEmpty(disk, folder, path);
    await known?.close();
    const file = await disk.openDurable(path);
    const record = await readNewest(file);
    if (record !== null) return new MemberFile(file, record);
    const first = {
      revision: 0,
      member: random.hex(8),
      promised: noPromise,
      openings: [],
      checkpoint: null,
    };
    const created = new MemberFile(file, first);
    await created.#change(() => ({}));
    return created;
  }

  get member(): string {
    return this.#record.member;
  }

  /** Tells this folder from older copies of it, and from copies that were used since. */
  get stamp(): FolderStamp {
    return this.#record.stamp ?? noStamp;
  }

  get promised(): EpochPromise {
    return this.#record.promised;
  }

  get checkpoint(): ChainPoint | null {
    return this.#record.checkpoint;
  }

  /** The newest list of members; everything before it is durable in the journal. */
  get list(): MemberList {
    return this.#record.list ?? noMembers;
  }

  /** The snapshot that the journal begins after; null if it begins with the first command. */
  get beginning(): ChainPoint | null {
    return this.#record.beginning ?? null;
  }

  /** The epoch to which a history of that length belongs. */
  epochAt(sequence: Sequence): number {
    const { openings } = this.#record;
    return openings.findLast((opening) => opening.sequence <= sequence)?.epoch ?? 0;
  }

  /**
   * Promises the epoch to the candidate: this process acknowledges nothing of an earlier one any
   * more. False if it has promised the same one to another process, or a later one.
   */
  async promise(epoch: number, candidate: string): Promise<boolean> {
    await this.#change(({ promised }) =>
      promised.epoch < epoch ? { promised: { epoch, candidate } } : null,
    );
    const { promised } = this.#record;
    return promised.epoch === epoch && promised.candidate === candidate;
  }

  saveStamp(stamp: FolderStamp): Promise<void> {
    return this.#change(() => ({ stamp }));
  }

  /** The folder is that of a new process from now on, with a number that no list names. */
  renumber(member: string): Promise<void> {
    return this.#change(() => ({ member, stamp: noStamp }));
  }

  /** Everything up to the opening must be durable in the journal. */
  open(opening: Opening): Promise<void> {
    return this.#change(({ openings }) => {
      if (this.epochAt(opening.sequence) >= opening.epoch) return null;
      const before = openings.filter(({ epoch }) => epoch < opening.epoch);
      return { openings: [...before, opening].slice(-openingsKept) };
    });
  }

  /** Everything before the entry with this list must be durable in the journal. */
  saveList(list: MemberList): Promise<void> {
    return this.#change(() => (isLater(list, this.list) ? { list } : null));
  }

  /** The journal, empty so far, begins after a snapshot, with the list of members there. */
  beginAfter(beginning: ChainPoint, list: MemberList): Promise<void> {
    const newest = isLater(list, this.list) ? list : this.list;
    return this.#change(() => ({ beginning, checkpoint: beginning, list: newest }));
  }

  /** From where the chain is computed after a restart; durable in the journal. */
  saveCheckpoint(checkpoint: ChainPoint): Promise<void> {
    return this.#change(() => ({ checkpoint }));
  }

  /** The last command that the journal may keep at the next start; null if it keeps all. */
  get aside(): Sequence | null {
    return this.#record.aside ?? null;
  }

  planSetAside(through: Sequence): Promise<void> {
    return this.#change(() => ({ aside: through }));
  }

  /** The journal ends there now; nothing that is kept here may go beyond it. */
  finishSetAside(): Promise<void> {
    return this.#change(({ openings, checkpoint, aside }) => {
      const through = aside ?? Infinity;
      const isBeyond = checkpoint !== null && checkpoint.sequence > through;
      return {
        aside: null,
        checkpoint: isBeyond ? null : checkpoint,
        openings: openings.filter(({ sequence }) => sequence <= through),
      };
    });
  }

  async close(): Promise<void> {
    await this.#turn;
    await this.#file.close();
  }

  // One change after the other. What could not be written is not so: the next write takes its slot.
  #change(decide: (record: MemberRecord) => Partial<MemberRecord> | null): Promise<void> {
    const changed = this.#turn.then(async () => {
      const change = decide(this.#record);
      if (change === null) return;
      const record = { ...this.#record, ...change, revision: this.#record.revision + 1 };
      await writeSlot(this.#file, record);
      this.#record = record;
    });
    this.#turn = changed.catch(() => undefined);
    return changed;
  }
}

async function createEmpty(disk: Disk, folder: string, path: string): Promise<void> {
  const temporary = `${path}.tmp`;
  const file = await disk.create(temporary);
  try {
    await file.write(Buffer.alloc(slots * slotBytes), slots * slotBytes, 0);
    await file.sync();
  } finally {
    await file.close();
  }
  await disk.rename(temporary, path);
  await disk.syncFolder(folder);
}

function writeSlot(file: DiskFile, record: MemberRecord): Promise<void> {
  const text = JSON.stringify(record);
  assert(text.length < slotBytes - 10, 'a member record fits into its slot');
  const bytes = Buffer.alloc(slotBytes, ' ');
  const checksum = crc32c(Buffer.from(text), 0, text.length);
  bytes.write(`${checksum.toString(16).padStart(8, '0')} ${text}\n`);
  return file.write(bytes, slotBytes, (record.revision % slots) * slotBytes);
}

async function readNewest(file: DiskFile): Promise<MemberRecord | null> {
  let newest: MemberRecord | null = null;
  for (let slot = 0; slot < slots; slot += 1) {
    const bytes = Buffer.alloc(slotBytes);
    await file.read(bytes, slot * slotBytes);
    const record = parseSlot(bytes);
    if (record !== null && record.revision > (newest?.revision ?? -1)) newest = record;
  }
  return newest;
}

function parseSlot(bytes: Buffer): MemberRecord | null {
  const end = bytes.indexOf('\n');
  const checksum = Number.parseInt(bytes.toString('latin1', 0, 8), 16);
  if (end < 0 || checksum !== crc32c(bytes, 9, end)) return null;
  return JSON.parse(bytes.toString('utf8', 9, end)) as MemberRecord;
}
