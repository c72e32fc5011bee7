import type { AppliedCommand } from '../engine/events.ts';
import type { WrittenGroup } from './unconfirmed-groups.ts';

interface WaitingRead {
  readonly finish: () => void;
  readonly reject: (error: unknown) => void;
}

/** Commands that one write makes durable, with the callers waiting for that write. */
export class CommandGroup<Place> {
  readonly bytes: Buffer;
  used = 0;
  /** The group's place in the journal; null while the group still accepts commands. */
  place: Place | null = null;
  outcomes: AppliedCommand[] = [];
  #resolves: ((applied: AppliedCommand) => void)[] = [];
  #rejects: ((error: unknown) => void)[] = [];
  #reads: WaitingRead[] = [];

  constructor(bytesMax: number) {
    this.bytes = Buffer.alloc(bytesMax);
  }

  get waiting(): number {
    return this.#resolves.length + this.#reads.length;
  }

  add(
    applied: AppliedCommand,
    resolve: (applied: AppliedCommand) => void,
    reject: (error: unknown) => void,
  ): void {
    this.outcomes.push(applied);
    this.#resolves.push(resolve);
    this.#rejects.push(reject);
  }

  addRead(finish: () => void, reject: (error: unknown) => void): void {
    this.#reads.push({ finish, reject });
  }

  /** Resolves the promises of all waiting callers once the group is durable. */
  resolveAll(): void {
    const { outcomes } = this;
    const resolves = this.#resolves;
    for (let at = 0; at < resolves.length; at += 1) resolves[at]!(outcomes[at]!);
    for (const { finish } of this.#reads) finish();
  }

  rejectAll(error: unknown): void {
    for (const reject of this.#rejects) reject(error);
    for (const { reject } of this.#reads) reject(error);
  }

  /** Empties the group for reuse; its outcomes and callers continue in what this returns. */
  detach(writeMs: number): WrittenGroup {
    const { outcomes, used: bytes } = this;
    const [resolves, rejects, reads] = [this.#resolves, this.#rejects, this.#reads];
    this.#resolves = [];
    this.#rejects = [];
    this.#reads = [];
    this.reset();
    return {
      outcomes,
      bytes,
      writeMs,
      waiting: resolves.length + reads.length,
      resolveAll: () => {
        for (let at = 0; at < resolves.length; at += 1) resolves[at]!(outcomes[at]!);
        for (const { finish } of reads) finish();
      },
      rejectAll: (error) => {
        for (const reject of rejects) reject(error);
        for (const { reject } of reads) reject(error);
      },
    };
  }

  /** Empties the group for reuse. Replaces its outcomes, which others may still be reading. */
  reset(): void {
    this.used = 0;
    this.place = null;
    this.outcomes = [];
    this.#resolves.length = 0;
    this.#rejects.length = 0;
    this.#reads.length = 0;
  }
}
