import { grownBigInts, grownInts } from '../../storage/int64.ts';

// One account's margins as columns of 64-bit integers. They change with every mark price, and a
// heap object for each of a hundred thousand of them would be copied at every garbage collection.

/** Columns that are summed over all markets come first. */
const summedColumns = 5;
const columns = 9;
/** The first row holds the sums over all markets. */
const sumsRow = 0;

export const notionalColumn = 0;
export const profitColumn = 1;
export const initialColumn = 2;
export const maintenanceColumn = 3;
export const ordersColumn = 4;
export type MarginColumn = 0 | 1 | 2 | 3 | 4;
/** What resting orders other than reduce-only ones may still trade: money, then lots as floats. */
export const bidsColumn = 5;
export const asksColumn = 6;
const bidLotsColumn = 7;
const askLotsColumn = 8;

/** A row that is being computed, by column: figures that are handed on as bigints are garbage. */
export const freshRow = new BigInt64Array(summedColumns);

const absent = 0;
const outdated = 1;
const idle = 2;
/** Versions of mark prices count from 0. */
const versionsFrom = 3;

/** What an account's stakes need, by market, as last computed, and the sums of it. */
export class StakeMargins {
  private values = new BigInt64Array(columns);
  private floats = new Float64Array(this.values.buffer);
  private versions = new Int32Array(0);

  /** No market from this number on has a stake. */
  get marketCount(): number {
    return this.versions.length;
  }

  /** Position, orders or leverage in the market have changed. */
  touch(marketId: number): void {
    if (marketId >= this.versions.length) {
      this.versions = grownInts(this.versions, marketId + 1);
      this.values = grownBigInts(this.values, (this.versions.length + 1) * columns);
      this.floats = new Float64Array(this.values.buffer);
    }
    this.versions[marketId] = outdated;
  }

  /** Whether the market's row has to be computed again at this version of its mark price. */
  isOutdated(marketId: number, markVersion: number): boolean {
    const version = marketId < this.versions.length ? this.versions[marketId] : absent;
    if (version === absent || version === idle) return false;
    return version !== markVersion + versionsFrom;
  }

  /** The row now holds for the version; null: it is all zero, whatever the mark price. */
  renew(marketId: number, markVersion: number | null): void {
    this.versions[marketId] = markVersion === null ? idle : markVersion + versionsFrom;
  }

  /** Counts an order's lots and their notional in, or out again where they are below zero. */
  addOrder(marketId: number, isBuy: boolean, notional: bigint, lots: number): void {
    this.touch(marketId);
    const at = (marketId + 1) * columns;
    const money = at + (isBuy ? bidsColumn : asksColumn);
    this.values[money] = BigInt.asIntN(64, (this.values[money] as bigint) + notional);
    (this.floats[at + (isBuy ? bidLotsColumn : askLotsColumn)] as number) += lots;
  }

  /** The lots of resting orders on a side. */
  lotsOf(marketId: number, isBuy: boolean): number {
    if (marketId >= this.versions.length) return 0;
    const column = isBuy ? bidLotsColumn : askLotsColumn;
    return this.floats[(marketId + 1) * columns + column] as number;
  }

  get(marketId: number, column: MarginColumn | 5 | 6): bigint {
    if (marketId >= this.versions.length) return 0n;
    return this.values[(marketId + 1) * columns + column] as bigint;
  }

  sum(column: MarginColumn): bigint {
    return this.values[sumsRow + column] as bigint;
  }

  /** Sets the market's row to what `freshRow` holds, and moves the sums by the differences. */
  setRow(marketId: number): void {
    const { values } = this;
    const from = (marketId + 1) * columns;
    for (let column = 0; column < summedColumns; column += 1) {
      const value = freshRow[column] as bigint;
      const before = values[from + column] as bigint;
      const sum = values[sumsRow + column] as bigint;
      const change = BigInt.asIntN(64, BigInt.asIntN(64, value) - BigInt.asIntN(64, before));
      values[from + column] = BigInt.asIntN(64, value);
      values[sumsRow + column] = BigInt.asIntN(64, BigInt.asIntN(64, sum) + change);
    }
  }
}
