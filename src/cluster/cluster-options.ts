import type { Logger } from 'pino';
import type { Sequence } from '../domain/identifiers.ts';
import type { Disk } from '../journal/disk.ts';
import type { Sequencer } from '../sequencer/sequencer.ts';
import type { SharedJournal } from '../sequencer/sequencer-options.ts';
import type { RandomSource } from '../system/random-source.ts';
import type { Time } from '../system/time.ts';
import type { Broadcast } from './broadcast.ts';
import type { Unfitness, Weakness } from './candidacy.ts';
import type { ChangeMessage } from './confirmed-changes.ts';
import type { EpochStore } from './epoch-store.ts';
import type { StampStore } from './folder-stamp.ts';
import type { MemberFile } from './member-file.ts';
import type { MembershipSettings } from './membership.ts';
import type { MembershipCoordinator } from './membership-coordinator.ts';
import type { OwnChain } from './own-chain.ts';
import type { LeaseTiming } from './owner-lease.ts';
import type { CountsMessage } from './shared-counts.ts';
import type { SharedLog } from './shared-log.ts';
import type { ClusterTransport } from './transport.ts';

export interface ClusterOptions {
  readonly transport: ClusterTransport;
  /** The identity of the exchange for a journal that begins now: the same in all processes. */
  readonly journalId: () => Promise<string>;
  /** Called once with what this process's own sequencer needs from the shared log. */
  readonly openSequencer: (shared: SharedJournal) => Sequencer;
  /** The folder of the sequencer's journal. */
  readonly journalFolder: string;
  readonly disk?: Disk;
  readonly time?: Time;
  readonly random?: RandomSource;
  /**
   * The last command that others are known to hold; null if unknown. A process that holds less does
   * not become owner.
   */
  readonly loadKnownSequence: () => Promise<Sequence | null>;
  readonly epochs: EpochStore;
  /** Without it, a copy of a member's folder is taken for the member. */
  readonly stamps?: StampStore;
  /** How often the running process stamps its folder. */
  readonly stampEveryMs?: number;
  /** The database's clock, in milliseconds since 1970; null if it cannot be read now. */
  readonly databaseTime?: () => Promise<number | null>;
  /** False: it never owns the exchange and is no member. */
  readonly mayOwn?: boolean;
  /** What makes this process a worse owner than others; null if nothing does. */
  readonly weakness?: () => Weakness | null;
  /** Without them there is no list of members, and no process waits for absent ones. */
  readonly members?: MembershipSettings;
  /** Where this process runs, as shown to operators. */
  readonly label?: string;
  readonly waitingMax: number;
  readonly logger: Logger;
  /** This process can no longer take part: it has to end and be replaced by a new one. */
  readonly onFatal: (error: unknown) => void;
  readonly timing?: LeaseTiming;
  readonly snapshotSharing?: SnapshotSharing;
  /** What clients have used of their limits; the processes report it to each other. */
  readonly counts?: Attached<CountsMessage<unknown>>;
  /** Waits until other processes have applied what this one has changed in the database. */
  readonly changes?: Attached<ChangeMessage>;
}

/** A part that sends messages to the other processes once this one has joined. */
interface Attached<Message> {
  attach(link: Broadcast<Message>, process: string): void;
}

/** How a process shares snapshots with the others. */
export interface SnapshotSharing {
  /**
   * Starts a journal from a snapshot if it is empty or ends before the log begins. Called before
   * the journal is opened.
   */
  seed(signal: AbortSignal): Promise<void>;
  /** Called once the process has joined; returns a function that stops it. */
  start(own: SharingProcess): () => Promise<void>;
}

/** The process whose snapshots are shared. */
export interface SharingProcess {
  readonly member: Pick<MemberFile, 'member' | 'list'>;
  readonly journalId: string;
  readonly isOwner: () => boolean;
  readonly chain: Pick<OwnChain, 'at'>;
  readonly log: SharedLog;
  /** Names snapshots in the log while this process owns the exchange. */
  readonly coordinator: Pick<MembershipCoordinator, 'nameSnapshot'>;
}

/**
 * A retired owner continues as a gateway that never takes the lease. A process that is ahead holds
 * more than the shared log, which has lost its end: it answers nothing until the log has caught up.
 */
export type ClusterRole =
  | 'starting'
  | 'standby'
  | 'ahead'
  | 'owner'
  | 'leaving'
  | 'retired'
  | 'stopped';

/** A process's role and place in the cluster. */
export interface ClusterStatus {
  readonly role: ClusterRole;
  readonly epoch: number;
  /** The last command and the last entry of the log that are applied here. */
  readonly sequence: Sequence;
  readonly position: number;
  /** Entries of the shared log that this process is known to lack. */
  readonly lagEntries: number;
  /** Whether entries that were in the log 2 s ago are not applied. */
  readonly isBehind: boolean;
  /** For how long its place has not been found in the log; null if it never was. */
  readonly agreementAgeMs: number | null;
  readonly isConnected: boolean;
  /** Whether an owner is known to be alive that accepts commands. */
  readonly hasOwner: boolean;
  /** Whether that owner accepts only cancels, as its disk is full. */
  readonly takesOnlyCancels: boolean;
  /** Whether the process is shutting down. */
  readonly isEnding: boolean;
  /** Why it can no longer take part; null while it does. */
  readonly failure: unknown;
  readonly unfitness: Unfitness | null;
  /** The used share of the shared log's space, from 0 to 1; null if its server reports none. */
  readonly logUsedRatio: number | null;
}
