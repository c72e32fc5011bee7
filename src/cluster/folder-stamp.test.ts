import { describe, expect, it } from 'vitest';
import { MemoryStamps } from '../../test/support/memory-cluster.ts';
import { MemoryDisk } from '../../test/support/memory-disk.ts';
import { systemRandom } from '../system/random-source.ts';
import {
  type FolderStamp,
  judgeFolder,
  noStamp,
  type StampStore,
  stampFolder,
} from './folder-stamp.ts';
import { MemberFile } from './member-file.ts';

// Which of several copies of a folder is the member's, wherever its process was killed.

class Killed extends Error {}

/** Where a start is killed: at which of its steps, and whether that step is still done. */
interface Kill {
  readonly step: number;
  /** A number: the database does the step later, before that step of the next start. */
  readonly done: 'never' | 'first' | number;
}

const stepsMax = 6;
const kills: readonly (Kill | null)[] = [
  null,
  ...Array.from({ length: stepsMax }, (_, step) => [
    { step, done: 'never' } as const,
    { step, done: 'first' } as const,
    ...[0, 1, 2, 3].map((done) => ({ step, done })),
  ]).flat(),
];

/** A database and copies of one folder, whose starts are killed at every step. */
class Copies {
  readonly database = new MemoryStamps();
  readonly folders: Record<string, FolderStamp> = {};
  readonly #late: { at: number; work: () => Promise<void> }[] = [];
  #step = 0;

  constructor(names: readonly string[], stamp: FolderStamp) {
    for (const name of names) this.folders[name] = stamp;
    if (stamp.count > 0) this.database.known.set('m', stamp);
  }

  /** Null if it is killed before it knows. */
  async start(name: string, kill: Kill | null): Promise<'own' | 'stale' | null> {
    this.#step = 0;
    const { folders } = this;
    const at = <T>(work: () => Promise<T>) => this.#do(kill, work, false);
    const stamps: StampStore = {
      load: (member) => at(() => this.database.load(member)),
      replace: (...change) => this.#do(kill, () => this.database.replace(...change), true),
    };
    const member = {
      member: 'm',
      get stamp() {
        return folders[name]!;
      },
      saveStamp: (stamp: FolderStamp) => at(async () => void (folders[name] = stamp)),
    };
    try {
      return await stampFolder({ member, stamps, random: systemRandom });
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      return null;
    }
  }

  async #do<T>(kill: Kill | null, work: () => Promise<T>, isReplace: boolean): Promise<T> {
    const step = this.#step;
    this.#step += 1;
    for (const late of this.#late.filter(({ at }) => at === step)) {
      this.#late.splice(this.#late.indexOf(late), 1);
      await late.work();
    }
    if (kill?.step !== step) return work();
    if (kill.done === 'first') await work();
    // A folder's write that is not done when its process ends is never done.
    else if (kill.done !== 'never' && isReplace) {
      this.#late.push({ at: kill.done, work: async () => void (await work()) });
    }
    throw new Killed();
  }
}

const seventh = { count: 7, token: 'seventh' };

describe('the stamp of a folder', () => {
  it.each([
    ['of a new process', noStamp],
    ['of a member', seventh],
  ])(
    'the folder %s stays its own after kills at every step of three starts in a row',
    async (_, stamp) => {
      let starts = 0;
      for (const first of kills) {
        for (const second of kills) {
          const copies = new Copies(['a'], stamp);
          const verdicts = [
            await copies.start('a', first),
            await copies.start('a', second),
            await copies.start('a', first),
            await copies.start('a', null),
          ];
          const label = JSON.stringify([first, second]);
          expect(verdicts, label).not.toContain('stale');
          expect(verdicts.at(-1), label).toBe('own');
          expect(copies.folders['a'], label).toEqual(copies.database.known.get('m'));
          starts += verdicts.length;
        }
      }
      expect(starts).toBe(kills.length ** 2 * 4);
    },
  );

  it('only one of two copies is ever the member, wherever starts of both are killed', async () => {
    const winners = new Set<string>();
    const names = ['a', 'b'];
    for (const one of names) {
      for (const first of kills) {
        for (const two of names) {
          for (const second of kills) {
            const copies = new Copies(names, seventh);
            const steps = [
              [one, first],
              [two, second],
              ['a', null],
              ['b', null],
              ['a', null],
            ] as const;
            const own = new Set<string>();
            for (const [name, kill] of steps) {
              if ((await copies.start(name, kill)) === 'own') own.add(name);
            }
            expect(own.size, JSON.stringify(steps)).toBe(1);
            for (const name of own) winners.add(name);
          }
        }
      }
    }
    expect([...winners].sort()).toEqual(names);
  });

  it('only one of two copies that start at once is the member', async () => {
    const copies = new Copies(['a', 'b'], seventh);
    const verdicts = await Promise.all([copies.start('a', null), copies.start('b', null)]);
    expect(verdicts.sort()).toEqual(['own', 'stale']);
  });

  it('an older copy is stale, and so is one without a stamp', async () => {
    const copies = new Copies(['a', 'older'], seventh);
    await copies.start('a', null);
    expect(await copies.start('older', null)).toBe('stale');
    copies.folders['older'] = noStamp;
    expect(await copies.start('older', null)).toBe('stale');
    expect(await copies.start('a', null)).toBe('own');
  });

  it.each([
    ['an older state', { count: 3, token: 'third' }],
    ['none', null],
  ])('with %s of the database, the folder that counts further is the member', async (_, state) => {
    const copies = new Copies(['a', 'older'], seventh);
    copies.folders['older'] = { count: 2, token: 'second' };
    await copies.start('a', null);
    if (state === null) copies.database.known.clear();
    else copies.database.known.set('m', state);
    expect(await copies.start('a', null)).toBe('own');
    expect(await copies.start('older', null)).toBe('stale');
    expect(copies.folders['a']).toMatchObject({ count: 9 });
  });

  it('a database without a place for stamps judges no folder and changes none', async () => {
    const stamps: StampStore = {
      load: async () => 'unavailable',
      replace: () => Promise.reject(new Error('there is no place')),
    };
    const disk = new MemoryDisk();
    const member = await MemberFile.open(disk, '/journal', systemRandom);
    expect(await stampFolder({ member, stamps, random: systemRandom })).toBe('own');
    expect(await judgeFolder({ member, stamps })).toBe('own');
    expect(member.stamp).toEqual(noStamp);
  });

  it('the folder keeps a stamp through a power cut before the database has it', async () => {
    const disk = new MemoryDisk();
    const member = await MemberFile.open(disk, '/journal', systemRandom);
    const database = new MemoryStamps();
    const kept: FolderStamp[] = [];
    const stamps: StampStore = {
      load: (name) => database.load(name),
      replace: async (...change) => {
        const after = disk.afterPowerCut(() => 0);
        const folder = await MemberFile.open(after, '/journal', systemRandom);
        kept.push(folder.stamp);
        await database.replace(...change);
      },
    };
    await stampFolder({ member, stamps, random: systemRandom });
    await stampFolder({ member, stamps, random: systemRandom });
    expect(kept.map(({ count }) => count)).toEqual([1, 2]);
    expect(kept.at(-1)).toEqual(database.known.get(member.member));
  });
});
