import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Where the processes of one exchange share snapshots, by name. */
export interface SharedSnapshotStore {
  /** Durable once it resolves; replaces what has the name. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** Null if there is none of that name. */
  get(name: string): Promise<Uint8Array | null>;
  /** Does nothing if there is none of that name. */
  remove(name: string): Promise<void>;
}

/** A folder that all processes reach, for example over a network. */
export class FolderSnapshotStore implements SharedSnapshotStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async put(name: string, bytes: Uint8Array): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    const temporary = join(this.#folder, `${name}.${process.pid}.tmp`);
    const file = await open(temporary, 'w');
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, join(this.#folder, name));
  }

  async get(name: string): Promise<Uint8Array | null> {
    try {
      return await readFile(join(this.#folder, name));
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
      throw error;
    }
  }

  async remove(name: string): Promise<void> {
    await rm(join(this.#folder, name), { force: true });
  }
}
