import { grownBigInts } from '../../storage/int64.ts';

// One account's margins as columns of 64-bit integers. They change with every mark price, and a
// heap object for each of a hundred thousand of them would be copied at every garbage collection.

// A row of 64 bytes, so that a stake lies in one line of memory: seven figures and two ints.

const columns = 8;
const rowInts = columns * 2;
/** Columns that are summed over all markets come first. */
const summedColumns = 5;
/** The first row holds the sums over all markets. */
const sumsRow = 0;
const versionAt = 14;
/** Of a stake that was touched: the next such row, plus 1; of the sums the first one. */
const linkAt = 15;

export const notionalColumn = 0;
export const profitColumn = 1;
export const initialColumn = 2;
export const maintenanceColumn = 3;
export const ordersColumn = 4;
export type MarginColumn = 0 | 1 | 2 | 3 | 4;
/** What resting orders other than reduce-only ones may still trade. */
export const bidsColumn = 5;
export const asksColumn = 6;
export type StakeColumn = MarginColumn | 5 | 6;

/** A row that is being computed, by column: figures that are handed on as bigints are garbage. */
export const freshRow = new BigInt64Array(summedColumns);

const absent = 0;
const outdated = 1;
const idle = 2;
/** Versions of mark prices count from 0; minus the number where only orders have changed since. */
const versionsFrom = 3;

/** What an account's stakes need, by market, as last computed, and the sums of it. */
export class StakeMargins {
  private values = new BigInt64Array(columns);
  private ints = new Int32Array(this.values.buffer);
  /** No market from this number on has a stake. */
  marketCount = 0;

  /** Position or leverage in the market have changed. */
  touch(marketId: number): void {
    if (marketId >= this.marketCount) this.grow(marketId + 1);
    const row = marketId + 1;
    this.ints[row * rowInts + versionAt] = outdated;
    this.link(row);
  }

  /** Counts an order's notional in, or out again where it is below zero. */
  addOrder(marketId: number, isBuy: boolean, notional: bigint): void {
    if (marketId >= this.marketCount) this.grow(marketId + 1);
    const row = marketId + 1;
    const at = row * rowInts + versionAt;
    const version = this.ints[at] as number;
    if (version >= versionsFrom) this.ints[at] = -version;
    else if (version >= 0) this.ints[at] = outdated;
    this.link(row);
    const money = row * columns + (isBuy ? bidsColumn : asksColumn);
    this.values[money] = BigInt.asIntN(64, (this.values[money] as bigint) + notional);
  }

  /** A market that was touched since it was last asked for, or -1 when there is none left. */
  takeTouched(): number {
    const { ints } = this;
    const row = ints[linkAt] as number;
    if (row === 0) return -1;
    ints[linkAt] = (ints[row * rowInts + linkAt] as number) - 1;
    ints[row * rowInts + linkAt] = 0;
    return row - 1;
  }

  /** Whether the market's row has to be computed again at this version of its mark price. */
  isOutdated(marketId: number, markVersion: number): boolean {
    const version = this.versionOf(marketId);
    return version !== absent && version !== idle && version !== markVersion + versionsFrom;
  }

  /** Whether all but the orders' margin of the row still holds at the version. */
  isOutdatedByOrders(marketId: number, markVersion: number): boolean {
    return this.versionOf(marketId) === 0 - (markVersion + versionsFrom);
  }

  /** The row now holds for the version; null: it is all zero, whatever the mark price. */
  renew(marketId: number, markVersion: number | null): void {
    this.ints[(marketId + 1) * rowInts + versionAt] =
      markVersion === null ? idle : markVersion + versionsFrom;
  }

  hasOrders(marketId: number): boolean {
    return this.get(marketId, bidsColumn) > 0n || this.get(marketId, asksColumn) > 0n;
  }

  get(marketId: number, column: StakeColumn): bigint {
    if (marketId >= this.marketCount) return 0n;
    return this.values[(marketId + 1) * columns + column] as bigint;
  }

  sum(column: MarginColumn): bigint {
    return this.values[sumsRow + column] as bigint;
  }

  /** Sets one figure of the market, and moves its sum by the difference. */
  set(marketId: number, column: MarginColumn, value: bigint): void {
    const { values } = this;
    const at = (marketId + 1) * columns + column;
    const sum = values[sumsRow + column] as bigint;
    const change = BigInt.asIntN(64, BigInt.asIntN(64, value) - (values[at] as bigint));
    values[at] = BigInt.asIntN(64, value);
    values[sumsRow + column] = BigInt.asIntN(64, BigInt.asIntN(64, sum) + change);
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
  private versionOf(marketId: number): number {
    if (marketId >= this.marketCount) return absent;
    return this.ints[(marketId + 1) * rowInts + versionAt] as number;
  }

  private link(row: number): void {
    const { ints } = this;
    if (ints[row * rowInts + linkAt] !== 0) return;
    ints[row * rowInts + linkAt] = (ints[linkAt] as number) + 1;
    ints[linkAt] = row;
  }

  private grow(marketCount: number): void {
    this.values = grownBigInts(this.values, (marketCount + 1) * columns);
    this.ints = new Int32Array(this.values.buffer);
    this.marketCount = this.values.length / columns - 1;
  }
}
