import type { RandomSource } from '../system/random-source.ts';

// A member's word rests on its journal: what it has reported to hold, and what it has promised. An
// older copy of its folder holds less. So the folder and the database both keep a stamp, which each
// start replaces, and the running process again and again: only the folder with the newest one is
// the member's.

export interface FolderStamp {
  /** Rises with each stamp: of two folders, the one that counts further is the later one. */
  readonly count: number;
  /** Tells copies apart that have counted equally far. */
  readonly token: string;
}

export const noStamp: FolderStamp = { count: 0, token: '' };

/** The newest stamp of each member's folder, in a place that no copy of the folder includes. */
export interface StampStore {
  /**
   * Null: the member has none yet. `unavailable`: the database has no place for stamps yet, because
   * an earlier version wrote it last.
   * @throws Error if it does not answer
   */
  load(member: string): Promise<FolderStamp | null | 'unavailable'>;
  /**
   * Replaces the stamp if it still is `before`.
   * @throws Error if it does not answer: then it may be replaced
   */
  replace(member: string, before: FolderStamp | null, stamp: FolderStamp): Promise<void>;
}

/** The folder's notes; each is durable once its promise resolves. */
interface StampedFolder {
  readonly member: string;
  readonly stamp: FolderStamp;
  saveStamp(stamp: FolderStamp): Promise<void>;
}

interface StampParts {
  readonly member: StampedFolder;
  readonly stamps: StampStore;
  readonly random: Pick<RandomSource, 'hex'>;
}

/**
 * Whether the folder is the member's, `stale` if another folder has been stamped since. A folder
 * that counts further than the database is the later one: either its process ended before the
 * database had the stamp, or an older state of the database was restored.
 */
export async function judgeFolder({
  member,
  stamps,
}: Omit<StampParts, 'random'>): Promise<'own' | 'stale'> {
  const known = await stamps.load(member.member);
  return known !== 'unavailable' && isStale(member.stamp, known) ? 'stale' : 'own';
}

/**
 * Gives the folder a new stamp, in the folder first and then in the database; it is not judged
 * where the database has no place for stamps. `stale`: it is not the member's any more. A stamp
 * that the folder has and the database lacks is completed before the next one is made, so that one
 * that is still on its way when its process ends does no harm, and so that no copy of that moment
 * has the stamp with which this process goes on.
 */
export async function stampFolder(parts: StampParts): Promise<'own' | 'stale'> {
  const { member, stamps, random } = parts;
  let isNew = false;
  for (;;) {
    const known = await stamps.load(member.member);
    if (known === 'unavailable') return 'own';
    if (isStale(member.stamp, known)) return 'stale';
    if (member.stamp.count === (known?.count ?? 0)) {
      if (isNew) return 'own';
      await member.saveStamp({ count: member.stamp.count + 1, token: random.hex(8) });
      isNew = true;
    }
    await stamps.replace(member.member, known, member.stamp);
  }
}

function isStale(own: FolderStamp, known: FolderStamp | null): boolean {
  if (known === null || own.count > known.count) return false;
  return own.count < known.count || own.token !== known.token;
}
