import { join } from 'node:path';
import {
  type Disk,
  type DiskFile,
  type DiskLock,
  JournalLockedError,
} from '../../../src/journal/disk.ts';
import { isDamaged, repair, sidesOf, spoil } from './disk-damage.ts';
import type { Draws } from './draws.ts';
import { forget, type Inode, newInode, put, sectorBytes, settle, surviveWith } from './inode.ts';
import type { Actor, World } from './world.ts';

const segmentEnding = '.segment';
const astraySectorsMax = 16;

interface PendingWrite {
  readonly inode: Inode;
  readonly bytes: Uint8Array;
  readonly position: number;
}

/** The bytes of all files at one moment. */
export type DiskCopy = ReadonlyMap<string, Buffer>;

/** The present faults of a machine's disk. */
export interface DiskTroubles {
  /** The disk is full: no file can grow. */
  isFull: boolean;
  /** Added to every operation. */
  slowMs: number;
  /** The share of operations that fail with EIO; what a write has stored then is unknown. */
  errorRate: number;
  /** The share of reads that show one bit wrong; the next read of the same place may not. */
  flipRate: number;
  /** Syncs return without making anything durable. */
  isLying: boolean;
}

export const soundDisk: DiskTroubles = {
  isFull: false,
  slowMs: 0,
  errorRate: 0,
  flipRate: 0,
  isLying: false,
};

/** The disk of one machine, which outlives the processes that use it. */
export class SimDisk {
  readonly troubles: DiskTroubles = { ...soundDisk };
  readonly #world: World;
  readonly #draws: Draws;
  readonly #names = new Map<string, Inode>();
  readonly #durableNames = new Map<string, Inode>();
  readonly #pending = new Set<PendingWrite>();
  /** The next durable write to a segment of the journal lands in another place of the file. */
  isNextAstray = false;
  /** The files at the time when the disk began to lie; null: it has not lied. */
  #beforeLies: ReadonlySet<string> | null = null;
  /** What a disk that lied claimed to hold when the power failed. */
  #claimed: DiskCopy | null = null;
  #lockedBy: Actor | null = null;
  /** How many more operations there are until the process that uses the disk ends. */
  #operationsLeft: number | null = null;
  #endUser: () => void = () => undefined;

  constructor(world: World, draws: Draws) {
    this.#world = world;
    this.#draws = draws;
  }

  /** The bytes of each file as a reader sees them now. */
  files(): ReadonlyMap<string, Uint8Array> {
    return new Map([...this.#names].map(([path, { current }]) => [path, current]));
  }

  /** The process ends; the system continues, and may or may not do what it was asked for. */
  endProcess(): void {
    for (const write of this.#pending) this.#storePart(write);
  }

  #storePart(write: PendingWrite): void {
    const { inode, bytes, position } = write;
    this.#pending.delete(write);
    const kept = this.#draws.pick([0, bytes.length, this.#draws.below(bytes.length)]);
    if (kept > 0) put(inode, bytes.subarray(0, kept), position);
  }

  /** The machine ends: what was not synced is there or not, each sector and name independently. */
  cutPower(): void {
    for (const { inode, bytes, position } of this.#pending) put(inode, bytes, position);
    this.#pending.clear();
    const beforeLies = this.#beforeLies;
    if (beforeLies !== null) {
      this.#claimed = this.#bytesOf();
    }
    this.#beforeLies = null;
    for (const path of new Set([...this.#names.keys(), ...this.#durableNames.keys()])) {
      const durable = this.#durableNames.get(path);
      if (this.#names.get(path) === durable || this.#draws.chance(0.5)) continue;
      if (durable === undefined) this.#names.delete(path);
      else this.#names.set(path, durable);
    }
    if (beforeLies !== null) this.#loseSnapshots(beforeLies);
    this.#durableNames.clear();
    for (const [path, inode] of this.#names) {
      this.#survive(inode);
      this.#durableNames.set(path, inode);
    }
  }

  // A start reads no records before its snapshot, so it would not see that a lie has lost some.
  #loseSnapshots(kept: ReadonlySet<string>): void {
    for (const path of this.#names.keys()) {
      if (path.endsWith('.snapshot') && !kept.has(path)) this.#names.delete(path);
    }
  }

  /** The user of the disk ends at one of its next operations, before that is done. */
  endUser(operations: number | null, end: () => void): void {
    this.#operationsLeft = operations;
    this.#endUser = end;
  }

  copy(): DiskCopy {
    return this.#bytesOf();
  }

  /** The files are as they were; an operator can still put back the present ones. */
  putBack(older: DiskCopy): void {
    const claimed = this.#bytesOf();
    this.replaceWith(older);
    this.#claimed = claimed;
  }

  replaceWith(files: DiskCopy): void {
    this.erase();
    for (const [path, bytes] of files) this.#names.set(path, newInode(bytes));
    this.#settleAll();
  }

  #bytesOf(): DiskCopy {
    const sound = [...this.#names].map(
      ([path, inode]) => [path, (inode.sound ?? inode).current] as const,
    );
    return new Map(sound.map(([path, bytes]) => [path, Buffer.from(bytes)]));
  }

  /** The process has continued with the files that were left. */
  forgetClaims(): void {
    this.#claimed = null;
  }

  /** Everything that was synced is on the disk after all. */
  settleLies(): void {
    if (this.#beforeLies === null) return;
    this.#beforeLies = null;
    this.#settleAll();
  }

  #settleAll(): void {
    for (const inode of this.#names.values()) settle(inode);
    this.#durableNames.clear();
    for (const [name, inode] of this.#names) this.#durableNames.set(name, inode);
  }

  get isDamaged(): boolean {
    return this.#claimed !== null || [...this.#names.values()].some(isDamaged);
  }

  /** Restores every byte that differs from what was written there. */
  repair(): void {
    for (const inode of this.#names.values()) repair(inode);
  }

  /** Does what an operator does who restores the files of a stopped process from a replica. */
  restore(): void {
    this.repair();
    if (this.#claimed === null) return;
    this.#names.clear();
    for (const [path, bytes] of this.#claimed) {
      this.#names.set(path, newInode(bytes));
    }
    this.#claimed = null;
    this.#settleAll();
  }

  /** One bit of a record of the journal changes; false if there is none. */
  rot(): boolean {
    const segments = [...this.#names].filter(([name]) => name.endsWith(segmentEnding)).sort(byName);
    const inode = segments.length === 0 ? undefined : this.#draws.pick(segments)[1];
    if (inode === undefined) return false;
    const end = inode.current.findLastIndex((byte) => byte !== 0) + 1;
    if (end <= sectorBytes) return false;
    const at = sectorBytes + this.#draws.below(end - sectorBytes);
    spoil(inode, at, Uint8Array.of(inode.current[at]! ^ (1 << this.#draws.below(8))));
    return true;
  }

  /** Another disk, with nothing on it. */
  erase(): void {
    this.#names.clear();
    this.#durableNames.clear();
    this.#claimed = null;
    this.#beforeLies = null;
  }

  /** One bit of the newest file with that ending changes; false if there is none. */
  flipBit(ending: string): boolean {
    const path = [...this.#names.keys()]
      .filter((name) => name.endsWith(ending))
      .sort()
      .at(-1);
    const inode = path === undefined ? undefined : this.#names.get(path);
    if (inode === undefined || inode.current.length === 0) return false;
    const at = this.#draws.below(inode.current.length);
    const flipped = inode.current[at]! ^ (1 << this.#draws.below(8));
    inode.current[at] = flipped;
    if (at < inode.durable.length) inode.durable[at] = flipped;
    return true;
  }

  /** The disk as one process uses it: one that has ended receives nothing more. */
  openFor(actor: Actor): Disk {
    return {
      createFolder: () => this.#act(actor),
      list: async (path) => {
        await this.#act(actor);
        const prefix = join(path, '/');
        return [...this.#names.keys()]
          .filter((name) => name.startsWith(prefix))
          .map((name) => name.slice(prefix.length))
          .sort();
      },
      lock: async (folder) => {
        await this.#act(actor);
        return this.#lock(actor, folder);
      },
      openForReading: async (path) => {
        await this.#act(actor);
        return this.#open(actor, path, false);
      },
      create: async (path) => {
        await this.#act(actor);
        if (this.troubles.isFull) throw systemError('ENOSPC');
        this.#names.set(path, newInode(new Uint8Array()));
        return this.#open(actor, path, false);
      },
      openDurable: async (path) => {
        await this.#act(actor);
        return this.#open(actor, path, true);
      },
      rename: async (from, to) => {
        await this.#act(actor);
        const inode = this.#find(from);
        this.#names.delete(from);
        this.#names.set(to, inode);
      },
      remove: async (path) => {
        await this.#act(actor);
        this.#names.delete(path);
      },
      syncFolder: async () => {
        await this.#act(actor);
        if (this.#lies()) return;
        this.#durableNames.clear();
        for (const [name, inode] of this.#names) this.#durableNames.set(name, inode);
      },
    };
  }

  #open(actor: Actor, path: string, isDurable: boolean): DiskFile {
    const inode = this.#find(path);
    return {
      path,
      size: async () => inode.current.length,
      read: async (buffer, position) => {
        await this.#act(actor);
        const length = inode.current.copy(buffer, 0, position);
        this.#flipAtTimes(buffer, length);
        return length;
      },
      write: async (bytes, length, position) => {
        const write = { inode, bytes: Uint8Array.from(bytes.subarray(0, length)), position };
        // A process that has ended starts no write.
        if (actor.isAlive) this.#pending.add(write);
        await this.#act(actor).catch((error: unknown) => {
          if (this.#pending.has(write)) {
            this.#storePart(write);
            forget(inode);
          }
          throw error;
        });
        this.#pending.delete(write);
        const isGrowing = position + length > inode.current.length;
        if (isGrowing && this.troubles.isFull) throw systemError('ENOSPC');
        if (isDurable && this.isNextAstray && this.#writeAstray(path, write)) return;
        put(inode, write.bytes, position);
        if (isDurable && !this.#lies()) settle(inode);
      },
      sync: async () => {
        await this.#act(actor).catch((error: unknown) => {
          forget(inode);
          throw error;
        });
        if (!this.#lies()) settle(inode);
      },
      close: async () => undefined,
    };
  }

  #lies(): boolean {
    if (this.troubles.isLying) this.#beforeLies ??= new Set(this.#names.keys());
    return this.troubles.isLying;
  }

  // Another sector of the same file receives the bytes.
  #writeAstray(path: string, { inode, bytes, position }: PendingWrite): boolean {
    if (!path.endsWith(segmentEnding)) return false;
    const sectors = 1 + this.#draws.below(astraySectorsMax);
    const landed = position + sectorBytes * (this.#draws.chance(0.5) ? sectors : -sectors);
    if (landed < sectorBytes || landed + bytes.length > inode.current.length) return false;
    this.isNextAstray = false;
    const missed = Buffer.from(inode.current.subarray(position, position + bytes.length));
    put(inode, bytes, position);
    settle(inode);
    spoil(inode, position, missed);
    spoil(inode, landed, bytes);
    return true;
  }

  #lock(actor: Actor, folder: string): DiskLock {
    if (this.#lockedBy?.isAlive === true) throw new JournalLockedError(folder);
    this.#lockedBy = actor;
    return {
      release: async () => {
        if (this.#lockedBy === actor) this.#lockedBy = null;
      },
    };
  }

  async #act(actor: Actor): Promise<void> {
    if (this.#operationsLeft !== null && actor.isAlive) {
      this.#operationsLeft -= 1;
      if (this.#operationsLeft <= 0) {
        this.#operationsLeft = null;
        this.#world.schedule(0, actor, this.#endUser);
      }
    }
    const { slowMs } = this.troubles;
    const ownMs = this.#draws.between(0.05, 0.4);
    await this.#world.wait(ownMs + slowMs * this.#draws.fraction(), actor);
    this.#failAtTimes();
  }

  #failAtTimes(): void {
    const { errorRate } = this.troubles;
    if (errorRate > 0 && this.#draws.chance(errorRate)) throw systemError('EIO');
  }

  #flipAtTimes(buffer: Uint8Array, length: number): void {
    const { flipRate } = this.troubles;
    if (flipRate === 0 || length === 0 || !this.#draws.chance(flipRate)) return;
    const at = this.#draws.below(length);
    buffer[at] = buffer[at]! ^ (1 << this.#draws.below(8));
  }

  #find(path: string): Inode {
    const inode = this.#names.get(path);
    if (inode === undefined) throw systemError('ENOENT');
    return inode;
  }

  #survive(inode: Inode): void {
    const isLonger = inode.current.length > inode.durable.length && this.#draws.chance(0.5);
    const kept = [...inode.dirty].filter(() => this.#draws.chance(0.5));
    for (const side of sidesOf(inode)) surviveWith(side, isLonger, kept);
    inode.dirty.clear();
  }
}

const byName = ([left]: [string, Inode], [right]: [string, Inode]): number =>
  left < right ? -1 : Number(left > right);

function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: simulated`), { code });
}
