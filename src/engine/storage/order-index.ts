import { grownInts } from './int64.ts';

// Order numbers rise and most orders live briefly, so the numbers in use are close together: a
// directory of pages finds a slot with two array reads, where a Map costs several times as much. A
// page with only a few long-lived orders left is replaced by entries of a Map, so that an order
// resting for years does not pin a whole page.

const pageSizeLog2 = 12;
const pageSize = 1 << pageSizeLog2;
const pageMask = pageSize - 1;
/** At this many entries or fewer, Map entries are smaller than the page. */
const sparseMax = 64;
/** The page of all runs of numbers without a page. */
const emptyPage = 0;

/**
 * Maps whole order numbers to the slots of their records; numbers mostly arrive in rising order.
 */
export class OrderIndex {
  /** All pages, one after the other; each entry is slot + 1, so that 0 means absent. */
  private entries = new Int32Array(pageSize);
  private pagesMade = 1;
  private readonly sparePages: number[] = [];
  /** The page of each run of numbers, and its number of entries. */
  private directory = new Int32Array(1);
  private counts = new Int32Array(1);
  /** The number of runs in the directory; the page of the last one is not replaced. */
  private runs = 0;
  private readonly sparse = new Map<number, number>();

  get pageCount(): number {
    return this.pagesMade - 1 - this.sparePages.length;
  }

  /** The number must be absent. */
  set(orderNumber: number, slot: number): void {
    const run = Math.floor(orderNumber / pageSize);
    if (run >= this.runs) this.addRuns(run);
    if (this.directory[run] === emptyPage) this.directory[run] = this.takePage();
    const page = this.directory[run] as number;
    this.entries[page * pageSize + (orderNumber & pageMask)] = slot + 1;
    (this.counts[run] as number) += 1;
  }

  /** The slot, or -1. */
  find(orderNumber: number): number {
    const run = Math.floor(orderNumber / pageSize);
    if (run >= 0 && run < this.runs) {
      const page = this.directory[run] as number;
      const entry = this.entries[page * pageSize + (orderNumber & pageMask)] as number;
      if (entry !== 0) return entry - 1;
    }
    return this.sparse.size === 0 ? -1 : (this.sparse.get(orderNumber) ?? -1);
  }

  /** Removes the number. @returns its slot, or -1. */
  take(orderNumber: number): number {
    const run = Math.floor(orderNumber / pageSize);
    if (run >= 0 && run < this.runs) {
      const at = (this.directory[run] as number) * pageSize + (orderNumber & pageMask);
      const entry = this.entries[at] as number;
      if (entry !== 0) {
        this.entries[at] = 0;
        const count = (this.counts[run] as number) - 1;
        this.counts[run] = count;
        if (count <= sparseMax && run < this.runs - 1) this.retirePage(run);
        return entry - 1;
      }
    }
    const slot = this.sparse.get(orderNumber);
    if (slot === undefined) return -1;
    this.sparse.delete(orderNumber);
    return slot;
  }

  private addRuns(run: number): void {
    const newest = this.runs - 1;
    if (run >= this.directory.length) {
      this.directory = grownInts(this.directory, run + 1);
      this.counts = grownInts(this.counts, run + 1);
    }
    this.runs = run + 1;
    if (newest >= 0 && (this.counts[newest] as number) <= sparseMax) this.retirePage(newest);
  }

  private takePage(): number {
    const spare = this.sparePages.pop();
    if (spare !== undefined) return spare;
    const page = this.pagesMade;
    this.pagesMade += 1;
    if (this.pagesMade * pageSize > this.entries.length) {
      this.entries = grownInts(this.entries, this.pagesMade * pageSize);
    }
    return page;
  }

  /** Moves the page's remaining entries to the Map. */
  private retirePage(run: number): void {
    const page = this.directory[run] as number;
    if (page === emptyPage) return;
    const from = page * pageSize;
    for (let offset = 0; offset < pageSize; offset += 1) {
      const entry = this.entries[from + offset] as number;
      if (entry !== 0) this.sparse.set(run * pageSize + offset, entry - 1);
    }
    this.entries.fill(0, from, from + pageSize);
    this.directory[run] = emptyPage;
    this.counts[run] = 0;
    this.sparePages.push(page);
  }
}
