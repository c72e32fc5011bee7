import { type Amount, toAmount } from '../../domain/amount.ts';
import { AssertionError } from '../../domain/assert.ts';
import type { AccountId, TokenId } from '../../domain/identifiers.ts';
import type { TokenBalance } from '../engine-view.ts';
import type { Outcome } from '../outcome.ts';
import type { RuleListener, RunningRule } from '../running-rules.ts';
import { grownBigInts, grownInts } from '../storage/int64.ts';
import {
  amountWords,
  flagsAt,
  kindShift,
  LedgerRecords,
  touchedFlag,
  usedFlag,
} from './ledger-records.ts';
import { type PostingCode, type PostingListener, postingCodes } from './postings.ts';
import {
  fundKind,
  houseKind,
  isPerpSide,
  type LedgerRecord,
  marketKind,
  mayHold,
  perpKind,
  type RecordKind,
  spotKind,
  spotLeavingKind,
} from './record-kinds.ts';
import { recordInts, sortByOwner, tokenAt } from './sort-touched.ts';

// One double-entry ledger for all money: every change of a balance is a posting from one cell to
// another. At the end of a command the cells that it touched are checked: none may hold what its
// kind forbids, and the cells of a token must still sum to zero.

/** Cells changed by profits stay within this bound on both sides, so that none wraps around. */
const cellMax = 1n << 62n;
const cellMin = 0n - cellMax;

/** All money of the exchange, in 10^-8 of each token; a posting moves it between two cells. */
export class Ledger extends LedgerRecords {
  /** Called with each posting; null if there is no listener. */
  listener: PostingListener | null = null;
  /** Called with each rule that the postings of a command break. */
  onBroken: RuleListener = refuseBroken;
  private touched = new Int32Array(64);
  private touchedSums = new BigInt64Array(64);
  private touchedCount = 0;

  /**
   * The only way in which money moves: from one cell to another of the same token. An amount of
   * zero is not posted. One below zero breaks a rule; it is posted as it is, so that the cells sum
   * to zero and hold what the caller has computed.
   */
  post(from: number, to: number, amount: bigint, code: PostingCode): void {
    if (amount <= 0n) {
      if (amount >= 0n) return;
      this.onBroken('posting-positive', `a posting of ${amount}`);
    }
    this.touch(from >> 2);
    this.touch(to >> 2);
    const { amounts } = this;
    amounts[from] = BigInt.asIntN(64, (amounts[from] as bigint) - amount);
    amounts[to] = BigInt.asIntN(64, (amounts[to] as bigint) + amount);
    if (this.listener !== null) this.listener(from, to, amount, code);
  }

  /** Makes two postings out of one cell: to the receiver, and the fee. */
  postWithFee(from: number, to: number, amount: bigint, feeCell: number, fee: bigint): void {
    if (this.listener !== null || amount <= 0n || fee <= 0n) {
      this.post(from, to, amount, postingCodes.spotTrade);
      this.post(from, feeCell, fee, postingCodes.spotFee);
      return;
    }
    this.touch(from >> 2);
    this.touch(to >> 2);
    this.touch(feeCell >> 2);
    const { amounts } = this;
    const paid = BigInt.asIntN(64, amount + fee);
    amounts[from] = BigInt.asIntN(64, (amounts[from] as bigint) - paid);
    amounts[to] = BigInt.asIntN(64, (amounts[to] as bigint) + amount);
    amounts[feeCell] = BigInt.asIntN(64, (amounts[feeCell] as bigint) + fee);
  }

  /** What a cell holds, in 10^-8 of its token. */
  balance(cell: number): bigint {
    return this.amounts[cell] as bigint;
  }

  /** Everything credited of the token, less what was paid out. */
  issuedOf(tokenId: number): Amount {
    const record = (this.direct[houseKind][tokenId] ?? 0) - 1;
    return toAmount(record < 0 ? 0n : 0n - (this.amounts[record * amountWords] as bigint));
  }

  /** The fees collected in the token, less what has been taken from them. */
  feesOf(tokenId: number): Amount {
    const record = (this.direct[houseKind][tokenId] ?? 0) - 1;
    return toAmount(record < 0 ? 0n : (this.amounts[record * amountWords + 1] as bigint));
  }

  /** The part of the token in perp wallets and in all cells that back them, except for fees. */
  perpFundsOf(tokenId: number): bigint {
    return this.perpTotals[tokenId] ?? 0n;
  }

  /** Spot balances that have ever been nonzero, by token id. */
  list(accountId: AccountId): TokenBalance[] {
    const balances: TokenBalance[] = [];
    let record = (this.heads[accountId] ?? 0) - 1;
    while (record >= 0) {
      if (this.kindOf(record) === spotKind && this.isUsed(record)) {
        const tokenId = this.tokenOf(record) as TokenId;
        const available = toAmount(this.amounts[record * amountWords] as bigint);
        balances.push({ tokenId, available, locked: toAmount(this.lockedIn(record)) });
      }
      record = this.nextOf(record);
    }
    return balances;
  }

  /** Every record that has ever been used, in an order independent of how they were created. */
  *records(): Generator<LedgerRecord> {
    for (let owner = 1; owner < this.heads.length; owner += 1) {
      let record = (this.heads[owner] as number) - 1;
      while (record >= 0) {
        if (this.isUsed(record)) yield this.describe(record);
        record = this.nextOf(record);
      }
    }
    for (const kind of [houseKind, fundKind, marketKind] as const) {
      for (const place of this.direct[kind]) {
        if (place > 0 && this.isUsed(place - 1)) yield this.describe(place - 1);
      }
    }
  }

  /** Restores a saved record. */
  restore({ kind, owner, tokenId, first, second }: LedgerRecord): void {
    const cell = this.openRecord(kind, owner, tokenId);
    const record = cell / amountWords;
    if (!mayHold(kind, first, second)) this.reportCell(record, first, second);
    this.amounts[cell] = first;
    this.amounts[cell + 1] = second;
    this.ints[record * recordInts + flagsAt] = (kind << kindShift) | usedFlag;
    const total = (this.totals[tokenId] as bigint) + first + second;
    this.totals[tokenId] = BigInt.asIntN(64, total);
    if (isPerpSide(kind)) (this.perpTotals[tokenId] as bigint) += first + second;
  }

  /** Checks that the cells of each token sum to zero. */
  checkTotals(): void {
    if (this.totals.some((total) => total !== 0n))
      this.onBroken('postings-sum-zero', unbalancedText);
  }

  /**
   * Ends a command: checks that its postings sum to zero and leave every cell within its bounds,
   * and reports each spot balance that they changed, by account and token.
   */
  report(outcome: Outcome): void {
    const reported = this.settleTouched();
    if (!outcome.isObserved) return;
    sortByOwner(this.touched, reported, this.ints);
    for (let index = 0; index < reported; index += 1) {
      this.reportBalance(outcome, this.touched[index] as number);
    }
  }

  /** @returns how many spot records were touched; they come first in the list. */
  private settleTouched(): number {
    const { touched, touchedSums, touchedCount, amounts, ints, totals, perpTotals } = this;
    let spotCount = 0;
    let unbalanced = 0;
    for (let index = 0; index < touchedCount; index += 1) {
      const record = touched[index] as number;
      const first = amounts[record * amountWords] as bigint;
      const second = amounts[record * amountWords + 1] as bigint;
      const at = record * recordInts;
      const flags = ints[at + flagsAt] as number;
      ints[at + flagsAt] = (flags | usedFlag) & ~touchedFlag;
      if (flags >> kindShift === spotKind) {
        if (first < 0n || second < 0n) this.reportCell(record, first, second);
        touched[spotCount] = record;
        spotCount += 1;
      } else {
        const isAllowed = isSound((flags >> kindShift) as RecordKind, first, second);
        if (!isAllowed) this.reportCell(record, first, second);
      }
      const token = ints[at + tokenAt] as number;
      const before = totals[token] as bigint;
      const sum = BigInt.asIntN(64, first + second);
      const change = BigInt.asIntN(64, sum - (touchedSums[index] as bigint));
      const after = BigInt.asIntN(64, before + change);
      totals[token] = after;
      if (isPerpSide((flags >> kindShift) as RecordKind)) (perpTotals[token] as bigint) += change;
      unbalanced += (isZero(before) ? 1 : 0) - (isZero(after) ? 1 : 0);
    }
    this.touchedCount = 0;
    if (unbalanced !== 0) this.onBroken('postings-sum-zero', unbalancedText);
    return spotCount;
  }

  private reportCell(record: number, first: bigint, second: bigint): void {
    const place = `record ${this.kindOf(record)}:${this.ownerOf(record)}:${this.tokenOf(record)}`;
    this.onBroken('no-negative-cell', `${place} holds ${first} and ${second}`);
  }

  private reportBalance(outcome: Outcome, record: number): void {
    outcome.push({
      type: 'balanceChanged',
      accountId: this.ownerOf(record) as AccountId,
      tokenId: this.tokenOf(record) as TokenId,
      available: toAmount(this.amounts[record * amountWords] as bigint),
      locked: toAmount(this.lockedIn(record)),
    });
  }

  /** The part of a spot balance that open orders and withdrawals lock. */
  private lockedIn(record: number): bigint {
    const locked = this.amounts[record * amountWords + 1] as bigint;
    const next = this.nextOf(record);
    if (next < 0 || this.kindOf(next) !== spotLeavingKind) return locked;
    if (this.tokenOf(next) !== this.tokenOf(record)) return locked;
    return BigInt.asIntN(64, locked + (this.amounts[next * amountWords] as bigint));
  }

  private touch(record: number): void {
    const flags = this.ints[record * recordInts + flagsAt] as number;
    if ((flags & touchedFlag) !== 0) return;
    this.ints[record * recordInts + flagsAt] = flags | touchedFlag;
    const { touchedCount } = this;
    if (touchedCount === this.touched.length) {
      this.touched = grownInts(this.touched, touchedCount + 1);
      this.touchedSums = grownBigInts(this.touchedSums, touchedCount + 1);
    }
    const at = record * amountWords;
    const first = this.amounts[at] as bigint;
    this.touched[touchedCount] = record;
    this.touchedSums[touchedCount] = BigInt.asIntN(64, first + (this.amounts[at + 1] as bigint));
    this.touchedCount += 1;
    // What is set aside is reported with the spot balance.
    if (flags >> kindShift === spotLeavingKind) {
      this.touch(this.find(this.ownerOf(record), this.tokenOf(record)) / amountWords);
    }
  }
}

/** Compares by < and >, which, unlike ===, work on numbers in registers. */
function isZero(amount: bigint): boolean {
  return amount <= 0n && amount >= 0n;
}

/** Whether the cells may hold the amounts, far from where profits would wrap around. */
function isSound(kind: RecordKind, first: bigint, second: bigint): boolean {
  const isBounded = kind !== perpKind && kind !== marketKind;
  return mayHold(kind, first, second) && (isBounded || (first < cellMax && first > cellMin));
}

const unbalancedText = 'the ledger does not balance';

function refuseBroken(rule: RunningRule, detail: string): void {
  throw new AssertionError(`${rule}: ${detail}`);
}
