import { EngineRestartingError } from '../application/ports/exchange.ts';
import type { Sequence } from '../domain/identifiers.ts';
import type { AppliedCommand } from '../engine/events.ts';
import type { StateMachine } from '../engine/state-machine.ts';
import type { Disk } from '../journal/disk.ts';
import { findReaderStart } from '../journal/journal-folder.ts';
import { JournalReader } from '../journal/journal-reader.ts';
import { requireRules } from '../journal/rules-version.ts';
import type { SnapshotStore } from '../journal/snapshot-store.ts';
import type { Time } from '../system/time.ts';

export interface OutcomeHistoryOptions {
  readonly disk: Disk;
  readonly folder: string;
  readonly time: Time;
  readonly snapshots: SnapshotStore;
}

interface Cursor {
  readonly machine: StateMachine;
  readonly reader: JournalReader;
}

// The signal is checked after this many commands.
const commandsPerStep = 5_000;

/**
 * Makes old outcomes again: a second machine starts from a snapshot at or before the position and
 * replays the journal. It keeps its place between reads, since the next one usually continues
 * there.
 */
export class OutcomeHistory {
  readonly #options: OutcomeHistoryOptions;
  #cursor: Cursor | null = null;
  #turn: Promise<unknown> = Promise.resolve();
  #readsUnderWay = 0;
  #isClosed = false;

  constructor(options: OutcomeHistoryOptions) {
    this.#options = options;
  }

  /** The outcomes after the position and up to `through`, which must be durable. */
  read(after: Sequence, through: number, signal: AbortSignal): Promise<AppliedCommand[]> {
    this.#readsUnderWay += 1;
    const turn = this.#turn
      .then(() => this.#read(after, through, signal))
      .finally(() => {
        this.#readsUnderWay -= 1;
      });
    this.#turn = turn.catch(() => this.#discard());
    return turn;
  }

  /** Discards the second machine, unless another reader is using it. */
  async rest(): Promise<void> {
    if (this.#readsUnderWay === 0) await this.#discard();
  }

  /** Ends reads that are under way, and refuses later ones. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#turn;
    await this.#discard();
  }

  async #discard(): Promise<void> {
    const cursor = this.#cursor;
    this.#cursor = null;
    await cursor?.reader.close();
  }

  async #read(after: Sequence, through: number, signal: AbortSignal): Promise<AppliedCommand[]> {
    this.#requireOpen();
    const { machine, reader } = await this.#moveTo(after);
    const outcomes: AppliedCommand[] = [];
    while (machine.sequence < through) {
      signal.throwIfAborted();
      this.#requireOpen();
      const end = Math.min(through, machine.sequence + commandsPerStep);
      const isThere = await reader.read(end, (command, sequence, timestamp, segment) => {
        requireRules(this.#options.snapshots.knownRules, command, sequence, segment);
        const stamp = { sequence, timestamp };
        if (sequence > after) outcomes.push(machine.apply(command, stamp));
        else machine.replay(command, stamp);
      });
      if (!isThere) throw reader.missingRecord;
    }
    return outcomes;
  }

  #requireOpen(): void {
    if (this.#isClosed) throw new EngineRestartingError('the engine is stopped');
  }

  async #moveTo(after: Sequence): Promise<Cursor> {
    if (this.#cursor !== null && this.#cursor.machine.sequence <= after) return this.#cursor;
    await this.#discard();
    const { disk, folder, snapshots, time } = this.#options;
    const base = await snapshots.restore(after);
    const reader = new JournalReader(
      disk,
      await findReaderStart(disk, folder, base.sequence),
      time,
    );
    this.#cursor = { machine: base.machine, reader };
    return this.#cursor;
  }
}
