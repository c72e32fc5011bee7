import { statfs } from 'node:fs/promises';
import type { Registry } from 'prom-client';
import { watchNumbers } from '../observability/metrics.ts';
import { systemTime } from '../system/system-time.ts';
import type { Time } from '../system/time.ts';

/** What is wrong with a machine that still serves. */
export type Weakness = 'disk low' | 'loop slow';

/** The space of a file system. */
export interface DiskSpace {
  readonly freeBytes: number;
  readonly totalBytes: number;
}

export interface HealthWatchOptions {
  /** The journal's folder, which may not exist yet. */
  readonly folder: string;
  readonly time?: Pick<Time, 'monotonicMs' | 'every'>;
  readonly measure?: (folder: string) => Promise<DiskSpace>;
}

const checkMs = 250;
const stallMs = 1_000;
const stalledForMs = 10_000;
const measureMs = 2_000;
const freeRatioMin = 0.05;
/** Two segments of the journal. */
const freeBytesMin = 2 * 64 * 1024 * 1024;

/**
 * Watches what makes a process a bad owner before anything fails: little space on the journal's
 * disk, and an event loop that stood still for more than a second within the last ten.
 */
export class HealthWatch {
  readonly #folder: string;
  readonly #time: Pick<Time, 'monotonicMs' | 'every'>;
  readonly #measure: (folder: string) => Promise<DiskSpace>;
  readonly #stop: () => void;
  #space: DiskSpace | null = null;
  #measuredAt = Number.NEGATIVE_INFINITY;
  #checkedAt: number;
  #stalledAt = Number.NEGATIVE_INFINITY;

  constructor({ folder, time = systemTime, measure = measureSpace }: HealthWatchOptions) {
    this.#folder = folder;
    this.#time = time;
    this.#measure = measure;
    this.#checkedAt = time.monotonicMs();
    this.#stop = time.every(checkMs, () => this.#check());
  }

  /** Null if nothing is wrong. */
  get weakness(): Weakness | null {
    if (this.#isLow()) return 'disk low';
    const isSlow = this.#time.monotonicMs() - this.#stalledAt < stalledForMs;
    return isSlow ? 'loop slow' : null;
  }

  /** The part of the journal's disk that is free; 1 if it could not be measured. */
  get freeRatio(): number {
    return this.#space === null ? 1 : this.#space.freeBytes / this.#space.totalBytes;
  }

  stop(): void {
    this.#stop();
  }

  #isLow(): boolean {
    if (this.#space === null) return false;
    return this.freeRatio < freeRatioMin || this.#space.freeBytes < freeBytesMin;
  }

  #check(): void {
    const now = this.#time.monotonicMs();
    if (now - this.#checkedAt > checkMs + stallMs) this.#stalledAt = now;
    this.#checkedAt = now;
    if (now - this.#measuredAt < measureMs) return;
    this.#measuredAt = now;
    this.#measure(this.#folder).then(
      (space) => {
        this.#space = space;
      },
      // The folder does not exist yet; a disk that fails shows with the next write.
      () => undefined,
    );
  }
}

export function watchHealth(metrics: Registry, health: HealthWatch): void {
  watchNumbers(metrics, [
    {
      name: 'journal_disk_free_ratio',
      help: "The part of the journal's disk that is free",
      read: () => health.freeRatio,
    },
  ]);
}

async function measureSpace(folder: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}
