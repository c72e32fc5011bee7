import { amountMax } from '../../../domain/amount.ts';
import { assert } from '../../../domain/assert.ts';
import type { AccountId } from '../../../domain/identifiers.ts';
import { grownFloats } from '../../storage/int64.ts';

// Positions are kept in records of 56 bytes, as orders are. A hundred thousand of them then cost
// garbage collection nothing, and a trade allocates no integers. Each record has one object,
// created with the position, which lives as long as the account does.

const recordFloats = 7;
const capacityMin = 64;

const quantityAt = 0;
const entryNotionalAt = 1;
const realizedProfitAt = 2;
const feesAt = 3;
const updatedAt = 4;
const numberAt = 5;
const fullNotionalAt = 6;

const amountMin = 0n - amountMax;

/** A position as the engine keeps it; see FuturesPosition for the meaning of the fields. */
export class Position {
  readonly accountId: AccountId;
  readonly marketId: number;
  /** The market's funding index up to which funding is paid; positions share its value. */
  fundingIndex = 0n;
  /** Whether the running command has changed it. */
  isTouched = false;
  private readonly stored: StoredPositions;
  private readonly from: number;

  constructor(stored: StoredPositions, from: number, accountId: AccountId, marketId: number) {
    this.stored = stored;
    this.from = from;
    this.accountId = accountId;
    this.marketId = marketId;
  }

  /** Lots; negative if short. */
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
    assert(amount >= 0n && amount <= amountMax, 'the cost of a position exceeds the maximum');
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

  /** Increases each time the position leaves zero or turns. */
  get number(): number {
    return this.stored.floats[this.from + numberAt] as number;
  }

  set number(number: number) {
    this.stored.floats[this.from + numberAt] = number;
  }

  /** The part of its notional that needs initial margin in full: see open-interest-margin.ts. */
  get fullNotional(): bigint {
    return this.stored.amounts[this.from + fullNotionalAt] as bigint;
  }

  set fullNotional(amount: bigint) {
    this.stored.amounts[this.from + fullNotionalAt] = within64Bits(amount);
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
  /** The amounts of money in the same records. */
  amounts = new BigInt64Array(this.floats.buffer);
  private count = 0;

  /** Creates a position without lots. */
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

/** Sums that are only informational stop at the range of a 64-bit record field. */
function within64Bits(amount: bigint): bigint {
  if (amount > amountMax) return amountMax;
  return amount < amountMin ? amountMin : amount;
}
