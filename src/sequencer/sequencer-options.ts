import type { Logger } from 'pino';
import type { Sequence, TimestampMs } from '../domain/identifiers.ts';
import type { StateMachineFactory } from '../engine/state-machine.ts';
import type { Disk } from '../journal/disk.ts';
import type { WriteElsewhere } from '../journal/journal-writer.ts';
import type { RandomSource } from '../system/random-source.ts';
import type { Time } from '../system/time.ts';
import type { DurableSignal } from './durable-signal.ts';

export interface Clock {
  /** Milliseconds since 1970. `last` is the newest stamp in the journal, from any process. */
  now(last: number): number;
  /** Called before the first stamp with the newest one in the journal; 0 if the journal is new. */
  begin?(last: TimestampMs): Promise<void>;
}

export interface SequencerLimits {
  /** Commands and reads that may wait for the disk; beyond it callers get EngineBusyError. */
  readonly waitingMax: number;
  /** The maximum number of bytes of one write, and so the size of the largest command. */
  readonly groupBytesMax: number;
  /** The first segment of a journal; each following one is twice as long, up to the maximum. */
  readonly segmentBytesFirst: number;
  readonly segmentBytesMax: number;
  /** Commands between two snapshots. */
  readonly snapshotEvery: number;
  /** Recent outcomes kept in memory for the outcome log, limited by number and by events. */
  readonly outcomesKeptMax: number;
  readonly eventsKeptMax: number;
  /** How long to wait before checking a full disk for space again. */
  readonly spaceRetryMs: number;
}

const mebibyte = 1 << 20;

/** 16,384 waiting commands are 0.3 s at 50,000 orders/s; docs/journal.md explains the others. */
export const defaultSequencerLimits: SequencerLimits = {
  waitingMax: 16_384,
  groupBytesMax: mebibyte / 4,
  segmentBytesFirst: mebibyte,
  segmentBytesMax: 64 * mebibyte,
  snapshotEvery: 1_000_000,
  outcomesKeptMax: 20_000,
  eventsKeptMax: 200_000,
  spaceRetryMs: 1_000,
};

/** What the sequencer needs from a log shared by several processes. */
export interface SharedJournal {
  /** The identity for a journal that begins now: the same in all processes. */
  readonly journalId: () => Promise<string>;
  /** A group is acknowledged only after this resolves; a failure stops the engine. */
  readonly append: WriteElsewhere;
  /**
   * Called when this process's journal holds everything up to that command. Null: enough processes
   * hold it; otherwise it is acknowledged once the promise resolves.
   */
  readonly confirm?: (through: Sequence) => Promise<void> | null;
}

export interface SequencerOptions {
  /** The journal's folder, created if missing. Only one process at a time can own it. */
  readonly directory: string;
  readonly machines: StateMachineFactory;
  readonly clock: Clock;
  readonly logger: Logger;
  /**
   * The journal can no longer be written, or the engine has a bug: nothing is acknowledged from
   * here on, and the process has to exit with a failure so that a restart recovers from the disk.
   */
  readonly onFatal: (error: unknown) => void;
  readonly limits?: Partial<SequencerLimits>;
  /**
   * Receives the last durable sequence, for a follower on another thread. The follower then makes
   * the outcomes for the database, and all snapshots except the last one, which is made at the
   * stop.
   */
  readonly follower?: Pick<DurableSignal, 'publish'>;
  /** With several processes: the log shared by all of them, of which the journal is a copy. */
  readonly shared?: SharedJournal;
  readonly disk?: Disk;
  readonly time?: Time;
  readonly random?: RandomSource;
  /** Whether the state keeps its rules although the machines have newer ones. */
  readonly areRulesHeld?: boolean;
}
