import type { AppliedCommand } from '../../../src/application/ports/exchange.ts';
import type { EpochStore } from '../../../src/cluster/epoch-store.ts';
import type { BatchConnection, BatchStore } from '../../../src/database/projector/batch-store.ts';
import { PositionMovedError } from '../../../src/database/projector/write-batch.ts';
import type { Sequence } from '../../../src/domain/identifiers.ts';
import type { Time } from '../../../src/system/time.ts';
import type { Draws } from './draws.ts';
import { SpotTables } from './spot-tables.ts';
import type { Actor, World } from './world.ts';

export interface DatabaseTroubles {
  isDown: boolean;
  slowMs: number;
  /** Nothing can be written; reads are answered. */
  isFull: boolean;
  /** The same, as with a replica that was not promoted. */
  isReadOnly: boolean;
  /** A statement gets no answer before this is over, and then an error. */
  isHanging: boolean;
  /** The share of transactions that abort. */
  abortRate: number;
  /** The share of commits that are done but not answered. */
  answersLost: number;
}

export const soundDatabase: DatabaseTroubles = {
  isDown: false,
  slowMs: 0,
  isFull: false,
  isReadOnly: false,
  isHanging: false,
  abortRate: 0,
  answersLost: 0,
};

/** The state of the database at one time. */
export interface DatabaseBackup {
  readonly position: Sequence;
  readonly epoch: number;
  readonly tables: Tables;
}

/** Which tables it has: none, those of an older version, or all that this version needs. */
export type Tables = 'none' | 'older' | 'all';

const watchMs = 1_000;
const hangMs = 50;

/** The database that all processes share, as the projector sees it: outcomes and a position. */
export class MemoryBatches {
  readonly troubles: DatabaseTroubles = { ...soundDatabase };
  /** The outcome at each position, from 1 on. */
  readonly rows: string[] = [];
  spot = new SpotTables();
  /** Sees each row with the transaction that writes it. */
  onRow: (applied: AppliedCommand) => void = () => undefined;
  position = 0 as Sequence;
  tables: Tables = 'all';
  #epoch = 0;
  readonly #applied: AppliedCommand[] = [];
  readonly #world: World;
  readonly #draws: Draws;

  constructor(world: World, draws: Draws) {
    this.#world = world;
    this.#draws = draws;
  }

  openFor(actor: Actor, time: Time): BatchStore {
    return {
      connect: async () => {
        await this.#ask(actor);
        return this.#connect(actor, time);
      },
    };
  }

  backup(): DatabaseBackup {
    return { position: this.position, epoch: this.#epoch, tables: this.tables };
  }

  /** The database is as it was then; a claimed epoch that is newer is gone with the rest. */
  putBack({ position, epoch, tables }: DatabaseBackup): void {
    if (position > this.position) return;
    this.position = position;
    this.#epoch = epoch;
    this.tables = tables;
    this.rows.length = position;
    this.#applied.length = position;
    this.spot = new SpotTables();
    for (const applied of this.#applied) this.spot.take(applied);
  }

  /** An empty database takes its place. */
  empty(): void {
    this.putBack({ position: 0 as Sequence, epoch: 0, tables: 'none' });
  }

  /** Runs the migrations that are missing, as a process does before its first batch. */
  async migrate(actor: Actor): Promise<void> {
    if (this.tables === 'all') return;
    await this.#ask(actor);
    this.#requireRoom();
    this.tables = 'all';
    this.#world.note('the database is migrated');
  }

  /** The newest claimed epoch, as one process sees it. */
  epochsFor(actor: Actor): EpochStore {
    return {
      load: () => this.ask(actor, () => this.#requireTables('older').#epoch),
      raise: async (epoch) => {
        const isRaised = await this.ask(actor, () => {
          this.#requireTables('older');
          this.#requireRoom();
          const isNewer = epoch > this.#epoch;
          if (isNewer) this.#epoch = epoch;
          return isNewer;
        });
        if (this.#draws.chance(this.troubles.answersLost)) throw new Error('the connection broke');
        return isRaised;
      },
    };
  }

  /** @throws Error while it is down */
  async ask<T>(actor: Actor, answer: () => T): Promise<T> {
    await this.#ask(actor);
    return answer();
  }

  #connect(actor: Actor, time: Time): BatchConnection {
    return {
      begin: () => this.#ask(actor),
      loadPosition: async () => {
        await this.#ask(actor);
        return this.#requireTables('older').position;
      },
      write: async (after, outcomes) => {
        await this.#ask(actor);
        this.#requireTables('all');
        this.#requireRoom();
        if (this.#draws.chance(this.troubles.abortRate)) throw new Error('the transaction aborted');
        this.#commit(after, outcomes);
        if (this.#draws.chance(this.troubles.answersLost)) throw new Error('the connection broke');
        await this.#ask(actor);
        return outcomes.length;
      },
      watch: async (signal) => ({
        next: async (other) => {
          if (signal.aborted) return;
          const due = time.sleep(watchMs, signal).catch(() => undefined);
          await Promise.race(other === undefined ? [due] : [due, other]);
        },
        end: async () => undefined,
      }),
      release: () => undefined,
    };
  }

  #requireTables(needed: 'older' | 'all'): this {
    if (this.tables === 'all' || this.tables === needed) return this;
    throw Object.assign(new Error('relation does not exist'), { code: '42P01' });
  }

  #requireRoom(): void {
    const { isFull, isReadOnly } = this.troubles;
    if (isFull) throw Object.assign(new Error('no space left on device'), { code: '53100' });
    if (isReadOnly) throw Object.assign(new Error('a read-only transaction'), { code: '25006' });
  }

  #commit(after: Sequence, outcomes: readonly AppliedCommand[]): void {
    if (this.position !== after) {
      throw new PositionMovedError(`the database is no longer at position ${after}`);
    }
    for (const applied of outcomes) {
      this.rows.push(rowOf(applied));
      this.#applied.push(applied);
      this.spot.take(applied);
      this.onRow(applied);
    }
    this.position = (after + outcomes.length) as Sequence;
  }

  async #ask(actor: Actor): Promise<void> {
    const delayMs = this.#draws.between(0.2, 2) + this.troubles.slowMs * this.#draws.fraction();
    await this.#world.wait(delayMs, actor);
    if (this.troubles.isHanging) {
      while (this.troubles.isHanging) await this.#world.wait(hangMs, actor);
      throw new Error('the connection broke');
    }
    if (this.troubles.isDown) throw new Error('the database does not respond');
  }
}

/** All that the projections could read of one outcome. */
export function rowOf({ sequence, timestamp, events }: AppliedCommand): string {
  return JSON.stringify([sequence, timestamp, events], (_name, value: unknown) =>
    typeof value === 'bigint' ? `${value}n` : value,
  );
}
