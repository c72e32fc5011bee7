import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import type { SharingProcess, SnapshotSharing } from '../../../src/cluster/cluster-options.ts';
import { LogUnreachableError } from '../../../src/cluster/log-unreachable-error.ts';
import { seedJournal } from '../../../src/cluster/seed-journal.ts';
import type { LogReader } from '../../../src/cluster/shared-log.ts';
import type { SharedSnapshotStore } from '../../../src/cluster/shared-snapshot-store.ts';
import type { SharedSnapshot, SnapshotCatalog } from '../../../src/cluster/shared-snapshots.ts';
import { SnapshotSharer } from '../../../src/cluster/snapshot-sharer.ts';
import { trimLog } from '../../../src/cluster/trim-log.ts';
import type { Sequence } from '../../../src/domain/identifiers.ts';
import type { StateMachineFactory } from '../../../src/engine/state-machine.ts';
import type { Disk } from '../../../src/journal/disk.ts';
import { listJournalFolder } from '../../../src/journal/journal-folder.ts';
import type { RandomSource } from '../../../src/system/random-source.ts';
import type { Time } from '../../../src/system/time.ts';
import type { NatsModel } from './nats-model.ts';
import type { Actor, World } from './world.ts';

const tripMs = 2;
// Intervals that are minutes in service are seconds here.
const turnIntervalMs = 300;
const trimEveryMs = 1_000;

/** A process that shares its snapshots. */
export interface SharingMachine {
  readonly actor: Actor;
  readonly disk: Disk;
  readonly folder: string;
  readonly journalId: string;
  readonly snapshotEvery: number;
  readonly rules: StateMachineFactory;
  readonly loadProjected: () => Promise<Sequence | null>;
  readonly time: Time;
  readonly random: RandomSource;
  readonly logger: Logger;
}

/** The shared store of snapshots that all processes reach, and its catalog. */
export class SnapshotStoreModel {
  readonly #world: World;
  readonly #nats: NatsModel;
  readonly #files = new Map<string, Uint8Array>();
  #snapshots: readonly SharedSnapshot[] = [];
  #revision: number | null = null;

  constructor(world: World, nats: NatsModel) {
    this.#world = world;
    this.#nats = nats;
  }

  /** The log is trimmed to what is proven, whatever its age. */
  useFor(user: SharingMachine): SnapshotSharing {
    const { actor, loadProjected, time, logger, disk, folder } = user;
    const [store, catalog, log] = [
      this.#storeOf(actor),
      this.#catalogOf(actor),
      this.#logOf(actor),
    ];
    const shared = { ...user, store, catalog, sha256: async (bytes: Uint8Array) => hashOf(bytes) };
    return {
      seed: async () => {
        await seedJournal({ ...shared, log, projected: await loadProjected() });
        const { ordinals } = await listJournalFolder(disk, folder);
        if ((ordinals[0] ?? 1) > 1) this.#world.note('a journal begins after a snapshot');
      },
      start: (own: SharingProcess) => {
        const sharer = new SnapshotSharer({ ...shared, ...own });
        const endTurns = time.every(turnIntervalMs, () => void sharer.takeTurn());
        const endTrims = time.every(trimEveryMs, () => {
          if (!own.isOwner()) return;
          const trimmed = trimLog({
            log: own.log,
            catalog,
            loadProjected,
            keepMs: 0,
            time,
            logger,
          });
          // Without NATS or the database it is tried again.
          trimmed.catch(() => undefined);
        });
        return async () => {
          endTurns();
          endTrims();
          await sharer.stop();
        };
      },
    };
  }

  async #reach<T>(actor: Actor, answer: () => T): Promise<T> {
    await this.#world.wait(tripMs, actor);
    if (this.#nats.troubles.isDown) throw new LogUnreachableError('the server does not answer');
    return answer();
  }

  #storeOf(actor: Actor): SharedSnapshotStore {
    return {
      put: (name, bytes) =>
        this.#reach(actor, () => void this.#files.set(name, Uint8Array.from(bytes))),
      get: (name) => this.#reach(actor, () => this.#files.get(name) ?? null),
      remove: (name) => this.#reach(actor, () => void this.#files.delete(name)),
    };
  }

  #catalogOf(actor: Actor): SnapshotCatalog {
    return {
      load: () =>
        this.#reach(actor, () => ({ snapshots: this.#snapshots, revision: this.#revision })),
      write: (snapshots, expected) =>
        this.#reach(actor, () => {
          if (expected !== this.#revision) return false;
          this.#snapshots = snapshots;
          this.#revision = (expected ?? 0) + 1;
          return true;
        }),
    };
  }

  #logOf(actor: Actor): LogReader {
    const nats = this.#nats;
    return {
      load: (position) => this.#reach(actor, () => nats.entryAt(position)),
      loadBeginning: () => this.#reach(actor, () => nats.beginning),
      loadEnd: () => this.#reach(actor, () => nats.entries.length),
    };
  }
}

// In service another thread computes the hash, whose timing does not follow the seed.
function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
