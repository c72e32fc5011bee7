// Order numbers rise and most orders live briefly, so the numbers in use lie close together: a
// directory of pages finds a slot with two array reads, where a Map costs several times that.
// A page that only a few long-lived orders still hold is given up for entries of a Map, so that
// an order resting for years does not pin a whole page.

const pageSizeLog2 = 12;
const pageSize = 1 << pageSizeLog2;
const pageMask = pageSize - 1;
/** At this many entries or fewer, Map entries are smaller than the page. */
const sparseMax = 64;

/** From whole order numbers to the slots of their records; numbers mostly rise as they come. */
export class OrderIndex {
  /** Each page holds slot + 1, so that 0 means absent. */
  private readonly pages: (Int32Array | null)[] = [];
  private readonly counts: number[] = [];
  private readonly spares: Int32Array[] = [];
  private readonly sparse = new Map<number, number>();

  get pageCount(): number {
    return this.pages.reduce((count, page) => (page === null ? count : count + 1), 0);
  }

  set(orderNumber: number, slot: number): void {
    const index = Math.floor(orderNumber / pageSize);
    const page = (index < this.pages.length ? this.pages[index] : null) ?? this.addPage(index);
    page[orderNumber & pageMask] = slot + 1;
    (this.counts[index] as number) += 1;
  }

  /** The slot, or -1. */
  find(orderNumber: number): number {
    const index = Math.floor(orderNumber / pageSize);
    const page = index < this.pages.length ? this.pages[index] : null;
    if (page !== null && page !== undefined) {
      const slot = (page[orderNumber & pageMask] as number) - 1;
      if (slot >= 0) return slot;
    }
    return this.sparse.size === 0 ? -1 : (this.sparse.get(orderNumber) ?? -1);
  }

  /** The slot, or -1; the number is forgotten. */
  take(orderNumber: number): number {
    const index = Math.floor(orderNumber / pageSize);
    const page = index < this.pages.length ? this.pages[index] : null;
    if (page !== null && page !== undefined) {
      const slot = (page[orderNumber & pageMask] as number) - 1;
      if (slot >= 0) {
        page[orderNumber & pageMask] = 0;
        const count = (this.counts[index] as number) - 1;
        this.counts[index] = count;
        if (count <= sparseMax && index < this.pages.length - 1) this.retirePage(index);
        return slot;
      }
    }
    const slot = this.sparse.get(orderNumber);
    if (slot === undefined) return -1;
    this.sparse.delete(orderNumber);
    return slot;
  }

  private addPage(index: number): Int32Array {
    const newest = this.pages.length - 1;
    while (this.pages.length <= index) {
      this.pages.push(null);
      this.counts.push(0);
    }
    const page = this.spares.pop() ?? new Int32Array(pageSize);
    this.pages[index] = page;
    if (newest >= 0 && newest < index && (this.counts[newest] as number) <= sparseMax) {
      this.retirePage(newest);
    }
    return page;
  }

  private retirePage(index: number): void {
    const page = this.pages[index];
    if (page === null || page === undefined) return;
    if (this.counts[index] !== 0) {
      for (let offset = 0; offset < pageSize; offset += 1) {
        const entry = page[offset] as number;
        if (entry !== 0) this.sparse.set(index * pageSize + offset, entry - 1);
      }
      page.fill(0);
    }
    this.pages[index] = null;
    this.counts[index] = 0;
    this.spares.push(page);
  }
}
