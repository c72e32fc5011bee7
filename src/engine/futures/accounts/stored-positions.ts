import { amountMax } from '../../../domain/amount.ts';
import { assert } from '../../../domain/assert.ts';
import type { AccountId } from '../../../domain/identifiers.ts';
import { grownFloats } from '../../storage/int64.ts';

// Positions lie in records of 40 bytes, as orders do, so that a hundred thousand of them are
// nothing for garbage collection to look at, and a trade leaves no integers behind. Each record
// has one object, made with the position, which stays as long as the account does.

const recordFloats = 5;
const capacityMin = 64;

const quantityAt = 0;
const entryNotionalAt = 1;
const realizedProfitAt = 2;
const feesAt = 3;
const updatedAt = 4;

const amountMin = 0n - amountMax;

/** A position as the engine keeps it; see FuturesPosition for what the fields mean. */
export class Position {
  readonly accountId: AccountId;
  readonly marketId: number;
  /** The market's funding index up to which funding is paid; all positions share its value. */
  fundingIndex = 0n;
  /** The running command has changed it. */
  isTouched = false;
  private readonly stored: StoredPositions;
  private readonly from: number;

  constructor(stored: StoredPositions, from: number, accountId: AccountId, marketId: number) {
    this.stored = stored;
    this.from = from;
    this.accountId = accountId;
    this.marketId = marketId;
  }

  /** Lots, below zero for a short one. */
  get quantity(): number {
    return this.stored.floats[this.from + quantityAt] as number;
  }

  set quantity(lots: number) {
    this.stored.floats[this.from + quantityAt] = lots;
  }

  get entryNotional(): bigint {
    return this.stored.amounts[this.from + entryNotionalAt] as bigint;
  }

  set entryNotional(amount: bigint) {
    assert(amount >= 0n && amount <= amountMax, 'a position costs more than there can be');
    this.stored.amounts[this.from + entryNotionalAt] = amount;
  }

  get realizedProfit(): bigint {
    return this.stored.amounts[this.from + realizedProfitAt] as bigint;
  }

  set realizedProfit(amount: bigint) {
    this.stored.amounts[this.from + realizedProfitAt] = within64Bits(amount);
  }

  get fees(): bigint {
    return this.stored.amounts[this.from + feesAt] as bigint;
  }

  set fees(amount: bigint) {
    this.stored.amounts[this.from + feesAt] = within64Bits(amount);
  }

  get updatedAt(): number {
    return this.stored.floats[this.from + updatedAt] as number;
  }

  set updatedAt(moment: number) {
    this.stored.floats[this.from + updatedAt] = moment;
  }
}

/** The records of all positions. */
export class StoredPositions {
  floats = new Float64Array(0);
  /** The same records' amounts of money. */
  amounts = new BigInt64Array(this.floats.buffer);
  private count = 0;

  /** A new position without lots. */
  open(accountId: AccountId, marketId: number): Position {
    const from = this.count * recordFloats;
    this.count += 1;
    if (from + recordFloats > this.floats.length) {
      const length = Math.max(from + recordFloats, capacityMin * recordFloats);
      this.floats = grownFloats(this.floats, length);
      this.amounts = new BigInt64Array(this.floats.buffer);
    }
    return new Position(this, from, accountId, marketId);
  }
}

/** Sums that only tell of the past stop where a record holds no more. */
function within64Bits(amount: bigint): bigint {
  if (amount > amountMax) return amountMax;
  return amount < amountMin ? amountMin : amount;
}
