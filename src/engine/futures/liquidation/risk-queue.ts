import { DueQueue } from '../../storage/due-queue.ts';

const nextMin = 256;

/**
 * The accounts to be judged: those whose money or positions have changed, those that were near
 * their maintenance margin when last judged, and those with a watch that a mark price has passed. A
 * scan judges each of them once, by increasing number; it can take several commands.
 */
export class RiskQueue {
  /** Accounts that every scan judges. */
  readonly near = new Set<number>();
  /** The account that the scan judged last. */
  cursor = 0;
  isLooking = false;
  /** The number of scans begun so far. */
  looks = 0;
  private readonly look = new DueQueue<number>((left, right) => left - right);
  private readonly next: number[] = [];
  /** By account: whether it is in `next`. Nearly every fill checks this, mostly for one that is. */
  private isNext = new Uint8Array(nextMin);

  /** Records that the account's money or positions have changed. */
  touch(accountId: number): void {
    if (this.isLooking && accountId > this.cursor) this.addToLook(accountId);
    else this.addToNext(accountId);
  }

  addToLook(accountId: number): void {
    if (!this.look.has(accountId)) this.look.add(accountId);
  }

  begin(): void {
    this.isLooking = true;
    this.looks += 1;
    this.cursor = 0;
    for (const accountId of this.near) this.addToLook(accountId);
    for (const accountId of this.next) {
      this.addToLook(accountId);
      this.isNext[accountId] = 0;
    }
    this.next.length = 0;
  }

  /** Removes and returns the next account to judge; 0 if the scan has none left. */
  take(): number {
    const accountId = this.look.first();
    if (accountId === undefined) return 0;
    this.look.remove(accountId);
    this.cursor = accountId;
    return accountId;
  }

  end(): void {
    this.isLooking = false;
    this.cursor = 0;
  }

  /** Whether the scan that runs, or else the next one, judges the account whatever the marks. */
  has(accountId: number): boolean {
    return this.look.has(accountId) || this.isNext[accountId] === 1 || this.near.has(accountId);
  }

  get looksEnded(): number {
    return this.isLooking ? this.looks - 1 : this.looks;
  }

  get isLookEmpty(): boolean {
    return this.look.count === 0;
  }

  /** The accounts still to be judged in this scan and the next one, by number. */
  list(): { readonly look: readonly number[]; readonly next: readonly number[] } {
    const byNumber = (left: number, right: number): number => left - right;
    return { look: this.look.list().sort(byNumber), next: [...this.next].sort(byNumber) };
  }

  restore({
    looks,
    isLooking,
    cursor,
    look,
    next,
  }: {
    readonly looks: number;
    readonly isLooking: boolean;
    readonly cursor: number;
    readonly look: readonly number[];
    readonly next: readonly number[];
  }): void {
    this.looks = looks;
    this.isLooking = isLooking;
    this.cursor = cursor;
    for (const accountId of look) this.addToLook(accountId);
    for (const accountId of next) this.addToNext(accountId);
  }

  private addToNext(accountId: number): void {
    if (accountId >= this.isNext.length) {
      const grown = new Uint8Array(Math.max(accountId + 1, this.isNext.length * 2));
      grown.set(this.isNext);
      this.isNext = grown;
    }
    if (this.isNext[accountId] === 1) return;
    this.isNext[accountId] = 1;
    this.next.push(accountId);
  }
}
