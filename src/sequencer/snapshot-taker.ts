import type { Logger } from 'pino';
import type { Sequence, TimestampMs } from '../domain/identifiers.ts';
import type { StateMachine } from '../engine/state-machine.ts';
import type { KnownRequests } from '../journal/known-requests.ts';
import type { SnapshotStore } from '../journal/snapshot-store.ts';
import type { Time } from '../system/time.ts';

export interface SnapshotTakerOptions {
  readonly machine: StateMachine;
  /** The signed requests that the machine's commands came from. */
  readonly requests: KnownRequests;
  readonly time: Time;
  readonly store: SnapshotStore;
  readonly journalId: string;
  readonly snapshotEvery: number;
  /** The newest snapshot on disk; 0 if there is none. */
  readonly newest: Sequence;
  readonly logger: Logger;
  /** The time of the newest applied command. */
  readonly timestamp: () => TimestampMs;
  /** Resolves once everything that is applied now is durable. */
  readonly drain: () => Promise<void>;
  readonly released: () => Sequence;
  readonly onTaken: (encodeMs: number) => void;
  /** Called with the state of each snapshot that was written. */
  readonly onWritten?: (state: Uint8Array, sequence: Sequence) => void;
}

/**
 * Takes a snapshot at the multiples of `snapshotEvery` commands, or soon after. Only its encoding holds up the machine's thread.
 */
export class SnapshotTaker {
  readonly #options: SnapshotTakerOptions;
  #newest: number;
  #attempted: number;
  #running: Promise<void> | null = null;

  constructor(options: SnapshotTakerOptions) {
    this.#options = options;
    this.#newest = options.newest;
    this.#attempted = options.newest;
  }

  /** Begins a snapshot if one is due. A failure loses nothing: the journal holds every command. */
  takeIfDue(): void {
    const { machine, snapshotEvery } = this.#options;
    const isDue =
      Math.floor(machine.sequence / snapshotEvery) > Math.floor(this.#attempted / snapshotEvery);
    if (!isDue || this.#running !== null) return;
    this.#running = this.#take().finally(() => {
      this.#running = null;
    });
  }

  /** Snapshots the current state unless that snapshot exists; first waits for a running one. */
  async takeLast(): Promise<void> {
    await this.#running;
    if (this.#options.machine.sequence > this.#newest) await this.#take();
  }

  async finish(): Promise<void> {
    await this.#running;
  }

  async #take(): Promise<void> {
    const { machine, time, store, journalId, logger, drain } = this.#options;
    const begun = time.monotonicMs();
    const { sequence, rules: rulesVersion } = machine;
    const timestamp = this.#options.timestamp();
    this.#attempted = sequence;
    const state = machine.encodeState();
    const requests = this.#options.requests.encode();
    const encodeMs = time.monotonicMs() - begun;
    this.#options.onTaken(encodeMs);
    try {
      await drain();
      const stateHash = store.hashState(state);
      await store.write({
        journalId,
        rulesVersion,
        sequence,
        timestamp,
        stateHash,
        state,
        requests,
      });
      this.#newest = sequence;
      // A return to the previous version starts from one of its own snapshots.
      const isWayBackOpen = rulesVersion < store.knownRules.newestRules;
      if (!isWayBackOpen) await store.prune(this.#options.released());
      const durationMs = time.monotonicMs() - begun;
      logger.info({ sequence, bytes: state.length, encodeMs, durationMs }, 'snapshot written');
      this.#options.onWritten?.(state, sequence);
    } catch (error) {
      logger.error({ err: error, sequence }, 'snapshot failed; the journal is complete without it');
    }
  }
}
