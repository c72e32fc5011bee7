import { toAmount } from '../../domain/amount.ts';
import { assert } from '../../domain/assert.ts';
import type { AccountId, TokenId } from '../../domain/identifiers.ts';
import type { TokenBalance } from '../engine-view.ts';
import type { Outcome } from '../outcome.ts';
import { grownBigInts, grownInts } from '../storage/int64.ts';

// A balance is a cell: one account's available and locked money in one token. The cells of an
// account hang in a list by token, as accounts hold few tokens each; open orders remember their
// two cells, so that settling a trade looks nothing up.

const sortByInsertionMax = 24;

/** All balances, and which of them the running command has changed. */
export class Balances {
  /** Available at 2 x cell, locked right behind it. */
  private amounts = new BigInt64Array(512);
  private accounts = new Int32Array(256);
  private tokens = new Int32Array(256);
  private next = new Int32Array(256);
  /** 1 where the cell was ever other than zero. */
  private used = new Int32Array(256);
  /** First cell + 1 by account. */
  private heads = new Int32Array(256);
  private count = 0;
  private touched = new Int32Array(64);
  private touchedCount = 0;
  /** 1 while the cell stands in the touched list. */
  private marks = new Int32Array(256);

  available(cell: number): bigint {
    return this.amounts[cell * 2] as bigint;
  }

  locked(cell: number): bigint {
    return this.amounts[cell * 2 + 1] as bigint;
  }

  /** The cell of the account and token, or -1. */
  find(accountId: number, tokenId: number): number {
    if (accountId >= this.heads.length) return -1;
    let cell = (this.heads[accountId] as number) - 1;
    while (cell >= 0) {
      const token = this.tokens[cell] as number;
      if (token >= tokenId) return token === tokenId ? cell : -1;
      cell = (this.next[cell] as number) - 1;
    }
    return -1;
  }

  /** The cell of the account and token, made where missing; an unused one is no balance yet. */
  open(accountId: number, tokenId: number): number {
    const found = this.find(accountId, tokenId);
    return found >= 0 ? found : this.insert(accountId, tokenId);
  }

  /** Available money comes in. */
  receive(cell: number, amount: bigint): void {
    if (amount === 0n) return;
    const at = cell * 2;
    this.amounts[at] = BigInt.asIntN(64, (this.amounts[at] as bigint) + amount);
    this.touch(cell);
  }

  /** Available money goes out. */
  pay(cell: number, amount: bigint): void {
    const at = cell * 2;
    this.amounts[at] = BigInt.asIntN(64, (this.amounts[at] as bigint) - amount);
    this.touch(cell);
  }

  /** Locked money goes out. */
  payLocked(cell: number, amount: bigint): void {
    const at = cell * 2 + 1;
    this.amounts[at] = BigInt.asIntN(64, (this.amounts[at] as bigint) - amount);
    this.touch(cell);
  }

  lock(cell: number, amount: bigint): void {
    const at = cell * 2;
    this.amounts[at] = BigInt.asIntN(64, (this.amounts[at] as bigint) - amount);
    this.amounts[at + 1] = BigInt.asIntN(64, (this.amounts[at + 1] as bigint) + amount);
    this.touch(cell);
  }

  unlock(cell: number, amount: bigint): void {
    const at = cell * 2;
    this.amounts[at] = BigInt.asIntN(64, (this.amounts[at] as bigint) + amount);
    this.amounts[at + 1] = BigInt.asIntN(64, (this.amounts[at + 1] as bigint) - amount);
    this.touch(cell);
  }

  /** Puts back a balance that was saved. */
  restore(accountId: number, balance: TokenBalance): void {
    const cell = this.open(accountId, balance.tokenId);
    this.amounts[cell * 2] = balance.available;
    this.amounts[cell * 2 + 1] = balance.locked;
    this.used[cell] = 1;
  }

  /** Balances that were ever other than zero, by token id. */
  list(accountId: AccountId): TokenBalance[] {
    const balances: TokenBalance[] = [];
    let cell = (this.heads[accountId] ?? 0) - 1;
    while (cell >= 0) {
      if (this.used[cell] === 1) {
        const tokenId = this.tokens[cell] as TokenId;
        const available = toAmount(this.available(cell));
        balances.push({ tokenId, available, locked: toAmount(this.locked(cell)) });
      }
      cell = (this.next[cell] as number) - 1;
    }
    return balances;
  }

  /** Reports each balance that changed since the last report, by account and token. */
  report(outcome: Outcome): void {
    this.sortTouched();
    for (let index = 0; index < this.touchedCount; index += 1) {
      const cell = this.touched[index] as number;
      const available = this.available(cell);
      const locked = this.locked(cell);
      assert(available >= 0n && locked >= 0n, 'a balance fell under zero');
      this.marks[cell] = 0;
      this.used[cell] = 1;
      outcome.push({
        type: 'balanceChanged',
        accountId: this.accounts[cell] as AccountId,
        tokenId: this.tokens[cell] as TokenId,
        available: toAmount(available),
        locked: toAmount(locked),
      });
    }
    this.touchedCount = 0;
  }

  private touch(cell: number): void {
    if (this.marks[cell] === 1) return;
    this.marks[cell] = 1;
    if (this.touchedCount === this.touched.length) {
      this.touched = grownInts(this.touched, this.touchedCount + 1);
    }
    this.touched[this.touchedCount] = cell;
    this.touchedCount += 1;
  }

  private insert(accountId: number, tokenId: number): number {
    const cell = this.count;
    this.count += 1;
    if (this.count > this.accounts.length) this.growCells();
    if (accountId >= this.heads.length) this.heads = grownInts(this.heads, accountId + 1);
    this.accounts[cell] = accountId;
    this.tokens[cell] = tokenId;
    let before = -1;
    let after = (this.heads[accountId] as number) - 1;
    while (after >= 0 && (this.tokens[after] as number) < tokenId) {
      before = after;
      after = (this.next[after] as number) - 1;
    }
    this.next[cell] = after + 1;
    if (before < 0) this.heads[accountId] = cell + 1;
    else this.next[before] = cell + 1;
    return cell;
  }

  private growCells(): void {
    this.amounts = grownBigInts(this.amounts, this.count * 2);
    this.accounts = grownInts(this.accounts, this.count);
    this.tokens = grownInts(this.tokens, this.count);
    this.next = grownInts(this.next, this.count);
    this.used = grownInts(this.used, this.count);
    this.marks = grownInts(this.marks, this.count);
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
    const byAccount = (this.accounts[left] as number) - (this.accounts[right] as number);
    if (byAccount !== 0) return byAccount;
    return (this.tokens[left] as number) - (this.tokens[right] as number);
  }
}
