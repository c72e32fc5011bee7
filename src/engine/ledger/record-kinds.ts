import { assert } from '../../domain/assert.ts';

// The chart of accounts. A record holds two cells of one kind, owner and token, the first and the
// second of its row. Positive amounts are what the exchange owes.
//
//   kind         owner    first cell      second cell
//   spot         account  available       locked by open orders
//   spotLeaving  account  set aside for withdrawals
//   perp         account  perp wallet     set aside for withdrawals
//   closeOut     account  reserved by the insurance fund
//   house        -        minus everything issued (never positive)  fee revenue
//   fund         -        insurance fund, free part                 unpaid losses (never positive)
//   market       market   counter cell of realized profit           funding not yet paid out

export const spotKind = 0;
export const spotLeavingKind = 1;
export const perpKind = 2;
export const closeOutKind = 3;
export const houseKind = 4;
export const fundKind = 5;
export const marketKind = 6;

/** The kinds of records that belong to an account. */
export type AccountKind = 0 | 1 | 2 | 3;
/** The kinds of records that belong to the exchange or a market. */
export type HouseKind = 4 | 5 | 6;
/** What a record of the ledger is for; see the table above. */
export type RecordKind = AccountKind | HouseKind;

/** A record's contents, for snapshots and audits. */
export interface LedgerRecord {
  readonly kind: RecordKind;
  /** The account or market; 0 for the exchange. */
  readonly owner: number;
  readonly tokenId: number;
  readonly first: bigint;
  readonly second: bigint;
}

/** Whether cells of the kind are perp wallets or back them; fees are not counted. */
export function isPerpSide(kind: RecordKind): boolean {
  return kind === perpKind || kind === closeOutKind || kind === fundKind || kind === marketKind;
}

/** Whether cells of the kind may hold these amounts. */
export function mayHold(kind: RecordKind, first: bigint, second: bigint): boolean {
  switch (kind) {
    case spotKind:
    case spotLeavingKind:
    case closeOutKind:
      return first >= 0n && second >= 0n;
    case perpKind:
      return second >= 0n;
    case houseKind:
      return first <= 0n && second >= 0n;
    case fundKind:
      return first >= 0n && second <= 0n;
    case marketKind:
      return true;
  }
}

/** The kind with this code; throws an AssertionError for any other number. */
export function toRecordKind(code: number): RecordKind {
  assert(code >= spotKind && code <= marketKind, 'a saved record is of a known kind');
  return code as RecordKind;
}
