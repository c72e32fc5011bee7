import type { ByRules } from '../../rules.ts';
import { DueQueue } from '../../storage/due-queue.ts';

const nextMin = 256;

/** Whether every scan judges the accounts under a margin call and those in the book stage. */
export const hasNear: ByRules<boolean> = { 11: true, 12: true, 13: false };

/**
 * The accounts to be judged: those whose money or positions have changed, and those with a watch
 * that a mark price has passed. A scan judges each of them once, by increasing number; it can take
 * several commands.
 */
export class RiskQueue {
  /** Accounts that every scan judges; empty since rules 13, by which they have watches. */
  readonly near = new Set<number>();
  /** The account that the scan judged last. */
  cursor = 0;
  isScanning = false;
  /** The number of scans begun so far. */
  scans = 0;
  private readonly scan = new DueQueue<number>((left, right) => left - right);
  private readonly next: number[] = [];
  /** By account: whether it is in `next`. Nearly every fill checks this, mostly for one that is. */
  private isNext = new Uint8Array(nextMin);

  /** Records that the account's money or positions have changed. */
  touch(accountId: number): void {
    if (this.isScanning && accountId > this.cursor) this.addToScan(accountId);
    else this.addToNext(accountId);
  }

  /** Lets the current scan judge the account, too. */
  addToScan(accountId: number): void {
    if (!this.scan.has(accountId)) this.scan.add(accountId);
  }

  /** Lets the next scan judge the accounts that every scan judges, and no later one. */
  releaseNear(): void {
    for (const accountId of this.near) this.touch(accountId);
    this.near.clear();
  }

  /** Begins a scan of all accounts that wait for one. */
  begin(): void {
    this.isScanning = true;
    this.scans += 1;
    this.cursor = 0;
    for (const accountId of this.near) this.addToScan(accountId);
    for (const accountId of this.next) {
      this.addToScan(accountId);
      this.isNext[accountId] = 0;
    }
    this.next.length = 0;
  }

  /** Removes and returns the next account to judge; 0 if the scan has none left. */
  take(): number {
    const accountId = this.scan.first();
    if (accountId === undefined) return 0;
    this.scan.remove(accountId);
    this.cursor = accountId;
    return accountId;
  }

  /** Ends the scan, which has judged all of its accounts. */
  end(): void {
    this.isScanning = false;
    this.cursor = 0;
  }

  /**
   * Whether the current scan, or otherwise the next one, judges the account whatever the marks.
   */
  has(accountId: number): boolean {
    return this.scan.has(accountId) || this.isNext[accountId] === 1 || this.near.has(accountId);
  }

  get scansEnded(): number {
    return this.isScanning ? this.scans - 1 : this.scans;
  }

  get isScanEmpty(): boolean {
    return this.scan.count === 0;
  }

  /** The accounts still to be judged in this scan and the next one, by number. */
  list(): { readonly current: readonly number[]; readonly next: readonly number[] } {
    const byNumber = (left: number, right: number): number => left - right;
    return { current: this.scan.list().sort(byNumber), next: [...this.next].sort(byNumber) };
  }

  /** Continues with the accounts and the scan of a snapshot; see list. */
  restore({
    scans,
    isScanning,
    cursor,
    current,
    next,
  }: {
    readonly scans: number;
    readonly isScanning: boolean;
    readonly cursor: number;
    readonly current: readonly number[];
    readonly next: readonly number[];
  }): void {
    this.scans = scans;
    this.isScanning = isScanning;
    this.cursor = cursor;
    for (const accountId of current) this.addToScan(accountId);
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
