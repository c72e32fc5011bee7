import { grownBigInts, grownInts } from '../storage/int64.ts';
import {
  type AccountKind,
  closeOutKind,
  fundKind,
  type HouseKind,
  houseKind,
  type LedgerRecord,
  marketKind,
  perpKind,
  type RecordKind,
  spotKind,
  spotLeavingKind,
} from './record-kinds.ts';
import { ownerAt, recordInts, tokenAt } from './sort-touched.ts';

// A cell is a signed 64-bit amount. A record of 32 bytes holds the two cells of one kind, owner and
// token, so that settling a trade touches one record per account and token. The records of an
// account form a linked list by token and kind, as each account holds few tokens. Open orders store
// their cells, so that a trade needs no lookup.

/** A record's words of 64 bits: its two cells, then its ints. */
export const amountWords = 4;
const capacityMin = 256;

// Ints of a record.
/** The owner's next record, plus 1. */
const nextAt = 6;
export const flagsAt = 7;

/** The record has been touched at least once. */
export const usedFlag = 1;
/** The record is in the touched list. */
export const touchedFlag = 2;
export const kindShift = 4;

/** The cells of a ledger by kind, owner and token. A cell is identified by a number. */
export class LedgerRecords {
  protected amounts = new BigInt64Array(capacityMin * amountWords);
  protected ints = new Int32Array(this.amounts.buffer);
  private count = 0;
  /** The sum of all cells by token, updated with the changes of touched records. */
  protected totals = new BigInt64Array(16);
  /** The sum of the cells of the perp side by token, updated in the same way. */
  protected perpTotals = new BigInt64Array(16);
  /** First record + 1 by account. */
  protected heads = new Int32Array(capacityMin);
  /** Record + 1 by token, by token, and by market. */
  protected readonly direct: Record<HouseKind, Int32Array> = {
    [houseKind]: new Int32Array(16),
    [fundKind]: new Int32Array(16),
    [marketKind]: new Int32Array(16),
  };

  /**
   * The cell of the account's available balance of the token, or -1; the locked cell follows it.
   */
  find(accountId: number, tokenId: number): number {
    if (accountId >= this.heads.length) return -1;
    let record = (this.heads[accountId] as number) - 1;
    while (record >= 0) {
      const token = this.tokenOf(record);
      // The spot record of a token comes before its others.
      if (token >= tokenId) return token === tokenId ? record * amountWords : -1;
      record = this.nextOf(record);
    }
    return -1;
  }

  /** The same, created if missing; an unused one does not count as a balance. */
  open(accountId: number, tokenId: number): number {
    const found = this.find(accountId, tokenId);
    return found >= 0 ? found : this.insert(spotKind, accountId, tokenId) * amountWords;
  }

  /** The cell of what is set aside of a spot wallet for withdrawals. */
  openSpotLeaving(accountId: number, tokenId: number): number {
    return this.openRecord(spotLeavingKind, accountId, tokenId);
  }

  /** The perp wallet's cell, followed by the cell of what is set aside of it for withdrawals. */
  openPerp(accountId: number, tokenId: number): number {
    return this.openRecord(perpKind, accountId, tokenId);
  }

  /** The perp wallet's cell, or -1. */
  findPerp(accountId: number, tokenId: number): number {
    const spot = this.find(accountId, tokenId);
    let record = spot < 0 ? -1 : spot / amountWords;
    while (record >= 0 && this.tokenOf(record) === tokenId) {
      if (this.kindOf(record) === perpKind) return record * amountWords;
      record = this.nextOf(record);
    }
    return -1;
  }

  /** The cell of the insurance fund's reservation for the account's close-out. */
  openInsuranceHeld(accountId: number, tokenId: number): number {
    return this.openRecord(closeOutKind, accountId, tokenId);
  }

  /** The cell that holds minus everything issued of the token. */
  external(tokenId: number): number {
    return this.openRecord(houseKind, 0, tokenId);
  }

  /** The cell of the fees collected in the token, less what has been taken from them. */
  feeRevenue(tokenId: number): number {
    return this.external(tokenId) + 1;
  }

  /** The cell of the insurance fund's free part. */
  insurance(tokenId: number): number {
    return this.openRecord(fundKind, 0, tokenId);
  }

  /** The cell of losses that nobody has paid; never positive. */
  badDebt(tokenId: number): number {
    return this.insurance(tokenId) + 1;
  }

  /** The counter cell of a futures market's realized profits; its funding cell follows it. */
  openMarket(marketId: number, tokenId: number): number {
    return this.openRecord(marketKind, marketId, tokenId);
  }

  /** Every cell, by number. */
  *cells(): Generator<number> {
    for (let record = 0; record < this.count; record += 1) {
      yield record * amountWords;
      yield record * amountWords + 1;
    }
  }

  /** The kind, owner and token of a cell, and whether it is the first or second of its record. */
  describeCell(cell: number): string {
    const record = Math.floor(cell / amountWords);
    const place = [this.kindOf(record), this.ownerOf(record), this.tokenOf(record)];
    return `cell ${place.join(':')}:${cell % amountWords}`;
  }

  /** The first cell of the record, which is created if missing. */
  protected openRecord(kind: RecordKind, owner: number, tokenId: number): number {
    if (kind === houseKind || kind === fundKind || kind === marketKind) {
      const key = kind === marketKind ? owner : tokenId;
      const known = this.direct[kind][key] ?? 0;
      return (known > 0 ? known - 1 : this.insertDirect(kind, owner, tokenId)) * amountWords;
    }
    let record = this.open(owner, tokenId) / amountWords;
    while (record >= 0 && this.tokenOf(record) === tokenId) {
      if (this.kindOf(record) === kind) return record * amountWords;
      record = this.nextOf(record);
    }
    return this.insert(kind, owner, tokenId) * amountWords;
  }

  private insertDirect(kind: HouseKind, owner: number, tokenId: number): number {
    const record = this.add(kind, owner, tokenId);
    const key = kind === marketKind ? owner : tokenId;
    if (key >= this.direct[kind].length) {
      this.direct[kind] = grownInts(this.direct[kind], key + 1);
    }
    this.direct[kind][key] = record + 1;
    return record;
  }

  /** Adds a record and inserts it into its account's list. */
  private insert(kind: AccountKind, accountId: number, tokenId: number): number {
    const record = this.add(kind, accountId, tokenId);
    if (accountId >= this.heads.length) this.heads = grownInts(this.heads, accountId + 1);
    const { ints } = this;
    let before = -1;
    let after = (this.heads[accountId] as number) - 1;
    while (after >= 0 && this.isRecordOf(after, kind, tokenId)) {
      before = after;
      after = this.nextOf(after);
    }
    ints[record * recordInts + nextAt] = after + 1;
    if (before < 0) this.heads[accountId] = record + 1;
    else ints[before * recordInts + nextAt] = record + 1;
    return record;
  }

  private add(kind: RecordKind, owner: number, tokenId: number): number {
    const record = this.count;
    this.count += 1;
    if (this.count * amountWords > this.amounts.length) {
      this.amounts = grownBigInts(this.amounts, this.count * amountWords);
      this.ints = new Int32Array(this.amounts.buffer);
    }
    if (tokenId >= this.totals.length) {
      this.totals = grownBigInts(this.totals, tokenId + 1);
      this.perpTotals = grownBigInts(this.perpTotals, tokenId + 1);
    }
    this.ints[record * recordInts + ownerAt] = owner;
    this.ints[record * recordInts + tokenAt] = tokenId;
    this.ints[record * recordInts + flagsAt] = kind << kindShift;
    return record;
  }

  /** Whether the record comes before one of the kind and token in its account's list. */
  private isRecordOf(record: number, kind: RecordKind, tokenId: number): boolean {
    const token = this.tokenOf(record);
    return token < tokenId || (token === tokenId && this.kindOf(record) < kind);
  }

  protected describe(record: number): LedgerRecord {
    return {
      kind: this.kindOf(record),
      owner: this.ownerOf(record),
      tokenId: this.tokenOf(record),
      first: this.amounts[record * amountWords] as bigint,
      second: this.amounts[record * amountWords + 1] as bigint,
    };
  }

  protected isUsed(record: number): boolean {
    return ((this.ints[record * recordInts + flagsAt] as number) & usedFlag) !== 0;
  }

  protected kindOf(record: number): RecordKind {
    return ((this.ints[record * recordInts + flagsAt] as number) >> kindShift) as RecordKind;
  }

  protected ownerOf(record: number): number {
    return this.ints[record * recordInts + ownerAt] as number;
  }

  protected tokenOf(record: number): number {
    return this.ints[record * recordInts + tokenAt] as number;
  }

  protected nextOf(record: number): number {
    return (this.ints[record * recordInts + nextAt] as number) - 1;
  }
}
