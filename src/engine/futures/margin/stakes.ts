import { grownBigInts, grownInts } from '../../storage/int64.ts';

// The margins of all accounts in records of 64-bit integers. They change with every mark price, and
// a heap object for each of a hundred thousand of them would be copied at every garbage collection.
// A record of 64 bytes lies in one line of memory: that of an account holds the sums over all
// markets, that of a stake what its position and orders in one market need.

const words = 8;
const ints = words * 2;
const capacityMin = 256;

/** A position's size, below zero for a short one. */
export const signedColumn = 0;
export const profitColumn = 1;
export const initialColumn = 2;
export const maintenanceColumn = 3;
export const ordersColumn = 4;
/** What resting orders other than reduce-only ones may still trade. */
export const bidsColumn = 5;
export const asksColumn = 6;
export type StakeColumn = 0 | 1 | 2 | 3 | 4 | 5 | 6;
// Of an account.
/** Of all positions' sizes, long or short. */
export const notionalSum = 0;
export type SummedColumn = 0 | 1 | 2 | 3 | 4;
const summedFrom = profitColumn;
const summedTo = ordersColumn;

// Ints of a stake behind its figures.
const versionAt = 14;
/** Where the stake was touched: the account's next market that was, plus 2, or 1 at the end. */
const linkAt = 15;
// Ints of an account behind its sums.
/** The market that was touched last, plus 2; up to 1 where none was. */
const headAt = 14;
const epochAt = 15;

/** A stake that is being computed, by column: figures that are handed on as bigints are garbage. */
export const freshStake = new BigInt64Array(ordersColumn + 1);

const absent = 0;
const outdated = 1;
const idle = 2;
/** Versions of mark prices count from 0. */
const versionsFrom = 3;

/** What all accounts' stakes need, by account and market, as last computed, and the sums of it. */
export class Stakes {
  private sums = new BigInt64Array(capacityMin * words);
  private sumInts = new Int32Array(this.sums.buffer);
  private figures = new BigInt64Array(capacityMin * words);
  private figureInts = new Int32Array(this.figures.buffer);
  /** The first record stays zero, for stakes that were never touched. */
  private count = 1;
  /** By market and account: the stake's record. */
  private readonly records: Int32Array<ArrayBuffer>[] = [];

  /** No market from this number on has a stake. */
  get marketCount(): number {
    return this.records.length;
  }

  /** Position or leverage in the market have changed. */
  touch(accountId: number, marketId: number): void {
    const record = this.open(accountId, marketId);
    this.figureInts[record * ints + versionAt] = outdated;
    this.link(accountId, marketId, record);
  }

  /**
   * Counts an order's notional in, or out again where it is below zero.
   * @returns the stake's record where all but the orders' margin holds at the version, so that it
   * can be set at once; 0 where the stake has to be computed anew anyway.
   */
  addOrder(
    accountId: number,
    marketId: number,
    isBuy: boolean,
    notional: bigint,
    markVersion: number,
  ): number {
    const record = this.open(accountId, marketId);
    const { figures, figureInts } = this;
    const money = record * words + (isBuy ? bidsColumn : asksColumn);
    figures[money] = BigInt.asIntN(64, (figures[money] as bigint) + notional);
    const at = record * ints + versionAt;
    const version = figureInts[at] as number;
    if (version === markVersion + versionsFrom) return record;
    if (version !== absent && version !== idle) {
      this.link(accountId, marketId, record);
      return 0;
    }
    figureInts[at] = markVersion + versionsFrom;
    return record;
  }

  /** A market that was touched since it was last asked for, or -1 when there is none left. */
  takeTouched(accountId: number): number {
    const at = accountId * ints + headAt;
    const marketId = (this.sumInts[at] ?? 0) - 2;
    if (marketId < 0) return -1;
    const link = this.find(accountId, marketId) * ints + linkAt;
    this.sumInts[at] = this.figureInts[link] as number;
    this.figureInts[link] = 0;
    return marketId;
  }

  /** The marks at which the sums were made; 0 before the first. */
  epochOf(accountId: number): number {
    return this.sumInts[accountId * ints + epochAt] ?? 0;
  }

  /** Does nothing for an account without stakes, whose sums hold at all marks. */
  setEpoch(accountId: number, epoch: number): void {
    const at = accountId * ints + epochAt;
    if (at < this.sumInts.length) this.sumInts[at] = epoch;
  }

  /** Whether the stake has to be computed again at this version of its mark price. */
  isOutdated(accountId: number, marketId: number, markVersion: number): boolean {
    const version = this.versionOf(accountId, marketId);
    return version !== absent && version !== idle && version !== markVersion + versionsFrom;
  }

  /** The stake now holds for the version; null: it is all zero, whatever the mark price. */
  renew(accountId: number, marketId: number, markVersion: number | null): void {
    this.figureInts[this.open(accountId, marketId) * ints + versionAt] =
      markVersion === null ? idle : markVersion + versionsFrom;
  }

  hasOrders(accountId: number, marketId: number): boolean {
    const bids = this.get(accountId, marketId, bidsColumn);
    return bids > 0n || this.get(accountId, marketId, asksColumn) > 0n;
  }

  get(accountId: number, marketId: number, column: StakeColumn): bigint {
    return this.figures[this.find(accountId, marketId) * words + column] as bigint;
  }

  /** The same of the stake's record. */
  figure(record: number, column: StakeColumn): bigint {
    return this.figures[record * words + column] as bigint;
  }

  /**
   * By how much the orders of the stake's record, and those that are added, may let a position of
   * the signed notional grow: max(|P + B|, |P - A|) - |P|. Stakes are bounded, and orders were
   * taken within that bound, so that no step passes 64 bits.
   */
  growth(record: number, signed: bigint, addedBids: bigint, addedAsks: bigint): bigint {
    const { figures } = this;
    const at = record * words;
    const held = BigInt.asIntN(64, signed);
    const restingBids = BigInt.asIntN(64, figures[at + bidsColumn] as bigint);
    const restingAsks = BigInt.asIntN(64, figures[at + asksColumn] as bigint);
    const bids = BigInt.asIntN(64, restingBids + BigInt.asIntN(64, addedBids));
    const asks = BigInt.asIntN(64, restingAsks + BigInt.asIntN(64, addedAsks));
    reach[0] = absolute(BigInt.asIntN(64, held + bids));
    reach[1] = absolute(BigInt.asIntN(64, held - asks));
    if (reach[1] > reach[0]) reach[0] = reach[1];
    return BigInt.asIntN(64, reach[0] - absolute(held));
  }

  sum(accountId: number, column: SummedColumn): bigint {
    const at = accountId * words + column;
    // There is no account 0.
    return this.sums[at < this.sums.length ? at : column] as bigint;
  }

  /** Sets the orders' margin of the stake's record, and moves its sum by the difference. */
  setOrders(accountId: number, record: number, need: bigint): void {
    this.setFigure(accountId * words, record * words, ordersColumn, need);
  }

  /** Sets the stake to what `freshStake` holds, and moves the sums by the differences. */
  setStake(accountId: number, marketId: number): void {
    const at = this.open(accountId, marketId) * words;
    this.setSigned(accountId * words + notionalSum, at + signedColumn);
    for (let column = summedFrom; column <= summedTo; column += 1) {
      this.setFigure(accountId * words, at, column, freshStake[column] as bigint);
    }
  }

  private setSigned(sumAt: number, at: number): void {
    const { figures, sums } = this;
    sums[sumAt] = BigInt.asIntN(64, (sums[sumAt] as bigint) - absolute(figures[at] as bigint));
    figures[at] = freshStake[signedColumn] as bigint;
    sums[sumAt] = BigInt.asIntN(64, sums[sumAt] + absolute(figures[at]));
  }

  private setFigure(sumsAt: number, at: number, column: number, value: bigint): void {
    const before = this.figures[at + column] as bigint;
    const sum = this.sums[sumsAt + column] as bigint;
    const change = BigInt.asIntN(64, BigInt.asIntN(64, value) - BigInt.asIntN(64, before));
    this.figures[at + column] = BigInt.asIntN(64, value);
    this.sums[sumsAt + column] = BigInt.asIntN(64, BigInt.asIntN(64, sum) + change);
  }

  private versionOf(accountId: number, marketId: number): number {
    return this.figureInts[this.find(accountId, marketId) * ints + versionAt] as number;
  }

  private link(accountId: number, marketId: number, record: number): void {
    const at = record * ints + linkAt;
    if (this.figureInts[at] !== 0) return;
    const head = accountId * ints + headAt;
    this.figureInts[at] = Math.max(1, this.sumInts[head] as number);
    this.sumInts[head] = marketId + 2;
  }

  /** The stake's record, or 0. */
  find(accountId: number, marketId: number): number {
    const records = this.records[marketId];
    return records === undefined || accountId >= records.length
      ? 0
      : (records[accountId] as number);
  }

  private open(accountId: number, marketId: number): number {
    const found = this.find(accountId, marketId);
    return found > 0 ? found : this.make(accountId, marketId);
  }

  private make(accountId: number, marketId: number): number {
    while (this.records.length <= marketId) this.records.push(new Int32Array(capacityMin));
    let records = this.records[marketId] as Int32Array<ArrayBuffer>;
    if (accountId >= records.length) {
      records = grownInts(records, accountId + 1);
      this.records[marketId] = records;
    }
    if ((accountId + 1) * words > this.sums.length) {
      this.sums = grownBigInts(this.sums, (accountId + 1) * words);
      this.sumInts = new Int32Array(this.sums.buffer);
    }
    const record = this.count;
    this.count += 1;
    records[accountId] = record;
    if (this.count * words > this.figures.length) {
      this.figures = grownBigInts(this.figures, this.count * words);
      this.figureInts = new Int32Array(this.figures.buffer);
    }
    return record;
  }
}

// What comes out of a branch as a bigint takes memory; what is read from a column does not.
const scratch = new BigInt64Array(1);
/** See `Stakes.growth`. */
const reach = new BigInt64Array(2);

/** Of a 64-bit integer. */
export function absolute(value: bigint): bigint {
  scratch[0] = value;
  if (scratch[0] < 0n) scratch[0] = BigInt.asIntN(64, 0n - scratch[0]);
  return scratch[0];
}
