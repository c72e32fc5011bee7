import { Violation } from './history.ts';
import type { Machine, Sizes } from './machine.ts';

// The newest two, the one that the database needs, and those for whose removal a process did not
// live long enough.
const snapshotsMax = 6;
// The next one is prepared ahead, while the one before it may be full to the last byte.
const unusedSegmentsMax = 2;
const temporaryMax = 2;
const headerBytes = 512;

/** O13: what waits, and what lies in the folder of a process, stays within its limits. */
export class BoundsOracle {
  readonly #sizes: Sizes;
  readonly #areRulesHeld: boolean;

  /** While rules are held no snapshot is removed. */
  constructor(sizes: Sizes, areRulesHeld: boolean) {
    this.#sizes = sizes;
    this.#areRulesHeld = areRulesHeld;
  }

  /** @throws Violation */
  judge(machine: Machine): void {
    const { process } = machine;
    // What a process receives from the log waits without a caller.
    const waiting = process?.cluster === null ? process.sequencer.statistics.waiting : 0;
    this.#require(machine, 'commands wait', waiting, this.#sizes.waitingMax);
    const forwarded = process?.cluster?.waiting ?? 0;
    this.#require(machine, 'requests wait', forwarded, this.#sizes.waitingMax);
    const files = [...machine.disk.files()];
    const count = (ending: string, isCounted = (_bytes: Uint8Array): boolean => true): number =>
      files.filter(([path, bytes]) => path.endsWith(ending) && isCounted(bytes)).length;
    if (!this.#areRulesHeld) {
      this.#require(machine, 'snapshots are kept', count('.snapshot'), snapshotsMax);
    }
    this.#require(machine, 'files are unfinished', count('.tmp'), temporaryMax);
    this.#require(machine, 'segments are unused', count('.segment', isUnused), unusedSegmentsMax);
  }

  #require({ number }: Machine, what: string, count: number, most: number): void {
    if (count <= most) return;
    throw new Violation('O13', `${count} ${what} at process ${number}; the limit is ${most}`);
  }
}

function isUnused(bytes: Uint8Array): boolean {
  return bytes.subarray(headerBytes).every((byte) => byte === 0);
}
