import type { JournalWriter } from '../journal/journal-writer.ts';

/** What the sequencer has done since its start, for the metrics. */
export interface SequencerStatistics {
  /** Commands and reads that are waiting for the disk now. */
  readonly waiting: number;
  readonly groups: number;
  readonly commands: number;
  readonly bytes: number;
  readonly writeMsTotal: number;
  readonly writeMsMax: number;
  readonly snapshots: number;
  /** How long encoding the newest snapshot held up the machine's thread. */
  readonly snapshotEncodeMs: number;
  readonly isSpaceMissing: boolean;
  /** Whether the disk is so full that only commands that free something are accepted. */
  readonly takesOnlyCancels: boolean;
  /** For how long the current write has been waiting for the disk; 0 if there is none. */
  readonly writePendingMs: number;
}

export class StatisticsCounter {
  #groups = 0;
  #commands = 0;
  #bytes = 0;
  #writeMsTotal = 0;
  #writeMsMax = 0;
  #snapshots = 0;
  #snapshotEncodeMs = 0;
  isSpaceMissing = false;

  countGroup(commands: number, bytes: number, writeMs: number): void {
    this.#groups += 1;
    this.#commands += commands;
    this.#bytes += bytes;
    this.#writeMsTotal += writeMs;
    if (writeMs > this.#writeMsMax) this.#writeMsMax = writeMs;
  }

  countSnapshot(encodeMs: number): void {
    this.#snapshots += 1;
    this.#snapshotEncodeMs = encodeMs;
  }

  show(
    waiting: number,
    journal: Pick<JournalWriter, 'writePendingMs' | 'isShort'> | undefined,
  ): SequencerStatistics {
    return {
      waiting,
      writePendingMs: journal?.writePendingMs ?? 0,
      takesOnlyCancels: journal?.isShort(0) ?? false,
      groups: this.#groups,
      commands: this.#commands,
      bytes: this.#bytes,
      writeMsTotal: this.#writeMsTotal,
      writeMsMax: this.#writeMsMax,
      snapshots: this.#snapshots,
      snapshotEncodeMs: this.#snapshotEncodeMs,
      isSpaceMissing: this.isSpaceMissing,
    };
  }
}
