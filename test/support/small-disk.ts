import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const chunkBytes = [1_048_576, 4_096];

/** A separate small file system in memory, which a test fills up and empties again. */
export class SmallDisk {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Null if this account may mount nothing; the reason is printed. */
  static mount(folder: string, megabytes: number): SmallDisk | null {
    mkdirSync(folder, { recursive: true });
    try {
      const options = `size=${megabytes}m,mode=755`;
      execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'pipe' });
    } catch (error) {
      console.warn(`skipped, as no small disk can be mounted: ${String(error)}`);
      return null;
    }
    return new SmallDisk(folder);
  }

  /** Not a byte is left. */
  fill(): void {
    const file = openSync(this.#filler, 'w');
    for (const bytes of chunkBytes) {
      const chunk = Buffer.alloc(bytes, 1);
      while (writes(file, chunk));
    }
    closeSync(file);
  }

  empty(): void {
    rmSync(this.#filler, { force: true });
  }

  unmount(): void {
    execFileSync('umount', ['--lazy', this.#folder], { stdio: 'pipe' });
  }

  get #filler(): string {
    return join(this.#folder, 'filler');
  }
}

/** False once the disk is full. */
function writes(file: number, chunk: Buffer): boolean {
  try {
    return writeSync(file, chunk) === chunk.length;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return false;
    throw error;
  }
}
