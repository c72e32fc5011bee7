import type { Disk, DiskFile } from '../../src/journal/disk.ts';

/** A disk whose durable writes wait until the test lets them through, one by one or all. */
export class GatedDisk {
  readonly disk: Disk;
  readonly #waiting: (() => void)[] = [];
  #isOpen = true;

  constructor(inner: Disk) {
    this.disk = {
      createFolder: (path) => inner.createFolder(path),
      list: (path) => inner.list(path),
      lock: (folder) => inner.lock(folder),
      openForReading: (path) => inner.openForReading(path),
      create: (path) => inner.create(path),
      openDurable: async (path) => this.#gate(await inner.openDurable(path)),
      rename: (from, to) => inner.rename(from, to),
      remove: (path) => inner.remove(path),
      syncFolder: (path) => inner.syncFolder(path),
    };
  }

  /** Writes that wait now. */
  get waiting(): number {
    return this.#waiting.length;
  }

  close(): void {
    this.#isOpen = false;
  }

  letOneThrough(): void {
    this.#waiting.shift()?.();
  }

  open(): void {
    this.#isOpen = true;
    for (const pass of this.#waiting.splice(0)) pass();
  }

  #gate(file: DiskFile): DiskFile {
    return {
      path: file.path,
      size: () => file.size(),
      read: (buffer, position) => file.read(buffer, position),
      write: async (bytes, length, position) => {
        if (!this.#isOpen) {
          await new Promise<void>((resolve) => {
            this.#waiting.push(resolve);
          });
        }
        await file.write(bytes, length, position);
      },
      sync: () => file.sync(),
      close: () => file.close(),
    };
  }
}
