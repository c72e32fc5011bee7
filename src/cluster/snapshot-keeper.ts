import { hash } from 'node:crypto';
import type { Logger } from 'pino';
import type { Sequence } from '../domain/identifiers.ts';
import type { Disk } from '../journal/disk.ts';
import { listJournalFolder } from '../journal/journal-folder.ts';
import { readStateHash, snapshotPath } from '../journal/snapshot.ts';
import type { Time } from '../system/time.ts';
import type { SnapshotOwner } from './cluster-options.ts';
import { type KeptSnapshot, type KeptSnapshotStore, shelfName } from './kept-snapshots.ts';
import type { SnapshotShelf } from './snapshot-shelf.ts';

export interface SnapshotKeeperOptions extends SnapshotOwner {
  readonly disk: Disk;
  readonly folder: string;
  readonly shelf: SnapshotShelf;
  readonly store: KeptSnapshotStore;
  /** All processes take a snapshot at the multiples of this number. */
  readonly snapshotEvery: number;
  readonly time: Time;
  readonly logger: Logger;
}

const lookEveryMs = 10_000;
const keptMax = 3;

/**
 * Puts this process's snapshots on the shelf, unless it owns the exchange, and proves those of
 * others: two processes that have the same state at the same command vouch for it.
 */
export class SnapshotKeeper {
  readonly #options: SnapshotKeeperOptions;
  readonly #endTurns: () => void;
  #turn: Promise<void> | null = null;

  constructor(options: SnapshotKeeperOptions) {
    this.#options = options;
    this.#endTurns = options.time.every(lookEveryMs, () => void this.look());
  }

  async stop(): Promise<void> {
    this.#endTurns();
    await this.#turn;
  }

  /** Never rejects: what fails is tried again at the next turn. */
  look(): Promise<void> {
    this.#turn ??= this.#look()
      .catch((error: unknown) => {
        this.#options.logger.warn({ err: error }, 'the shelf of snapshots cannot be used now');
      })
      .finally(() => {
        this.#turn = null;
      });
    return this.#turn;
  }

  async #look(): Promise<void> {
    const { store, isOwner } = this.#options;
    const { member } = this.#options.member;
    const { snapshots, revision } = await store.load();
    const own = await this.#listOwn();
    const unproven = snapshots.filter(
      ({ sequence, putBy, provenBy }) =>
        provenBy === null && putBy !== member && own.includes(sequence),
    );
    for (const snapshot of unproven) {
      const isSame = await this.#isSame(snapshot);
      if (!isSame) continue;
      const proven = { ...snapshot, provenBy: member };
      await store.write(
        snapshots.map((each) => (each === snapshot ? proven : each)),
        revision,
      );
      return;
    }
    const newest = own.at(-1);
    if (newest === undefined || isOwner()) return;
    if (snapshots.every(({ sequence }) => sequence < newest))
      await this.#put(newest, snapshots, revision);
  }

  async #listOwn(): Promise<readonly Sequence[]> {
    const { disk, folder, snapshotEvery } = this.#options;
    const { snapshots } = await listJournalFolder(disk, folder);
    return snapshots.filter((sequence) => sequence % snapshotEvery === 0);
  }

  async #isSame({ sequence, stateHash, chain, putBy }: KeptSnapshot): Promise<boolean> {
    const { disk, folder, logger } = this.#options;
    const own = {
      stateHash: await readStateHash(disk, snapshotPath(folder, sequence)),
      chain: await this.#options.chain.at(sequence),
    };
    if (own.stateHash === stateHash && own.chain === chain) return true;
    logger.error(
      { sequence, own, other: { stateHash, chain, putBy } },
      'a snapshot on the shelf differs from the state of this process',
    );
    return false;
  }

  async #put(
    sequence: Sequence,
    others: readonly KeptSnapshot[],
    revision: number | null,
  ): Promise<void> {
    const { disk, folder, journalId, shelf, store, member, chain, logger } = this.#options;
    const path = snapshotPath(folder, sequence);
    const bytes = await readWhole(disk, path);
    await shelf.put(shelfName(journalId, sequence), bytes);
    const put: KeptSnapshot = {
      sequence,
      stateHash: await readStateHash(disk, path),
      chain: await chain.at(sequence),
      list: member.list,
      sha256: hash('sha256', bytes, 'hex'),
      putBy: member.member,
      provenBy: null,
    };
    const all = [...others, put];
    const gone = droppedOf(all);
    if (
      !(await store.write(
        all.filter((each) => !gone.includes(each)),
        revision,
      ))
    )
      return;
    logger.info({ sequence, bytes: bytes.length }, 'a snapshot is on the shelf');
    for (const each of gone) await shelf.remove(shelfName(journalId, each.sequence));
  }
}

// The newest ones stay, and always the newest one that is proven.
function droppedOf(snapshots: readonly KeptSnapshot[]): readonly KeptSnapshot[] {
  const proven = snapshots.findLast(({ provenBy }) => provenBy !== null);
  return snapshots.slice(0, -keptMax).filter((each) => each !== proven);
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
