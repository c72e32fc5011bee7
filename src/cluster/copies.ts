import type { Sequence } from '../domain/identifiers.ts';
import type { Time } from '../system/time.ts';
import type { Held, HeldLink } from './held.ts';
import type { MemberFile } from './member-file.ts';
import { hasCopies } from './member-list.ts';
import { notReady } from './not-ready.ts';
import type { OwnChain } from './own-chain.ts';
import { FencedError } from './shared-log.ts';
import { waitAtMost } from './wait-at-most.ts';

export interface CopiesOptions {
  readonly link: HeldLink;
  readonly member: Pick<MemberFile, 'member' | 'list' | 'promised'>;
  readonly chain: Pick<OwnChain, 'newest' | 'keptAt'>;
  readonly time: Pick<Time, 'monotonicMs' | 'every' | 'sleep'>;
  /** The last command in this process's journal. */
  readonly written: () => Sequence;
  /** The last epoch whose opening this process has applied. */
  readonly openEpoch: () => number;
  /** The oldest waiting command has waited so long that nothing is known of it any more. */
  readonly onUnknown: () => void;
}

interface Waiter {
  readonly through: Sequence;
  readonly since: number;
  readonly resolve: () => void;
}

/** What one member has told. */
interface MemberHeld {
  epoch: number;
  /** Up to here its history is this process's. */
  sequence: number;
  /** Beyond what this process has applied. */
  readonly ahead: Held[];
}

const copiesTimeoutMs = 2_000;
const repeatMs = 250;
const stalledMs = 2_000;
const unknownMs = 12_000;
const aheadMax = 10_000;

/**
 * Counts which journals hold a command before it is acknowledged: an acknowledgement rests on as
 * many members as the list demands, and a member that has promised a later epoch counts no more.
 */
export class Copies {
  readonly #options: CopiesOptions;
  readonly #held = new Map<string, MemberHeld>();
  #waiters: Waiter[] = [];
  #promisedElsewhere = 0;
  #confirmed = 0 as Sequence;
  readonly #stop: () => void;

  constructor(options: CopiesOptions) {
    this.#options = options;
    options.link.onHeld((held) => this.#hear(held));
    this.#stop = options.time.every(repeatMs, () => this.#repeat());
  }

  /** The last command that is known to be in enough journals. */
  get confirmed(): Sequence {
    return this.#confirmed;
  }

  /** Enough journals hold everything up to the command, which is of this process's history. */
  noteConfirmed(through: Sequence): void {
    if (through <= this.#confirmed) return;
    this.#confirmed = through;
    this.#settle();
  }

  /** Whether commands have waited so long for other journals that no further ones are accepted. */
  get isStalled(): boolean {
    const [oldest] = this.#waiters;
    return oldest !== undefined && this.#ageOf(oldest) > stalledMs;
  }

  /**
   * Checks that members may still count for the owner of the epoch. @throws FencedError if too few
   * do, because they have promised a later one
   */
  requireCounted(epoch: number): void {
    if (!this.isStalled || this.#promisedElsewhere <= epoch) return;
    throw new FencedError(`members have promised epoch ${this.#promisedElsewhere}`);
  }

  /**
   * Called when this process's journal holds everything up to the command. Null: it may be
   * acknowledged; otherwise once the promise resolves.
   */
  confirm(through: Sequence): Promise<void> | null {
    const { list } = this.#options.member;
    // Where one journal is enough, it is this one, unless this process is no member.
    if (list.copies > 1 || list.before !== null) this.tell();
    this.#settle();
    return this.whenCopied(through);
  }

  /** The same for what the journal has held for a while. */
  whenCopied(through: Sequence): Promise<void> | null {
    if (this.#isHeld(through)) return null;
    const since = this.#options.time.monotonicMs();
    return new Promise((resolve) => this.#waiters.push({ through, since, resolve }));
  }

  /** @throws EngineRestartingError if too few hold it in time. */
  async reach(through: Sequence): Promise<void> {
    const held = this.whenCopied(through);
    if (held !== null) await waitAtMost(held, copiesTimeoutMs, this.#options.time, notReady);
  }

  /** Tells the others what this process's journal holds. */
  tell(): void {
    const { link, member } = this.#options;
    if (!member.list.members.includes(member.member)) return;
    const own = this.#own();
    if (own !== null) link.announce(own);
  }

  stop(): void {
    this.#stop();
  }

  #own(): Held | null {
    const { member, chain, written, openEpoch } = this.#options;
    const sequence = Math.min(written(), chain.newest.sequence);
    const known = chain.keptAt(sequence);
    if (known === null) return null;
    const { promised } = member;
    const epoch = openEpoch();
    return { member: member.member, epoch, sequence, chain: known, promised: promised.epoch };
  }

  #hear(held: Held): void {
    if (held.member === this.#options.member.member) return;
    if (held.promised > this.#promisedElsewhere) this.#promisedElsewhere = held.promised;
    if (held.promised > held.epoch) return;
    let known = this.#held.get(held.member);
    if (known === undefined || known.epoch < held.epoch) {
      known = { epoch: held.epoch, sequence: 0, ahead: [] };
      this.#held.set(held.member, known);
    }
    if (known.epoch > held.epoch) return;
    known.ahead.push(held);
    if (known.ahead.length > aheadMax) known.ahead.shift();
    this.#settle();
  }

  #repeat(): void {
    this.tell();
    this.#settle();
    const [oldest] = this.#waiters;
    if (oldest !== undefined && this.#ageOf(oldest) > unknownMs) this.#options.onUnknown();
  }

  #settle(): void {
    while (this.#waiters.length > 0 && this.#isHeld(this.#waiters[0]!.through)) {
      this.#waiters.shift()!.resolve();
    }
  }

  #isHeld(through: Sequence): boolean {
    if (through <= this.#confirmed || this.#options.member.list.members.length === 0) return true;
    if (!this.#areCopiesKnown(through)) return false;
    this.#confirmed = through;
    return true;
  }

  #areCopiesKnown(through: Sequence): boolean {
    const { member, written, openEpoch } = this.#options;
    const { list, promised } = member;
    const epoch = openEpoch();
    const holders = new Set<string>();
    if (written() >= through && promised.epoch <= epoch) holders.add(member.member);
    if (hasCopies(list, holders)) return true;
    for (const [other, held] of this.#held) {
      if (held.epoch < epoch) continue;
      this.#verify(held);
      if (held.sequence >= through) holders.add(other);
    }
    return hasCopies(list, holders);
  }

  // What a member holds counts if its chain is this process's.
  #verify(held: MemberHeld): void {
    const { chain } = this.#options;
    while ((held.ahead[0]?.sequence ?? Infinity) <= chain.newest.sequence) {
      const { sequence, chain: told } = held.ahead.shift()!;
      if (chain.keptAt(sequence) === told) held.sequence = Math.max(held.sequence, sequence);
    }
  }

  #ageOf({ since }: Waiter): number {
    return this.#options.time.monotonicMs() - since;
  }
}
