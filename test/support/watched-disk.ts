import type { Disk, DiskFile } from '../../src/journal/disk.ts';

/** Lists the files that are opened for reading, and counts those that are open now. */
export class WatchedDisk {
  readonly opened: string[] = [];
  open = 0;
  readonly disk: Disk;

  constructor(inner: Disk) {
    this.disk = {
      createFolder: (path) => inner.createFolder(path),
      list: (path) => inner.list(path),
      lock: (path) => inner.lock(path),
      openForReading: async (path) => this.#watch(await inner.openForReading(path)),
      create: (path) => inner.create(path),
      openDurable: (path) => inner.openDurable(path),
      rename: (from, to) => inner.rename(from, to),
      remove: (path) => inner.remove(path),
      syncFolder: (path) => inner.syncFolder(path),
    };
  }

  get snapshotsOpened(): readonly string[] {
    return this.opened.filter((path) => path.endsWith('.snapshot'));
  }

  #watch(file: DiskFile): DiskFile {
    this.opened.push(file.path);
    this.open += 1;
    return {
      ...file,
      close: async () => {
        this.open -= 1;
        await file.close();
      },
    };
  }
}
