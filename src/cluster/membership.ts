import type { Time } from '../system/time.ts';
import type { MemberProgress } from './log-entry.ts';
import type { RollAnswer } from './roll-call.ts';

export interface MembershipSettings {
  /** Processes that are entered as they join; if null there is no list, and none is waited for. */
  readonly membersCount: number | null;
  /** The journals that hold a command before it is acknowledged, from three members on. */
  readonly ackCopies: number;
  /** Whether every server of the log syncs before it answers. */
  readonly isLogSynced: boolean;
}

const acceptedMs = 60_000;

/** What this process knows of the members besides the list. */
export class Membership {
  readonly settings: MembershipSettings;
  readonly #time: Pick<Time, 'monotonicMs'>;
  readonly #seen = new Map<string, MemberProgress>();
  #accepted: ReadonlySet<string> = new Set();
  #acceptedUntil = 0;

  constructor(settings: MembershipSettings, time: Pick<Time, 'monotonicMs'>) {
    this.settings = settings;
    this.#time = time;
  }

  note(answers: readonly RollAnswer[]): void {
    for (const { member, epoch, sequence } of answers) {
      this.#seen.set(member, { member, epoch, sequence });
    }
  }

  /** How far the member was when it last answered. */
  reachedBy(member: string): MemberProgress {
    return this.#seen.get(member) ?? { member, epoch: 0, sequence: 0 };
  }

  /** An operator accepts for a minute that what only these members hold is lost. */
  accept(without: readonly string[]): void {
    this.#accepted = new Set(without);
    this.#acceptedUntil = this.#time.monotonicMs() + acceptedMs;
  }

  isAccepted(missing: readonly string[]): boolean {
    if (this.#time.monotonicMs() >= this.#acceptedUntil) return false;
    return missing.every((member) => this.#accepted.has(member));
  }
}
