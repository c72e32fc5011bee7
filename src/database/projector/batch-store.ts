import type pg from 'pg';
import type { AppliedCommand } from '../../application/ports/exchange.ts';
import { assert } from '../../domain/assert.ts';
import type { Sequence } from '../../domain/identifiers.ts';
import type { DatabasePool } from '../database-pool.ts';
import { Directory } from './directory.ts';
import { PositionWatch } from './position-watch.ts';
import type { Projection } from './projection.ts';
import { loadPosition, writeBatch } from './write-batch.ts';

/** Stores the projector's outcomes: rows and the position that they reach, in one step. */
export interface BatchStore {
  connect(): Promise<BatchConnection>;
}

export interface BatchConnection {
  /** Called before the first batch of this connection. */
  begin(): Promise<void>;
  /** The sequence up to which the store holds everything. */
  loadPosition(): Promise<Sequence>;
  /**
   * Writes the outcomes after the position, all or none; returns the number of rows. After a
   * failure the connection must be released as broken. @throws PositionMovedError
   */
  write(after: Sequence, outcomes: readonly AppliedCommand[]): Promise<number>;
  watch(signal: AbortSignal): Promise<StoreWatch>;
  release(isBroken: boolean): void;
}

/** Detects that another process may have written more. */
interface StoreWatch {
  /** Resolves when there may be more, at `other`, or after a while. */
  next(other: Promise<void> | undefined): Promise<void>;
  end(): Promise<void>;
}

/** The exchange's tables. */
export class DatabaseBatchStore implements BatchStore {
  readonly #pool: Pick<DatabasePool, 'connect'>;
  readonly #projections: readonly Projection[];

  constructor(pool: Pick<DatabasePool, 'connect'>, projections: readonly Projection[]) {
    this.#pool = pool;
    this.#projections = projections;
  }

  async connect(): Promise<BatchConnection> {
    return new DatabaseBatches(await this.#pool.connect(), this.#projections);
  }
}

class DatabaseBatches implements BatchConnection {
  readonly #client: pg.PoolClient;
  readonly #projections: readonly Projection[];
  #directory: Directory | null = null;

  constructor(client: pg.PoolClient, projections: readonly Projection[]) {
    this.#client = client;
    this.#projections = projections;
  }

  async begin(): Promise<void> {
    this.#directory = await Directory.load(this.#client);
  }

  loadPosition(): Promise<Sequence> {
    return loadPosition(this.#client);
  }

  write(after: Sequence, outcomes: readonly AppliedCommand[]): Promise<number> {
    assert(this.#directory !== null, 'a batch is written before the connection has begun');
    const target = {
      client: this.#client,
      directory: this.#directory,
      projections: this.#projections,
    };
    return writeBatch(target, after, outcomes);
  }

  async watch(signal: AbortSignal): Promise<StoreWatch> {
    const watch = new PositionWatch(this.#client, signal);
    await watch.begin();
    return watch;
  }

  release(isBroken: boolean): void {
    this.#client.release(isBroken);
  }
}
