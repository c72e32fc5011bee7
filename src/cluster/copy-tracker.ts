import type { Sequence } from '../domain/identifiers.ts';
import type { Time } from '../system/time.ts';
import type { JournalReport, JournalReportLink } from './journal-report.ts';
import type { MemberFile } from './member-file.ts';
import { hasCopies } from './member-list.ts';
import { notReady } from './not-ready.ts';
import type { OwnChain } from './own-chain.ts';
import { FencedError } from './shared-log.ts';
import { waitWithTimeout } from './wait-with-timeout.ts';

export interface CopyTrackerOptions {
  readonly link: JournalReportLink;
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

/** What one member has reported. */
interface MemberReports {
  epoch: number;
  /** Up to here its history is this process's. */
  sequence: number;
  /** Beyond what this process has applied. */
  readonly ahead: JournalReport[];
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
export class CopyTracker {
  readonly #options: CopyTrackerOptions;
  readonly #reports = new Map<string, MemberReports>();
  #waiters: Waiter[] = [];
  #promisedElsewhere = 0;
  #confirmed = 0 as Sequence;
  readonly #stop: () => void;

  constructor(options: CopyTrackerOptions) {
    this.#options = options;
    options.link.onReport((report) => this.#onReport(report));
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
    if (list.copies > 1 || list.before !== null) this.announce();
    this.#settle();
    return this.whenCopied(through);
  }

  /** The same for commands that have been in the journal for some time. */
  whenCopied(through: Sequence): Promise<void> | null {
    if (this.#isHeld(through)) return null;
    const since = this.#options.time.monotonicMs();
    return new Promise((resolve) => this.#waiters.push({ through, since, resolve }));
  }

  /** @throws EngineRestartingError if too few hold it in time. */
  async reach(through: Sequence): Promise<void> {
    const copied = this.whenCopied(through);
    if (copied !== null)
      await waitWithTimeout(copied, copiesTimeoutMs, this.#options.time, notReady);
  }

  /** Tells the others what this process's journal holds. */
  announce(): void {
    const { link, member } = this.#options;
    if (!member.list.members.includes(member.member)) return;
    const own = this.#own();
    if (own !== null) link.announce(own);
  }

  stop(): void {
    this.#stop();
  }

  #own(): JournalReport | null {
    const { member, chain, written, openEpoch } = this.#options;
    const sequence = Math.min(written(), chain.newest.sequence);
    const known = chain.keptAt(sequence);
    if (known === null) return null;
    const { promised } = member;
    const epoch = openEpoch();
    return { member: member.member, epoch, sequence, chain: known, promised: promised.epoch };
  }

  #onReport(report: JournalReport): void {
    if (report.member === this.#options.member.member) return;
    if (report.promised > this.#promisedElsewhere) this.#promisedElsewhere = report.promised;
    if (report.promised > report.epoch) return;
    let known = this.#reports.get(report.member);
    if (known === undefined || known.epoch < report.epoch) {
      known = { epoch: report.epoch, sequence: 0, ahead: [] };
      this.#reports.set(report.member, known);
    }
    if (known.epoch > report.epoch) return;
    known.ahead.push(report);
    if (known.ahead.length > aheadMax) known.ahead.shift();
    this.#settle();
  }

  #repeat(): void {
    this.announce();
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
    for (const [other, reported] of this.#reports) {
      if (reported.epoch < epoch) continue;
      this.#verify(reported);
      if (reported.sequence >= through) holders.add(other);
    }
    return hasCopies(list, holders);
  }

  // What a member holds counts if its chain equals this process's.
  #verify(member: MemberReports): void {
    const { chain } = this.#options;
    while ((member.ahead[0]?.sequence ?? Infinity) <= chain.newest.sequence) {
      const { sequence, chain: reported } = member.ahead.shift()!;
      if (chain.keptAt(sequence) === reported)
        member.sequence = Math.max(member.sequence, sequence);
    }
  }

  #ageOf({ since }: Waiter): number {
    return this.#options.time.monotonicMs() - since;
  }
}
