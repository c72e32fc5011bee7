import type { Logger } from 'pino';
import type { Sequence } from '../domain/identifiers.ts';
import type { Disk } from '../journal/disk.ts';
import type { Sequencer } from '../sequencer/sequencer.ts';
import type { SharedJournal } from '../sequencer/sequencer-options.ts';
import type { Chance } from '../system/chance.ts';
import type { Time } from '../system/time.ts';
import type { LeaseTiming } from './owner-lease.ts';
import type { ClusterTransport } from './transport.ts';

export interface ClusterOptions {
  readonly transport: ClusterTransport;
  /** The identity of the exchange for a journal that begins now: the same in all processes. */
  readonly journalId: () => Promise<string>;
  /** Called once with what this process's own sequencer needs of the shared log. */
  readonly openSequencer: (shared: SharedJournal) => Sequencer;
  /** Of the sequencer's journal. */
  readonly journalFolder: string;
  readonly disk?: Disk;
  readonly time?: Time;
  readonly chance?: Chance;
  /**
   * Up to which command others are known to hold the exchange; null where nobody can say. A
   * process that holds less does not become owner.
   */
  readonly loadKnownSequence: () => Promise<Sequence | null>;
  /** How many processes there are; null: nobody waits for those that are away. */
  readonly membersCount?: number | null;
  readonly waitingMax: number;
  readonly logger: Logger;
  /** This process can no longer take part: it has to end, and a new one begins anew. */
  readonly onFatal: (error: unknown) => void;
  readonly timing?: LeaseTiming;
}

/**
 * A retired owner goes on as a gateway that stands for nothing. Who is ahead holds more than the
 * shared log, which has lost its end: it answers nothing until the log has that again.
 */
export type ClusterRole =
  | 'starting'
  | 'standby'
  | 'ahead'
  | 'owner'
  | 'leaving'
  | 'retired'
  | 'stopped';

/** What operators see of a process's part. */
export interface ClusterStatus {
  readonly role: ClusterRole;
  readonly epoch: number;
  /** Entries of the shared log that this process is known to lack. */
  readonly lagEntries: number;
}
