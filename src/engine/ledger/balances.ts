import { toAmount } from '../../domain/amount.ts';
import { assert } from '../../domain/assert.ts';
import type { AccountId, TokenId } from '../../domain/identifiers.ts';
import type { TokenBalance } from '../engine-view.ts';
import type { Outcome } from '../outcome.ts';
import { grownBigInts, grownInts } from '../storage/int64.ts';

// A balance is a cell: one account's available and locked money in one token, in a record of 32
// bytes inside one buffer. The cells of an account hang in a list by token, as accounts hold few
// tokens each; open orders remember their two cells, so that settling a trade looks nothing up.

const recordAmounts = 4;
const recordInts = 8;
const capacityMin = 256;
const sortByInsertionMax = 24;

// Amounts of a record, then its ints.
const lockedAt = 1;
const accountAt = 4;
const tokenAt = 5;
/** The account's next cell, plus 1. */
const nextAt = 6;
const flagsAt = 7;

/** The cell was ever other than zero. */
const usedFlag = 1;
/** The cell stands in the touched list. */
const touchedFlag = 2;

/** All balances, and which of them the running command has changed. */
export class Balances {
  private amounts = new BigInt64Array(capacityMin * recordAmounts);
  private ints = new Int32Array(this.amounts.buffer);
  private count = 0;
  /** First cell + 1 by account. */
  private heads = new Int32Array(capacityMin);
  private touched = new Int32Array(64);
  private touchedCount = 0;

  available(cell: number): bigint {
    return this.amounts[cell * recordAmounts] as bigint;
  }

  locked(cell: number): bigint {
    return this.amounts[cell * recordAmounts + lockedAt] as bigint;
  }

  /** The cell of the account and token, or -1. */
  find(accountId: number, tokenId: number): number {
    if (accountId >= this.heads.length) return -1;
    let cell = (this.heads[accountId] as number) - 1;
    while (cell >= 0) {
      const token = this.tokenOf(cell);
      if (token >= tokenId) return token === tokenId ? cell : -1;
      cell = this.nextOf(cell);
    }
    return -1;
  }

  /** The cell of the account and token, made where missing; an unused one is no balance yet. */
  open(accountId: number, tokenId: number): number {
    const found = this.find(accountId, tokenId);
    return found >= 0 ? found : this.insert(accountId, tokenId);
  }

  /** Available money comes in; none is no change. */
  receive(cell: number, amount: bigint): void {
    if (amount <= 0n) return;
    const at = cell * recordAmounts;
    this.amounts[at] = BigInt.asIntN(64, (this.amounts[at] as bigint) + amount);
    this.touch(cell);
  }

  /** Available money goes out. */
  pay(cell: number, amount: bigint): void {
    const at = cell * recordAmounts;
    this.amounts[at] = BigInt.asIntN(64, (this.amounts[at] as bigint) - amount);
    this.touch(cell);
  }

  /** Locked money goes out. */
  payLocked(cell: number, amount: bigint): void {
    const at = cell * recordAmounts + lockedAt;
    this.amounts[at] = BigInt.asIntN(64, (this.amounts[at] as bigint) - amount);
    this.touch(cell);
  }

  lock(cell: number, amount: bigint): void {
    const at = cell * recordAmounts;
    this.amounts[at] = BigInt.asIntN(64, (this.amounts[at] as bigint) - amount);
    this.amounts[at + lockedAt] = BigInt.asIntN(
      64,
      (this.amounts[at + lockedAt] as bigint) + amount,
    );
    this.touch(cell);
  }

  unlock(cell: number, amount: bigint): void {
    const at = cell * recordAmounts;
    this.amounts[at] = BigInt.asIntN(64, (this.amounts[at] as bigint) + amount);
    this.amounts[at + lockedAt] = BigInt.asIntN(
      64,
      (this.amounts[at + lockedAt] as bigint) - amount,
    );
    this.touch(cell);
  }

  /** Puts back a balance that was saved. */
  restore(accountId: number, balance: TokenBalance): void {
    const cell = this.open(accountId, balance.tokenId);
    this.amounts[cell * recordAmounts] = balance.available;
    this.amounts[cell * recordAmounts + lockedAt] = balance.locked;
    this.ints[cell * recordInts + flagsAt] = usedFlag;
  }

  /** Balances that were ever other than zero, by token id. */
  list(accountId: AccountId): TokenBalance[] {
    const balances: TokenBalance[] = [];
    let cell = (this.heads[accountId] ?? 0) - 1;
    while (cell >= 0) {
      if (((this.ints[cell * recordInts + flagsAt] as number) & usedFlag) !== 0) {
        const tokenId = this.tokenOf(cell) as TokenId;
        const available = toAmount(this.available(cell));
        balances.push({ tokenId, available, locked: toAmount(this.locked(cell)) });
      }
      cell = this.nextOf(cell);
    }
    return balances;
  }

  /** Reports each balance that changed since the last report, by account and token. */
  report(outcome: Outcome): void {
    if (outcome.isHeard) this.sortTouched();
    for (let index = 0; index < this.touchedCount; index += 1) {
      const cell = this.touched[index] as number;
      const available = this.available(cell);
      const locked = this.locked(cell);
      assert(available >= 0n && locked >= 0n, 'a balance fell under zero');
      this.ints[cell * recordInts + flagsAt] = usedFlag;
      if (!outcome.isHeard) continue;
      outcome.push({
        type: 'balanceChanged',
        accountId: this.accountOf(cell) as AccountId,
        tokenId: this.tokenOf(cell) as TokenId,
        available: toAmount(available),
        locked: toAmount(locked),
      });
    }
    this.touchedCount = 0;
  }

  private touch(cell: number): void {
    const flags = this.ints[cell * recordInts + flagsAt] as number;
    if ((flags & touchedFlag) !== 0) return;
    this.ints[cell * recordInts + flagsAt] = flags | touchedFlag;
    if (this.touchedCount === this.touched.length) {
      this.touched = grownInts(this.touched, this.touchedCount + 1);
    }
    this.touched[this.touchedCount] = cell;
    this.touchedCount += 1;
  }

  private insert(accountId: number, tokenId: number): number {
    const cell = this.count;
    this.count += 1;
    if (this.count * recordAmounts > this.amounts.length) {
      this.amounts = grownBigInts(this.amounts, this.count * recordAmounts);
      this.ints = new Int32Array(this.amounts.buffer);
    }
    if (accountId >= this.heads.length) this.heads = grownInts(this.heads, accountId + 1);
    const { ints } = this;
    ints[cell * recordInts + accountAt] = accountId;
    ints[cell * recordInts + tokenAt] = tokenId;
    let before = -1;
    let after = (this.heads[accountId] as number) - 1;
    while (after >= 0 && this.tokenOf(after) < tokenId) {
      before = after;
      after = this.nextOf(after);
    }
    ints[cell * recordInts + nextAt] = after + 1;
    if (before < 0) this.heads[accountId] = cell + 1;
    else ints[before * recordInts + nextAt] = cell + 1;
    return cell;
  }

  private accountOf(cell: number): number {
    return this.ints[cell * recordInts + accountAt] as number;
  }

  private tokenOf(cell: number): number {
    return this.ints[cell * recordInts + tokenAt] as number;
  }

  private nextOf(cell: number): number {
    return (this.ints[cell * recordInts + nextAt] as number) - 1;
  }

  private sortTouched(): void {
    const { touched, touchedCount } = this;
    if (touchedCount > sortByInsertionMax) {
      touched.subarray(0, touchedCount).sort((left, right) => this.compare(left, right));
      return;
    }
    for (let index = 1; index < touchedCount; index += 1) {
      const cell = touched[index] as number;
      let at = index;
      while (at > 0 && this.compare(touched[at - 1] as number, cell) > 0) {
        touched[at] = touched[at - 1] as number;
        at -= 1;
      }
      touched[at] = cell;
    }
  }

  private compare(left: number, right: number): number {
    const byAccount = this.accountOf(left) - this.accountOf(right);
    return byAccount === 0 ? this.tokenOf(left) - this.tokenOf(right) : byAccount;
  }
}
