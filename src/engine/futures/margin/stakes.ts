import { amountMax } from '../../../domain/amount.ts';
import { grownBigInts, grownInts } from '../../storage/int64.ts';

// The margins of all accounts, in records of 64-bit integers. They change with every mark price,
// and as heap objects a hundred thousand of them would be copied at every garbage collection. A
// record has 64 bytes, one cache line. An account's record holds the sums over all markets, a
// stake's record the figures of its position and orders in one market.

const words = 8;
const ints = words * 2;
const capacityMin = 256;

/** A position's notional, negative if short. */
export const signedColumn = 0;
export const profitColumn = 1;
export const initialColumn = 2;
export const maintenanceColumn = 3;
export const ordersColumn = 4;
/** What resting orders, other than reduce-only ones, can still trade. */
export const bidsColumn = 5;
export const asksColumn = 6;
/** A figure of a stake's record, by its place. */
export type StakeColumn = 0 | 1 | 2 | 3 | 4 | 5 | 6;
// Columns of an account.
/** The notional of all positions, long or short. */
export const notionalSum = 0;
/** A sum of an account's record, by its place. */
export type SummedColumn = 0 | 1 | 2 | 3 | 4;
/** The figures of a stake whose sums by account have the same column. */
export type SummedFigure = 1 | 2 | 3 | 4;

// Ints of a stake after its figures.
const versionAt = 14;
/** If the stake has been touched: the account's next touched market plus 2, or 1 at the end. */
const linkAt = 15;
// Ints of an account after its sums.
/** The market touched last, plus 2; 0 or 1 if there is none. */
const headAt = 14;
const epochAt = 15;

/** No figure of a stake exceeds this, so that the sums of many still fit into a column. */
export const stakeMax = amountMax / 64n;

const absent = 0;
const outdated = 1;
const idle = 2;
/** Versions of mark prices count from 0. */
const versionsFrom = 3;

/**
 * The figures of all stakes, by account and market, as last computed, and their sums by account.
 * All are money in 10^-8 USDT.
 */
export class Stakes {
  private sums = new BigInt64Array(capacityMin * words);
  private sumInts = new Int32Array(this.sums.buffer);
  private figures = new BigInt64Array(capacityMin * words);
  private figureInts = new Int32Array(this.figures.buffer);
  /** The first record stays zero, for stakes that were never touched. */
  private count = 1;
  /** By market and account: the stake's record. */
  private readonly records: Int32Array<ArrayBuffer>[] = [];

  /** One more than the highest market number with a stake. */
  get marketCount(): number {
    return this.records.length;
  }

  /** Records that the position or leverage in the market has changed. */
  touch(accountId: number, marketId: number): void {
    const record = this.open(accountId, marketId);
    this.figureInts[record * ints + versionAt] = outdated;
    this.link(accountId, marketId, record);
  }

  /**
   * Adds an order's notional, or removes it if it is negative.
   *
   * @returns the stake's record if all its figures but the orders' margin are up to date, so that
   * the margin can be set at once; 0 if the stake has to be recomputed anyway.
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

  /** Removes and returns a market that was touched, or -1 if there is none left. */
  takeTouched(accountId: number): number {
    const at = accountId * ints + headAt;
    const marketId = (this.sumInts[at] ?? 0) - 2;
    if (marketId < 0) return -1;
    const link = this.find(accountId, marketId) * ints + linkAt;
    this.sumInts[at] = this.figureInts[link] as number;
    this.figureInts[link] = 0;
    return marketId;
  }

  /** The mark epoch at which the sums were computed; 0 before the first. */
  epochOf(accountId: number): number {
    return this.sumInts[accountId * ints + epochAt] ?? 0;
  }

  /** Does nothing for an account without stakes, whose sums are valid at all marks. */
  setEpoch(accountId: number, epoch: number): void {
    const at = accountId * ints + epochAt;
    if (at < this.sumInts.length) this.sumInts[at] = epoch;
  }

  /** Whether the stake has to be recomputed at this version of its mark price. */
  isOutdated(accountId: number, marketId: number, markVersion: number): boolean {
    const version = this.versionOf(accountId, marketId);
    return version !== absent && version !== idle && version !== markVersion + versionsFrom;
  }

  /**
   * Marks the stake as computed for the version; null if it is all zero at any mark price.
   *
   * @returns its record, whose figures are then set.
   */
  renew(accountId: number, marketId: number, markVersion: number | null): number {
    const record = this.open(accountId, marketId);
    this.figureInts[record * ints + versionAt] =
      markVersion === null ? idle : markVersion + versionsFrom;
    return record;
  }

  /** Whether the account has orders in the market that could increase a position. */
  hasOrders(accountId: number, marketId: number): boolean {
    const bids = this.get(accountId, marketId, bidsColumn);
    return bids > 0n || this.get(accountId, marketId, asksColumn) > 0n;
  }

  /** A figure of the stake, in 10^-8 USDT; 0 without a stake. */
  get(accountId: number, marketId: number, column: StakeColumn): bigint {
    return this.figures[this.find(accountId, marketId) * words + column] as bigint;
  }

  /** The same by the stake's record. */
  figure(record: number, column: StakeColumn): bigint {
    return this.figures[record * words + column] as bigint;
  }

  /**
   * The amount by which the orders of the stake's record and the added ones can let a position of
   * the given signed notional grow: max(|P + B|, |P - A|) - |P|. Stakes are bounded, and orders
   * were accepted within that bound, so no step exceeds 64 bits.
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

  /** The sum of a figure over all markets of the account, in 10^-8 USDT. */
  sum(accountId: number, column: SummedColumn): bigint {
    const at = accountId * words + column;
    // There is no account 0.
    return this.sums[at < this.sums.length ? at : column] as bigint;
  }

  /** Sets the signed notional of the account's stake, and changes the sum of notionals. */
  setSigned(accountId: number, record: number, signed: bigint): void {
    const { figures, sums } = this;
    const at = record * words + signedColumn;
    const sumAt = accountId * words + notionalSum;
    sums[sumAt] = BigInt.asIntN(64, (sums[sumAt] as bigint) - absolute(figures[at] as bigint));
    figures[at] = BigInt.asIntN(64, signed);
    sums[sumAt] = BigInt.asIntN(64, sums[sumAt] + absolute(figures[at]));
  }

  /** Sets another figure of the account's stake, and changes its sum by the difference. */
  setFigure(accountId: number, record: number, column: SummedFigure, value: bigint): void {
    const at = record * words + column;
    const sumAt = accountId * words + column;
    const before = this.figures[at] as bigint;
    const sum = this.sums[sumAt] as bigint;
    const change = BigInt.asIntN(64, BigInt.asIntN(64, value) - BigInt.asIntN(64, before));
    this.figures[at] = BigInt.asIntN(64, value);
    this.sums[sumAt] = BigInt.asIntN(64, BigInt.asIntN(64, sum) + change);
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

// A bigint that comes out of a branch is allocated; one that is read from a column is not.
const scratch = new BigInt64Array(1);
/** See `Stakes.growth`. */
const reach = new BigInt64Array(2);

/** A mark price can jump by any distance; the resulting figures still have to fit into a column. */
export function bounded(value: bigint): bigint {
  return within(value, stakeMax);
}

/** The value, or what is nearest to it of the numbers from `-most` to `most`. */
export function within(value: bigint, most: bigint): bigint {
  if (value > most) return most;
  return value < 0n - most ? 0n - most : value;
}

/** The absolute value of a 64-bit integer. */
export function absolute(value: bigint): bigint {
  scratch[0] = value;
  if (scratch[0] < 0n) scratch[0] = BigInt.asIntN(64, 0n - scratch[0]);
  return scratch[0];
}
