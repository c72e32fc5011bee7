import { grownInts } from '../storage/int64.ts';

const capacityMin = 64;

/** How many live orders each account has in each market. */
export class OrderCounts {
  /** By market, then by account. */
  private readonly markets: Int32Array<ArrayBuffer>[] = [];

  count(accountId: number, marketId: number): number {
    const counts = this.markets[marketId];
    return counts === undefined || accountId >= counts.length ? 0 : (counts[accountId] as number);
  }

  add(accountId: number, marketId: number): void {
    while (this.markets.length <= marketId) this.markets.push(new Int32Array(capacityMin));
    let counts = this.markets[marketId] as Int32Array<ArrayBuffer>;
    if (accountId >= counts.length) {
      counts = grownInts(counts, accountId + 1);
      this.markets[marketId] = counts;
    }
    (counts[accountId] as number) += 1;
  }

  remove(accountId: number, marketId: number): void {
    const counts = this.markets[marketId] as Int32Array<ArrayBuffer>;
    (counts[accountId] as number) -= 1;
  }
}
