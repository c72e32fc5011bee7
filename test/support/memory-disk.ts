import { join } from 'node:path';
import { assert } from '../../src/domain/assert.ts';
import {
  type Disk,
  type DiskFile,
  type DiskLock,
  JournalLockedError,
} from '../../src/journal/disk.ts';

// A disk in memory that can lose what was never synced, as a power cut does: each sector that was
// written since the last sync on its own, and each creation, rename and removal since the folder's
// last sync. It counts its operations, and can fail or end at any one of them.

const sectorBytes = 512;

export interface Draw {
  /** A whole number from 0 inclusive to the limit exclusive. */
  (limit: number): number;
}

export class DiskCrash extends Error {
  override readonly name = 'DiskCrash';
}

export type Operation = 'create' | 'write' | 'sync' | 'rename' | 'remove' | 'syncFolder' | 'read';

/** Called before each operation; an error it throws is what the operation fails with. */
export type Fault = (operation: Operation, path: string, count: number) => void;

interface Inode {
  durable: Buffer;
  current: Buffer;
  /** Sectors whose current bytes may not be on the disk. */
  readonly dirty: Set<number>;
}

export function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: injected`), { code });
}

export class MemoryDisk implements Disk {
  fault: Fault = () => {};
  /** Operations that change something, so far. */
  changes = 0;
  readonly #locked = new Set<string>();
  readonly #durableNames: Map<string, Inode>;
  readonly #names: Map<string, Inode>;
  #crashed = false;

  constructor(files: ReadonlyMap<string, Buffer> = new Map()) {
    this.#durableNames = new Map([...files].map(([path, bytes]) => [path, inodeOf(bytes)]));
    this.#names = new Map(this.#durableNames);
  }

  /** From now on no operation works, and nothing more is written. */
  crash(): void {
    this.#crashed = true;
  }

  get hasCrashed(): boolean {
    return this.#crashed;
  }

  /** The bytes of each file as a reader sees them now. */
  files(): Map<string, Buffer> {
    return new Map([...this.#names].map(([path, inode]) => [path, Buffer.from(inode.current)]));
  }

  /** What a power cut may leave: all that was synced, and any part of the rest. */
  afterPowerCut(draw: Draw): MemoryDisk {
    const names = new Map(this.#durableNames);
    const touched = new Set([...this.#names.keys(), ...this.#durableNames.keys()]);
    for (const path of touched) {
      const inode = this.#names.get(path);
      if (inode === this.#durableNames.get(path) || draw(2) === 0) continue;
      if (inode === undefined) names.delete(path);
      else names.set(path, inode);
    }
    return new MemoryDisk(new Map([...names].map(([path, inode]) => [path, survive(inode, draw)])));
  }

  async createFolder(): Promise<void> {
    this.#check('read', '');
  }

  async list(path: string): Promise<string[]> {
    this.#check('read', path);
    const prefix = join(path, '/');
    return [...this.#names.keys()]
      .filter((name) => name.startsWith(prefix))
      .map((name) => name.slice(prefix.length))
      .sort();
  }

  async lock(folder: string): Promise<DiskLock> {
    if (this.#locked.has(folder)) throw new JournalLockedError(folder);
    this.#locked.add(folder);
    return {
      release: async () => void this.#locked.delete(folder),
    };
  }

  async openForReading(path: string): Promise<DiskFile> {
    this.#check('read', path);
    return this.#open(path, false);
  }

  async create(path: string): Promise<DiskFile> {
    this.#check('create', path);
    this.#names.set(path, inodeOf(Buffer.alloc(0)));
    return this.#open(path, false);
  }

  async openDurable(path: string): Promise<DiskFile> {
    this.#check('read', path);
    return this.#open(path, true);
  }

  async rename(from: string, to: string): Promise<void> {
    this.#check('rename', from);
    const inode = this.#names.get(from);
    if (inode === undefined) throw systemError('ENOENT');
    this.#names.delete(from);
    this.#names.set(to, inode);
  }

  async remove(path: string): Promise<void> {
    this.#check('remove', path);
    this.#names.delete(path);
  }

  async syncFolder(path: string): Promise<void> {
    this.#check('syncFolder', path);
    this.#durableNames.clear();
    for (const [name, inode] of this.#names) this.#durableNames.set(name, inode);
  }

  #open(path: string, isDurable: boolean): DiskFile {
    const inode = this.#names.get(path);
    if (inode === undefined) throw systemError('ENOENT');
    return {
      path,
      size: async () => inode.current.length,
      read: async (buffer, position) => {
        this.#check('read', path);
        return inode.current.copy(buffer, 0, position);
      },
      write: async (bytes, length, position) => {
        // The event loop turns, so that others run while this write is on its way.
        await new Promise((resolve) => setImmediate(resolve));
        assert(length <= bytes.length, `${length} bytes are written of ${bytes.length}`);
        this.#checkWrite(inode, bytes.subarray(0, length), position, path);
        if (isDurable) settle(inode);
      },
      sync: async () => {
        this.#check('sync', path);
        settle(inode);
      },
      close: async () => {},
    };
  }

  // A crash in the middle of a write leaves it dirty, so that any of its sectors may survive.
  #checkWrite(inode: Inode, bytes: Uint8Array, position: number, path: string): void {
    const wasRunning = !this.#crashed;
    try {
      this.#check('write', path);
    } catch (error) {
      if (error instanceof DiskCrash && wasRunning) put(inode, bytes, position);
      throw error;
    }
    put(inode, bytes, position);
  }

  #check(operation: Operation, path: string): void {
    if (this.#crashed) throw new DiskCrash('the disk is gone');
    if (operation !== 'read') this.changes += 1;
    try {
      this.fault(operation, path, this.changes);
    } catch (error) {
      if (error instanceof DiskCrash) this.#crashed = true;
      throw error;
    }
  }
}

function inodeOf(bytes: Buffer): Inode {
  return { durable: Buffer.from(bytes), current: Buffer.from(bytes), dirty: new Set() };
}

function put(inode: Inode, bytes: Uint8Array, position: number): void {
  const end = position + bytes.length;
  if (end > inode.current.length) {
    inode.current = Buffer.concat([inode.current, Buffer.alloc(end - inode.current.length)]);
  }
  inode.current.set(bytes, position);
  for (let at = position - (position % sectorBytes); at < end; at += sectorBytes) {
    inode.dirty.add(at);
  }
}

function settle(inode: Inode): void {
  if (inode.durable.length !== inode.current.length) {
    inode.durable = Buffer.from(inode.current);
  } else {
    for (const at of inode.dirty) inode.current.copy(inode.durable, at, at, at + sectorBytes);
  }
  inode.dirty.clear();
}

function survive(inode: Inode, draw: Draw): Buffer {
  const isLonger = inode.current.length > inode.durable.length && draw(2) === 1;
  const size = isLonger ? inode.current.length : inode.durable.length;
  const left = Buffer.alloc(size);
  inode.durable.copy(left);
  for (const at of inode.dirty) {
    if (draw(2) === 1 && at < size) inode.current.copy(left, at, at, at + sectorBytes);
  }
  return left;
}
