import type { Sequence } from '../domain/identifiers.ts';
import type { AppliedCommand } from '../engine/events.ts';

/** What remains of a group once its bytes are written: its outcomes and the waiting callers. */
export interface WrittenGroup {
  readonly outcomes: readonly AppliedCommand[];
  readonly bytes: number;
  readonly writeMs: number;
  resolveAll(): void;
  rejectAll(error: unknown): void;
  readonly waiting: number;
}

interface WaitingRead {
  readonly through: number;
  readonly finish: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Groups that this process's journal holds, but not yet as many journals as an acknowledgement
 * needs. They are finished in their order.
 */
export class UnconfirmedGroups {
  readonly #groups: { readonly group: WrittenGroup; hasGivenUp: boolean }[] = [];
  #reads: WaitingRead[] = [];
  readonly #finish: (group: WrittenGroup) => void;
  #waiting = 0;

  constructor(finish: (group: WrittenGroup) => void) {
    this.#finish = finish;
  }

  get isEmpty(): boolean {
    return this.#groups.length === 0;
  }

  /** Callers that wait for these groups. */
  get waiting(): number {
    return this.#waiting;
  }

  add(group: WrittenGroup): void {
    this.#groups.push({ group, hasGivenUp: false });
    this.#waiting += group.waiting;
  }

  /** Calls back once the last of the groups that are here now is confirmed, or given up. */
  afterLast(finish: () => void, reject: (error: unknown) => void): void {
    const { outcomes } = this.#groups.at(-1)!.group;
    this.#reads.push({ through: outcomes.at(-1)!.sequence, finish, reject });
  }

  confirm(through: Sequence): void {
    for (;;) {
      const [first] = this.#groups;
      if (first === undefined || first.group.outcomes.at(-1)!.sequence > through) break;
      this.#groups.shift();
      if (!first.hasGivenUp) this.#waiting -= first.group.waiting;
      this.#finish(first.group);
    }
    while ((this.#reads[0]?.through ?? Infinity) <= through) this.#reads.shift()!.finish();
  }

  /** Rejects the callers; the groups themselves are finished when they are confirmed. */
  giveUp(error: unknown): void {
    for (const entry of this.#groups) {
      if (entry.hasGivenUp) continue;
      entry.hasGivenUp = true;
      this.#waiting -= entry.group.waiting;
      entry.group.rejectAll(error);
    }
    for (const { reject } of this.#reads) reject(error);
    this.#reads = [];
  }
}
