import type { Logger } from 'pino';
import type { Sequence } from '../domain/identifiers.ts';
import type { Disk } from '../journal/disk.ts';
import { listJournalFolder } from '../journal/journal-folder.ts';
import { readStateHash, snapshotPath } from '../journal/snapshot.ts';
import type { Time } from '../system/time.ts';
import type { SharingProcess } from './cluster-options.ts';
import type { SharedSnapshotStore } from './shared-snapshot-store.ts';
import {
  findNamed,
  type SharedSnapshot,
  type SnapshotCatalog,
  sha256Of,
  sharedSnapshotName,
} from './shared-snapshots.ts';

export interface SnapshotSharerOptions extends SharingProcess {
  readonly disk: Disk;
  readonly folder: string;
  readonly store: SharedSnapshotStore;
  readonly catalog: SnapshotCatalog;
  /** All processes take a snapshot at the multiples of this number. */
  readonly snapshotEvery: number;
  readonly time: Time;
  readonly logger: Logger;
  /** Absent: computed on another thread. */
  readonly sha256?: (bytes: Uint8Array) => Promise<string>;
}

const turnIntervalMs = 10_000;
const snapshotsMax = 3;

/**
 * Stores this process's snapshots in the shared store, unless it owns the exchange, and confirms
 * those of others: it has the same state at the same command, and has read the file from the store.
 * The owner names confirmed snapshots in the log.
 */
export class SnapshotSharer {
  readonly #options: SnapshotSharerOptions;
  readonly #endTurns: () => void;
  #turn: Promise<void> | null = null;

  constructor(options: SnapshotSharerOptions) {
    this.#options = options;
    this.#endTurns = options.time.every(turnIntervalMs, () => void this.takeTurn());
  }

  async stop(): Promise<void> {
    this.#endTurns();
    await this.#turn;
  }

  /** Never rejects: a step that fails is tried again at the next turn. */
  takeTurn(): Promise<void> {
    this.#turn ??= this.#shareNext()
      .catch((error: unknown) => {
        this.#options.logger.warn(
          { err: error },
          'the shared snapshot store cannot be used at present',
        );
      })
      .finally(() => {
        this.#turn = null;
      });
    return this.#turn;
  }

  async #shareNext(): Promise<void> {
    const { catalog, isOwner } = this.#options;
    const { snapshots, revision } = await catalog.load();
    const own = await this.#listOwn();
    const changed =
      (await this.#prove(snapshots, own)) ?? (isOwner() ? await this.#name(snapshots) : null);
    if (changed !== null) {
      const all = snapshots.map((each) => (each.sequence === changed.sequence ? changed : each));
      await catalog.write(all, revision);
      return;
    }
    const newest = own.at(-1);
    if (newest === undefined || isOwner()) return;
    if (snapshots.every(({ sequence }) => sequence < newest))
      await this.#put(newest, snapshots, revision);
  }

  async #prove(
    snapshots: readonly SharedSnapshot[],
    own: readonly Sequence[],
  ): Promise<SharedSnapshot | null> {
    const { member } = this.#options.member;
    for (const snapshot of snapshots) {
      const { sequence, putBy, provenBy } = snapshot;
      if (provenBy !== null || putBy === member || !own.includes(sequence)) continue;
      if ((await this.#isSame(snapshot)) && (await this.#isReadable(snapshot)))
        return { ...snapshot, provenBy: member };
    }
    return null;
  }

  // The log may have lost the entry with its end.
  async #name(snapshots: readonly SharedSnapshot[]): Promise<SharedSnapshot | null> {
    const { log, coordinator } = this.#options;
    for (const snapshot of snapshots) {
      if (snapshot.provenBy === null || (await findNamed(log, snapshot)) !== null) continue;
      const { sequence, chain, stateHash, sha256 } = snapshot;
      const position = await coordinator.nameSnapshot({ sequence, chain, stateHash, sha256 });
      return { ...snapshot, position };
    }
    return null;
  }

  async #listOwn(): Promise<readonly Sequence[]> {
    const { disk, folder, snapshotEvery } = this.#options;
    const { snapshots } = await listJournalFolder(disk, folder);
    return snapshots.filter((sequence) => sequence % snapshotEvery === 0);
  }

  async #isSame({ sequence, stateHash, chain, putBy }: SharedSnapshot): Promise<boolean> {
    const { disk, folder, logger } = this.#options;
    const own = {
      stateHash: await readStateHash(disk, snapshotPath(folder, sequence)),
      chain: await this.#options.chain.at(sequence),
    };
    if (own.stateHash === stateHash && own.chain === chain) return true;
    logger.error(
      { sequence, own, other: { stateHash, chain, putBy } },
      'a snapshot in the shared store differs from the state of this process',
    );
    return false;
  }

  async #isReadable({ sequence, sha256 }: SharedSnapshot): Promise<boolean> {
    const { journalId, store, logger, sha256: hash = sha256Of } = this.#options;
    const bytes = await store.get(sharedSnapshotName(journalId, sequence));
    if (bytes !== null && (await hash(bytes)) === sha256) return true;
    logger.error(
      { sequence },
      'a snapshot in the shared store is missing or damaged: it is not proven',
    );
    return false;
  }

  async #put(
    sequence: Sequence,
    others: readonly SharedSnapshot[],
    revision: number | null,
  ): Promise<void> {
    const { disk, folder, journalId, store, catalog, member, chain, logger } = this.#options;
    const { sha256 = sha256Of } = this.#options;
    const path = snapshotPath(folder, sequence);
    const bytes = await readWhole(disk, path);
    await store.put(sharedSnapshotName(journalId, sequence), bytes);
    const put: SharedSnapshot = {
      sequence,
      stateHash: await readStateHash(disk, path),
      chain: await chain.at(sequence),
      list: member.list,
      sha256: await sha256(bytes),
      putBy: member.member,
      provenBy: null,
    };
    const all = [...others, put];
    const gone = droppedOf(all);
    if (
      !(await catalog.write(
        all.filter((each) => !gone.includes(each)),
        revision,
      ))
    )
      return;
    logger.info({ sequence, bytes: bytes.length }, 'a snapshot is in the shared store');
    for (const each of gone) await store.remove(sharedSnapshotName(journalId, each.sequence));
  }
}

// The newest ones stay, and always the newest one that can be restored.
function droppedOf(snapshots: readonly SharedSnapshot[]): readonly SharedSnapshot[] {
  const named = snapshots.findLast(({ position }) => position !== undefined);
  return snapshots.slice(0, -snapshotsMax).filter((each) => each !== named);
}

async function readWhole(disk: Disk, path: string): Promise<Buffer> {
  const file = await disk.openForReading(path);
  try {
    const bytes = Buffer.alloc(await file.size());
    await file.read(bytes, 0);
    return bytes;
  } finally {
    await file.close();
  }
}
