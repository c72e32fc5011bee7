import { DueQueue } from '../../storage/due-queue.ts';

/**
 * Which accounts have to be judged: those whose money or positions have changed, those that were
 * near their maintenance margin when they last were, and those of which a mark has passed a watch.
 * A look judges them once each, by rising number; it may take several commands.
 */
export class RiskQueue {
  /** Accounts that every look judges. */
  readonly near = new Set<number>();
  /** The account that the look has judged last. */
  cursor = 0;
  isLooking = false;
  /** Looks that have begun so far. */
  looks = 0;
  private readonly look = new DueQueue<number>((left, right) => left - right);
  private readonly next = new Set<number>();

  /** The account's money or positions have changed. */
  touch(accountId: number): void {
    if (this.isLooking && accountId > this.cursor) this.addToLook(accountId);
    else this.next.add(accountId);
  }

  addToLook(accountId: number): void {
    if (!this.look.has(accountId)) this.look.add(accountId);
  }

  begin(): void {
    this.isLooking = true;
    this.looks += 1;
    this.cursor = 0;
    for (const accountId of this.near) this.addToLook(accountId);
    for (const accountId of this.next) this.addToLook(accountId);
    this.next.clear();
  }

  /** The account to judge; 0 where the look knows of no more. */
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

  get looksEnded(): number {
    return this.isLooking ? this.looks - 1 : this.looks;
  }

  get isLookEmpty(): boolean {
    return this.look.count === 0;
  }

  /** What is still to be judged in this look and the next one, by number. */
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
    for (const accountId of next) this.next.add(accountId);
  }
}
