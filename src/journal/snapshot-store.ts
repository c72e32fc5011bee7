import { join } from 'node:path';
import type { Logger } from 'pino';
import { AssertionError } from '../domain/assert.ts';
import type { Sequence, TimestampMs } from '../domain/identifiers.ts';
import type { StateMachine, StateMachineFactory } from '../engine/state-machine.ts';
import type { Time } from '../system/time.ts';
import type { Disk } from './disk.ts';
import { findFirstRules, listJournalFolder } from './journal-folder.ts';
import { openIfPresent } from './journal-reader.ts';
import { KnownRequests } from './known-requests.ts';
import { hasRules, type KnownRules } from './rules-version.ts';
import {
  readSnapshot,
  type Snapshot,
  SnapshotError,
  snapshotPath,
  writeSnapshot,
} from './snapshot.ts';

export interface SnapshotStoreOptions {
  readonly disk: Disk;
  readonly folder: string;
  readonly machines: StateMachineFactory;
  readonly time: Time;
  readonly logger: Logger;
}

/** A machine restored from a snapshot, or an empty one for the beginning of the journal. */
export interface RestoredMachine {
  readonly machine: StateMachine;
  /** The signed requests up to there that could be received again. */
  readonly requests: KnownRequests;
  /** The last command that the machine has applied; 0 for a machine without history. */
  readonly sequence: Sequence;
  readonly timestamp: TimestampMs;
  /** Null if no snapshot was used. */
  readonly journalId: string | null;
}

const releasedName = 'released';
const newestKept = 2;

/**
 * The snapshots of one journal: lists them, decides which to keep, and restores machines from them.
 */
export class SnapshotStore {
  readonly #options: SnapshotStoreOptions;

  constructor(options: SnapshotStoreOptions) {
    this.#options = options;
  }

  async list(): Promise<readonly Sequence[]> {
    return (await listJournalFolder(this.#options.disk, this.#options.folder)).snapshots;
  }

  /**
   * Restores a machine from the newest sound snapshot at or before the sequence, or returns an
   * empty one by the rules with which the journal begins. A snapshot is sound if its bytes are and
   * if the machine restored from it has the hash that it names.
   */
  async restore(atMost: number): Promise<RestoredMachine> {
    const { folder, logger } = this.#options;
    for (const sequence of [...(await this.list())].reverse()) {
      if (sequence > atMost) continue;
      const path = snapshotPath(folder, sequence);
      try {
        return await this.#load(path);
      } catch (error) {
        const isUnsound = error instanceof SnapshotError || error instanceof AssertionError;
        if (!isUnsound) throw error;
        // The journal holds the same history, so an older snapshot gives the same state.
        logger.error({ err: error, file: path }, 'snapshot is damaged; using an older one');
      }
    }
    const sequence = 0 as Sequence;
    const timestamp = 0 as TimestampMs;
    const requests = new KnownRequests();
    return { machine: await this.#begin(), requests, sequence, timestamp, journalId: null };
  }

  /** The versions of the rules that the machines have. */
  get knownRules(): KnownRules {
    return this.#options.machines;
  }

  hashState(state: Uint8Array): string {
    return this.#options.machines.hashState(state);
  }

  async write(snapshot: Snapshot): Promise<void> {
    await writeSnapshot(this.#options.disk, this.#options.folder, snapshot);
  }

  /**
   * Removes the snapshots that are not needed: all but the newest two and the newest one at or
   * before the released position.
   */
  async prune(released: Sequence): Promise<void> {
    const { disk, folder } = this.#options;
    const snapshots = await this.list();
    const base = snapshots.findLast((sequence) => sequence <= released);
    const gone = snapshots.slice(0, -newestKept).filter((sequence) => sequence !== base);
    if (gone.length === 0) return;
    // Written first, so that a restart knows that the removed snapshots are not needed.
    await this.writeReleased(released);
    for (const sequence of gone) await disk.remove(snapshotPath(folder, sequence));
    await disk.syncFolder(folder);
  }

  /** A position that was released at some time; 0 if none is known. */
  async readReleased(): Promise<Sequence> {
    const { disk, folder, logger } = this.#options;
    const file = await openIfPresent(disk, join(folder, releasedName));
    if (file === null) return 0 as Sequence;
    try {
      const bytes = Buffer.alloc(await file.size());
      await file.read(bytes, 0);
      const text = bytes.toString('latin1').trim();
      if (/^\d{1,15}$/.test(text)) return Number(text) as Sequence;
      logger.warn({ file: file.path }, 'released position is unreadable; keeping all snapshots');
      return 0 as Sequence;
    } finally {
      await file.close();
    }
  }

  async writeReleased(released: Sequence): Promise<void> {
    const { disk, folder } = this.#options;
    const temporary = join(folder, `${releasedName}.tmp`);
    const bytes = Buffer.from(`${released}\n`, 'latin1');
    const file = await disk.create(temporary);
    try {
      await file.write(bytes, bytes.length, 0);
      await file.sync();
    } finally {
      await file.close();
    }
    await disk.rename(temporary, join(folder, releasedName));
    await disk.syncFolder(folder);
  }

  // Without the rules of the first record nothing is replayed, so the version does not matter.
  async #begin(): Promise<StateMachine> {
    const { disk, folder, machines } = this.#options;
    const rules = await findFirstRules(disk, folder);
    const isKnown = rules !== null && hasRules(machines, rules);
    return isKnown ? machines.create(rules) : machines.create();
  }

  async #load(path: string): Promise<RestoredMachine> {
    const snapshot = await readSnapshot(this.#options.disk, path, this.#options.time);
    const { journalId, sequence, state, stateHash, timestamp } = snapshot;
    const { machines } = this.#options;
    const machine = machines.restore(state);
    // An older version hashes its encoded bytes, and this version would encode the state
    // differently.
    const hash = machines.isOfThisVersion(state) ? machine.stateHash() : machines.hashState(state);
    if (hash !== stateHash || machine.sequence !== sequence) {
      throw new SnapshotError(`${path} does not give the state that it names`);
    }
    const requests = new KnownRequests();
    requests.restore(snapshot.requests);
    return { machine, requests, sequence, timestamp, journalId };
  }
}
