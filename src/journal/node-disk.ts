import { close, constants, fdatasync, fstat, fsync, open, read, write } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Disk, DiskFile } from './disk.ts';
import { lockJournal } from './journal-lock.ts';
import { writeFully } from './write-fully.ts';

const openFile = promisify(open);
const closeFile = promisify(close);
const statFile = promisify(fstat);
const syncFile = promisify(fsync);
const syncData = promisify(fdatasync);

// A write that is durable when it returns costs one hop to the thread pool; a write and an
// fdatasync cost two. Systems without O_DSYNC use the two.
const durableFlag: number | undefined = constants.O_DSYNC;
const ownerOnly = 0o600;

/** The machine's real file system. */
export const nodeDisk: Disk = {
  async createFolder(path) {
    await mkdir(path, { recursive: true });
  },
  async list(path) {
    return (await readdir(path)).sort();
  },
  lock: lockJournal,
  async openForReading(path) {
    return new NodeFile(path, await openFile(path, constants.O_RDONLY, ownerOnly), false);
  },
  async create(path) {
    const flags = constants.O_RDWR | constants.O_CREAT | constants.O_TRUNC;
    return new NodeFile(path, await openFile(path, flags, ownerOnly), false);
  },
  async openDurable(path) {
    const flags = constants.O_RDWR | (durableFlag ?? 0);
    const needsSync = durableFlag === undefined;
    return new NodeFile(path, await openFile(path, flags, ownerOnly), needsSync);
  },
  rename,
  async remove(path) {
    await rm(path, { force: true });
  },
  async syncFolder(path) {
    const handle = await openFile(path, constants.O_RDONLY, ownerOnly);
    try {
      await syncFile(handle);
    } finally {
      await closeFile(handle);
    }
  },
};

class NodeFile implements DiskFile {
  readonly path: string;
  readonly #handle: number;
  readonly #needsSync: boolean;

  constructor(path: string, handle: number, needsSync: boolean) {
    this.path = path;
    this.#handle = handle;
    this.#needsSync = needsSync;
  }

  async size(): Promise<number> {
    return (await statFile(this.#handle)).size;
  }

  async read(buffer: Uint8Array, position: number): Promise<number> {
    let done = 0;
    while (done < buffer.length) {
      const count = await this.#readSome(buffer, done, position + done);
      if (count === 0) break;
      done += count;
    }
    return done;
  }

  async write(bytes: Uint8Array, length: number, position: number): Promise<void> {
    await writeFully((from, count, done) => {
      write(this.#handle, bytes, from, count, position + from, done);
    }, length);
    if (this.#needsSync) await syncData(this.#handle);
  }

  sync(): Promise<void> {
    return syncFile(this.#handle);
  }

  close(): Promise<void> {
    return closeFile(this.#handle);
  }

  #readSome(buffer: Uint8Array, from: number, position: number): Promise<number> {
    return new Promise((resolve, reject) => {
      read(this.#handle, buffer, from, buffer.length - from, position, (error, count) =>
        error === null ? resolve(count) : reject(error),
      );
    });
  }
}
