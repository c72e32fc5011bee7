import type { OutcomeLog } from '../../application/ports/exchange.ts';
import type { Sequence } from '../../domain/identifiers.ts';
import { systemTime } from '../../system/system-time.ts';
import type { Time } from '../../system/time.ts';
import type { DatabaseLog } from '../database-log.ts';
import type { BatchConnection, BatchStore } from './batch-store.ts';
import { requireJournalBeyond } from './journal-end.ts';
import { PositionMovedError } from './write-batch.ts';

// Larger batches cost less per row, but increase the delay of each.
const batchCommandsMax = 2_000;
const retryFirstMs = 50;
const retryMaxMs = 2_000;
// How long a batch that is being written can take to end when the projector stops.
const stopGraceMs = 2_000;

export interface ProjectorOptions {
  readonly store: BatchStore;
  readonly outcomes: OutcomeLog;
  readonly log: DatabaseLog;
  readonly observer: ProjectorObserver;
  /** The last durable sequence; null while it is unknown. */
  readonly journalEnd: () => Sequence | null;
  /**
   * Runs before the first batch and again after each failure, until it succeeds: migrations. The
   * database that answers then may be a different one.
   */
  readonly prepare?: () => Promise<void>;
  /** With several processes one projects; without this, this one does. */
  readonly lead?: ProjectorLead;
  readonly time?: Time;
}

/** Whether this process projects; the others watch the database's position. */
export interface ProjectorLead {
  readonly isLeading: boolean;
  /** Resolves at the next change. */
  changed(): Promise<void>;
}

/** Observes the projector; called between batches, so it must be short. */
export interface ProjectorObserver {
  /** The database holds everything up to the position. */
  onPosition(position: Sequence): void;
  onBatch(batch: ProjectedBatch): void;
  /** The database failed or rejected a batch, which is retried. */
  onFailure(error: unknown): void;
}

export interface ProjectedBatch {
  readonly position: Sequence;
  readonly commandCount: number;
  readonly rowCount: number;
  readonly durationMs: number;
}

/**
 * Carries outcomes from the journal into the database, each exactly once. It never gives up: while
 * the database is unreachable it retries, and continues from the position that it finds there.
 */
export class Projector {
  readonly #options: ProjectorOptions;
  readonly #time: Time;
  readonly #stop = new AbortController();
  #running: Promise<void> | null = null;
  #isPrepared = false;
  #release: (isBroken: boolean) => void = () => undefined;

  constructor(options: ProjectorOptions) {
    this.#options = options;
    this.#time = options.time ?? systemTime;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /**
   * Ends after the batch that is being written; one that hangs is interrupted and stays unwritten.
   */
  async stop(): Promise<void> {
    this.#stop.abort();
    const keep = this.#time.after(stopGraceMs, () => this.#release(true));
    await this.#running;
    keep();
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    let wait = retryFirstMs;
    while (!signal.aborted) {
      try {
        await this.#project(() => {
          wait = retryFirstMs;
        });
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof PositionMovedError) {
          this.#options.log.warn({ error: error.message }, 'another batch came first');
        } else {
          this.#options.log.error({ error: describe(error), retryMs: wait }, 'projection failed');
          this.#options.observer.onFailure(error);
          this.#isPrepared = false;
        }
        await this.#time.sleep(wait, signal).catch(() => undefined);
        wait = Math.min(2 * wait, retryMaxMs);
      }
    }
  }

  /** Writes batch after batch on one connection until something fails. */
  async #project(onProgress: () => void): Promise<void> {
    const { store, prepare } = this.#options;
    if (!this.#isPrepared) await prepare?.();
    this.#isPrepared = true;
    const connection = await store.connect();
    let isReleased = false;
    this.#release = (isBroken) => {
      if (isReleased) return;
      isReleased = true;
      connection.release(isBroken);
    };
    try {
      await this.#projectWith(connection, onProgress);
      this.#release(false);
    } catch (error) {
      // The fate of the interrupted batch is unknown: the connection is dropped, and the position
      // is read again.
      this.#release(true);
      throw error;
    }
  }

  async #projectWith(connection: BatchConnection, onProgress: () => void): Promise<void> {
    const { outcomes, observer } = this.#options;
    const { signal } = this.#stop;
    if (!this.#isLeading) return this.#watch(connection, onProgress);
    // The position comes first: what another process writes after it is found moved, not doubled.
    let position = await connection.loadPosition();
    await connection.begin();
    this.#requireJournalBeyond(position);
    this.#confirm(position);
    while (!signal.aborted && this.#isLeading) {
      this.#requireJournalBeyond(position);
      const batch = await outcomes.read(position, batchCommandsMax, signal);
      const startedAt = this.#time.monotonicMs();
      const rowCount = await connection.write(position, batch);
      position = (position + batch.length) as Sequence;
      this.#confirm(position);
      onProgress();
      const durationMs = this.#time.monotonicMs() - startedAt;
      observer.onBatch({ position, commandCount: batch.length, rowCount, durationMs });
    }
  }

  get #isLeading(): boolean {
    return this.#options.lead?.isLeading ?? true;
  }

  /** Reports how far another process has come, until it is this one's turn. */
  async #watch(connection: BatchConnection, onProgress: () => void): Promise<void> {
    const { signal } = this.#stop;
    const watch = await connection.watch(signal);
    while (!signal.aborted && !this.#isLeading) {
      this.#confirm(await connection.loadPosition());
      onProgress();
      await watch.next(this.#options.lead?.changed());
    }
    await watch.end();
  }

  #requireJournalBeyond(position: Sequence): void {
    const end = this.#options.journalEnd();
    if (end !== null) requireJournalBeyond(position, end);
  }

  #confirm(position: Sequence): void {
    this.#options.outcomes.release(position);
    this.#options.observer.onPosition(position);
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
