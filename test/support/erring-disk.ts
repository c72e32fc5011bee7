import type { Random } from '../../bench/workload/random.ts';
import type { DiskFile } from '../../src/journal/disk.ts';
import { MemoryDisk } from './memory-disk.ts';

/** One read of a file shows one bit wrong, of those that are not zeros of an unused place. */
export class ErringDisk extends MemoryDisk {
  reads = 0;
  /** Where the wrong bit was read. */
  erredAt = -1;
  readonly #erring: number;
  readonly #random: Random;

  constructor(files: Map<string, Buffer>, erring: number, random: Random) {
    super(files);
    this.#erring = erring;
    this.#random = random;
  }

  override async openForReading(path: string): Promise<DiskFile> {
    return this.#erringFile(await super.openForReading(path));
  }

  override async openDurable(path: string): Promise<DiskFile> {
    return this.#erringFile(await super.openDurable(path));
  }

  #erringFile(file: DiskFile): DiskFile {
    return {
      ...file,
      read: async (buffer, position) => {
        const length = await file.read(buffer, position);
        this.reads += 1;
        const end = recordsEnd(Buffer.from(buffer.subarray(0, length)));
        if (this.reads !== this.#erring || end === 0) return length;
        const at = this.#random.nextBits() % end;
        buffer[at] = buffer[at]! ^ (1 << (this.#random.nextBits() % 8));
        this.erredAt = position + at;
        return length;
      },
    };
  }
}

/** Where the last byte that is not zero stands in each segment: the end of its records. */
export function recordsEnd(bytes: Buffer): number {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end -= 1;
  return end;
}
